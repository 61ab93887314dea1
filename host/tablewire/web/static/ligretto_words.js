// Owns how Ligretto is put in words on the page: cards, pads, times, reasons, lines of the record. Pure; decides nothing.

const REASONS = {
  after_stop: "it came after the stop",
  card_already_played: "it lies there already",
  not_a_one: "a new pile begins with a 1",
  not_in_game: "that deck does not play",
  unknown_card: "there is no such card",
  wrong_colour: "the pile has another colour",
  wrong_value: "the pile needs another number",
  pile_complete: "the pile is complete",
  game_over: "the game is over",
  not_undecided: "there was nothing to decide",
  wrong_winner: "that player had no card there",
  bad_count: "the numbers cannot be",
  no_stop: "nobody has stopped the round",
};

export const BLOCKED = "blocked"; // who stops a round in which nobody can play

export function reasonSaid(reason) {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason] : String(reason);
}

export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

export function faceSaid({ colour, value }) {
  return `${colour} ${value}`;
}

export function cardSaid(card) {
  return card ? `${card.owner}'s ${faceSaid(card)}` : "the card that nobody knows";
}

export function cardsSaid(count) {
  return count === 1 ? "1 card" : `${count} cards`;
}

// The time since the first card of a round, as on a watch.
export function timeSaid(ms) {
  const s = Math.max(0, Math.floor(Number(ms) / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

export function signedSaid(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

export function numberSaid(points) {
  return points < 0 ? `−${-points}` : String(points);
}

export function stepWords(step) {
  if (step.do === "lift") return step.card ? `Take ${cardSaid(step.card)} off pad ${step.pad}` : `Take what lies there off pad ${step.pad}`;
  return [String(step.do), step.pad !== undefined && `pad ${step.pad}`].filter(Boolean).join(": ");
}

// A line of the record in words; one that the table has judged says its own text.
export function lineSaid(line) {
  if (line.card) return `${cardSaid(line.card)} on pad ${line.pad}`;
  if (line.stop !== undefined) return line.stop === null ? "The stop was withdrawn" : line.stop === BLOCKED ? "Stopped: nobody can play" : `${line.stop} stopped the round`;
  if (line.decide !== undefined) return `Decided: ${line.winner} was first (line ${line.decide})`;
  if (line.left) return `Left: ${listed(Object.entries(line.left).map(([player, count]) => `${player} ${count}`))}`;
  return "another line";
}
