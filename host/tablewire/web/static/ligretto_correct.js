// Owns the forms that correct what was recorded: a line of the record, and a tag that nobody knew. Decides nothing: what
// would come of it is asked of the table.

import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { byField, noteField, segments, signed, wrongLine } from "./forms.js";
import { cardField } from "./ligretto_card_field.js";
import { readRecord } from "./ligretto_record.js";
import { BLOCKED, lineSaid, numberSaid } from "./ligretto_words.js";
import { ask } from "./live.js";

const SETTLE_MS = 250; // a person touches the next button within this, then the preview is asked for once
const WAYS = [
  { value: "replace", text: "Change" },
  { value: "insert", text: "Insert before" },
  { value: "remove", text: "Remove" },
];
const WHATS = [
  { value: "card", text: "A card" },
  { value: "stop", text: "A stop" },
];
const LEFT_MAX_COUNT = 10;
const WITHDRAWN = "withdrawn"; // beside the players' names among who stopped; sent as null

// n: the number of a line of the record; null: a line is put in behind the last.
export function openCorrection({ doc: opened, n: wanted, padCount }) {
  const gameId = opened.game_id;
  const players = opened.players.map(({ name }) => name);
  const place = el("div", { class: "correct-form" }, el("p", { class: "hint-line" }, "Reading the record …"));
  const was = el("p", { class: "was" });
  const by = byField();
  const note = noteField("Why is it corrected?");
  const outcome = el("section", { class: "outcome", "aria-live": "polite" });
  const wrong = wrongLine();
  const confirm = button("Correct it", { class: "primary", "data-confirm": "", disabled: true, onclick: send });
  let lines = null;
  let n = wanted;
  let form = null;
  let asked = 0;
  let timer = 0;

  async function read() {
    try {
      lines = await readRecord();
    } catch {
      wrong.textContent = "The table did not give the record of this game.";
      return;
    }
    n ??= lines.length + 1;
    const line = wanted === null ? {} : lines[n - 1];
    if (!line) {
      wrong.textContent = `There is no line ${n} any more.`;
      return;
    }
    was.textContent = wanted === null ? "" : `It was: ${lineSaid(line)}`;
    form = lineForm({ line, n, players, padCount, changed });
    place.replaceChildren(form.node);
    changed();
  }

  function changed() {
    clearTimeout(timer);
    asked += 1;
    confirm.disabled = true;
    outcome.replaceChildren();
    wrong.textContent = "";
    if (form?.body()) timer = setTimeout(look, SETTLE_MS);
  }

  async function look() {
    const mine = (asked += 1);
    const body = form.body();
    const answer = await ask("correct", { ...body, seen: lines.length, preview: true });
    if (mine !== asked) return;
    const told = answer.body.preview;
    wrong.textContent = answer.isDone ? "" : (answer.text ?? "");
    outcome.replaceChildren(...(told ? outcomeOf(opened, told) : []));
    confirm.disabled = !answer.isDone || told?.possible === false;
  }

  async function send() {
    confirm.disabled = true;
    const answer = await ask("correct", { ...form.body(), seen: lines.length, ...signed(by, note) });
    if (answer.isDone) dialog.close();
    else {
      wrong.textContent = answer.text;
      confirm.disabled = false;
    }
  }

  const dialog = openDialog({
    id: "correct",
    ofGame: true,
    title: n === null ? "Add what was missed" : `Correct line ${n}`,
    isWide: true,
    make: (self) => ({
      nodes: [
        was,
        el("div", { class: "correct-grid" }, place, el("div", { class: "correct-side" }, el("div", { class: "field-row" }, by.node, note.node), outcome, wrong)),
        el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), confirm),
      ],
      follow: (doc) => {
        if (doc.game_id !== gameId) clearTimeout(timer);
      },
      closed: () => {
        clearTimeout(timer);
        asked += 1;
      },
    }),
  });
  if (dialog) read();
  return dialog;
}

// The fields of one line: what it should have been, or what is put in before it. Where a line of that number is missing
// so far, something can only be put in.
function lineForm({ line, n, players, padCount, changed }) {
  const kind = kindOf(line);
  const way = segments("What to do", WAYS, kind === "none" ? "insert" : "replace", show);
  const what = segments("What", WHATS, "card", show);
  const card = cardField(players, line.card ?? null, changed);
  const pad = el("input", { type: "number", name: "pad", min: 0, max: Math.max(0, padCount - 1), step: 1, inputmode: "numeric", oninput: changed });
  pad.value = line.pad ?? "";
  const stops = [...players.map((name) => ({ value: name, text: name })), { value: BLOCKED, text: "Nobody could play" }, { value: WITHDRAWN, text: "Withdrawn" }];
  const stop = segments("Who stopped", stops, kind === "stop" ? (line.stop ?? WITHDRAWN) : null, changed);
  const winner = segments("Who was first", players.map((name) => ({ value: name, text: name })), line.winner ?? null, changed);
  const counts = new Map(players.map((name) => [name, el("input", { type: "number", min: 0, max: LEFT_MAX_COUNT, step: 1, inputmode: "numeric", "data-left": name, oninput: changed })]));
  for (const [name, input] of counts) input.value = line.left?.[name] ?? "";
  const cardPart = el("div", {}, card.node, el("label", { class: "field pad-field" }, el("span", {}, "Pad"), pad));
  const leftPart = el("ul", { class: "left-fields" }, ...[...counts].map(([name, input]) => el("li", {}, el("label", {}, el("span", { class: "left-who" }, name), input))));

  // What the fields are about: that of the line itself, or what is put in before it.
  const shown = () => (way.value() === "insert" ? what.value() : kind);

  function show() {
    way.node.hidden = kind === "none";
    what.node.hidden = way.value() !== "insert";
    const now = way.value() === "remove" ? null : shown();
    cardPart.hidden = now !== "card";
    stop.node.hidden = now !== "stop";
    winner.node.hidden = now !== "decide";
    leftPart.hidden = now !== "left";
    changed();
  }

  function next() {
    // What is put in has the time of what is beside it, as far as the table knows.
    const at = way.value() === "replace" ? { t_ms: line.t_ms } : {};
    const made = {
      card: () => card.value() && pad.value !== "" && { ...at, pad: pad.valueAsNumber, card: card.value() },
      stop: () => stop.value() && (stop.value() === WITHDRAWN ? { stop: null } : { ...at, stop: stop.value() }),
      decide: () => winner.value() && { decide: line.decide, winner: winner.value() },
      left: () => [...counts.values()].every(({ value }) => value !== "") && { left: Object.fromEntries([...counts].map(([name, input]) => [name, input.valueAsNumber])) },
    }[shown()];
    return made?.() || null;
  }

  function body() {
    if (way.value() === "remove") return { n, do: "remove" };
    const wanted = next();
    if (!wanted) return null;
    if (way.value() === "insert") return { n, do: "insert", line: wanted };
    const isSame = Object.entries(wanted).every(([key, value]) => JSON.stringify(value) === JSON.stringify(line[key]));
    return isSame ? null : { n, line: wanted };
  }

  const node = el("div", { class: "move-fields" }, way.node, what.node, cardPart, stop.node, winner.node, leftPart);
  queueMicrotask(show);
  return { node, body };
}

function kindOf(line) {
  return line.card ? "card" : line.stop !== undefined ? "stop" : line.decide !== undefined ? "decide" : line.left ? "left" : "none";
}

// What the table says would come of it: its own words, and each total that would be another.
function outcomeOf(doc, told) {
  const isSame = (after, now) => doc.players.every((player) => (after?.[player.name] ?? now(player)) === now(player));
  const totalOf = ({ total }) => total ?? 0;
  const playedOf = ({ played }) => played ?? 0;
  // Within a round that is not scored yet, what changes is the cards in the centre.
  const isPlayed = isSame(told.totals, totalOf) && !isSame(told.played, playedOf);
  const [after, nowOf] = isPlayed ? [told.played, playedOf] : [told.totals ?? {}, totalOf];
  const rows = doc.players.filter(({ name }) => after[name] !== undefined);
  return [
    told.text && el("p", { class: told.possible === false ? "first-illegal" : "" }, told.text),
    rows.length > 0 &&
      el(
        "ul",
        { class: "score-change", "aria-label": isPlayed ? "Cards in the centre afterwards" : "Totals afterwards" },
        ...rows.map((player) => changeRow(player.name, nowOf(player), after[player.name])),
      ),
  ].filter(Boolean);
}

function changeRow(name, now, next) {
  return el(
    "li",
    { class: next === now ? "" : "is-other", "data-player": name },
    el("span", { class: "score-who" }, name),
    el("span", { class: "score-was" }, numberSaid(now)),
    next !== now && el("span", { "aria-hidden": "true" }, "→"),
    next !== now && el("strong", {}, numberSaid(next)),
  );
}

// entry: a wrong card whose tag nobody knows.
export function openNameCard({ doc, entry }) {
  const by = byField();
  const note = noteField();
  const wrong = wrongLine();
  const confirm = button("That is it", { class: "primary", "data-confirm": "", disabled: true, onclick: send });
  const card = cardField(doc.players.map(({ name }) => name), null, () => (confirm.disabled = card.value() === null));

  async function send() {
    confirm.disabled = true;
    const answer = await ask("correct", { tag: entry.uid, card: card.value(), ...signed(by, note) });
    wrong.textContent = answer.text ?? "";
    confirm.disabled = false;
    if (answer.isDone) dialog.close();
  }

  const dialog = openDialog({
    id: "name-card",
    ofGame: true,
    title: "Which card is it?",
    make: (self) => ({
      nodes: [
        el("p", { class: "hint-line" }, `A card whose tag is not known lies on pad ${entry.pad}: ${entry.uid}. Say which it is; the table remembers it for this game.`),
        card.node,
        el("div", { class: "field-row" }, by.node, note.node),
        wrong,
        el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), confirm),
      ],
    }),
  });
  return dialog;
}
