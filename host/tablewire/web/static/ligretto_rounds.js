// Owns the score table: a row for each player, a column for each round that is scored, and the sum. Knows no HTTP.

import { openDialog } from "./dialog.js";
import { byId, el, refill } from "./dom.js";
import { resultOf } from "./ligretto_players.js";
import { BLOCKED, numberSaid, signedSaid } from "./ligretto_words.js";

// With more players than this the points alone fill a screen.
const SHORT_MAX_COUNT = 6;

const keyOf = (doc) => [doc.players.map(({ name, total }) => [name, total]), doc.history, doc.result, doc.rounds, doc.target];

// On the page itself between two rounds and at the end; the players' cards make room for it on a screen for all.
export function renderRounds(doc) {
  const node = byId("rounds");
  const isShown = (doc.history ?? []).length > 0 && (doc.phase === "over" || doc.phase === "waiting");
  node.hidden = !isShown;
  document.body.classList.toggle("shows-rounds", isShown);
  if (isShown) refill(node, keyOf(doc), () => [table(doc)]);
}

export function openRounds() {
  const node = el("div", { class: "rounds" });
  return openDialog({
    id: "rounds-table",
    title: "Score table",
    isWide: true,
    make: () => ({
      nodes: [node],
      follow: (doc) => refill(node, keyOf(doc), () => [(doc.history ?? []).length > 0 ? table(doc) : el("p", { class: "hint-line" }, "No round is scored yet.")]),
    }),
  });
}

function table(doc) {
  const history = doc.history ?? [];
  const winners = resultOf(doc)?.winners ?? [];
  const head = (text, ...more) => el("th", { scope: "col" }, text, ...more);
  return el(
    "div",
    { class: "table-frame", tabindex: "0", role: "region", "aria-label": "Score table" },
    el(
      "table",
      { class: doc.players.length > SHORT_MAX_COUNT ? "score-table is-long" : "score-table" },
      el("thead", {}, el("tr", {}, head("Player"), ...history.map((round) => head(`Round ${round.round}`, el("small", {}, stopSaid(round)))), head("Sum"))),
      el(
        "tbody",
        {},
        ...doc.players.map(({ name, total }) =>
          el(
            "tr",
            { class: winners.includes(name) ? "is-winner" : "", "data-row": name },
            el("th", { scope: "row" }, name),
            ...history.map((round) => cell(round, name)),
            el("td", { class: "sum" }, numberSaid(total ?? 0)),
          ),
        ),
      ),
    ),
  );
}

function stopSaid({ stop }) {
  return stop === BLOCKED ? "nobody could play" : stop ? `${stop} stopped` : "";
}

function cell({ points, played, left }, name) {
  const has = points?.[name] !== undefined;
  return el("td", {}, el("strong", {}, has ? signedSaid(points[name]) : ""), has && el("small", {}, `${played?.[name] ?? 0} played, ${left?.[name] ?? 0} left`));
}
