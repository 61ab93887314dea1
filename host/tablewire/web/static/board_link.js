// Owns what the page shows of the board's link: the button in the bar, its panel, the words over a board that is not
// heard, and the panel before there is any board. Knows no game. There are two links, and they are kept apart: from this
// page to the table's program, and from that program to the board.

import { advice, boardOf, kindSaid, lastHeard, shortAge, stateSaid } from "./board_words.js";
import { openDialog } from "./dialog.js";
import { byId, el, refill, svg } from "./dom.js";

const TICK_MS = 1000; // the smallest age that is told apart
// The program is asked every 4 s and has 3 s to answer: who has heard nothing for longer has slept, or is cut off.
const STALE_MS = 12_000;
// On the first page only: more places would push the rest off a television. The panel has all.
const SHOWN_TRIED_COUNT = 3;

const ICONS = {
  serial: "M12 21V4m-3 3.5L12 3l3 4.5M12 18l-5-3.5V11m5 4.5 5-3.5V8.5",
  ble: "M6.5 7.5 17 17l-5 4.5v-19L17 7 6.5 16.5",
};

export class BoardLink {
  #doc = null;
  #age = { ms: null, at: 0 };
  #isOnline = false;
  #ask = () => {};
  #said = null; // the state that was last read out
  #panel = null;

  // Lies over the drawing of the board.
  overlay = el("p", { class: "as-heard", hidden: true });

  constructor() {
    for (const id of ["link", "lost-why"]) byId(id).addEventListener("click", () => this.#open());
    setInterval(() => this.#tick(), TICK_MS);
  }

  // `ask`: asks the table's program at once how old the board's last word is.
  start(ask) {
    this.#ask = ask;
  }

  follow(doc) {
    this.#doc = doc;
    this.#render();
  }

  // The program was heard: so long ago the board said its last word (null: never).
  age(ms) {
    this.#age = { ms: ms ?? null, at: Date.now() };
    this.#render();
  }

  online(isOnline) {
    this.#isOnline = isOnline;
    byId("lost").hidden = isOnline;
    document.body.classList.toggle("is-lost", !isOnline);
    this.#render();
  }

  get #board() {
    const { ms, at } = this.#age;
    // The clock of the device may be set meanwhile; it goes on while the device sleeps, as no other does.
    const passedMs = Math.max(0, Date.now() - at);
    const isCut = !this.#isOnline || passedMs > STALE_MS;
    // A board that is heard speaks on between two questions; one that is not has said nothing since.
    const grownMs = this.#doc?.link?.state === "up" && !isCut ? 0 : passedMs;
    return boardOf(this.#doc?.link, { isCut, ageMs: ms === null ? null : ms + grownMs, game: this.#doc?.game });
  }

  #tick() {
    if (this.#panel) this.#ask();
    this.#render();
  }

  #render() {
    if (!this.#doc) return;
    const board = this.#board;
    const hasGame = this.#doc.players.length > 0;
    this.#renderButton(board);
    this.#renderOverlay(board, hasGame);
    this.#renderMissing(board, hasGame);
    this.#panel?.(board, hasGame);
    this.#readOut(board);
  }

  #renderButton(board) {
    const node = byId("link");
    const kind = board.state === "up" ? kindSaid(board) : "";
    const age = shortAge(board);
    node.dataset.state = board.state;
    node.title = [board.port, board.state === "unknown" ? "" : board.text].filter(Boolean).join(": ");
    byId("link-text").textContent = stateSaid(board);
    byId("link-age").textContent = age && ` · ${age}`;
    refill(byId("link-kind"), [kind], () => (kind ? [icon(board.kind), el("span", {}, kind)] : []));
  }

  #renderOverlay(board, hasGame) {
    const isHeard = board.state === "up" || !hasGame;
    document.body.dataset.heard = isHeard ? "yes" : "no";
    this.overlay.hidden = isHeard;
    const words = board.state === "other" ? ["As it was kept:", "another board is there"] : board.ageMs === null ? ["As it was kept:", "no board heard yet"] : ["As last heard", lastHeard(board)];
    refill(this.overlay, words, () => [words[0], el("br"), words[1]]);
  }

  // Before the first game there is room to say what is missing, and nothing else to look at.
  #renderMissing(board, hasGame) {
    const node = byId("no-board");
    node.hidden = hasGame || board.state === "up" || board.state === "unknown";
    if (node.hidden) return;
    refill(node, [board.state, board.text, board.tried, board.kind], () => {
      const isFirst = board.state === "searching" && board.tried.length === 0;
      const title = board.state === "refused" ? "This board cannot be used" : isFirst ? "Looking for the board" : "No board yet";
      const [first] = advice(board, false);
      return [
        el("h2", {}, title),
        el("p", {}, first),
        board.text && el("p", { class: "no-board-now" }, el("bdi", {}, board.text)),
        ...triedList(board, SHOWN_TRIED_COUNT),
        board.state !== "refused" && el("p", { class: "no-board-hint" }, "A game can be begun meanwhile; play begins when the board is there."),
      ];
    });
  }

  // Read to who does not see the bar: a change of state, never the passing of time.
  #readOut(board) {
    if (board.state === "unknown" || board.state === this.#said || document.hidden) return;
    const isNews = this.#said !== null || board.state !== "up";
    this.#said = board.state;
    if (isNews) byId("link-said").textContent = wholeState(board);
  }

  #open() {
    const facts = el("dl", { class: "facts-list" });
    const now = el("p", { class: "warning", hidden: true });
    const tried = el("div", {});
    const steps = el("ul", { class: "advice" });
    openDialog({
      id: "board-link",
      title: "The board",
      make: () => ({ nodes: [facts, now, tried, el("h3", {}, "What to do"), steps], closed: () => (this.#panel = null) }),
    });
    this.#panel = (board, hasGame) => {
      const rows = factsOf(board, this.#isOnline);
      refill(facts, rows, () => rows.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, el("bdi", {}, words))]));
      const text = board.state === "unknown" ? "" : board.text;
      now.hidden = !text;
      refill(now, [text], () => [el("bdi", {}, text)]);
      refill(tried, [board.state, board.tried, board.untoldCount], () => (board.tried.length > 0 ? [el("h3", {}, board.state === "up" ? "Where else it was looked for" : "Where it was looked for"), ...triedList(board, board.tried.length)] : []));
      const lines = advice(board, hasGame);
      refill(steps, lines, () => lines.map((line) => el("li", {}, line)));
    };
    this.#tick();
  }
}

function wholeState(board) {
  return [stateSaid(board), board.state === "up" && kindSaid(board)].filter(Boolean).join(", ");
}

function factsOf(board, isOnline) {
  return [
    ["State", wholeState(board)],
    [["up", "other", "refused"].includes(board.state) ? "At" : "Expected at", board.port || "any port, or Bluetooth"],
    ["Last word of the board", lastHeard(board)],
    ["This page", isOnline ? "hears the table's program" : "does not reach the table's program"],
  ].filter(Boolean);
}

function triedList(board, maxCount) {
  const more = board.tried.length + board.untoldCount - maxCount;
  if (board.tried.length === 0) return [];
  return [
    el(
      "ul",
      { class: "tried" },
      ...board.tried.slice(0, maxCount).map(({ port, why }) => el("li", {}, el("bdi", { class: "tried-port" }, port), el("bdi", {}, why))),
      more > 0 && el("li", { class: "hint-line" }, `and ${more} more`),
    ),
  ];
}

function icon(kind) {
  return svg("svg", { class: "link-icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[kind] }));
}
