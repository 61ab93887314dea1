// Owns what the page shows of Ligretto alone: pads, players, what has to be decided, the end of a round, and which dialogs
// there are. Decides nothing about the game.

import { button, byId, el, refill } from "./dom.js";
import { Asks } from "./ligretto_asks.js";
import { openNameCard } from "./ligretto_correct.js";
import { Ending } from "./ligretto_ending.js";
import { openLog } from "./ligretto_log.js";
import { newGameForm } from "./ligretto_new_game.js";
import { Piles } from "./ligretto_piles.js";
import { openStop, renderPlayers } from "./ligretto_players.js";
import { openReaders } from "./ligretto_readers.js";
import { openRounds, renderRounds } from "./ligretto_rounds.js";
import { renderTurn } from "./ligretto_turn.js";
import { BLOCKED, cardsSaid, reasonSaid, stepWords } from "./ligretto_words.js";
import { openTeach } from "./teach.js";

export { newGameForm };

// What is said elsewhere on this page, and better: at each card, at each pair, in the form at the end of a round; between
// two rounds in the panel above everything.
const COVERED_KINDS = new Set(["illegal", "unexplained", "undecided", "count"]);
const COVERED_BETWEEN = "setup";
const LIVE = ["aria-live", "aria-atomic"];

export function mount(data, { isWritable, send }) {
  const piles = new Piles();
  const asks = new Asks({
    choose: isWritable ? (control, id) => send(control, "choose", { id }) : null,
    decide: isWritable ? (control, group, winner) => send(control, "decide", { n: group.ns[0], winner }) : null,
    name: isWritable ? (entry) => openNameCard({ doc, entry }) : null,
  });
  const ending = new Ending({ send, isWritable });
  const stop = isWritable ? (control, player) => send(control, "round-stop", { player }) : null;
  const blocked = button("Nobody can play", { class: "tool", "data-action": "blocked", hidden: true, onclick: (event) => stop(event.currentTarget, BLOCKED) });
  const scores = button("Score table", { class: "tool", "data-action": "scores", onclick: () => openRounds() });
  byId("stage").replaceChildren(el("div", { class: "board-frame" }, piles.node), el("div", { class: "tools" }, blocked, scores));
  // Cards come faster than anybody could listen: the wrong ones are read out, the others are not.
  const verdict = byId("verdict");
  const live = LIVE.map((name) => [name, verdict.getAttribute(name)]);
  for (const [name] of live) verdict.removeAttribute(name);
  let doc = null;
  let padCount = Number(data.pads ?? 0);

  return {
    render(next) {
      doc = next;
      padCount = Number(doc.pad_count ?? doc.link?.readers ?? data.pads ?? 0);
      blocked.hidden = !(isWritable && doc.actions?.stop);
      scores.hidden = doc.players.length === 0;
      piles.render(doc, padCount);
      renderTurn(doc);
      asks.render(doc);
      ending.render(doc, padCount);
      renderLast(doc);
      renderRounds(doc);
      if (doc.players.length > 0) {
        if (byId("players").querySelector(".welcome")) byId("players").replaceChildren();
        delete byId("players").filledWith;
        renderPlayers(byId("players"), doc, stop);
      } else {
        delete byId("players").kept;
        refill(byId("players"), ["welcome", doc.decks], () => [welcome(doc, isWritable)]);
      }
    },
    unmount() {
      asks.close();
      document.body.classList.remove("shows-rounds");
      for (const [name, value] of live) verdict.setAttribute(name, value);
    },
    historyTitle: "Record",
    facts: (now) => [
      now.rounds ? `Round ${now.round} of ${now.rounds}` : now.round && `Round ${now.round}`,
      now.target && `to ${now.target} points`,
      Object.keys(now.pads ?? {}).length > 0 && `${cardsSaid(Object.values(now.pads).reduce((sum, { height }) => sum + height, 0))} in the centre`,
    ],
    covers: ({ message, phase }) =>
      Boolean(message) && (COVERED_KINDS.has(message.kind) || (message.kind === COVERED_BETWEEN && phase === "waiting")) && (message.choices ?? []).every(({ id }) => asks.offered.has(id)),
    point: (pads) => piles.point(pads),
    stepWords,
    open: () => openLog({ padCount, isWritable }),
    offers: () => [],
    menuItems: (now) =>
      now.actions?.stop ? [{ id: "stop", title: "Stop the round", text: "For a player whose own pile is empty, or because nobody can play.", onclick: () => openStop(doc.players, stop) }] : [],
    views: (now) =>
      now.players.length > 0
        ? [
            { id: "scores", title: "Score table", text: "The points of every round.", onclick: () => openRounds() },
            { id: "readers", title: "Readers", text: "What every reader sees on its pad, and how it is.", onclick: () => openReaders() },
          ]
        : [],
  };
}

// What happened last, in one line that keeps its height.
function renderLast(doc) {
  const node = byId("verdict");
  const last = (doc.log ?? []).at(-1);
  node.hidden = !last || doc.phase === "over" || doc.phase === "waiting";
  if (!last) return;
  node.classList.toggle("is-provisional", Boolean(doc.provisional));
  node.classList.toggle("is-illegal", last.legal === false);
  const text = last.text || (last.reasons ?? []).map(reasonSaid).join("; ");
  refill(node, [text], () => [el("p", { class: "verdict-text last-line" }, el("span", {}, text))]);
}

function welcome(doc, isWritable) {
  const known = (doc.decks ?? []).filter(({ missing }) => missing === 0).length;
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, "How to start"),
    el(
      "ol",
      {},
      el("li", {}, `Every player needs a deck whose cards the table knows; it is taught once, card by card. ${known === 1 ? "One deck is" : `${known || "No"} decks are`} known.`),
      el("li", {}, "Start a new game: who plays, with which deck, and for how many rounds."),
      el("li", {}, "Deal the cards and clear the pads. A 1 laid on an empty pad opens a pile, and the table does the rest."),
    ),
    isWritable && doc.decks && button("Teach a deck", { "data-action": "teach", onclick: () => openTeach(doc) }),
  );
}
