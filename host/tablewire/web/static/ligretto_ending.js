// Owns what is done after a stop: who stopped and when, a false stop taken back, the cards left counted over a pad or
// typed in, and the round scored. Decides nothing: whether the numbers can be, the table says.

import { button, byId, el, keep, refill, say } from "./dom.js";
import { byField, noteField, signed, wrongLine } from "./forms.js";
import { cardsSaid, timeSaid } from "./ligretto_words.js";
import { ask } from "./live.js";

const CONFIRMABLE = new Set(["undecided", "held"]); // the reasons of a refusal that can be agreed to
const LEFT_MAX_COUNT = 10; // cards in a player's own pile at the start

export class Ending {
  #doc = null;
  #padCount = 0;
  #typed = new Map(); // what a person wrote, by player; the rest follows what is counted
  #round = null;
  #isAsItLies = false; // a person wants to score with cards that lie wrong

  constructor({ send, isWritable }) {
    this.send = send;
    this.isWritable = isWritable;
    this.node = byId("ending");
    this.title = el("h2", {});
    this.after = el("p", { class: "after-stop" });
    this.withdraw = button("It was a false stop", { "data-action": "unstop", onclick: (event) => send(event.currentTarget, "unstop") });
    this.pads = el("select", { name: "count-pad", "aria-label": "The pad over which the cards left are passed" });
    this.begin = button("Count over this pad", { "data-action": "count", onclick: (event) => send(event.currentTarget, "count", { pad: Number(this.pads.value) }) });
    this.end = button("End the counting", { "data-action": "count-end", onclick: (event) => send(event.currentTarget, "count", { pad: null }) });
    this.countChoice = el("span", { class: "count-choice" }, this.pads, this.begin);
    this.countWords = el("p", { class: "count-words", role: "status" });
    this.fields = el("ul", { class: "left-fields" });
    this.by = byField();
    this.note = noteField("Note, where something was odd");
    this.wrong = wrongLine();
    this.score = el("button", { type: "submit", class: "primary", "data-action": "left" }, "Score the round");
    // Where nobody can say who was first, or a card cannot be taken off: the table asks back once.
    this.asItLies = button("Score it as it lies", { "data-action": "as-it-lies", onclick: () => this.#askAnyway() });
    this.drop = button("Score it all the same: they count for nobody", { "data-action": "drop-rest", hidden: true, onclick: (event) => this.#submit(event, { drop_rest: true }) });
    this.waits = el("p", { class: "hint-line" });
    this.form = el(
      "form",
      { class: "left-form", onsubmit: (event) => this.#submit(event) },
      el("h3", {}, "Cards left in the own piles"),
      this.fields,
      el("details", { class: "signing" }, el("summary", {}, "Who says so"), el("div", { class: "field-row" }, this.by.node, this.note.node)),
      this.wrong,
      el("div", { class: "choices" }, this.score, this.drop, this.waits),
    );
    this.counting = el("div", { class: "counting" }, this.countWords, isWritable && this.countChoice, isWritable && this.end);
    const head = el("header", { class: "ending-head" }, this.title, isWritable && this.withdraw, isWritable && this.asItLies);
    this.node.replaceChildren(head, this.after, this.counting, ...(isWritable ? [this.form] : []));
  }

  render(doc, padCount) {
    this.#doc = doc;
    this.#padCount = padCount;
    const { stopped, counting } = doc;
    const can = doc.actions ?? {};
    this.node.hidden = !stopped || doc.phase === "over";
    const round = JSON.stringify([doc.game_id, doc.round, stopped?.by]);
    if (round !== this.#round) {
      this.#round = round;
      this.#typed.clear();
      this.#isAsItLies = false;
      this.wrong.textContent = "";
    }
    if (this.node.hidden) return;
    const when = stopped.round_ms === null || stopped.round_ms === undefined ? "" : ` after ${timeSaid(stopped.round_ms)}`;
    say(this.title, `Stopped${when}`);
    const afterCount = (stopped.after ?? []).length;
    say(this.after, afterCount === 0 ? "" : `${cardsSaid(afterCount)} came after the stop and ${afterCount === 1 ? "does" : "do"} not count.`);
    this.after.hidden = afterCount === 0;
    this.withdraw.hidden = !can.unstop;
    this.#renderCounting(counting, can, padCount);
    this.#renderFields(doc);
    // One thing after the other: the numbers are asked for when nothing stands in their way.
    this.form.hidden = !this.#canScore;
    const isOpen = (doc.undecided ?? []).length > 0;
    const isHeld = isOpen || (doc.wrong ?? []).length > 0;
    this.score.disabled = !this.#canScore;
    this.asItLies.hidden = this.#canScore;
    if (can.left || !isHeld) this.drop.hidden = true;
    say(this.waits, can.left ? "" : isOpen ? "Pairs are undecided still." : "Cards lie wrong still.");
  }

  // What cannot be put right must not keep a round from being scored.
  #askAnyway() {
    this.#isAsItLies = true;
    this.render(this.#doc, this.#padCount);
  }

  #renderCounting(counting, can, padCount) {
    const usual = this.#doc.count_pad ?? padCount - 1;
    refill(this.pads, [padCount, usual], () => Array.from({ length: padCount }, (_, pad) => el("option", { value: pad, selected: pad === usual }, `Pad ${pad}`)));
    this.countChoice.hidden = Boolean(counting) || !can.count;
    this.end.hidden = !counting;
    say(this.countWords, counting ? counting.text || `Pass the cards left over pad ${counting.pad}, one by one.` : can.count ? "Pass the cards left over a pad, one by one, or type the numbers." : "");
    this.counting.hidden = !counting && !(can.count && this.#canScore);
  }

  #renderFields(doc) {
    keep(this.fields, doc.players, {
      key: ({ name }) => `left ${name}`,
      make: ({ name }) => this.#field(name),
      update: (node, player) => this.#update(node, player),
    });
  }

  #field(name) {
    const input = el("input", {
      type: "number",
      min: 0,
      max: LEFT_MAX_COUNT,
      inputmode: "numeric",
      "data-left": name,
      oninput: () => {
        this.#typed.set(name, input.value);
        this.wrong.textContent = "";
      },
    });
    return el("li", {}, el("label", {}, el("span", { class: "left-who" }, name), input, el("small", {})));
  }

  // What was typed stays, whatever is counted meanwhile; the words beside it say what was counted.
  #update(node, { name, left, played }) {
    const input = node.querySelector("input");
    const isStopper = this.#doc.stopped.by === name;
    const counted = this.#doc.counting?.counted?.[name] ?? left ?? null;
    const wanted = isStopper ? "0" : (this.#typed.get(name) ?? (counted === null ? "" : String(counted)));
    if (input.value !== wanted) input.value = wanted;
    if (input.disabled !== isStopper) input.disabled = isStopper;
    const differs = counted !== null && !isStopper && this.#typed.has(name) && this.#typed.get(name) !== String(counted);
    node.classList.toggle("is-other", differs);
    say(node.querySelector("small"), differs ? `counted: ${counted}` : `${played ?? 0} played`);
  }

  // Undecided pairs are no obstacle by themselves: what becomes of them the table asks.
  get #canScore() {
    const { actions, undecided, wrong } = this.#doc;
    return Boolean(actions?.left || this.#isAsItLies || ((undecided ?? []).length > 0 && (wrong ?? []).length === 0));
  }

  async #submit(event, agreed = {}) {
    event.preventDefault();
    const left = Object.fromEntries(this.#doc.players.map(({ name }) => [name, this.#value(name)]));
    const missing = Object.entries(left).filter(([, count]) => count === null).map(([name]) => name);
    if (missing.length > 0) {
      this.wrong.textContent = `How many cards are left in the pile of ${missing.join(", ")}?`;
      return;
    }
    this.score.disabled = true;
    const answer = await ask("left", { left, ...agreed, ...signed(this.by, this.note) });
    this.score.disabled = !this.#canScore;
    this.wrong.textContent = answer.text ?? "";
    this.drop.hidden = !CONFIRMABLE.has(answer.body.reason);
    if (answer.isDone) this.note.fill("");
  }

  #value(name) {
    const input = this.fields.querySelector(`[data-left="${CSS.escape(name)}"]`);
    return input && input.value.trim() !== "" && Number.isInteger(input.valueAsNumber) ? input.valueAsNumber : null;
  }
}
