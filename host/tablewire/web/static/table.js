// Owns the page: it shows each state document, whatever the game, and sends what a person asks for. What a game alone
// shows is in a module of its own, chosen by the document's `game`.

import { classOf, patternDefinitions } from "./colours.js";
import { button, byId, el, refill } from "./dom.js";
import { connect, get, post } from "./live.js";

const GAMES = { cirkis: "./cirkis.js" };
const FIRST_GAME = "cirkis";
const TOAST_MS = 6000; // time to read a line from the sofa
const BOARD_RETRY_MS = 2000;

const LINKS = { up: "Board connected", searching: "Looking for the board", down: "Board not connected" };
const MESSAGES = {
  illegal: "Not allowed here",
  ambiguous: "Which piece is it?",
  unexplained: "Not a move",
  restore: "Put the table back",
  peg: "Move a peg",
  setup: "Set up the table",
};
const IS_WRITABLE = document.body.dataset.writable === "yes";

let view = null; // what the current game's module mounted
let game = null; // that module
let shownGame = null;
let newest = null;
let silent = { ms: null, at: 0 };
let toastTimer = 0;

async function mountGame(name) {
  const [data, module] = await Promise.all([get("/api/board"), import(GAMES[name])]);
  game = module;
  view = game.mount(data);
  shownGame = name;
  byId("game-name").textContent = game.title;
  document.title = `${game.title} · tablewire`;
}

let rendering = Promise.resolve();

// One at a time and always the newest: a board that is still loading is waited for, not drawn twice.
function show(doc) {
  newest = doc;
  rendering = rendering.then(() => newest === doc && render(doc)).catch(retryLater);
}

function retryLater(error) {
  console.error(error);
  setTimeout(() => newest && show(newest), BOARD_RETRY_MS);
}

async function render(doc) {
  const name = Object.hasOwn(GAMES, doc.game) ? doc.game : FIRST_GAME;
  if (shownGame !== name) await mountGame(name);
  document.body.dataset.phase = doc.phase;
  document.body.dataset.version = doc.version;
  view.render(doc);
  renderFacts(doc);
  renderMessage(doc);
  renderNotices(doc);
  renderActions(doc);
  renderLink();
}

function renderFacts(doc) {
  const facts = [
    doc.rulebook && doc.players.length > 0 && `${doc.rulebook === "international" ? "International" : "Hasbro"} rules`,
    (doc.round ?? 1) > 1 || doc.totals ? `Round ${doc.round}` : null,
    doc.players.length > 0 && (doc.moves === 1 ? "1 move" : `${doc.moves ?? 0} moves`),
  ];
  refill(byId("facts"), facts, () => facts.filter(Boolean).map((fact) => el("li", {}, fact)));
}

function renderMessage(doc) {
  const node = byId("message");
  // Before the first game the page itself says how to start one.
  const message = doc.players.length === 0 && !doc.message?.steps?.length ? null : doc.message;
  node.hidden = !message;
  node.dataset.kind = message?.kind ?? "";
  refill(node, message, () =>
    message
      ? [
          el("h2", {}, MESSAGES[message.kind] ?? "The table asks"),
          // Pegs are named by the steps alone: the text would say the same once more.
          message.kind !== "peg" && el("p", { class: "message-text" }, message.text),
          (message.steps ?? []).length > 0 &&
            el("ol", { class: "steps" }, ...message.steps.map((step) => el("li", { "data-do": step.do }, stepSign(step), view.stepWords(step)))),
          (message.choices ?? []).length > 0 && el("div", { class: "choices" }, ...message.choices.map(choiceButton)),
        ]
      : [],
  );
}

function stepSign(step) {
  const sign = { lift: "↑", place: "↓", move_peg: "→" }[step.do] ?? "•";
  return el("span", { class: `step-sign ${step.colour ? classOf(step.colour) : ""}`, "aria-hidden": "true" }, sign);
}

function choiceButton(choice) {
  const point = () => view.point(choice.spaces ?? []);
  const leave = () => view.point([]);
  return button(choice.text, {
    class: "primary",
    "data-choice": choice.id,
    disabled: !IS_WRITABLE,
    onmouseenter: point,
    onfocus: point,
    onmouseleave: leave,
    onblur: leave,
    onclick: (event) => send(event.currentTarget, "choose", { id: choice.id }),
  });
}

function renderNotices(doc) {
  const notices = doc.notices ?? [];
  byId("notices").hidden = notices.length === 0;
  refill(byId("notices"), notices, () => notices.map((notice) => el("p", {}, notice)));
}

function renderActions(doc) {
  const can = doc.actions ?? {};
  byId("read-only").hidden = IS_WRITABLE;
  byId("actions").hidden = !IS_WRITABLE;
  if (!IS_WRITABLE) return;
  const isFresh = doc.players.length === 0 || doc.phase === "over";
  refill(byId("actions"), [can, isFresh], () => [
    can.pass && button("Pass", { "data-action": "pass", onclick: (event) => send(event.currentTarget, "pass") }),
    can.decline &&
      button("Decline the free turn", { "data-action": "decline", onclick: (event) => send(event.currentTarget, "pass") }),
    can.next_round &&
      button("Next round", { "data-action": "next-round", class: "primary", onclick: (event) => send(event.currentTarget, "next-round") }),
    button("Undo", { "data-action": "undo", disabled: !can.undo, onclick: (event) => send(event.currentTarget, "undo") }),
    button("Redo", { "data-action": "redo", disabled: !can.redo, onclick: (event) => send(event.currentTarget, "redo") }),
    button("New game", {
      "data-action": "new-game",
      class: isFresh && !can.next_round ? "primary" : "",
      disabled: can.new_game === false,
      onclick: openNewGame,
    }),
  ]);
}

async function send(control, action, body = {}) {
  control.disabled = true;
  const refusal = await post(action, body);
  control.disabled = false;
  if (refusal) toast(refusal);
  return refusal === null;
}

function openNewGame() {
  const dialog = byId("new-game");
  const form = game.newGameForm(newest);
  const isRunning = newest.players.length > 0 && newest.phase !== "over";
  const wrong = el("p", { class: "wrong", role: "alert" });
  const start = el("button", { type: "submit", class: "primary" }, isRunning ? "End this game and start" : "Start the game");
  dialog.replaceChildren(
    el(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          wrong.textContent = form.wrong() ?? "";
          if (wrong.textContent) return;
          start.disabled = true;
          wrong.textContent = (await post("new-game", form.body())) ?? "";
          start.disabled = false;
          if (!wrong.textContent) dialog.close();
        },
      },
      el("h2", { id: "new-game-title" }, "New game"),
      isRunning && el("p", { class: "warning" }, "A game is being played. It is kept as it stands, and the new one takes the table."),
      form.node,
      wrong,
      el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => dialog.close() }), start),
    ),
  );
  dialog.showModal();
}

function toast(text) {
  const node = byId("toast");
  node.textContent = text;
  node.classList.add("is-shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => node.classList.remove("is-shown"), TOAST_MS);
}

function renderLink() {
  if (!newest) return;
  const state = newest.link?.state ?? "down";
  const age = silent.ms === null ? null : silent.ms + (Date.now() - silent.at);
  byId("link").dataset.state = state;
  const words = (state !== "up" && newest.link?.text) || LINKS[state] || state;
  byId("link").title = newest.link?.port ?? "";
  byId("link-text").textContent = `${words}${age === null || age < 5000 ? "" : `, silent for ${Math.round(age / 1000)} s`}`;
}

document.body.prepend(patternDefinitions());
connect({
  show,
  age: (ms) => {
    silent = { ms: ms ?? null, at: Date.now() };
    renderLink();
  },
  online: (isOnline) => {
    byId("lost").hidden = isOnline;
    document.body.classList.toggle("is-lost", !isOnline);
  },
});
setInterval(renderLink, 1000);
