// Owns what the page shows of Cir*Kis alone: board, players, and which dialogs there are. Decides nothing about the game.

import { openAccept } from "./cirkis_accept.js";
import { Board } from "./cirkis_board.js";
import { openPlace, openRuling } from "./cirkis_by_hand.js";
import { openMoves } from "./cirkis_moves.js";
import { newGameForm } from "./cirkis_new_game.js";
import { cardsOf } from "./cirkis_players.js";
import { Sensors } from "./cirkis_sensors.js";
import { renderTurn, renderVerdict } from "./cirkis_turn.js";
import { Where } from "./cirkis_where.js";
import { playerName, stepWords } from "./cirkis_words.js";
import { button, byId, el, refill } from "./dom.js";
import { countSaid } from "./known_games.js";

export { newGameForm };

export function mount(data, { isWritable }) {
  const board = new Board(data);
  let doc = null;
  let pointed = []; // spaces that a choice under the pointer means
  let hasNumbers = false;
  let steps = []; // of the plan that puts the table right

  const where = new Where(board.drawn, draw);
  const whereButton = button("Where may they place?", { class: "tool", onclick: () => where.toggle() });
  const numbersButton = button("Numbers", {
    class: "tool",
    "aria-pressed": "false",
    onclick: () => {
      hasNumbers = !hasNumbers;
      numbersButton.setAttribute("aria-pressed", String(hasNumbers));
      draw();
    },
  });
  const sensors = new Sensors(board, isWritable, draw);
  const sensorsButton = button("Sensors", { class: "tool", "data-action": "sensors", "aria-pressed": "false", onclick: () => sensors.toggle() });
  byId("stage").replaceChildren(
    el("div", { class: "board-frame" }, board.root),
    where.node,
    el("div", { class: "tools" }, whereButton, numbersButton, sensorsButton),
  );

  byId("stage").after(sensors.node);

  function draw() {
    if (!doc) return;
    whereButton.setAttribute("aria-pressed", String(where.isOpen));
    sensorsButton.setAttribute("aria-pressed", String(sensors.isOpen));
    board.render({
      laid: laidPieces(doc),
      leader: doc.leader ?? [],
      completed: doc.completed ?? {},
      flaky: doc.flaky ?? [],
      hints: [...where.hints(), ...(pointed.length ? [{ spaces: pointed, player: doc.turn, isSure: true }] : [])],
      steps,
      health: sensors.health,
      hasRing: Boolean(doc.options?.center_ring),
      numbers: hasNumbers,
      label: boardWords(doc),
    });
  }

  return {
    render(next, planned) {
      doc = next;
      steps = planned;
      pointed = [];
      const canAsk = Boolean(doc.turn) && doc.phase !== "over";
      const maskedCount = Object.values({ ...doc.health?.spaces, ...doc.health?.pegs }).filter((state) => state === "masked").length;
      sensorsButton.textContent = maskedCount > 0 ? `Sensors: ${maskedCount} off` : "Sensors";
      whereButton.disabled = !canAsk;
      whereButton.textContent = canAsk ? `Where may ${playerName(doc, doc.turn)} place?` : "Where may they place?";
      draw();
      renderTurn(doc);
      renderVerdict(doc);
      byId("players").dataset.count = String(doc.players.length);
      refill(
        byId("players"),
        [doc.players, doc.turn, doc.free_turn, doc.phase, doc.passed_over, doc.totals, doc.result, doc.pieces],
        () => (doc.players.length > 0 ? cardsOf(doc, board.drawn) : [welcome()]),
      );
      where.follow(doc);
      sensors.follow(doc);
    },
    unmount() {
      if (sensors.isOpen) sensors.toggle();
      sensors.node.remove();
    },
    historyTitle: "Moves",
    facts: (now) => [
      now.rulebook && `${now.rulebook === "international" ? "International" : "Hasbro"} rules`,
      (now.round ?? 1) > 1 || now.totals ? `Round ${now.round}` : null,
      countSaid("cirkis", now.moves ?? 0),
    ],
    covers: () => false,
    point(spaces) {
      pointed = spaces;
      draw();
    },
    stepWords: (step) => stepWords(doc, step),
    open(name) {
      DIALOGS[name]({ data, doc, isWritable });
    },
    // Beside the table's own choices: what a person may decide about the table as it lies.
    offers: (now) =>
      now.actions?.accept ? [{ id: "accept", text: "Take the table as it lies …", onclick: () => openAccept({ drawn: board.drawn, doc }) }] : [],
    menuItems: (now) =>
      [
        now.actions?.accept && { id: "accept", title: "Take the table as it lies", text: "Record what lies there instead of putting it back.", onclick: () => openAccept({ drawn: board.drawn, doc }) },
        now.actions?.place !== false &&
          now.players.length > 0 && { id: "place", title: "Place a piece by hand", text: "For a piece that the sensors do not see.", onclick: () => openPlace({ data, doc }) },
        now.actions?.ruling !== false &&
          now.players.length > 0 && { id: "ruling", title: "House ruling", text: "Give or take points, with a note why.", onclick: () => openRuling({ doc }) },
      ].filter(Boolean),
    views: () => [{ id: "show-sensors", title: "Sensors", text: "The health of every sensor, drawn on the board.", onclick: () => sensors.isOpen || sensors.toggle() }],
  };
}

const DIALOGS = { moves: openMoves };

function welcome() {
  return el(
    "div",
    { class: "welcome" },
    el("h2", {}, "How to start"),
    el(
      "ol",
      {},
      el("li", {}, "Clear the board, give every player all pieces of one colour, and put every peg in hole 0."),
      el("li", {}, "Start a new game and touch the players' colours in the order of play, clockwise."),
      el("li", {}, "Lay the first piece on the middle star or the ring of kites around it. The table does the rest."),
    ),
  );
}

// Whole pieces; where the document does not say which spaces are one piece, every space stands alone.
function laidPieces(doc) {
  const laid = doc.laid ?? [];
  const covered = new Set(laid.flatMap(({ spaces }) => spaces));
  const single = Object.entries(doc.spaces ?? {})
    .filter(([id]) => !covered.has(Number(id)))
    .map(([id, player]) => ({ player, spaces: [Number(id)] }));
  return [...laid, ...single];
}

function boardWords(doc) {
  const filled = Object.keys(doc.spaces ?? {}).length;
  const leader = (doc.leader ?? []).join(", ");
  return `The board: ${filled} of 165 spaces filled${leader ? `, the Leader on ${leader}` : ""}`;
}
