// Owns "where may this player place": asks for the legal placements and says which of them the board shows.

import { classOf } from "./colours.js";
import { button, el } from "./dom.js";
import { get } from "./live.js";
import { shapeDrawing } from "./cirkis_players.js";
import { playerName } from "./cirkis_words.js";

export class Where {
  // changed: called when the board has to be drawn again.
  constructor(drawn, changed) {
    this.drawn = drawn;
    this.changed = changed;
    this.node = el("div", { class: "where", hidden: true });
    this.isOpen = false;
    this.answer = null;
    this.shape = null;
    this.index = null;
    this.doc = null;
  }

  async toggle() {
    this.isOpen = !this.isOpen;
    this.shape = this.index = null;
    this.answer = null;
    if (this.isOpen) await this.#ask();
    this.#show();
  }

  // A new state: what was asked about the old one is asked again, or closed when nobody is to move.
  async follow(doc) {
    const isSame = this.doc && this.doc.version === doc.version;
    this.doc = doc;
    if (!this.isOpen || isSame) return;
    if (!doc.turn || doc.phase === "over") this.isOpen = false;
    else await this.#ask();
    this.#show();
  }

  async #ask() {
    try {
      this.answer = await get("/api/legal");
      if (!this.#placements().length) this.shape = this.index = null;
    } catch {
      this.answer = null;
    }
  }

  #placements() {
    return (this.answer?.placements ?? []).filter(({ shape }) => this.shape === null || shape === this.shape);
  }

  hints() {
    if (!this.isOpen || !this.answer) return [];
    const player = this.answer.player;
    const placements = this.#placements();
    if (this.index !== null && placements[this.index]) {
      return [{ spaces: placements[this.index].spaces, player, isSure: true }];
    }
    const spaces = new Set(placements.flatMap((placement) => placement.spaces));
    return [...spaces].map((id) => ({ spaces: [id], player, isSure: false }));
  }

  #step(by) {
    const count = this.#placements().length;
    if (count === 0) return;
    this.index = this.index === null ? (by > 0 ? 0 : count - 1) : (this.index + by + count) % count;
    this.#show();
  }

  #choose(shape) {
    this.shape = this.shape === shape ? null : shape;
    this.index = null;
    this.#show();
  }

  #show() {
    this.node.hidden = !this.isOpen;
    this.node.replaceChildren(...(this.isOpen ? this.#contents() : []));
    this.changed();
  }

  #contents() {
    if (!this.answer || !this.answer.player) return [el("p", {}, "Nobody is to place now.")];
    const counts = new Map();
    for (const { shape } of this.answer.placements) counts.set(shape, (counts.get(shape) ?? 0) + 1);
    const examples = new Map((this.doc?.pieces?.shapes ?? []).map(({ name, example }) => [name, example ?? []]));
    const name = playerName(this.doc, this.answer.player);
    const placements = this.#placements();
    const place = this.index === null ? `${placements.length} places` : `${this.index + 1} of ${placements.length}`;
    return [
      el("p", { class: "where-title" }, counts.size ? `${name} may place` : `${name} has no piece that fits`),
      el(
        "div",
        { class: "where-shapes" },
        ...[...counts].map(([shape, count]) =>
          el(
            "button",
            {
              type: "button",
              class: `chip ${classOf(this.answer.player)}`,
              "aria-pressed": String(this.shape === shape),
              "data-shape": shape,
              onclick: () => this.#choose(shape),
            },
            shapeDrawing(this.drawn, examples.get(shape) ?? [], this.answer.player),
            `${shape} `,
            el("small", {}, String(count)),
          ),
        ),
      ),
      placements.length > 0 &&
        el(
          "div",
          { class: "where-steps" },
          button("‹", { "aria-label": "Previous place", onclick: () => this.#step(-1) }),
          el("span", { "aria-live": "polite" }, place),
          button("›", { "aria-label": "Next place", onclick: () => this.#step(1) }),
        ),
    ].filter(Boolean);
  }
}
