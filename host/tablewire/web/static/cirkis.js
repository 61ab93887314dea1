// Owns what the page shows of Cir*Kis alone: board, turn, players, verdict, result. Decides nothing about the game.

import { Board } from "./cirkis_board.js";
import { newGameForm } from "./cirkis_new_game.js";
import { cardsOf, playerName, resultOf } from "./cirkis_players.js";
import { Where } from "./cirkis_where.js";
import { badge, classOf, nameOf } from "./colours.js";
import { button, byId, el, refill } from "./dom.js";

export const title = "Cir*Kis";
export { newGameForm };

const ENDED = {
  target: "The target was reached.",
  went_out: "The last piece of a player is placed.",
  blocked: "Nobody can place any more.",
  match: "The match is over.",
};

export function mount(data) {
  const board = new Board(data);
  let doc = null;
  let pointed = []; // spaces that a choice under the pointer means
  let hasNumbers = false;

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
  byId("stage").replaceChildren(
    el("div", { class: "board-frame" }, board.root),
    where.node,
    el("div", { class: "tools" }, whereButton, numbersButton),
  );

  function draw() {
    if (!doc) return;
    whereButton.setAttribute("aria-pressed", String(where.isOpen));
    board.render({
      laid: laidPieces(doc),
      leader: doc.leader ?? [],
      completed: doc.completed ?? {},
      flaky: doc.flaky ?? [],
      hints: [...where.hints(), ...(pointed.length ? [{ spaces: pointed, player: doc.turn, isSure: true }] : [])],
      steps: doc.message?.steps ?? [],
      hasRing: Boolean(doc.options?.center_ring),
      numbers: hasNumbers,
      label: boardWords(doc),
    });
  }

  return {
    render(next) {
      doc = next;
      pointed = [];
      const canAsk = Boolean(doc.turn) && doc.phase !== "over";
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
    },
    point(spaces) {
      pointed = spaces;
      draw();
    },
    stepWords: (step) => stepWords(doc, step),
  };
}

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

function renderTurn(doc) {
  const turn = byId("turn");
  const colour = turnColour(doc);
  turn.className = `turn ${colour ? classOf(colour) : "c-none"}`;
  refill(turn, [doc.phase, doc.turn, doc.free_turn, doc.why_turn, doc.passed_over, doc.players.map((p) => p.name), doc.result], () => {
    if (doc.phase === "over") return resultBanner(doc);
    const { headline, text } = turnWords(doc);
    return [
      colour && badge(colour, "large"),
      el(
        "div",
        { class: "turn-words" },
        el("h1", {}, headline),
        text && el("p", {}, text),
        // Where being passed over is why it is whose turn, the words above say it.
        doc.why_turn?.kind !== "passed_over" &&
          (doc.passed_over ?? []).length > 0 &&
          el("p", { class: "passed" }, `Passed over: ${doc.passed_over.map((player) => playerName(doc, player)).join(", ")}`),
      ),
      doc.free_turn && el("span", { class: "pill free" }, "Free turn"),
    ];
  });
}

function turnColour(doc) {
  if (doc.phase === "over") return resultOf(doc)?.winners?.length === 1 ? resultOf(doc).winners[0] : null;
  return doc.turn;
}

function turnWords(doc) {
  if (doc.players.length === 0) return { headline: "Ready for a game", text: "Start a new game to begin." };
  const why = doc.why_turn?.text ?? "";
  if (doc.phase === "waiting") return { headline: "Set up the table", text: why };
  if (!doc.turn) return { headline: "One moment", text: why };
  return { headline: `${playerName(doc, doc.turn)} to play`, text: why };
}

function resultBanner(doc) {
  const result = resultOf(doc);
  const winners = result?.winners ?? [];
  const names = winners.map((player) => playerName(doc, player));
  const headline = names.length === 1 ? `${names[0]} wins` : names.length > 1 ? `${names.join(" and ")} share the win` : "The game is over";
  const ranked = [...doc.players].sort((a, b) => rankOf(doc, b) - rankOf(doc, a));
  return [
    el("div", { class: "winner-badges" }, ...winners.map((player) => badge(player, "large"))),
    el(
      "div",
      { class: "turn-words" },
      el("h1", {}, headline),
      el("p", {}, ENDED[result?.ended] ?? ""),
      el(
        "ol",
        { class: "ranking" },
        ...ranked.map((player) =>
          el(
            "li",
            { class: classOf(player.colour) },
            badge(player.colour, "small"),
            `${player.name || nameOf(player.colour)} ${player.score}`,
            doc.totals && el("small", {}, `${doc.totals[player.colour] ?? 0} in the match`),
          ),
        ),
      ),
    ),
  ];
}

function rankOf(doc, player) {
  return resultOf(doc)?.ended === "match" ? (doc.totals?.[player.colour] ?? 0) : player.score;
}

function renderVerdict(doc) {
  const verdict = byId("verdict");
  verdict.hidden = !doc.verdict;
  verdict.classList.toggle("is-provisional", Boolean(doc.provisional));
  verdict.classList.toggle("is-illegal", doc.verdict?.legal === false);
  refill(verdict, [doc.verdict, doc.awards, doc.provisional], () =>
    doc.verdict
      ? [
          el(
            "p",
            { class: "verdict-text" },
            doc.last?.player && badge(doc.last.player, "small"),
            el("span", {}, verdictWords(doc)),
            doc.provisional && el("small", { class: "settling" }, "settling"),
          ),
          (doc.awards ?? []).length > 0 && el("ul", { class: "awards" }, ...doc.awards.map((award) => awardItem(doc, award))),
        ]
      : [],
  );
}

// The verdict without the awards, which are listed under it.
function verdictWords(doc) {
  return (doc.awards ?? []).reduce((text, award) => (award.text ? text.replace(award.text, "") : text), doc.verdict.text).replace(/\s+/g, " ").trim();
}

function awardItem(doc, award) {
  return el(
    "li",
    { class: classOf(award.player) },
    el("strong", {}, `+${award.points}`),
    badge(award.player, "small"),
    el("span", {}, award.text || `${playerName(doc, award.player)}, ${award.why}`),
  );
}

function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

function stepWords(doc, step) {
  const spaces = step.spaces ?? [];
  const where = spaces.length === 1 ? `space ${spaces[0]}` : `spaces ${listed(spaces)}`;
  const colour = step.colour && nameOf(step.colour).toLowerCase();
  if (step.do === "lift") return colour ? `Lift the ${colour} piece from ${where}` : `Lift what lies on ${where}`;
  if (step.do === "place") return `Put ${colour ? `the ${colour} piece` : "the piece"} on ${where}`;
  if (step.do === "move_peg") return `Move ${step.colour ? `${playerName(doc, step.colour)}'s` : "the"} peg to hole ${step.hole}`;
  return String(step.do);
}
