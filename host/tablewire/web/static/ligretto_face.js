// Owns how a card of Ligretto looks: its colour, and beside it a letter and a shape, so that no two colours differ by hue
// alone. The colours are in ligretto.css. Knows no rules.

import { el, say, svg } from "./dom.js";

// Each shape fits a square of 2 around the middle.
const COLOURS = {
  red: { letter: "R", shape: "M0-1 1 0 0 1-1 0Z" },
  green: { letter: "G", shape: "M0-0.95 1 0.8-1 0.8Z" },
  yellow: { letter: "Y", shape: "M-0.9 0a0.9 0.9 0 1 0 1.8 0a0.9 0.9 0 1 0-1.8 0Z" },
  blue: { letter: "B", shape: "M-0.8-0.8H0.8V0.8H-0.8Z" },
};
const NO_COLOUR = { letter: "?", shape: "" };

export const FACE_COLOURS = Object.keys(COLOURS);
export const VALUE_MAX = 10;

const lookOf = (colour) => (Object.hasOwn(COLOURS, colour ?? "") ? COLOURS[colour] : NO_COLOUR);

export function faceClass(colour) {
  return Object.hasOwn(COLOURS, colour ?? "") ? `f-${colour}` : "f-none";
}

// A card as it lies face up; of an unknown one a question mark. It says nothing to who does not see it: words stand beside.
// No text within the drawings: browsers lay such texts out anew with every change around them.
export function cardFace(card = {}) {
  const mark = (place) => svg("svg", { class: `face-mark ${place}`, viewBox: "-1 -1 2 2" }, svg("path", { class: "face-shape" }));
  const node = el("span", { "aria-hidden": "true" }, el("span", { class: "face-letter" }), el("span", { class: "face-value" }), mark("at-corner"), mark("at-foot"));
  turnTo(node, card);
  return node;
}

// Makes a card that is shown already another one: cheaper than a new one, many times a second.
export function turnTo(node, { colour, value }) {
  const { letter, shape } = lookOf(colour);
  const [letterNode, valueNode, ...marks] = node.children;
  node.className = `face ${faceClass(colour)}`;
  say(letterNode, letter);
  say(valueNode, value ?? "?");
  for (const mark of marks) mark.firstChild.setAttribute("d", shape);
}
