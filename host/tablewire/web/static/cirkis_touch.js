// Owns touching spaces: by finger, mouse and keyboard, on any drawing of the board; and the small board on which a
// piece is laid by touching its spaces. Knows no HTTP and not what is legal.

import { Board } from "./cirkis_board.js";
import { Shapes } from "./cirkis_shapes.js";
import { button, el } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PHONE = "(max-width: 40rem)";

// Makes the spaces of a drawing things to press: one stop of the Tab key, arrows to the next space that way.
// label(id): its words; touched(id): what a touch does. Answers {start, stop, refresh}.
export function touchSpaces(board, { role, label, touched, state }) {
  const tiles = new Map([...board.root.querySelectorAll(".tile")].map((tile) => [Number(tile.dataset.space), tile]));
  let current = tiles.keys().next().value;
  let isOn = false;

  function point(id) {
    tiles.get(current).setAttribute("tabindex", "-1");
    current = id;
    tiles.get(current).setAttribute("tabindex", "0");
  }

  function onclick(event) {
    const id = Number(event.target.closest?.(".tile")?.dataset.space);
    if (!isOn || !tiles.has(id)) return;
    point(id);
    touched(id);
  }

  function onkeydown(event) {
    const id = Number(event.target.dataset?.space);
    if (!isOn || !tiles.has(id)) return;
    if (ARROWS[event.key]) {
      event.preventDefault();
      point(nextTo(board.drawn, id, ARROWS[event.key]));
      tiles.get(current).focus();
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      touched(id);
    }
  }

  board.root.addEventListener("focusin", ({ target }) => board.focus(isOn && target.matches(":focus-visible") && target.dataset.space ? Number(target.dataset.space) : null));
  board.root.addEventListener("focusout", () => board.focus(null));
  board.root.addEventListener("click", onclick);
  board.root.addEventListener("keydown", onkeydown);

  return {
    start() {
      isOn = true;
      board.root.setAttribute("role", "group");
      board.root.classList.add("is-touchable");
      for (const [id, tile] of tiles) {
        tile.setAttribute("role", role);
        tile.setAttribute("tabindex", id === current ? "0" : "-1");
      }
      this.refresh();
    },
    stop() {
      isOn = false;
      board.root.setAttribute("role", "img");
      board.root.classList.remove("is-touchable");
      for (const tile of tiles.values()) for (const name of ["role", "tabindex", "aria-label", "aria-checked", "aria-pressed"]) tile.removeAttribute(name);
    },
    refresh() {
      if (!isOn) return;
      for (const [id, tile] of tiles) {
        tile.setAttribute("aria-label", label(id));
        tile.setAttribute(role === "checkbox" ? "aria-checked" : "aria-pressed", String(state(id)));
      }
    },
    point,
  };
}

// The space nearest to `id` in a direction; itself at the rim.
function nextTo(drawn, id, [dx, dy]) {
  const [x, y] = drawn.get(id).label;
  let best = id;
  let least = Infinity;
  for (const space of drawn.values()) {
    const [ax, ay] = [space.label[0] - x, space.label[1] - y];
    const along = ax * dx + ay * dy;
    const aside = Math.abs(ax * dy - ay * dx);
    const cost = Math.hypot(ax, ay) + aside;
    if (along > 0.2 && aside <= along * 1.2 && cost < least) [best, least] = [space.id, cost];
  }
  return best;
}

// A small board: touch the spaces that a piece covers, and it says which piece that is.
export class TouchBoard {
  // data: as /api/board; shapes: of the piece set; changed(): the chosen spaces are others now.
  constructor(data, shapes, changed) {
    this.board = new Board(data);
    this.shapes = new Shapes(this.board.drawn, shapes);
    this.changed = changed;
    this.chosen = new Set();
    this.colour = null;
    this.laid = [];
    this.touch = touchSpaces(this.board, {
      role: "checkbox",
      label: (id) => `Space ${id}, ${this.#whatLies(id)}`,
      state: (id) => this.chosen.has(id),
      touched: (id) => this.#toggle(id),
    });
    this.touch.start();
    this.said = el("p", { class: "shape-said", role: "status" });
    this.frame = el("div", { class: "touch-frame" }, this.board.root);
    this.closer = button("Zoom", { class: "tool", "aria-pressed": "false", onclick: () => this.#zoom(!this.isClose) });
    this.node = el(
      "div",
      { class: "touch-board" },
      el("div", { class: "touch-words" }, this.said, this.closer, button("Clear", { class: "tool", onclick: () => this.choose([]) })),
      this.frame,
    );
    if (matchMedia(PHONE).matches) requestAnimationFrame(() => this.#zoom(true));
  }

  // What lies on the board besides the piece; `colour`: of the piece.
  show({ laid, leader = [], colour }) {
    this.laid = laid;
    this.leader = leader;
    this.colour = colour;
    this.#draw();
  }

  choose(spaces) {
    this.chosen = new Set(spaces);
    if (spaces.length > 0) this.touch.point(spaces[0]);
    this.#draw();
    this.changed();
  }

  get spaces() {
    return [...this.chosen].sort((a, b) => a - b);
  }

  get shape() {
    return this.shapes.of(this.spaces);
  }

  #whatLies(id) {
    const piece = this.laid.find(({ spaces }) => spaces.includes(id));
    return piece ? `${piece.player} lies there` : this.board.drawn.get(id).kind;
  }

  #toggle(id) {
    if (!this.chosen.delete(id)) this.chosen.add(id);
    this.#draw();
    this.changed();
  }

  #draw() {
    const spaces = this.spaces;
    this.board.render({
      laid: this.laid,
      leader: this.leader ?? [],
      completed: {},
      flaky: [],
      hints: [],
      chosen: spaces.length ? { spaces, player: this.colour } : null,
      steps: [],
      hasRing: false,
      numbers: true,
      label: "The board: touch the spaces that the piece covers",
    });
    this.touch.refresh();
    const shape = this.shape;
    const where = spaces.length === 1 ? `space ${spaces[0]}` : `spaces ${spaces.join(", ")}`;
    this.said.classList.toggle("is-wrong", spaces.length > 0 && !shape);
    this.said.textContent = spaces.length === 0 ? "Touch the spaces that the piece covers." : shape ? `A ${shape} on ${where}.` : `No piece has the shape of ${where}.`;
  }

  // Close enough for a thumb; the frame then scrolls.
  #zoom(isClose) {
    this.isClose = isClose;
    this.frame.classList.toggle("is-close", isClose);
    this.closer.setAttribute("aria-pressed", String(isClose));
    if (!isClose) return;
    const ids = this.chosen.size ? this.spaces : this.leader?.length ? this.leader : [1];
    const [x, y] = this.board.drawn.get(ids[0])?.label ?? [0, 0];
    const middle = (value, whole, part) => (0.5 + value / (2 * Board.REACH)) * whole - part / 2;
    this.frame.scrollTo(middle(x, this.frame.scrollWidth, this.frame.clientWidth), middle(y, this.frame.scrollHeight, this.frame.clientHeight));
  }
}
