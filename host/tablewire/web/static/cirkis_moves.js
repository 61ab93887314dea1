// Owns the list of all moves of a game, newest first, from where each can be corrected or gone back to.

import { badge, classOf } from "./colours.js";
import { openCorrection } from "./cirkis_correct.js";
import { entrySaid, lineSaid, playerName, pointsOf, pointsSaid, reasonSaid } from "./cirkis_words.js";
import { openDialog } from "./dialog.js";
import { button, el, refill } from "./dom.js";
import { wrongLine } from "./forms.js";
import { post } from "./live.js";

export function openMoves({ data, isWritable }) {
  const list = el("ol", { class: "move-list", reversed: true });
  const again = el("div", { class: "again", hidden: true });
  const empty = el("p", { class: "hint-line" }, "Nothing has been played yet.");
  const wrong = wrongLine();
  let doc = null;

  async function send(action, body, control) {
    control.disabled = true;
    wrong.textContent = (await post(action, body)) ?? "";
    control.disabled = false;
  }

  function row(line) {
    const after = doc.history.length - line.n;
    const content = moveWords(doc, line);
    return el(
      "li",
      { class: `move ${line.player ? classOf(line.player) : "c-none"}`, "data-n": line.n },
      isWritable
        ? el(
            "button",
            {
              type: "button",
              class: "move-open",
              "data-action": `correct-${line.n}`,
              "aria-label": `Correct move ${line.n}: ${entrySaid(doc, line)}`,
              onclick: () => openCorrection({ data, doc, n: line.n }),
            },
            ...content,
          )
        : el("div", { class: "move-open" }, ...content),
      isWritable &&
        after > 0 &&
        button("Undo to here", {
          class: "tool",
          "data-action": `undo-to-${line.n}`,
          "aria-label": `Undo to here: take back the ${after === 1 ? "move" : `${after} moves`} after move ${line.n}`,
          onclick: (event) => send("undo", { count: after, seen: doc.history.length }, event.currentTarget),
        }),
    );
  }

  return openDialog({
    id: "moves",
    title: "Moves",
    isWide: true,
    make: () => ({
      nodes: [isWritable && el("p", { class: "hint-line" }, "Touch a move to correct it. What follows is played again by the rules."), again, wrong, empty, list],
      follow(next) {
        doc = next;
        const history = doc.history ?? [];
        const undone = Number(doc.undone ?? 0);
        empty.hidden = history.length > 0;
        again.hidden = undone === 0;
        refill(again, [undone], () => [
          el("p", {}, undone === 1 ? "1 move is taken back." : `${undone} moves are taken back.`),
          isWritable && button("Bring back 1", { "data-action": "redo-1", onclick: (event) => send("redo", { count: 1 }, event.currentTarget) }),
          isWritable &&
            undone > 1 &&
            button(`Bring back all ${undone}`, { "data-action": "redo-all", onclick: (event) => send("redo", { count: undone }, event.currentTarget) }),
        ]);
        refill(list, [history, doc.players.map(({ name }) => name)], () => [...history].reverse().map(row));
      },
    }),
  });
}

// What a row says: number, who, what, marks, points.
export function moveWords(doc, line) {
  const forced = line.forced ?? [];
  return [
    el("span", { class: "move-n" }, String(line.n)),
    line.player ? badge(line.player, "small") : el("span", { class: "badge small c-none", "aria-hidden": "true" }, line.ruling ? "§" : "•"),
    el(
      "span",
      { class: "move-what" },
      el("strong", {}, line.player ? playerName(doc, line.player) : ""),
      ` ${lineSaid(doc, line)}`,
      line.note && el("small", { class: "move-note" }, line.note),
      forced.length > 0 && el("small", { class: "move-forced" }, forced.map(reasonSaid).join("; ")),
    ),
    line.ruling && el("span", { class: "tag" }, "ruling"),
    line.forced && el("span", { class: "tag" }, "forced"),
    el(
      "span",
      { class: "move-points" },
      ...(line.ruling ? [] : pointsOf(line)).map(([player, points]) =>
        el("span", { class: `gain ${classOf(player)}`, title: playerName(doc, player) }, badge(player, "small"), pointsSaid(points)),
      ),
    ),
  ];
}
