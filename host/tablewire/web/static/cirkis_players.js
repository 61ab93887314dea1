// Owns the players' cards of Cir*Kis: score, peg track, stock of pieces. Knows no HTTP and decides nothing.

import { badge, classOf, nameOf, patternOf } from "./colours.js";
import { el, svg } from "./dom.js";
import { boundsOf, outline, pathOf } from "./geometry.js";

const HOLES = [0, 5, 10, 15, 20, 25, 30, 35, 40];
// Every shape is drawn at one scale, so that they can be compared: a big slice is 3.1 short edges wide.
const SHAPE_BOX = 3.3;

export function cardsOf(doc, drawn) {
  return doc.players.map((player) => card(doc, player, drawn));
}

function card(doc, player, drawn) {
  const isWinner = (resultOf(doc)?.winners ?? []).includes(player.colour);
  const isTurn = doc.turn === player.colour && doc.phase !== "over";
  const status = statusOf(doc, player, isTurn, isWinner);
  const left = Object.values(player.unplayed ?? {}).reduce((sum, count) => sum + count, 0);
  const total = doc.totals?.[player.colour];
  return el(
    "article",
    { class: `card ${classOf(player.colour)} ${isTurn ? "is-turn" : ""} ${isWinner ? "is-winner" : ""}`, "data-player": player.colour },
    el(
      "header",
      {},
      badge(player.colour),
      el(
        "div",
        { class: "who" },
        el("h3", {}, player.name || nameOf(player.colour)),
        total !== undefined && total !== null && el("small", {}, `${total} in the match`),
      ),
      status && el("span", { class: "pill" }, status),
      el("p", { class: "score-now" }, String(player.score)),
    ),
    track(player, doc.phase === "over"),
    stock(doc, player, drawn),
    el("p", { class: "left" }, left === 1 ? "1 piece left" : `${left} pieces left`),
  );
}

function statusOf(doc, player, isTurn, isWinner) {
  if (isWinner) return resultOf(doc).winners.length > 1 ? "shares the win" : "winner";
  if (isTurn) return doc.free_turn ? "free turn" : "to play";
  if ((doc.passed_over ?? []).includes(player.colour)) return "passed over";
  return null;
}

export function resultOf(doc) {
  return doc.result ? doc.result.result ?? doc.result : null;
}

function track({ peg, score }, isOver) {
  const due = peg?.due ?? null;
  const hole = peg?.hole ?? null;
  const isRight = due !== null && hole === due;
  // A board may be played without pegs: before the first points nobody is asked to put one in. After the end they go
  // back into the box.
  const isWrong = !isRight && !(hole === null && (due === 0 || isOver));
  const words = hole === null && isOver ? "" : pegWords(hole, due);
  return el(
    "div",
    { class: "track" },
    el(
      "ol",
      { class: `holes ${isRight ? "is-right" : ""}`, "aria-hidden": "true" },
      ...HOLES.map((points) =>
        el(
          "li",
          { class: [points <= score ? "reached" : "", points === hole ? "peg" : "", points === due && isWrong ? "due" : ""].join(" ") },
          el("span", {}, String(points)),
        ),
      ),
    ),
    el("p", { class: `peg-words ${isWrong ? "is-wrong" : ""}` }, words),
  );
}

function pegWords(hole, due) {
  if (due === null) return "";
  if (hole === due) return "Peg is right";
  if (hole === null && due === 0) return "The peg starts in hole 0";
  return hole === null ? `Put the peg in hole ${due}` : `Move the peg from ${hole} to ${due}`;
}

function stock(doc, player, drawn) {
  const shapes = doc.pieces?.shapes ?? Object.entries(player.unplayed ?? {}).map(([name, count]) => ({ name, count }));
  return el(
    "ul",
    { class: "stock", "aria-label": "Pieces left" },
    ...shapes.map(({ name, example }) => {
      const count = player.unplayed?.[name] ?? 0;
      return el(
        "li",
        { class: count > 0 ? "" : "is-out", title: `${name}: ${count} left` },
        shapeDrawing(drawn, example ?? [], player.colour),
        el("span", { class: "stock-count" }, String(count)),
        el("span", { class: "stock-name" }, name),
      );
    }),
  );
}

export function shapeDrawing(drawn, example, colour) {
  const loops = outline(drawn, example);
  if (loops.length === 0) return null;
  const { left, right, top, bottom } = boundsOf(loops);
  const middleX = (left + right) / 2;
  const middleY = (top + bottom) / 2;
  const d = pathOf(loops.map((loop) => loop.map(([x, y]) => [x - middleX, y - middleY])));
  const half = SHAPE_BOX / 2;
  return svg(
    "svg",
    { class: "shape", viewBox: `${-half} ${-half} ${SHAPE_BOX} ${SHAPE_BOX}`, "aria-hidden": "true" },
    svg("path", { d, class: `shape-body ${classOf(colour)}` }),
    svg("path", { d, fill: patternOf(colour), class: "shape-pattern" }),
  );
}
