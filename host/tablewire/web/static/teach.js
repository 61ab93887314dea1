// Owns the lesson of a deck on the page: which card is next, what went wrong and what to do, how far the deck is taught;
// and the dialog that begins one. Which card is next, and what a tag means, the table decides.

import { openDialog } from "./dialog.js";
import { button, byId, clear, el, refill, say } from "./dom.js";
import { byField, wrongLine } from "./forms.js";
import { cardFace, FACE_COLOURS, faceClass, VALUE_MAX } from "./ligretto_face.js";
import { post } from "./live.js";

const NAME_MAX_CHARS = 40; // what the table takes
const PADS_MAX_COUNT = 48;
// What the first decks of a box are called where nobody has an idea.
const PROPOSED = ["red", "green", "yellow", "blue", "orange", "purple", "pink", "brown", "grey", "white", "black", "turquoise"];

const cardSaid = ({ colour, value }) => `${colour} ${value}`;

let shown = null; // what was built for the lesson that is on, {deck, ...}

// Draws the lesson of this document, or takes away what was drawn of one.
export function renderTeaching(doc, { isWritable, send }) {
  const lesson = doc.teaching ?? null;
  const section = byId("teach");
  section.hidden = !lesson;
  document.body.classList.toggle("teaches", Boolean(lesson));
  if (!lesson) {
    if (shown) clear(section);
    shown = null;
    return;
  }
  if (shown?.deck !== lesson.deck) {
    clear(section);
    shown = build(lesson.deck, isWritable, send);
    section.append(...shown.nodes);
  }
  shown.render(lesson, doc);
}

function build(deck, isWritable, send) {
  const fix = (control, what, more = {}) => send(control, "teach-fix", { do: what, ...more });
  const count = el("span", { class: "teach-count" });
  const bar = el("progress", { "aria-hidden": "true" });
  const card = el("div", { class: "teach-card" });
  const ask = el("p", { class: "teach-ask", role: "status" });
  const trouble = el("p", { class: "teach-trouble", role: "alert" });
  const last = el("p", { class: "teach-last" });
  const hint = el("p", { class: "hint-line" }, isWritable ? "A card whose sticker is new or wrong: touch it here, then lay it." : "");
  const cells = new Map();
  const rows = FACE_COLOURS.map((colour) => {
    // Beside its colour a letter: no two differ by hue alone.
    const letter = el("li", { class: "teach-letter", "aria-hidden": "true" }, colour.charAt(0).toUpperCase());
    const row = el("ol", { class: `teach-row ${faceClass(colour)}`, "aria-label": colour }, letter);
    for (let value = 1; value <= VALUE_MAX; value += 1) {
      const face = { colour, value };
      const cell = isWritable ? button(String(value), { onclick: (event) => fix(event.currentTarget, "face", face) }) : el("span", {}, String(value));
      cell.classList.add("teach-cell");
      cells.set(cardSaid(face), cell);
      row.append(el("li", {}, cell));
    }
    return row;
  });
  const act = (text, name, onclick, attributes = {}) => button(text, { "data-action": name, onclick, ...attributes });
  const undo = act("Take back the last card", "teach-undo", (event) => fix(event.currentTarget, "undo"));
  const skip = act("Leave this card out", "teach-skip", (event) => fix(event.currentTarget, "skip"));
  const again = act("Ask for those left out", "teach-again", (event) => fix(event.currentTarget, "again"));
  const stop = act("Done for now", "teach-stop", (event) => send(event.currentTarget, "teach-stop"));
  let newest = null;
  const other = act("Teach another deck", "teach-other", () => openTeach(newest));

  function render(lesson, doc) {
    newest = doc;
    say(count, `${lesson.done} of ${lesson.of} cards`);
    bar.max = lesson.of;
    bar.value = lesson.done;
    refill(card, [lesson.next, lesson.finished], () => [lesson.next ? cardFace(lesson.next) : el("span", { class: "teach-mark", "aria-hidden": "true" }, lesson.finished ? "✓" : "…")]);
    say(ask, lesson.text);
    say(trouble, lesson.trouble);
    trouble.hidden = !lesson.trouble;
    say(last, lesson.last ? `${capital(cardSaid(lesson.last))} is taught.` : "");
    const left = new Set((lesson.skipped ?? []).map(cardSaid));
    for (const colour of FACE_COLOURS) {
      const taught = new Set(lesson.faces?.[colour] ?? []);
      for (let value = 1; value <= VALUE_MAX; value += 1) {
        const name = cardSaid({ colour, value });
        const isNext = Boolean(lesson.next) && cardSaid(lesson.next) === name;
        showCell(cells.get(name), name, { isTaught: taught.has(value), isNext, isLeft: left.has(name) });
      }
    }
    undo.disabled = !lesson.undo;
    skip.disabled = !lesson.skip;
    again.hidden = !lesson.again;
    other.hidden = !lesson.finished;
    stop.classList.toggle("primary", lesson.finished);
    say(stop, lesson.finished ? "Done" : "Done for now");
  }

  return {
    deck,
    render,
    nodes: [
      el("header", { class: "teach-head" }, el("h1", {}, `Teaching the deck “${deck}”`), el("p", { class: "teach-progress" }, bar, count)),
      card,
      el("div", { class: "teach-words" }, ask, trouble, last),
      el("div", { class: "teach-faces" }, ...rows, hint),
      isWritable ? el("div", { class: "teach-buttons" }, undo, skip, again, stop, other) : null,
    ].filter(Boolean),
  };
}

function showCell(cell, name, { isTaught, isNext, isLeft }) {
  cell.classList.toggle("is-taught", isTaught);
  cell.classList.toggle("is-next", isNext);
  cell.classList.toggle("is-left", isLeft && !isTaught);
  const state = isNext ? "is asked for now" : isTaught ? "taught" : isLeft ? "left out" : "not taught";
  const label = `${name}, ${state}`;
  if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What "More" offers while no game is played.
export function teachItems(doc, { isWritable }) {
  if (!isWritable || doc.players.length > 0 || !Array.isArray(doc.decks)) return [];
  return [{ id: "teach", title: "Teach a deck", text: "Which sticker is on which card of Ligretto: once for every deck.", isDisabled: false, onclick: () => openTeach(doc) }];
}

const missingSaid = (missing) => (missing === 0 ? "complete" : missing === 1 ? "1 card is missing" : `${missing} cards are missing`);

// Asks which deck, and begins its lesson.
export function openTeach(doc) {
  const decks = doc.decks ?? [];
  const known = new Set(decks.map(({ name }) => name));
  const wrong = wrongLine();
  const by = byField();
  const input = el("input", { type: "text", name: "deck", maxlength: NAME_MAX_CHARS, autocomplete: "off", required: true });
  input.value = PROPOSED.find((name) => !known.has(name)) ?? "";
  const pad = el("input", { type: "number", name: "pad", min: 0, max: PADS_MAX_COUNT - 1, step: 1, inputmode: "numeric" });

  async function begin(control, deck) {
    control.disabled = true;
    const who = by.value();
    wrong.textContent = (await post("teach", { deck, ...(pad.value !== "" && { pad: Number(pad.value) }), ...(who && { by: who }) })) ?? "";
    control.disabled = false;
    // The form of a new game may have been the way here: it would hide the lesson.
    if (!wrong.textContent) for (const node of document.querySelectorAll("dialog[open]")) node.close();
  }

  return openDialog({
    id: "teach-deck",
    title: "Teach a deck",
    make: (self) => ({
      nodes: [
        el("p", {}, "Every card has a sticker. Lay the cards on a pad one after another, as the page asks for them, and the table knows them from then on."),
        doc.decks_text && el("p", { class: "warning" }, doc.decks_text),
        decks.length > 0 &&
          el(
            "ul",
            { class: "teach-decks", "aria-label": "Decks that are known" },
            ...decks.map(({ name, missing, text }) =>
              el(
                "li",
                { "data-deck": name },
                el("span", { class: "teach-name" }, name),
                el("small", {}, text ?? missingSaid(missing)),
                button(missing > 0 ? "Go on" : "Change", { "aria-label": `${missing > 0 ? "Go on with" : "Change"} the deck ${name}`, onclick: (event) => begin(event.currentTarget, name) }),
              ),
            ),
          ),
        el(
          "form",
          {
            onsubmit: (event) => {
              event.preventDefault();
              begin(event.submitter ?? event.target.querySelector("[type=submit]"), input.value.trim());
            },
          },
          el("label", { class: "field" }, el("span", {}, "A new deck, called"), input),
          el(
            "details",
            { class: "more-options" },
            el("summary", {}, "More"),
            el("label", { class: "option number" }, el("span", {}, el("strong", {}, "Only this pad"), el("small", {}, "Empty: any pad will do.")), pad),
            by.node,
          ),
          wrong,
          el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), el("button", { type: "submit", class: "primary" }, "Begin")),
        ),
      ],
    }),
  });
}
