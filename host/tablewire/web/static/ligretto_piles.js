// Owns the drawing of the pads: each pile's top card and height, what is wrong or undecided there. Knows no HTTP and
// decides nothing. A pad keeps its place and its nodes for as long as the page is open.

import { el, keep, refill, say } from "./dom.js";
import { cardFace, turnTo } from "./ligretto_face.js";
import { cardSaid, cardsSaid, faceSaid } from "./ligretto_words.js";

// With more columns than this a phone's cards could not be read any more.
const PHONE_COLUMN_MAX_COUNT = 6;

export class Piles {
  constructor() {
    this.node = el("ol", { class: "pads", "aria-label": "Pads" });
    this.columnCount = 0;
  }

  // Marks the pads that a choice under the pointer means.
  point(pads) {
    for (const node of this.node.children) node.classList.toggle("is-pointed", pads.includes(Number(node.dataset.pad)));
  }

  render(doc, padCount) {
    const wrong = byPad((doc.wrong ?? []).filter(({ lies }) => lies !== false));
    const asked = byPad(doc.undecided ?? []);
    const pads = Array.from({ length: padCount }, (_, pad) => ({
      pad,
      pile: doc.pads?.[pad] ?? null,
      wrong: wrong.get(pad) ?? [],
      asked: asked.get(pad) ?? [],
      isCount: doc.counting?.pad === pad,
      resting: doc.health?.resting?.[pad] ?? 0, // cards that lay there before and count for nothing
    }));
    this.#layOut(padCount);
    keep(this.node, pads, { key: ({ pad }) => String(pad), make: padNode, update: renderPad });
  }

  #layOut(padCount) {
    const columnCount = Math.max(1, Math.ceil(Math.sqrt(padCount)));
    if (columnCount === this.columnCount) return;
    this.columnCount = columnCount;
    this.node.style.setProperty("--columns", columnCount);
    this.node.style.setProperty("--rows", Math.ceil(padCount / columnCount));
    this.node.style.setProperty("--columns-phone", Math.min(columnCount, PHONE_COLUMN_MAX_COUNT));
  }
}

function byPad(entries) {
  const found = new Map();
  for (const entry of entries) found.set(entry.pad, [...(found.get(entry.pad) ?? []), entry]);
  return found;
}

function padNode({ pad }) {
  return el(
    "li",
    { class: "pad", "data-pad": pad },
    el("span", { class: "pad-number", "aria-hidden": "true" }, String(pad)),
    el("span", { class: "pad-card", "aria-hidden": "true" }),
    el("span", { class: "pad-height", "aria-hidden": "true" }),
    el("span", { class: "pad-wrong", "aria-hidden": "true" }),
    el("span", { class: "unseen" }),
  );
}

function renderPad(node, { pad, pile, wrong, asked, isCount, resting }) {
  // Nothing at all is touched where nothing has changed: most pads, most of the time.
  const key = JSON.stringify([pile, wrong, asked, isCount, resting]);
  if (node.shows === key) return;
  node.shows = key;
  node.className = ["pad", pile ? "has-pile" : "is-empty", pile?.complete && "is-complete", wrong.length > 0 && "has-wrong", asked.length > 0 && "is-asked", resting > 0 && "is-resting", isCount && "is-count"].filter(Boolean).join(" ");
  const [, card, height, off, words] = node.children;
  if (pile && card.firstChild) turnTo(card.firstChild, pile);
  else card.replaceChildren(...(pile ? [cardFace(pile)] : []));
  say(height, pile ? (pile.complete ? "✓" : `×${pile.height}`) : "");
  refill(off, [wrong, asked.length > 0, resting], () => [
    wrong.length === 0 && resting > 0 && el("span", { class: "rest-sign" }, `${resting}↑`),
    ...wrong.slice(0, 1).map((each) => el("span", { class: "off-card" }, cardFace(each.card ?? {}))),
    wrong.length > 0 && el("span", { class: "off-sign" }, wrong.length > 1 ? `${wrong.length}↑` : "↑"),
    asked.length > 0 && el("span", { class: "ask-sign" }, "?"),
  ]);
  say(words, padSaid(pad, pile, wrong, asked, isCount, resting));
}

function padSaid(pad, pile, wrong, asked, isCount, resting) {
  const what = isCount ? "counts the cards left" : pile ? `${faceSaid(pile)}, ${cardsSaid(pile.height)}${pile.complete ? ", complete" : ""}` : "empty";
  const off = wrong.map(({ card }) => `; take ${cardSaid(card)} off`).join("");
  const before = resting > 0 ? `; ${cardsSaid(resting)} from before to take off` : "";
  return `Pad ${pad}: ${what}${off}${before}${asked.length > 0 ? "; undecided" : ""}`;
}
