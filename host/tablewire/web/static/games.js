// Owns the list of games and the list of what people changed in one: who, when, what, why. Knows no rules of any game.

import { badge, nameOf } from "./colours.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { wrongLine } from "./forms.js";
import { countSaid, hasNames, titleOf } from "./known_games.js";
import { get, post } from "./live.js";

const STATES = { current: "on the table", adjourned: "put aside", over: "over" };

export function openGames({ isWritable, openNewGame }) {
  const list = el("ul", { class: "game-list" });
  const wrong = wrongLine();
  let games = null;
  let leftOut = 0; // older games that the table does not tell the page of
  let seen = null;
  let asked = 0;

  async function look() {
    const mine = (asked += 1);
    try {
      const answer = await get("/api/games");
      if (mine !== asked) return;
      games = answer.games ?? [];
      leftOut = answer.left_out ?? 0;
    } catch {
      if (mine === asked) wrong.textContent = "The table did not say which games there are.";
    }
    show();
  }

  function show() {
    if (games === null) return;
    const older = leftOut > 0 && el("li", { class: "hint-line" }, `and ${leftOut} older: "tablewire games" lists them all.`);
    list.replaceChildren(...(games.length ? games.map(row) : [el("li", { class: "hint-line" }, "There is no game yet.")]), ...(older ? [older] : []));
  }

  async function send(control, action, body) {
    control.disabled = true;
    const refused = await post(action, body);
    wrong.textContent = refused ?? "";
    control.disabled = false;
    // A game that is gone on with needs its table: what is to be put where stands on the page.
    if (action === "resume-game" && refused === null) return dialog.close();
    await look();
  }

  function row(game) {
    const players = game.players ?? [];
    const isNamed = hasNames(game.game);
    const name = players.map(isNamed ? String : nameOf).join(", ");
    const isCurrent = game.state === "current";
    return el(
      "li",
      { class: `game is-${Object.hasOwn(STATES, game.state) ? game.state : "other"}`, "data-game": game.game_id },
      el(
        "div",
        { class: "game-who" },
        ...players.map((player) =>
          el(
            "span",
            { class: "game-player" },
            isNamed ? el("span", {}, String(player)) : badge(player, "small"),
            el("strong", {}, String(game.scores?.[player] ?? "").replace("-", "−")),
            (game.winners ?? []).includes(player) && el("span", { class: "tag" }, "won"),
          ),
        ),
        el("span", { class: "tag" }, STATES[game.state] ?? String(game.state)),
      ),
      game.trouble && el("p", { class: "wrong" }, game.trouble),
      el("p", { class: "game-facts" }, `${titleOf(game.game)} · ${countSaid(game.game, game.moves)} · begun ${timeSaid(game.started)} · last played ${timeSaid(game.changed)}`),
      el(
        "div",
        { class: "game-buttons" },
        isWritable &&
          !isCurrent &&
          button(game.state === "over" ? "Open again" : "Resume", { "data-action": "resume", "aria-label": `${game.state === "over" ? "Open again" : "Resume"} the game of ${name}`, onclick: (event) => send(event.currentTarget, "resume-game", { game_id: game.game_id }) }),
        isWritable && isCurrent && button("Put aside", { "data-action": "put-aside", onclick: (event) => send(event.currentTarget, "put-aside", {}) }),
        button("Who changed what", { "data-action": "audit", "aria-label": `Who changed what in the game of ${name}`, onclick: () => openAudit(game.game_id) }),
        el("a", { class: "as-button", href: `/api/record?game_id=${encodeURIComponent(game.game_id)}`, download: "", "data-action": "record" }, "Download the record"),
      ),
    );
  }

  const dialog = openDialog({
    id: "games",
    title: "Games",
    isWide: true,
    make: () => ({
      nodes: [isWritable && el("div", { class: "choices" }, button("New game", { "data-action": "new-game", class: "primary", onclick: openNewGame })), wrong, list],
      follow(doc) {
        const now = JSON.stringify([doc.game_id, doc.moves, doc.phase === "over"]);
        if (now === seen) return;
        seen = now;
        look();
      },
    }),
  });
  return dialog;
}

// gameId: null for the game on the table.
export function openAudit(gameId = null) {
  const list = el("ol", { class: "audit-list" });
  const wrong = wrongLine();
  let seen = null;
  let asked = 0;

  async function look() {
    const mine = (asked += 1);
    try {
      const answer = await get(gameId === null ? "/api/audit" : `/api/audit?game_id=${encodeURIComponent(gameId)}`);
      if (mine !== asked) return;
      const entries = [...(answer.audit ?? [])].reverse();
      list.replaceChildren(...(entries.length ? entries.map(auditRow) : [el("li", { class: "hint-line" }, "Nobody has changed anything: it stands as it was played.")]));
    } catch {
      if (mine === asked) wrong.textContent = "The table did not say what was changed.";
    }
  }

  return openDialog({
    id: "audit",
    title: "Who changed what",
    isWide: true,
    make: () => ({
      nodes: [wrong, list],
      follow(doc) {
        const now = JSON.stringify([doc.game_id, doc.version]);
        if (now === seen) return;
        seen = now;
        look();
      },
    }),
  });
}

function auditRow({ at, by, note, text, kind }) {
  return el(
    "li",
    { class: "audit-entry" },
    el("p", { class: "audit-text" }, text || String(kind ?? "")),
    note && el("p", { class: "audit-note" }, note),
    el("p", { class: "audit-who" }, el("strong", {}, by || "operator"), " · ", el("time", { datetime: at ?? "" }, timeSaid(at))),
  );
}

// Today: the time of day; else the day too. In the reader's own language and zone.
function timeSaid(iso) {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) return "?";
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}
