// Owns the panel that says what a person must do or decide now: text, numbered steps with their progress, choices.

import { classOf } from "./colours.js";
import { button, byId, el, refill } from "./dom.js";

const TITLES = {
  illegal: "Not allowed here",
  ambiguous: "Which piece is it?",
  unexplained: "Not a move",
  restore: "Put the table back",
  peg: "Move a peg",
  setup: "Set up the table",
  count: "Count the cards left",
};
const QUESTIONS = new Set(["ambiguous", "unexplained"]);
const SIGNS = { lift: "↑", place: "↓", move_peg: "→" };
// More lines than this are not read from a sofa, less so beside buttons; the board shows every step.
const SHOWN_MAX_COUNT = 6;
const SHOWN_BESIDE_CHOICES_COUNT = 4;
// On a phone the list stands above the board, which is to be seen with it.
const SHOWN_ON_PHONE_COUNT = 3;
const PHONE = "(max-width: 40rem)";

// offers: buttons beside the table's own choices: [{id, text, onclick}]; isCovered: the game's own part of the page says
// all of it.
export function renderMessage(doc, plan, { stepWords, point, choose, offers: wanted, isCovered, isWritable }) {
  const node = byId("message");
  // Before the first game the page itself says how to start one.
  const message = isCovered || (doc.players.length === 0 && !doc.message?.steps?.length) ? null : doc.message;
  const offers = message ? wanted : [];
  node.hidden = !message;
  node.dataset.kind = message?.kind ?? "";
  const choices = message?.choices ?? [];
  // A question: lifting the piece is one more answer, not what has to be done first.
  const isOneOfSeveral = QUESTIONS.has(message?.kind) && choices.length > 0 && plan.left.length > 0 && plan.left.every(({ step }) => step.do === "lift");
  refill(node, [message, plan.steps, offers.map(({ id }) => id), doc.players.map(({ name }) => name)], () => [
    message && el("h2", {}, TITLES[message.kind] ?? "The table asks"),
    // Pegs are named by the steps alone: the text would say the same once more.
    message && message.kind !== "peg" && el("p", { class: "message-text" }, message.text),
    message && plan.steps.length > 0 && !isOneOfSeveral && stepList(plan, stepWords, choices.length > 0 ? SHOWN_BESIDE_CHOICES_COUNT : SHOWN_MAX_COUNT),
    (choices.length > 0 || offers.length > 0) &&
      el(
        "div",
        { class: "choices" },
        ...choices.map((choice) => choiceButton(choice, { point, choose, isWritable })),
        ...offers.map(({ id, text, onclick }) => button(text, { "data-action": id, onclick })),
      ),
    isOneOfSeveral && el("p", { class: "or-step" }, `Or ${plan.left.map(({ step }) => lowered(stepWords(step))).join(", or ")}.`),
  ]);
}

function stepList(plan, stepWords, mostCount) {
  const { done, total, of } = plan.progress;
  const limit = matchMedia(PHONE).matches ? SHOWN_ON_PHONE_COUNT : mostCount;
  // One more step takes no more room than the line that would say so.
  const shown = plan.left.slice(0, plan.left.length === limit + 1 ? limit + 1 : limit);
  const more = plan.left.length - shown.length;
  return el(
    "div",
    {},
    done > 0 &&
      el(
        "p",
        { class: "progress" },
        el("progress", { max: total, value: done, "aria-hidden": "true" }),
        el("span", {}, `${done} of ${total}${of} done`),
      ),
    el(
      "ol",
      { class: "steps" },
      ...shown.map(({ step, number }) =>
        el(
          "li",
          { "data-do": step.do, "data-number": number },
          el("span", { class: "step-number" }, String(number)),
          el("span", { class: `step-sign ${step.colour ? classOf(step.colour) : ""}`, "aria-hidden": "true" }, SIGNS[step.do] ?? "•"),
          el("span", {}, stepWords(step)),
        ),
      ),
      more > 0 && el("li", { class: "more-steps" }, `and ${more} more, marked on the board`),
    ),
  );
}

const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

function choiceButton(choice, { point, choose, isWritable }) {
  const show = () => point(choice.spaces ?? choice.pads ?? []);
  const leave = () => point([]);
  return button(choice.text, {
    class: "primary",
    "data-choice": choice.id,
    disabled: !isWritable,
    onmouseenter: show,
    onfocus: show,
    onmouseleave: leave,
    onblur: leave,
    onclick: (event) => choose(event.currentTarget, choice),
  });
}
