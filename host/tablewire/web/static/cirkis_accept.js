// Owns taking the table as it lies: what the table says it would record, and the yes or no of a person.

import { badge } from "./colours.js";
import { Shapes } from "./cirkis_shapes.js";
import { entrySaid, scoreChange } from "./cirkis_words.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { byField, noteField, segments, signed, wrongLine } from "./forms.js";
import { ask } from "./live.js";

const SETTLE_MS = 1500; // pieces that are still being moved rest about this long before they count

export function openAccept({ drawn, doc: opened }) {
  const shapes = new Shapes(drawn, opened.pieces?.shapes ?? []);
  let timer = 0;
  let doc = opened;
  let asked = 0;
  let lies = basisOf(doc); // what the answer shown rests on
  let told = null;
  let chosen = null;
  const by = byField();
  const note = noteField("Why (needed for a correction)", () => show());
  const outcome = el("section", { class: "outcome", "aria-live": "polite" });
  const wrong = wrongLine();
  const buttons = el("div", { class: "dialog-buttons" });

  async function look() {
    const mine = (asked += 1);
    const answer = await ask("accept", { preview: true });
    if (mine !== asked) return;
    // Several lines of moves may be told as the answer or as a refusal.
    told = answer.body.preview ?? (answer.body.choices ? { choices: answer.body.choices, text: answer.text } : null);
    chosen = null;
    wrong.textContent = told ? "" : (answer.text ?? "The table said nothing of it.");
    draw();
    clearTimeout(timer);
    if (answer.body.reason === "still_settling") timer = setTimeout(look, SETTLE_MS);
  }

  function draw() {
    outcome.replaceChildren(...(told ? outcomeOf() : []));
    show();
  }

  function outcomeOf() {
    const choices = told.choices ?? [];
    return [
      told.text && el("p", { class: "accept-text" }, told.text),
      choices.length > 0 &&
        segments(
          "What has happened",
          choices.map(({ id, text }) => ({ value: id, text })),
          null,
          (id) => {
            chosen = id;
            show();
          },
        ).node,
      !isCorrection() &&
        (told.lines ?? []).length > 0 &&
        el(
          "ol",
          { class: "accept-lines", "aria-label": "Moves that would be added" },
          ...told.lines.map((line) =>
            el(
              "li",
              {},
              line.player && badge(line.player, "small"),
              el("span", {}, entrySaid(doc, { ...line, shape: shapes.of(line.spaces ?? []) })),
              line.forced && el("span", { class: "tag" }, "forced"),
            ),
          ),
        ),
      !isCorrection() && (told.taken_back ?? []).length > 0 && el("p", {}, `Taken back: ${told.taken_back.length === 1 ? "move" : "moves"} ${told.taken_back.join(", ")}.`),
      isCorrection() && (told.changes ?? []).length > 0 && el("ul", { class: "changes" }, ...told.changes.map((change) => el("li", {}, String(change)))),
      told.scores && !choices.length && scoreChange(doc, told.scores),
      told.ended && el("p", {}, "The game would be over."),
    ].filter(Boolean);
  }

  const isCorrection = () => told?.legal === false;

  function show() {
    const isReady = told && (!told.choices?.length || chosen !== null) && (!isCorrection() || note.value() !== "");
    buttons.replaceChildren(
      button("Cancel", { onclick: () => dialog.close() }),
      ...(told
        ? [button(isCorrection() ? "Record it as a correction" : "Record these moves", { class: "primary", "data-confirm": "", disabled: !isReady, onclick: confirm })]
        : []),
    );
  }

  async function confirm(event) {
    event.currentTarget.disabled = true;
    asked += 1;
    const answer = chosen !== null ? await ask("choose", { id: chosen, ...signed(by, note) }) : await ask("accept", signed(by, note));
    if (answer.isDone) return dialog.close();
    wrong.textContent = answer.text;
    if (answer.body.reason === "note_needed") note.focus();
    show();
  }

  const dialog = openDialog({
    id: "accept",
    ofGame: true,
    title: "Take the table as it lies",
    make: (self) => ({
      nodes: [outcome, el("div", { class: "field-row" }, by.node, note.node), wrong, buttons],
      follow(next) {
        const now = basisOf(next);
        doc = next;
        if (now === lies) return;
        lies = now;
        self.say("The table has changed since this was opened. This is what lies there now.");
        told = null;
        draw();
        look();
      },
      closed: () => clearTimeout(timer),
    }),
  });
  show();
  look();
  return dialog;
}

// What the table's answer depends on: the moves, and how the table differs from them.
function basisOf(doc) {
  return JSON.stringify([doc.game_id, doc.moves, doc.laid, doc.message?.steps, doc.message?.text, doc.message?.choices?.map(({ id }) => id)]);
}
