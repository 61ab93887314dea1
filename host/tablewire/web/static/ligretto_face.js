// Owns how a card of Ligretto looks: its colour, and beside it a letter and a shape, so that no two colours differ by hue
// alone. The colours are in ligretto.css. Knows no rules.

import { svg } from "./dom.js";

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
export function cardFace({ colour, value } = {}) {
  const { letter, shape } = lookOf(colour);
  const mark = (x, y, size) => svg("path", { d: shape, class: "face-shape", transform: `translate(${x} ${y}) scale(${size})` });
  return svg(
    "svg",
    { class: `face ${faceClass(colour)}`, viewBox: "0 0 100 140", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 96, height: 136, rx: 13, class: "face-card" }),
    svg("text", { x: 20, y: 24, class: "face-letter" }, letter),
    shape && mark(80, 23, 12),
    svg("text", { x: 50, y: 74, class: "face-value" }, String(value ?? "?")),
    shape && mark(50, 120, 11),
  );
}
