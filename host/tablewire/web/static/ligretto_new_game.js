// Owns the form that starts a game of Ligretto: who plays with which deck, how long, and by which settings. Knows what
// may be set, not what it means.

import { button, el, say } from "./dom.js";
import { hasNames } from "./known_games.js";
import { openTeach } from "./teach.js";

const PLAYERS_MIN = 2;
const PLAYERS_MAX = 12;
const PILES_PER_PLAYER = 4; // one for each 1 in play
const NAME_MAX_CHARS = 40;
const DEFAULTS = { rounds: 1, target: 99, left_penalty: 2, scan_ms: 40 };

// `doc`: what is on the table, whose players are proposed again; `data`: the board, and the decks that are kept.
export function newGameForm(doc, data) {
  const decks = data.decks ?? [];
  const canTeach = Array.isArray(doc.decks); // not while a game is on the table
  const again = hasNames(doc.game) ? doc.players.map(({ name, deck }) => ({ name, deck })) : [];
  const complete = decks.filter(({ missing }) => missing === 0);
  const proposed = again.length >= PLAYERS_MIN ? again : complete.slice(0, PLAYERS_MAX).map(({ name }) => ({ name, deck: name }));
  const rows = el("ol", { class: "name-rows" });
  const padHint = el("p", { class: "hint-line" });
  const deckHint = el("p", { class: "warning deck-hint", role: "status", hidden: true });
  const teach = canTeach && button("Teach a deck", { "data-action": "teach", onclick: () => openTeach({ ...doc, decks, decks_text: data.decks_text }) });
  const add = button("Another player", { "data-action": "add-player", onclick: () => addRow({}, true) });

  function addRow({ name = "", deck = "" }, isTouched = false) {
    const input = el("input", { type: "text", name: "player", maxlength: NAME_MAX_CHARS, autocomplete: "off", "aria-label": `Name of player ${rows.children.length + 1}` });
    input.value = name;
    const choice =
      decks.length > 0 &&
      el(
        "select",
        { name: "deck", "aria-label": "Deck" },
        el("option", { value: "" }, "deck of that name, or the next"),
        ...decks.map((each) => el("option", { value: each.name, selected: each.name === deck, disabled: each.missing > 0 }, deckSaid(each))),
      );
    const row = el(
      "li",
      {},
      input,
      choice,
      button("×", {
        class: "remove",
        "aria-label": "Leave this player out",
        onclick: () => {
          row.remove();
          show();
        },
      }),
    );
    rows.append(row);
    show();
    if (isTouched) input.focus();
  }

  function show() {
    const count = rows.children.length;
    add.disabled = count >= PLAYERS_MAX;
    for (const remove of rows.querySelectorAll(".remove")) remove.disabled = count <= PLAYERS_MIN;
    say(deckHint, data.decks_text || lackSaid(complete.length, count, canTeach));
    deckHint.hidden = deckHint.textContent === "";
    if (teach) teach.classList.toggle("primary", complete.length < count);
    const heard = doc.link?.readers;
    const pads = Number(heard ?? data?.pads ?? 0);
    const wanted = count * PILES_PER_PLAYER;
    const isShort = pads > 0 && wanted > pads;
    say(padHint, isShort ? `${count} players may have ${wanted} piles at a time, one for each 1; ${heard ? "the" : "a"} board has ${pads} pads. A 1 that finds no free pad waits in the hand: no pad becomes free before the round is scored.` : "");
  }

  for (const player of proposed) addRow(player);
  while (rows.children.length < PLAYERS_MIN) addRow({});

  const radio = (value, title, text, isChosen) =>
    el("label", { class: "option" }, el("input", { type: "radio", name: "ends", value, checked: isChosen }), el("span", {}, el("strong", {}, title), el("small", {}, text)));
  const number = (name, title, text, min, max) =>
    el(
      "label",
      { class: "option number" },
      el("span", {}, el("strong", {}, title), text && el("small", {}, text)),
      el("input", { type: "number", name, min, max, step: 1, value: DEFAULTS[name], inputmode: "numeric", required: true }),
    );
  const form = el(
    "div",
    { class: "form" },
    el(
      "fieldset",
      {},
      el("legend", {}, "Players, and the decks they play with"),
      rows,
      deckHint,
      el("div", { class: "choices" }, add, teach),
      padHint,
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "How long"),
      radio("rounds", "Rounds", "So many rounds are played.", true),
      number("rounds", "How many", "", 1, 99),
      radio("target", "A target", "Rounds are played until somebody has so many points.", false),
      number("target", "Points", "99 or 100 in older rules.", 1, 9999),
    ),
    el(
      "details",
      { class: "more-options" },
      el("summary", {}, "More settings"),
      number("left_penalty", "Points taken for each card left", "2 as printed; some play with 3.", 0, 100),
      number("scan_ms", "The same moment, in milliseconds", "Equal cards that reach one pad no further apart are undecided: the table asks who was first.", 0, 1000),
      el("label", { class: "option number" }, el("span", {}, el("strong", {}, "Pad for counting the cards left"), el("small", {}, "Empty: the last one.")), el("input", { type: "number", name: "count_pad", min: 0, max: 999, step: 1, inputmode: "numeric" })),
    ),
  );
  const field = (name) => form.querySelector(`[name="${name}"]:not([type="radio"])`);
  const ends = () => form.querySelector('[name="ends"]:checked').value;
  const showEnds = () => {
    for (const name of ["rounds", "target"]) {
      field(name).closest("label").hidden = ends() !== name;
      field(name).disabled = ends() !== name;
    }
  };
  for (const choice of form.querySelectorAll('[name="ends"]')) choice.addEventListener("change", showEnds);
  showEnds();

  const players = () => [...rows.children].map((row) => ({ name: row.querySelector("input").value.trim(), deck: row.querySelector("select")?.value ?? "" }));

  return {
    node: form,
    wrong() {
      const named = players();
      if (named.some(({ name }) => name === "")) return "Give every player a name, or leave the row out.";
      const twice = named.find(({ name }, i) => named.findIndex((other) => other.name === name) < i);
      return twice ? `Two players are called ${twice.name}: give one of them another name.` : null;
    },
    body() {
      const named = players();
      const use = Object.fromEntries(named.filter(({ name, deck }) => deck && deck !== name).map(({ name, deck }) => [name, deck]));
      const option = (name) => (field(name).valueAsNumber !== DEFAULTS[name] ? { [name]: field(name).valueAsNumber } : {});
      const pad = field("count_pad").value;
      return {
        game: "ligretto",
        players: named.map(({ name }) => name),
        options: { [ends()]: field(ends()).valueAsNumber, ...option("left_penalty"), ...option("scan_ms") },
        ...(Object.keys(use).length > 0 && { x_use: use }),
        ...(pad !== "" && { x_count_pad: Number(pad) }),
      };
    },
  };
}

// What is in the way of so many players; empty where nothing is.
function lackSaid(known, count, canTeach) {
  if (known >= count) return "";
  const how = canTeach ? "" : " That is done while no game is played: put this one aside first.";
  if (known === 0) return `A game cannot begin yet: every player needs a deck whose cards the table knows, and no deck is taught. Teach one for each player; it is done once.${how}`;
  return `${count} players need ${count} decks, and only ${known} ${known === 1 ? "is" : "are"} taught: teach another, or leave a player out.${how}`;
}

function deckSaid({ name, missing, text }) {
  if (text) return `${name} (cannot be read)`;
  return missing > 0 ? `${name} (${missing} cards not learnt)` : `deck ${name}`;
}
