// Owns how the link between the table's program and its board is put in words: states, kinds, ages, what to do. Pure:
// the part `link` of a document in, words out. Knows no page, and no game.

import { plain } from "./plain.js";

const STATES = {
  up: "Board connected",
  other: "Board of another game",
  searching: "Looking for the board",
  down: "Board not connected",
  refused: "Board cannot be used",
  unknown: "Board: not known now",
};
const OURS = new Set(["other", "unknown"]); // states that no table tells
const KINDS = { serial: "USB", ble: "Bluetooth" };
// A simulated board, with no plug and no radio, is at a pseudo-terminal or at a name for one outside of /dev.
const SIMULATED = /^\/(dev\/pts\/|(?!dev\/))/;

// Between two of its words a board says nothing for a second; below this an age tells nobody anything.
const AGE_MIN_MS = 5000;
const PORT_MAX_COUNT = 60; // a path by id is about as long, a name over Bluetooth at most 29
const TEXT_MAX_COUNT = 400; // three lines of a phone, with a command in them
// A house with more serial ports is a workshop; `tablewire ports` lists them all.
const TRIED_MAX_COUNT = 24;

// What is so: `state` as the page should say it. `isCut`: this page does not hear the table's program, so of the board
// it knows nothing, whatever was said last.
// `game`: what is played, which may need another board than the one that is heard.
export function boardOf(link, { isCut = false, ageMs = null, game = null } = {}) {
  const heard = Object.hasOwn(STATES, link?.state) && !OURS.has(link.state) ? link.state : "down";
  const isOther = heard === "up" && Boolean(game && link.board) && link.board !== game;
  const told = isOther ? "other" : heard;
  // Until one is found, a board may be anywhere.
  const port = link?.port === "auto" ? "" : plain(link?.port, PORT_MAX_COUNT);
  const isSimulated = link?.kind === "serial" && SIMULATED.test(port);
  const tried = (link?.tried ?? []).slice(0, TRIED_MAX_COUNT).map(({ port: place, why }) => ({ port: plain(place, PORT_MAX_COUNT), why: plain(why, TEXT_MAX_COUNT) }));
  return {
    state: isCut ? "unknown" : told,
    port,
    // The one place that was named at the start; empty where the board is looked for everywhere.
    wanted: link?.wanted === "auto" ? "" : plain(link?.wanted, PORT_MAX_COUNT),
    kind: !isSimulated && Object.hasOwn(KINDS, link?.kind ?? "") ? link.kind : null,
    text: told === "up" ? "" : sentence(withoutTheOne(plain(link?.text, TEXT_MAX_COUNT), tried)),
    tried,
    untoldCount: Math.max(0, (link?.tried ?? []).length - TRIED_MAX_COUNT),
    ageMs,
  };
}

// Where one place was tried, the line ends with it; the list below says it already.
function withoutTheOne(text, tried) {
  const end = tried.length === 1 ? `; ${tried[0].port}: ${tried[0].why}` : "";
  return end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text;
}

export const sentence = (line) => line.charAt(0).toUpperCase() + line.slice(1);

export function stateSaid({ state }) {
  return STATES[state];
}

export function kindSaid({ kind }) {
  return kind === null ? "" : KINDS[kind];
}

// For the bar; empty while it says nothing that matters.
export function shortAge({ state, ageMs }) {
  if (state === "unknown" || state === "refused" || state === "other" || ageMs === null || ageMs < AGE_MIN_MS) return "";
  return state === "up" ? `silent for ${duration(ageMs)}` : duration(ageMs);
}

export function lastHeard({ ageMs }) {
  if (ageMs === null) return "not yet";
  return ageMs < AGE_MIN_MS ? "a moment ago" : `${duration(ageMs)} ago`;
}

// Whole units, the largest that leaves two digits or so: nobody counts the seconds of an hour.
export function duration(ms) {
  const s = Math.floor(Math.max(0, ms) / 1000);
  if (s < 100) return `${s} s`;
  if (s < 100 * 60) return `${Math.floor(s / 60)} min`;
  if (s < 48 * 3600) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86400)} days`;
}

const REACH = {
  serial: "Plug the board in again, at the same socket or another: it is found by itself.",
  ble: "Switch the board on and bring it near the table's computer, or plug it in there: it is found by itself.",
  any: "Plug the board into the table's computer, with a cable that carries data; or switch it on, if it speaks Bluetooth. It is found by itself.",
};
const HELD = " One that a phone or another computer holds by Bluetooth cannot be found: disconnect it there.";
const ELSEWHERE = " Nowhere else is looked: only started without --port, the table's program finds it everywhere.";
const DOCTOR = "Still nothing? On the table's computer, tablewire doctor says what is in the way, and tablewire ports what it can see.";
const CUT = [
  "This page does not reach the table's program: it may have been stopped, or this device has left its network. The page tries again by itself.",
  "How the board is, only that program knows; the game is kept.",
];

// How the board is reached again. Of a place that was named at the start no more is promised than is looked at.
function reach({ kind, port, wanted }) {
  if (wanted === "") return REACH[kind ?? "any"] + (kind === "ble" ? HELD : "");
  if (/^ble(:|$)/i.test(wanted)) return `Switch the board on and bring it near the table's computer.${HELD}${ELSEWHERE}`;
  if (port !== wanted.replace(/^\.\//, "")) return "Plug the board in again, at the same socket or another: it is known by its serial number.";
  return `Plug the board in at ${wanted}, the place that was named at the start, or switch it on.${ELSEWHERE}`;
}

// What a person can do about it, a sentence or two each.
export function advice(board, hasGame) {
  const { state } = board;
  if (state === "up") return ["Nothing: the board is heard."];
  if (state === "unknown") return CUT;
  if (state === "other") return ["Connect the board of the game that is played; the game is kept meanwhile.", "Or put the game aside, under More and Games, and begin one for this board."];
  if (state === "refused") return ["It answers, but not in a way that this program understands.", "On the table's computer, tablewire doctor says more."];
  return [reach(board), DOCTOR, hasGame && "The game is kept. What is laid meanwhile is read when the board is back; until then it can be entered by hand."].filter(Boolean);
}

// Why play is on hold while the board is not heard; null when it is. As short as why it is whose turn, in whose place it
// stands, so that nothing moves.
export function holdWords(doc) {
  const board = boardOf(doc.link, { game: doc.game });
  if (board.state === "up") return null;
  if (board.state === "other") return "this board is for another game: put the game aside, or connect its board.";
  if (board.state === "refused") return "this board cannot be used.";
  if (board.state === "searching") return "looking for the board.";
  return board.kind === "ble" ? "switch the board on." : "plug the board in.";
}
