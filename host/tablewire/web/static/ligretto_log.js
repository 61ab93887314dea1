// Owns the list of what was recorded, newest first, from where each line can be corrected: the newest ones as the table
// judged them, on request all of them as they stand in the record.

import { openDialog } from "./dialog.js";
import { button, el, refill } from "./dom.js";
import { wrongLine } from "./forms.js";
import { openCorrection } from "./ligretto_correct.js";
import { cardFace } from "./ligretto_face.js";
import { lineSaid, reasonSaid } from "./ligretto_words.js";
import { post } from "./live.js";
import { readRecord } from "./ligretto_record.js";

// A round of twelve has some four hundred lines; an evening's are thousands. So many more are shown at a touch.
const MORE_COUNT = 100;

export function openLog({ padCount, isWritable }) {
  const list = el("ol", { class: "move-list", reversed: true });
  const again = el("div", { class: "again", hidden: true });
  const wrong = wrongLine();
  const more = button("Show earlier lines", { "data-action": "earlier", onclick: showEarlier });
  const add = button("Add what was missed", { "data-action": "add-line", onclick: () => openCorrection({ doc, n: null, padCount }) });
  const empty = el("p", { class: "hint-line" }, "Nothing has been recorded yet.");
  let doc = null;
  let lines = null; // of the record; null until somebody asks for earlier ones
  let shownCount = 0;

  async function send(action, body, control) {
    control.disabled = true;
    wrong.textContent = (await post(action, body)) ?? "";
    control.disabled = false;
  }

  async function showEarlier() {
    more.disabled = true;
    try {
      lines = await readRecord();
      shownCount += MORE_COUNT;
      wrong.textContent = "";
    } catch {
      wrong.textContent = "The table did not give the record of this game.";
    }
    more.disabled = false;
    show();
  }

  // The judged lines, and under them those of the record that are older than the oldest of these.
  function rows() {
    const judged = [...(doc.log ?? [])].reverse();
    const before = judged.at(-1)?.n ?? (lines?.length ?? 0) + 1;
    const older = (lines ?? []).slice(0, Math.max(0, before - 1)).map((line, i) => ({ n: i + 1, line })).reverse();
    const shown = older.slice(0, shownCount);
    more.hidden = lines === null ? before <= 1 : older.length <= shown.length;
    return [...judged, ...shown];
  }

  function show() {
    const shown = rows();
    empty.hidden = shown.length > 0;
    refill(list, shown, () => shown.map(row));
  }

  function row(entry) {
    const words = entry.text || (entry.line ? lineSaid(entry.line) : "");
    const reasons = (entry.reasons ?? []).map(reasonSaid).join("; ");
    const card = entry.card ?? entry.line?.card;
    const content = [
      el("span", { class: "move-n" }, String(entry.n)),
      card && el("span", { class: "mini" }, cardFace(card)),
      el("span", { class: "move-what" }, words, !entry.text && reasons && el("small", { class: "move-forced" }, reasons)),
      entry.legal === false && el("span", { class: "tag" }, "not counted"),
      entry.legal === null && el("span", { class: "tag" }, "undecided"),
    ];
    return el(
      "li",
      { class: "move c-none", "data-n": entry.n },
      isWritable && doc.actions?.correct !== false
        ? el(
            "button",
            { type: "button", class: "move-open", "data-action": `correct-${entry.n}`, "aria-label": `Correct line ${entry.n}: ${words}`, onclick: () => openCorrection({ doc, n: entry.n, padCount }) },
            ...content,
          )
        : el("div", { class: "move-open" }, ...content),
    );
  }

  return openDialog({
    id: "moves",
    title: "What was recorded",
    isWide: true,
    make: () => ({
      nodes: [isWritable && el("p", { class: "hint-line" }, "Touch a line to correct it. What follows is judged again by the rules."), again, isWritable && el("div", { class: "choices" }, add), wrong, empty, list, more],
      follow(next) {
        // A line that was corrected may have moved the earlier ones: they are asked for anew.
        if (lines !== null && next.moves < doc.moves) lines = null;
        doc = next;
        add.disabled = doc.actions?.correct === false;
        const undone = Number(doc.undone ?? 0);
        again.hidden = undone === 0;
        refill(again, [undone], () => [
          el("p", {}, undone === 1 ? "One thing is taken back." : `${undone} things are taken back.`),
          isWritable && button("Bring it back", { "data-action": "redo-1", onclick: (event) => send("redo", { count: 1 }, event.currentTarget) }),
        ]);
        show();
      },
    }),
  });
}
