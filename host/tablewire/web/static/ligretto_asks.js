// Owns what has to be decided or put right at once: undecided pairs with a button for each player, and every wrong card
// with what to do. Rows keep their nodes and their places while documents come many times a second, so that nothing
// moves under a finger.

import { button, byId, el, keep, refill, say } from "./dom.js";
import { cardFace } from "./ligretto_face.js";
import { cardSaid, faceSaid, listed, reasonSaid } from "./ligretto_words.js";

// A question that is answered leaves its place free for as long as a finger that was on its way takes, and the eye.
const STAY_MS = 3000;
// More than these are not read from a sofa, and the pads show all; a phone is scrolled. A question takes the room of two,
// a card whose buttons stand below it that of three.
const SHOWN_WRONG_COUNT = 10;
const SHOWN_WRONG_MAX_COUNT = 6;
const SHOWN_WRONG_MIN_COUNT = 2;
const PER_QUESTION_COUNT = 2;
const PER_BUTTONS_COUNT = 3;
const SHOWN_ON_PHONE_COUNT = 24;
const PHONE = "(max-width: 40rem)";

export class Asks {
  #rows = []; // {id, group, goneAt}: the questions shown, those just answered included
  #timer = 0;

  // The choices of the message that have a button here.
  offered = new Set();

  // choose(control, id), decide(control, group, winner), name(wrong): what the buttons do; null where nobody may press any.
  constructor({ choose, decide, name }) {
    this.choose = choose;
    this.decide = decide;
    this.name = name;
    this.node = byId("asks");
    this.questions = el("ul", { class: "questions", "aria-live": "polite", "aria-relevant": "additions" });
    this.wrongTitle = el("h2", {});
    this.wrong = el("ul", { class: "wrong-cards", "aria-live": "assertive", "aria-relevant": "additions" });
    this.more = el("p", { class: "hint-line" });
    this.wrongPart = el("div", { class: "wrong-part" }, this.wrongTitle, this.wrong, this.more);
    this.node.replaceChildren(this.questions, this.wrongPart);
  }

  render(doc) {
    // Where nobody plays, no finger is on its way.
    if (doc.phase === "over" || doc.phase === "waiting" || doc.stopped) this.#rows = this.#rows.filter(({ goneAt }) => goneAt === null);
    this.#renderQuestions(doc.undecided ?? []);
    const choices = doc.message?.choices ?? [];
    this.offered = new Set(choices.map(({ id }) => id).filter((id) => (doc.undecided ?? []).some((group) => id.startsWith(`${group.id}:`))));
    this.#renderWrong(doc.wrong ?? [], doc.wrong_count ?? 0, choices);
    this.node.hidden = this.#rows.length === 0 && this.wrongPart.hidden;
  }

  close() {
    clearTimeout(this.#timer);
  }

  #renderQuestions(groups) {
    const now = performance.now();
    const open = new Map(groups.map((group) => [group.id, group]));
    for (const row of this.#rows) {
      if (open.has(row.id)) Object.assign(row, { group: open.get(row.id), goneAt: null });
      else row.goneAt ??= now;
    }
    this.#rows = this.#rows.filter(({ goneAt }) => goneAt === null || now - goneAt < STAY_MS);
    const known = new Set(this.#rows.map(({ id }) => id));
    this.#rows.push(...groups.filter(({ id }) => !known.has(id)).map((group) => ({ id: group.id, group, goneAt: null })));
    keep(this.questions, this.#rows, {
      key: ({ group }) => JSON.stringify([group.id, group.players]),
      make: ({ group }) => this.#question(group),
      update: (node, { goneAt }) => {
        node.classList.toggle("is-gone", goneAt !== null);
        node.inert = goneAt !== null;
        say(node.querySelector(".question-done"), goneAt === null ? "" : "Decided");
      },
    });
    clearTimeout(this.#timer);
    if (this.#rows.length > open.size) this.#timer = setTimeout(() => this.#again(groups), STAY_MS);
  }

  // What was answered goes although no document comes.
  #again(groups) {
    this.#renderQuestions(groups);
    this.node.hidden = this.#rows.length === 0 && this.wrongPart.hidden;
  }

  #question(group) {
    return el(
      "li",
      { class: "question", "data-ask": group.id },
      el("span", { class: "mini" }, cardFace(group)),
      el(
        "span",
        { class: "question-words" },
        el("strong", {}, `Who was first on pad ${group.pad}?`),
        el("small", {}, `${listed(group.players)} laid a ${faceSaid(group)} in the same moment.`),
      ),
      el(
        "span",
        { class: "question-buttons", role: "group", "aria-label": `Who was first on pad ${group.pad}` },
        ...group.players.map((player) =>
          button(player, {
            class: "primary decide",
            "data-winner": player,
            "aria-label": `${player} was first on pad ${group.pad}`,
            disabled: !this.decide,
            onclick: (event) => this.decide(event.currentTarget, group, player),
          }),
        ),
      ),
      el("span", { class: "question-done" }),
    );
  }

  // `count`: of the wrong cards there may be more than the document tells of one by one.
  #renderWrong(wrong, count, choices) {
    const lying = wrong.filter(({ lies }) => lies !== false);
    const all = Math.max(count, lying.length);
    const choicesOf = ({ pad, uid }) => choices.filter(({ id }) => id.endsWith(`:${pad}:${uid}`));
    const shown = lying.slice(0, matchMedia(PHONE).matches ? SHOWN_ON_PHONE_COUNT : this.#fitting(lying, choicesOf));
    // Those of cards that wait for room come when others are gone.
    for (const entry of lying) for (const { id } of choicesOf(entry)) this.offered.add(id);
    this.wrongPart.hidden = lying.length === 0;
    say(this.wrongTitle, all === 1 ? "Take this card off again" : `Take these ${all} cards off again`);
    keep(this.wrong, shown, {
      key: ({ n, uid, pad }) => JSON.stringify([n, uid, pad]),
      make: (entry) => this.#wrongRow(entry),
      update: (node, entry) => {
        refill(node.firstChild, entry.card, () => [cardFace(entry.card ?? {})]);
        say(node.querySelector(".wrong-text"), entry.text || fallback(entry));
        this.#renderChoices(node.lastChild, choicesOf(entry));
      },
    });
    say(this.more, all > shown.length ? `and ${all - shown.length} more, marked on the pads` : "");
  }

  // How many of them have room beside the questions.
  #fitting(lying, choicesOf) {
    let room = SHOWN_WRONG_COUNT - PER_QUESTION_COUNT * this.#rows.length;
    let count = 0;
    for (const entry of lying.slice(0, SHOWN_WRONG_MAX_COUNT)) {
      room -= !entry.card || choicesOf(entry).length > 0 ? PER_BUTTONS_COUNT : 1;
      if (room < 0 && count >= SHOWN_WRONG_MIN_COUNT) break;
      count += 1;
    }
    return count;
  }

  // What else may be done with a card than take it off: let it count, or let it lie.
  #renderChoices(node, choices) {
    keep(node, choices, {
      key: ({ id }) => id,
      make: ({ id, text }) => button(text, { class: "tool", "data-choice": id, disabled: !this.choose, onclick: (event) => this.choose(event.currentTarget, id) }),
      update: () => {},
    });
  }

  #wrongRow(entry) {
    const isUnknown = !entry.card && Boolean(entry.uid);
    return el(
      "li",
      { class: "wrong-card", "data-n": entry.n ?? "", "data-wrong-pad": entry.pad },
      el("span", { class: "mini" }),
      el("span", { class: "wrong-text" }),
      isUnknown && this.name && button("Which card is it?", { "data-action": "name-card", onclick: () => this.name(entry) }),
      el("span", { class: "wrong-choices" }),
    );
  }
}

function fallback({ card, pad, reasons }) {
  const why = listed((reasons ?? []).map(reasonSaid));
  return `Take ${cardSaid(card)} off pad ${pad}${why ? `: ${why}` : ""}.`;
}
