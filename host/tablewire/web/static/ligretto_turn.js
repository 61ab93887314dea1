// Owns the panel above everything: how the round stands, or how the game ended. No numbers that change with every card:
// it is read out whenever it changes.

import { holdWords, sentence } from "./board_words.js";
import { byId, el, refill } from "./dom.js";
import { resultOf } from "./ligretto_players.js";
import { BLOCKED, listed, numberSaid } from "./ligretto_words.js";

const ENDED = { rounds: "All rounds are played.", target: "The target was reached." };
const AFTER = "Clear the pads when you like: nothing more is recorded. Begin a new game, or undo or correct something.";

export function renderTurn(doc) {
  const turn = byId("turn");
  turn.className = "turn c-none";
  const isOver = doc.phase === "over";
  const said = isOver ? null : turnWords(doc);
  const ranking = isOver ? doc.players.map(({ name, total }) => [name, total]) : null;
  refill(turn, [said, isOver, doc.result, ranking], () => (isOver ? resultBanner(doc) : [words(said)]));
}

function words({ headline, text }) {
  return el("div", { class: "turn-words" }, el("h1", {}, headline), text && el("p", {}, text));
}

function turnWords(doc) {
  if (doc.players.length === 0) return { headline: "Ready for a game", text: "Start a new game, or go on with one that was put aside." };
  const hold = holdWords(doc);
  const head = headOf(doc);
  return hold ? { ...head, text: sentence(`on hold: ${hold}`) } : head;
}

function headOf(doc) {
  const { stopped, round } = doc;
  if (stopped) {
    const headline = stopped.by === BLOCKED ? "Stop: nobody can play" : `Ligretto stop by ${stopped.by}`;
    return { headline, text: doc.phase === "hold" ? firstOf(doc) : "Count the cards that are left in each player's own pile." };
  }
  if (doc.phase === "waiting") {
    const isLater = (doc.history ?? []).length > 0;
    const setup = doc.message?.kind === "setup" ? doc.message.text : "";
    if (isLater) return { headline: `Round ${doc.history.at(-1).round} is scored`, text: "Take all cards off the pads and deal again, then open the next round." };
    return { headline: "Get ready", text: setup || "Deal the cards and clear the pads. The first 1 on a pad begins the round." };
  }
  const of = doc.rounds ? ` of ${doc.rounds}` : "";
  const goal = doc.target ? `Played until somebody has ${doc.target} points.` : "";
  const now = Object.keys(doc.pads ?? {}).length > 0 ? "Everybody plays at once." : "Deal the cards. The first 1 on a pad begins the round.";
  return { headline: `Round ${round}${of}`, text: [now, goal].filter(Boolean).join(" ") };
}

// What stands in the way of the count.
function firstOf({ undecided, wrong, message }) {
  const asks = (undecided ?? []).length > 0 || message?.kind === "ambiguous";
  const lies = (wrong ?? []).some((card) => card.lies !== false) || (message?.steps ?? []).length > 0;
  return `First ${[lies && "put right", (asks || !lies) && "decide"].filter(Boolean).join(" and ")} what is marked.`;
}

function resultBanner(doc) {
  const result = resultOf(doc);
  const winners = result?.winners ?? [];
  const headline = winners.length === 1 ? `${winners[0]} wins` : winners.length > 1 ? `${listed(winners)} share the win` : "The game is over";
  const totals = result?.totals ?? {};
  const ranked = [...doc.players].map(({ name, total }) => [name, totals[name] ?? total ?? 0]).sort(([, a], [, b]) => b - a);
  return [
    el(
      "div",
      { class: "turn-words" },
      el("h1", {}, headline),
      el("p", {}, ENDED[result?.ended] ?? ""),
      el("p", { class: "after" }, AFTER),
      el("ol", { class: "ranking" }, ...ranked.map(([name, total]) => el("li", {}, `${name} ${numberSaid(total)}`))),
    ),
  ];
}
