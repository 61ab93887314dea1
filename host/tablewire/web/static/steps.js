// Owns the plan of putting a table right: which steps there were, which are done, and the number each one keeps while
// it is on the board and in the list. Pure; knows no page.

const ORDER = ["lift", "place", "move_peg"];

// What a step is about besides its spaces: whichever of these a game has.
const whatOf = ({ do: verb, colour, hole, pad, card }) => JSON.stringify([verb, colour, hole, pad, card]);

// A step in progress asks for fewer spaces than the step it was.
function isPartOf(step, whole) {
  if (whatOf(step) !== whatOf(whole)) return false;
  const spaces = step.spaces ?? [];
  return spaces.length > 0 ? spaces.every((id) => (whole.spaces ?? []).includes(id)) : !(whole.spaces ?? []).length;
}

export class Plan {
  constructor() {
    this.steps = []; // {step, number, isDone}
    this.kind = null;
  }

  // Takes the message of each document in turn. While nothing new is asked for, what is no longer asked for is done and
  // every step keeps its number; something new begins the count again.
  follow(message) {
    const wanted = message?.steps ?? [];
    if (wanted.length === 0 || message.kind !== this.kind) this.steps = [];
    this.kind = message?.kind ?? null;
    const taken = new Map();
    for (const step of wanted) {
      const entry = this.steps.find((known) => !taken.has(known) && isPartOf(step, known.whole));
      if (!entry) return this.#begin(wanted);
      taken.set(entry, step);
    }
    this.steps = this.steps.map((entry) => ({ ...entry, step: taken.get(entry) ?? entry.whole, isDone: !taken.has(entry) }));
    return this;
  }

  #begin(wanted) {
    const rank = (step) => (ORDER.includes(step.do) ? ORDER.indexOf(step.do) : ORDER.length);
    this.steps = [...wanted]
      .sort((a, b) => rank(a) - rank(b))
      .map((step, i) => ({ whole: step, step, number: i + 1, isDone: false }));
    return this;
  }

  get left() {
    return this.steps.filter(({ isDone }) => !isDone);
  }

  // How far it is: by steps; a single step, such as clearing the board, by its spaces.
  get progress() {
    const [only] = this.steps;
    if (this.steps.length !== 1) return { done: this.steps.length - this.left.length, total: this.steps.length, of: "" };
    const total = (only.whole.spaces ?? []).length;
    return { done: only.isDone ? total : total - (only.step.spaces ?? []).length, total, of: " spaces" };
  }
}
