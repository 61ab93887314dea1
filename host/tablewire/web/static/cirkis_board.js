// Owns the drawing of the Cir*Kis board: spaces, pieces, Leader, figures, marks. Knows no HTTP and decides nothing.

import { classOf, letterOf, patternOf } from "./colours.js";
import { svg } from "./dom.js";
import { commonCorner, drawnSpaces, outline, pathOf } from "./geometry.js";

// The decagon's corners are 8.47 from the middle; the rest is room for the rim and its outlines.
const REACH = 8.95;
// With more steps than this their signs would cover one another; smaller ones are still read from the sofa.
const CROWDED_COUNT = 8;
const SIGNS = { lift: "↑", place: "↓" };

export class Board {
  static REACH = REACH;

  constructor(data) {
    this.drawn = drawnSpaces(data.spaces);
    this.figures = { ...data.stars, ...data.circles, ring: data.center_ring };
    this.known = null;
    const figureKinds = this.#figureKinds(data);
    const layer = (name) => svg("g", { class: `layer-${name}` });
    this.layers = Object.fromEntries(
      ["tiles", "ring", "hints", "pieces", "figures", "leader", "chosen", "health", "labels", "medals", "marks", "focus"].map((name) => [name, layer(name)]),
    );
    for (const { id, kind, corners } of this.drawn.values()) {
      this.layers.tiles.append(
        svg("path", { d: pathOf([corners]), class: `tile ${kind} ${figureKinds.get(id) ?? ""}`, "data-space": id }),
      );
    }
    this.root = svg(
      "svg",
      { class: "board", viewBox: `${-REACH} ${-REACH} ${2 * REACH} ${2 * REACH}`, role: "img", "aria-label": "The board" },
      svg("path", { d: pathOf(outline(this.drawn, [...this.drawn.keys()])), class: "rim" }),
      ...Object.values(this.layers),
    );
  }

  #figureKinds(data) {
    const kinds = new Map();
    for (const ids of Object.values(data.stars)) for (const id of ids) kinds.set(id, "in-star");
    for (const ids of Object.values(data.circles)) for (const id of ids) kinds.set(id, "in-circle");
    return kinds;
  }

  outlineOf(ids) {
    return pathOf(outline(this.drawn, ids));
  }

  // laid: [{player, spaces}], leader: spaces, completed: {figure: {completer, dominant}}, flaky: spaces,
  // hints: [{spaces, player, isSure}], chosen: {spaces, player} or null, steps: [{step, number, isDone}] as in a plan,
  // health: [{id, look, sign, isPicked}] or null, hasRing: whether the Center Ring scores.
  render({ laid, leader, completed, flaky, hints, chosen = null, steps, health = null, hasRing, numbers, label }) {
    this.root.setAttribute("aria-label", label);
    this.root.classList.toggle("shows-health", health !== null);
    this.layers.ring.replaceChildren(
      ...(hasRing ? [svg("path", { d: this.outlineOf(this.figures.ring), class: "ring-option" })] : []),
    );
    const left = steps.filter(({ isDone }) => !isDone);
    this.#drawPieces(laid, new Set(left.filter(({ step }) => step.do === "place").flatMap(({ step }) => step.spaces ?? [])));
    this.layers.hints.replaceChildren(...hints.map((hint) => this.#hint(hint)));
    this.layers.chosen.replaceChildren(...(chosen ? [this.#chosen(chosen)] : []));
    const figures = Object.entries(completed);
    this.layers.figures.replaceChildren(...figures.map(([name]) => this.#figure(name)));
    // Where the numbers are shown, the figures' names take the medals' place.
    this.layers.medals.replaceChildren(...(numbers ? [] : figures.map(([name, by]) => this.#medal(name, by))));
    this.layers.leader.replaceChildren(
      ...(leader.length > 0 ? [svg("path", { d: this.outlineOf(leader), class: "leader" })] : []),
    );
    this.layers.health.replaceChildren(...(health ?? []).map((sensor) => this.#health(sensor)));
    this.layers.labels.replaceChildren(...(numbers ? this.#numbers([...laid, ...(chosen ? [chosen] : [])]) : health ? [] : this.#letters(laid)));
    const taken = []; // where numbers of steps stand
    this.layers.marks.replaceChildren(
      ...(health ? [] : flaky.map((id) => this.#mark([id], "mark flaky", "~"))),
      ...left.map((entry) => this.#step(entry)),
      ...left.map((entry) => this.#stepNumber(entry, left.length > CROWDED_COUNT ? 0.48 : 0.6, taken)),
    );
  }

  // missing: spaces on which nothing lies although the game says so.
  #drawPieces(laid, missing) {
    const before = this.known;
    this.known = new Set();
    this.layers.pieces.replaceChildren(
      ...laid.map(({ player, spaces }) => {
        const key = `${player}:${spaces.join()}`;
        this.known.add(key);
        const d = this.outlineOf(spaces);
        const isNew = before !== null && !before.has(key);
        const isMissing = spaces.some((id) => missing.has(id));
        return svg(
          "g",
          { class: `piece ${classOf(player)} ${isNew ? "arrives" : ""} ${isMissing ? "is-missing" : ""}`, "data-spaces": spaces.join(" "), "data-player": player },
          svg("path", { d, class: "piece-body" }),
          svg("path", { d, class: "piece-pattern", fill: patternOf(player) }),
          svg("path", { d, class: "piece-edge" }),
        );
      }),
    );
  }

  #hint({ spaces, player, isSure }) {
    return svg("path", { d: this.outlineOf(spaces), class: `hint ${classOf(player)} ${isSure ? "sure" : ""}` });
  }

  #chosen({ spaces, player }) {
    const d = this.outlineOf(spaces);
    return svg(
      "g",
      { class: `chosen ${classOf(player)}` },
      svg("path", { d, class: "chosen-body" }),
      svg("path", { d, class: "piece-pattern", fill: patternOf(player) }),
      svg("path", { d, class: "chosen-edge" }),
    );
  }

  // Which space the keyboard stands on; null: none.
  focus(id) {
    this.layers.focus.replaceChildren(...(id === null ? [] : [svg("path", { d: this.outlineOf([id]), class: "focus-edge" })]));
  }

  #health({ id, look, sign, isPicked }) {
    return svg(
      "g",
      { class: `health health-${look} ${isPicked ? "is-picked" : ""}`, "data-health": id },
      svg("path", { d: this.outlineOf([id]), class: "health-body" }),
      this.#text(id, sign, "health-sign"),
    );
  }

  #figure(name) {
    const d = this.outlineOf(this.figures[name] ?? []);
    return svg(
      "g",
      { "data-figure": name },
      svg("path", { d, class: "figure-casing" }),
      svg("path", { d, class: "figure" }),
    );
  }

  // In the middle of a completed figure: who is dominant there, or a dash for nobody. The Center Ring has no such corner.
  #medal(name, { completer, dominant }) {
    const middle = commonCorner(this.drawn, this.figures[name] ?? []);
    if (!middle) return svg("g");
    const [cx, cy] = middle;
    return svg(
      "g",
      {},
      svg("title", {}, `${name}: completed by ${completer}, ${dominant ? `${dominant} dominant` : "nobody dominant"}`),
      svg("circle", { cx, cy, r: 0.42, class: `medal ${dominant ? classOf(dominant) : "nobody"}` }),
      svg("text", { x: cx, y: cy, class: "medal-letter" }, dominant ? letterOf(dominant) : "–"),
    );
  }

  #text(id, text, className) {
    const [x, y] = this.drawn.get(id).label;
    return svg("text", { x: x.toFixed(3), y: y.toFixed(3), class: className }, text);
  }

  #letters(laid) {
    return laid
      .filter(({ spaces }) => spaces.some((id) => this.drawn.has(id)))
      .map(({ player, spaces }) => this.#text(this.#middleOf(spaces), letterOf(player), "letter"));
  }

  #numbers(laid) {
    const filled = new Set(laid.flatMap(({ spaces }) => spaces));
    return [
      ...[...this.drawn.keys()].map((id) => this.#text(id, String(id), filled.has(id) ? "number on-piece" : "number")),
      ...Object.keys(this.figures).map((name) => this.#figureName(name)),
    ];
  }

  // The name that verdicts call a figure by, on the corner where its spaces meet; the Center Ring has no such corner.
  #figureName(name) {
    const middle = commonCorner(this.drawn, this.figures[name]);
    if (!middle) return svg("g");
    const [x, y] = middle;
    return svg("text", { x, y, class: "figure-name" }, name);
  }

  // The space of a piece nearest to the piece's middle: where its letter stands.
  #middleOf(spaces) {
    const known = spaces.filter((id) => this.drawn.has(id));
    const points = known.map((id) => this.drawn.get(id).label);
    const mean = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const distance = (id) => Math.hypot(...this.drawn.get(id).label.map((value, axis) => value - mean[axis]));
    return known.reduce((best, id) => (distance(id) < distance(best) - 1e-6 ? id : best));
  }

  #mark(spaces, className, sign) {
    const known = spaces.filter((id) => this.drawn.has(id));
    if (known.length === 0) return svg("g");
    return svg(
      "g",
      { class: className },
      svg("path", { d: this.outlineOf(known), class: "mark-edge" }),
      ...known.map((id) => this.#text(id, sign, "mark-sign")),
    );
  }

  // A number stands where no other one does: pieces that changed places are lifted from where others are to be put.
  #placeOf(spaces, r, taken) {
    const middle = this.drawn.get(this.#middleOf(spaces)).label;
    const isFree = ([x, y]) => taken.every(([tx, ty]) => Math.hypot(x - tx, y - ty) > 1.5 * r);
    const [x, y] = middle;
    const around = [...spaces.map((id) => this.drawn.get(id).label), [x + 2 * r, y], [x - 2 * r, y], [x, y - 2 * r], [x, y + 2 * r]];
    const place = [middle, ...around].find(isFree) ?? middle;
    taken.push(place);
    return place;
  }

  #step({ step, number }) {
    const known = this.#marked(step);
    if (known.length === 0) return svg("g");
    const d = this.outlineOf(known);
    return svg(
      "g",
      { class: `mark ${step.do} ${classOf(step.colour)}`, "data-number": number },
      svg("path", { d, class: "mark-body" }),
      svg("path", { d, class: "piece-pattern", fill: patternOf(step.colour) }),
      svg("path", { d, class: "mark-edge" }),
    );
  }

  // Above every body, lest the piece to be put somewhere hide the number of the one to be lifted there.
  #stepNumber({ step, number }, r, taken) {
    const known = this.#marked(step);
    if (known.length === 0) return svg("g");
    const [cx, cy] = this.#placeOf(known, r, taken);
    return svg(
      "g",
      { class: `mark-badge ${step.do} ${classOf(step.colour)}`, "data-number": number },
      svg("circle", { cx, cy, r, class: "mark-disc" }),
      svg("text", { x: cx, y: cy, class: "mark-number", "font-size": (number > 9 ? 0.85 : 1.1) * r }, `${number}${SIGNS[step.do]}`),
    );
  }

  #marked(step) {
    return SIGNS[step.do] ? (step.spaces ?? []).filter((id) => this.drawn.has(id)) : [];
  }
}
