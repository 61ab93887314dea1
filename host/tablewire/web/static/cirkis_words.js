// Owns how Cir*Kis is put in words on the page: spaces, steps, lines of the record, reasons, scores. Decides nothing.

import { classOf, badge, nameOf } from "./colours.js";
import { el } from "./dom.js";

const REASONS = {
  unknown_space: "there is no such space",
  unknown_player: "that colour is not playing",
  space_filled: "a space is filled already",
  not_a_piece: "no piece of the set has this shape",
  none_left: "no piece of that shape is left",
  not_your_turn: "it is another player's turn",
  first_not_central: "the first piece must touch the middle",
  not_touching_leader: "it does not touch the Leader",
  not_touching_any: "it does not touch any piece",
  pass_while_able: "that player could still place a piece",
  game_over: "the game was over",
  not_a_line: "it is no move",
};

// What the house may overrule: the rules, not the board.
const FORCEABLE = ["not_your_turn", "first_not_central", "not_touching_leader", "not_touching_any", "none_left", "pass_while_able"];

export function playerName(doc, colour) {
  return doc.players.find((player) => player.colour === colour)?.name || nameOf(colour);
}

export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

export function spacesSaid(spaces) {
  return spaces.length === 1 ? `space ${spaces[0]}` : `spaces ${listed(spaces)}`;
}

// More numbers than these are not read out one by one: the board shows them.
const NUMBERS_MAX_COUNT = 6;

export function stepWords(doc, step) {
  const spaces = step.spaces ?? [];
  const where = spaces.length > NUMBERS_MAX_COUNT ? `the ${spaces.length} spaces marked on the board` : spacesSaid(spaces);
  const colour = step.colour && nameOf(step.colour).toLowerCase();
  if (step.do === "lift") return colour ? `Lift the ${colour} piece from ${where}` : `Lift what lies on ${where}`;
  if (step.do === "place") {
    // Which piece of the game it is; some of its spaces may read already.
    const piece = (doc.laid ?? []).find((laid) => laid.player === step.colour && spaces.every((id) => laid.spaces.includes(id)));
    const missing = piece && spaces.length < piece.spaces.length ? `: ${listed(spaces)} ${spaces.length === 1 ? "does" : "do"} not read` : "";
    return `Put the ${colour ? `${colour} ` : ""}${piece?.shape ?? "piece"} on ${piece ? spacesSaid(piece.spaces) : where}${missing}`;
  }
  if (step.do === "move_peg") return `Move ${step.colour ? `${playerName(doc, step.colour)}'s` : "the"} peg to hole ${step.hole}`;
  return String(step.do);
}

export function reasonSaid(reason) {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason] : String(reason);
}

export function isForceable(reasons) {
  return reasons.length > 0 && reasons.every((reason) => FORCEABLE.includes(reason));
}

export function pointsSaid(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

// A line of `history`, or of the record, in words, without the player's name.
export function lineSaid(doc, line) {
  if (line.ruling) {
    // In the history the points themselves, in the record an object with points and note.
    const points = line.ruling.points ?? line.ruling;
    return `House ruling: ${listed(Object.entries(points).map(([player, count]) => `${playerName(doc, player)} ${pointsSaid(count)}`))}`;
  }
  if (line.round !== undefined && !line.player) return `Round ${line.round} begins`;
  if (line.spaces) return `${line.shape ?? "piece"} on ${listed(line.spaces)}`;
  return "passed";
}

// The same with who it was.
export function entrySaid(doc, line) {
  return `${line.player ? `${playerName(doc, line.player)}, ` : ""}${lineSaid(doc, line)}`;
}

// The points that a line of `history` brought, by player.
export function pointsOf(line) {
  return Object.entries(line.ruling ?? line.points ?? {}).filter(([, points]) => points !== 0);
}

// The same as a line of the record, to be changed and sent back.
export function recordLine(line) {
  if (line.ruling) return { ruling: { points: line.ruling, ...(line.note && { note: line.note }) } };
  if (line.round !== undefined && !line.player) return { round: line.round };
  return line.spaces ? { player: line.player, spaces: line.spaces } : { player: line.player, pass: true };
}

// Scores as they are and as they would be, one row a player.
export function scoreChange(doc, after) {
  return el(
    "ul",
    { class: "score-change", "aria-label": "Scores afterwards" },
    ...doc.players.map(({ colour, score }) => {
      const next = after?.[colour] ?? score;
      return el(
        "li",
        { class: `${classOf(colour)} ${next === score ? "" : "is-other"}`, "data-player": colour },
        badge(colour, "small"),
        el("span", { class: "score-who" }, playerName(doc, colour)),
        el("span", { class: "score-was" }, String(score)),
        next !== score && el("span", { "aria-hidden": "true" }, "→"),
        next !== score && el("strong", {}, String(next)),
      );
    }),
  );
}
