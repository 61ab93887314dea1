// Owns the page: it shows each state document, whatever the game, and sends what a person asks for. What a game alone
// shows is in a module of its own, chosen by the document's `game`.

import { BoardLink } from "./board_link.js";
import { patternDefinitions } from "./colours.js";
import { followDialogs } from "./dialog.js";
import { button, byId, clear, el, refill } from "./dom.js";
import { openAudit, openGames } from "./games.js";
import { GAMES, gameOf } from "./known_games.js";
import { connect, get, post } from "./live.js";
import { openMenu } from "./menu.js";
import { renderMessage } from "./message.js";
import { openNewGame } from "./new_game.js";
import { Plan } from "./steps.js";
import { renderTeaching, teachItems } from "./teach.js";

const TOAST_MS = 6000; // time to read a line from the sofa
const BOARD_RETRY_MS = 2000;
// What a game's module fills; the next one finds it empty.
const PLACES = ["stage", "turn", "message", "asks", "ending", "verdict", "players", "rounds"];
const EMPTY_PLACES = ["asks", "ending", "verdict", "rounds"]; // not there before somebody fills them

const IS_WRITABLE = document.body.dataset.writable === "yes";

let view = null; // what the current game's module mounted
let shownGame = null;
let newest = null;
let toastTimer = 0;
const plan = new Plan();
const link = new BoardLink();

async function mountGame(name) {
  const [data, module] = await Promise.all([get(`/api/board?game=${name}`), GAMES[name].load()]);
  view?.unmount();
  for (const place of PLACES) clear(byId(place));
  for (const place of EMPTY_PLACES) byId(place).hidden = true;
  view = module.mount(data, { isWritable: IS_WRITABLE, send, openNewGame: startNewGame });
  byId("stage").prepend(link.overlay);
  shownGame = name;
  document.body.dataset.game = name;
  byId("game-name").textContent = GAMES[name].title;
  document.title = `${GAMES[name].title} · tablewire`;
}

let drawing = null; // a frame that was asked for, or a document that is being drawn

// Once a frame at most, and always the newest: whatever comes meanwhile is not drawn. A board that is still loading is
// waited for, not drawn twice.
function show(doc) {
  newest = doc;
  drawing ??= nextFrame().then(drawNewest);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

async function drawNewest() {
  const doc = newest;
  try {
    await render(doc);
  } catch (error) {
    console.error(error);
    setTimeout(() => show(newest), BOARD_RETRY_MS);
  }
  drawing = null;
  if (newest !== doc) show(newest);
}

async function render(doc) {
  const name = gameOf(doc);
  if (shownGame !== name) await mountGame(name);
  document.body.dataset.phase = doc.phase;
  document.body.dataset.message = doc.message?.kind ?? "";
  document.body.dataset.version = doc.version;
  plan.follow(doc.message);
  view.render(doc, plan.steps);
  renderFacts(doc);
  renderMessage(doc, plan, {
    stepWords: view.stepWords,
    point: view.point,
    choose: (control, choice) => send(control, "choose", { id: choice.id }),
    offers: IS_WRITABLE ? view.offers(doc) : [],
    isCovered: view.covers(doc),
    isWritable: IS_WRITABLE,
  });
  renderTeaching(doc, { isWritable: IS_WRITABLE, send });
  renderNotices(doc);
  renderActions(doc);
  link.follow(doc);
  followDialogs(doc);
}

function renderFacts(doc) {
  const facts = doc.players.length > 0 ? view.facts(doc) : [];
  refill(byId("facts"), facts, () => facts.filter(Boolean).map((fact) => el("li", {}, fact)));
}

function renderNotices(doc) {
  const notices = doc.notices ?? [];
  byId("notices").hidden = notices.length === 0;
  refill(byId("notices"), notices, () => notices.map((notice) => el("p", {}, notice)));
}

function renderActions(doc) {
  const can = doc.actions ?? {};
  const hasGame = doc.players.length > 0;
  const isFresh = !hasGame || doc.phase === "over";
  byId("read-only").hidden = IS_WRITABLE;
  byId("actions").hidden = false;
  const act = (text, name, path, attributes = {}) =>
    button(text, { "data-action": name, onclick: (event) => send(event.currentTarget, path), ...attributes });
  const { pass, decline, next_round, new_game, undo, redo } = can;
  refill(byId("actions"), [pass, decline, next_round, new_game, undo, redo, isFresh, hasGame], () => [
    ...(IS_WRITABLE
      ? [
          can.pass && act("Pass", "pass", "pass"),
          can.decline && act("Decline the free turn", "decline", "pass"),
          can.next_round && act("Next round", "next-round", "next-round", { class: "primary" }),
          isFresh &&
            button("New game", {
              "data-action": "new-game",
              class: can.next_round ? "" : "primary",
              disabled: can.new_game === false,
              onclick: startNewGame,
            }),
          ...(hasGame ? [act("Undo", "undo", "undo", { disabled: !can.undo }), act("Redo", "redo", "redo", { disabled: !can.redo })] : []),
        ]
      : []),
    !hasGame && button("Games", { "data-action": "games", onclick: showGames }),
    hasGame && button(view.historyTitle, { "data-action": "moves", onclick: () => view.open("moves") }),
    button("More", { "data-action": "more", "aria-haspopup": "dialog", onclick: () => openMenu(menuItems) }),
  ]);
}

// What is possible now; whoever may press nothing sees what there is to see.
function menuItems(doc) {
  const can = doc.actions ?? {};
  return [
    ...(IS_WRITABLE ? view.menuItems(doc) : []),
    ...view.views(doc),
    ...teachItems(doc, { isWritable: IS_WRITABLE }),
    { id: "games", title: "Games", text: "All games: resume one, put this one aside, download a record.", onclick: showGames },
    doc.players.length > 0 && { id: "audit", title: "Who changed what", text: "Corrections, rulings and choices of this game, with names and notes.", onclick: () => openAudit() },
    IS_WRITABLE && { id: "new-game", title: "New game", text: "Choose who plays, and by which rules.", isDisabled: can.new_game === false, onclick: startNewGame },
  ].filter(Boolean);
}

function showGames() {
  openGames({ isWritable: IS_WRITABLE, openNewGame: startNewGame });
}

function startNewGame() {
  openNewGame(newest);
}

async function send(control, action, body = {}) {
  control.disabled = true;
  const refusal = await post(action, body);
  control.disabled = false;
  if (refusal) toast(refusal);
  return refusal === null;
}

function toast(text) {
  const node = byId("toast");
  node.textContent = text;
  node.classList.add("is-shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => node.classList.remove("is-shown"), TOAST_MS);
}

document.body.prepend(patternDefinitions());
link.start(connect({ show, age: (ms) => link.age(ms), online: (isOnline) => link.online(isOnline) }));
