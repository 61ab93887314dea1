// Owns how a player's colour looks: letter and pattern beside the colour itself, so that no two players differ by hue
// alone. The colours are in table.css.

import { el, svg } from "./dom.js";

const COLOURS = {
  purple: { letter: "P", name: "Purple" },
  red: { letter: "R", name: "Red" },
  green: { letter: "G", name: "Green" },
  yellow: { letter: "Y", name: "Yellow" },
};

export const COLOUR_NAMES = Object.keys(COLOURS);

export function letterOf(colour) {
  return Object.hasOwn(COLOURS, colour) ? COLOURS[colour].letter : "?";
}

export function nameOf(colour) {
  return Object.hasOwn(COLOURS, colour) ? COLOURS[colour].name : String(colour);
}

export function classOf(colour) {
  return Object.hasOwn(COLOURS, colour) ? `c-${colour}` : "c-none";
}

export function patternOf(colour) {
  return Object.hasOwn(COLOURS, colour) ? `url(#pattern-${colour})` : "none";
}

export function badge(colour, size = "") {
  return el("span", { class: `badge ${classOf(colour)} ${size}`, "aria-hidden": "true" }, letterOf(colour));
}

// One drawing of the patterns for every SVG of the page; sizes are in short edges of the board.
export function patternDefinitions() {
  const pattern = (colour, size, turn, ...marks) =>
    svg(
      "pattern",
      { id: `pattern-${colour}`, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
      ...marks,
    );
  const line = (d) => svg("path", { d, class: "pattern-line" });
  return svg(
    "svg",
    { class: "definitions", width: 0, height: 0, "aria-hidden": "true" },
    svg(
      "defs",
      {},
      pattern("purple", 0.34, 45, svg("circle", { cx: 0.17, cy: 0.17, r: 0.075, class: "pattern-dot" })),
      pattern("red", 0.3, 45, line("M0.15 0V0.3")),
      pattern("green", 0.36, 0, line("M0.18 0V0.36M0 0.18H0.36")),
      pattern("yellow", 0.5, 0, line("M0 0.3 0.125 0.15 0.25 0.3 0.375 0.15 0.5 0.3")),
    ),
  );
}
