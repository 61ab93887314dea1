// Owns the panels above the players: whose turn it is and why, the last verdict, the result and what can be done then.

import { holdWords, sentence } from "./board_words.js";
import { resultOf } from "./cirkis_players.js";
import { playerName } from "./cirkis_words.js";
import { badge, classOf, nameOf } from "./colours.js";
import { byId, el, refill } from "./dom.js";

const ENDED = {
  target: "The target was reached.",
  went_out: "The last piece of a player is placed.",
  blocked: "Nobody can place any more.",
  match: "The match is over.",
};

const AFTER = {
  game: "Clear the table when you like: nothing more is recorded. Begin a new game, or undo or correct a move.",
  round: "Clear the table when you like: nothing more is recorded. Open the next round, or undo or correct a move.",
};

export function renderTurn(doc) {
  const turn = byId("turn");
  const colour = turnColour(doc);
  turn.className = `turn ${colour ? classOf(colour) : "c-none"}`;
  refill(turn, [doc.phase, doc.message?.kind, doc.turn, doc.free_turn, doc.why_turn, doc.passed_over, doc.players.map((p) => [p.name, p.score]), doc.result, doc.totals, doc.actions?.next_round, holdWords(doc)], () => {
    if (doc.phase === "over") return resultBanner(doc);
    const { headline, text } = turnWords(doc);
    return [
      colour && badge(colour, "large"),
      el(
        "div",
        { class: "turn-words" },
        el("h1", {}, headline),
        text && el("p", {}, text),
        // Where being passed over is why it is whose turn, the words above say it.
        doc.why_turn?.kind !== "passed_over" &&
          (doc.passed_over ?? []).length > 0 &&
          el("p", { class: "passed" }, `Passed over: ${doc.passed_over.map((player) => playerName(doc, player)).join(", ")}`),
      ),
      doc.free_turn && el("span", { class: "pill free" }, "Free turn"),
    ];
  });
}

function turnColour(doc) {
  if (doc.phase === "over") return resultOf(doc)?.winners?.length === 1 ? resultOf(doc).winners[0] : null;
  return doc.turn;
}

function turnWords(doc) {
  if (doc.players.length === 0) return { headline: "Ready for a game", text: "Start a new game, or go on with one that was put aside." };
  const hold = holdWords(doc);
  const why = hold ? `On hold: ${hold}` : (doc.why_turn?.text ?? "");
  if (doc.phase === "hold" && doc.message?.kind === "restore" && doc.turn) {
    return { headline: "Play is on hold", text: hold ? sentence(hold) : `${playerName(doc, doc.turn)} is to play as soon as the table is right again.` };
  }
  // The piece that is asked about may be the very one of the player whose turn it is.
  if (doc.phase === "hold" && doc.message?.kind === "ambiguous") return { headline: "Play is on hold", text: hold ? sentence(hold) : "It goes on as soon as the question is answered." };
  if (doc.phase === "waiting") return { headline: "Set up the table", text: why };
  if (!doc.turn) return { headline: "One moment", text: why };
  return { headline: `${playerName(doc, doc.turn)} to play`, text: why };
}

function resultBanner(doc) {
  const result = resultOf(doc);
  const winners = result?.winners ?? [];
  const names = winners.map((player) => playerName(doc, player));
  const headline = names.length === 1 ? `${names[0]} wins` : names.length > 1 ? `${names.join(" and ")} share the win` : "The game is over";
  const ranked = [...doc.players].sort((a, b) => rankOf(doc, b) - rankOf(doc, a));
  return [
    el("div", { class: "winner-badges" }, ...winners.map((player) => badge(player, "large"))),
    el(
      "div",
      { class: "turn-words" },
      el("h1", {}, headline),
      el("p", {}, ENDED[result?.ended] ?? ""),
      el("p", { class: "after" }, AFTER[doc.actions?.next_round ? "round" : "game"]),
      el(
        "ol",
        { class: "ranking" },
        ...ranked.map((player) =>
          el(
            "li",
            { class: classOf(player.colour) },
            badge(player.colour, "small"),
            `${player.name || nameOf(player.colour)} ${player.score}`,
            doc.totals && el("small", {}, `${doc.totals[player.colour] ?? 0} in the match`),
          ),
        ),
      ),
    ),
  ];
}

function rankOf(doc, player) {
  return resultOf(doc)?.ended === "match" ? (doc.totals?.[player.colour] ?? 0) : player.score;
}

export function renderVerdict(doc) {
  const verdict = byId("verdict");
  verdict.hidden = !doc.verdict;
  verdict.classList.toggle("is-provisional", Boolean(doc.provisional));
  verdict.classList.toggle("is-illegal", doc.verdict?.legal === false);
  refill(verdict, [doc.verdict, doc.awards, doc.provisional], () =>
    doc.verdict
      ? [
          el(
            "p",
            { class: "verdict-text" },
            doc.last?.player && badge(doc.last.player, "small"),
            el("span", {}, verdictWords(doc)),
            doc.provisional && el("small", { class: "settling" }, "settling"),
          ),
          (doc.awards ?? []).length > 0 && el("ul", { class: "awards" }, ...doc.awards.map((award) => awardItem(doc, award))),
        ]
      : [],
  );
}

// The verdict without the awards, which are listed under it.
function verdictWords(doc) {
  return (doc.awards ?? []).reduce((text, award) => (award.text ? text.replace(award.text, "") : text), doc.verdict.text).replace(/\s+/g, " ").trim();
}

function awardItem(doc, award) {
  return el(
    "li",
    { class: classOf(award.player) },
    el("strong", {}, `+${award.points}`),
    badge(award.player, "small"),
    el("span", {}, award.text || `${playerName(doc, award.player)}, ${award.why}`),
  );
}
