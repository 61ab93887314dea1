// Owns the list of the games that the page can show, and which of them is meant. Knows no rules of any.

// `counts`: what the number of moves of a game counts, one and several; `hasNames`: its players are names, not colours;
// `needsDecks`: it is played with decks that were taught.
export const GAMES = {
  cirkis: { title: "Cir*Kis", load: () => import("./cirkis.js"), counts: ["move", "moves"], hasNames: false, needsDecks: false },
  ligretto: { title: "Ligretto", load: () => import("./ligretto.js"), counts: ["card", "cards"], hasNames: true, needsDecks: true },
};

const isKnown = (name) => typeof name === "string" && Object.hasOwn(GAMES, name);

// The games that the table's program can play too, the one that is meant where none is named first.
export const OFFERED = [document.body.dataset.firstGame, ...document.body.dataset.games.split(" ")]
  .filter((name, i, all) => isKnown(name) && all.indexOf(name) === i);

// The game of a document: that on the table; before there is one, that of the board that is there.
export function gameOf(doc) {
  return [doc.game, doc.link?.board].find(isKnown) ?? OFFERED[0];
}

// How many moves, in the game's own words.
export function countSaid(name, count) {
  const [one, several] = isKnown(name) ? GAMES[name].counts : ["move", "moves"];
  return count === 1 ? `1 ${one}` : `${count ?? "?"} ${several}`;
}

export const hasNames = (name) => isKnown(name) && GAMES[name].hasNames;
export const titleOf = (name) => (isKnown(name) ? GAMES[name].title : String(name ?? ""));
