// Owns the form that corrects an earlier move: what it should have been, what the table says would follow, and how to
// go on when later moves no longer fit. Decides nothing: every consequence is asked of the table.

import { badge, classOf } from "./colours.js";
import { TouchBoard } from "./cirkis_touch.js";
import { entrySaid, playerName, recordLine, scoreChange } from "./cirkis_words.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { byField, noteField, segments, signed, stepper, wrongLine } from "./forms.js";
import { ask } from "./live.js";

const SETTLE_MS = 250; // a person touches the next space within this, then the preview is asked for once
const STEP = 5; // every award is a multiple of it

const WAYS = [
  { value: "replace", text: "Change" },
  { value: "insert", text: "Insert before" },
  { value: "remove", text: "Remove" },
];

// A ruling is put between moves; one that is there stays one.
const WHATS = [
  { value: "piece", text: "A piece" },
  { value: "pass", text: "Passed" },
  { value: "ruling", text: "House ruling" },
];

// n: the number of a move in the history.
export function openCorrection({ data, doc: opened, n }) {
  let doc = opened;
  let basis = basisOf(doc, n);
  let asked = 0;
  let timer = 0;
  let preview = null; // {body, told}: what the table said of the form as it is
  const line = doc.history[n - 1];

  const way = segments("What to do", WAYS, "replace", changed);
  const colours = doc.players.map(({ colour }) => ({
    value: colour,
    class: classOf(colour),
    content: [badge(colour, "small"), playerName(doc, colour)],
  }));
  const who = segments("Who", colours, line.player ?? doc.players[0]?.colour, changed);
  const isRound = line.round !== undefined && !line.player;
  const own = line.spaces || !line.player ? "piece" : "pass"; // what the move was
  const what = segments("What", WHATS, own, changed);
  const points = new Map(doc.players.map(({ colour }) => [colour, stepper(playerName(doc, colour), STEP, changed)]));
  const rulingNote = noteField("The ruling's own note", changed);
  const touch = new TouchBoard(data, doc.pieces?.shapes ?? [], changed);
  const by = byField();
  const note = noteField("Why is it corrected?");
  const outcome = el("section", { class: "outcome", "aria-live": "polite" });
  const wrong = wrongLine();
  const buttons = el("div", { class: "dialog-buttons" });

  const moveFields = el("div", { class: "move-fields" }, what.node, who.node, touch.node);
  const rulingFields = el(
    "div",
    { class: "ruling-fields" },
    ...doc.players.map(({ colour }) =>
      el("div", { class: `ruling-row ${classOf(colour)}` }, badge(colour), el("span", {}, playerName(doc, colour)), points.get(colour).node),
    ),
    rulingNote.node,
  );
  if (line.ruling) {
    for (const [colour, count] of Object.entries(line.ruling)) points.get(colour)?.set(count);
    rulingNote.fill(line.note ?? "");
  }

  // The body of the request, or null while the form is not complete or says what is so already.
  function body() {
    const mode = way.value();
    if (mode === "remove") return { n, do: "remove" };
    if (mode === "replace" && isRound) return null;
    const next = asksPoints() ? rulingLine() : moveLine();
    if (!next) return null;
    if (mode === "replace" && JSON.stringify(next) === JSON.stringify(recordLine(line))) return null;
    return mode === "replace" ? { n, line: next } : { n, do: "insert", line: next };
  }

  const asksPoints = () => (way.value() === "replace" ? Boolean(line.ruling) : way.value() === "insert" && what.value() === "ruling");

  function rulingLine() {
    const given = Object.fromEntries([...points].map(([colour, field]) => [colour, field.value()]).filter(([, count]) => count !== 0));
    return Object.keys(given).length ? { ruling: { points: given, ...(rulingNote.value() && { note: rulingNote.value() }) } } : null;
  }

  function moveLine() {
    if (!who.value()) return null;
    if (what.value() === "pass") return { player: who.value(), pass: true };
    return touch.shape ? { player: who.value(), spaces: touch.spaces } : null;
  }

  function changed() {
    const mode = way.value();
    if (mode !== "insert" && what.value() === "ruling") what.set(own);
    what.node.querySelector('[data-value="ruling"]').hidden = mode !== "insert";
    moveFields.hidden = mode === "remove" || (mode === "replace" && (isRound || Boolean(line.ruling)));
    rulingFields.hidden = !asksPoints();
    who.node.hidden = asksPoints();
    touch.node.hidden = what.value() !== "piece";
    drawBoard();
    preview = null;
    wrong.textContent = "";
    clearTimeout(timer);
    asked += 1;
    if (body()) timer = setTimeout(look, SETTLE_MS);
    show();
  }

  function drawBoard() {
    const before = doc.history.slice(0, n - 1);
    const others = way.value() === "replace" ? doc.history.slice(n) : doc.history.slice(n - 1);
    const own = new Set(touch.spaces);
    const laid = [...since(before), ...since(others)].filter(({ spaces }) => !spaces.some((id) => own.has(id)));
    touch.show({ laid, leader: since(before).at(-1)?.spaces ?? [], colour: who.value() });
  }

  // The pieces that lie after these lines of one round; a new round begins on an empty board.
  function since(lines) {
    const start = lines.findLastIndex(({ round, player }) => round !== undefined && !player) + 1;
    return lines.slice(start).filter(({ spaces }) => spaces);
  }

  async function look() {
    const wanted = body();
    if (!wanted) return;
    const mine = (asked += 1);
    const answer = await ask("correct", { ...wanted, preview: true });
    if (mine !== asked) return;
    preview = { body: wanted, told: answer.body.preview ?? null };
    wrong.textContent = answer.isDone && preview.told ? "" : (answer.text ?? "The table said nothing of it.");
    show();
  }

  function show() {
    const told = preview?.told;
    outcome.replaceChildren(...(told ? outcomeOf(doc, told, preview.body) : [hint()]));
    const flags = told && told.possible !== false ? flagsOf(told) : null;
    buttons.replaceChildren(
      // On a phone the outcome lies below the board, and nobody should agree to what they have not seen: there it stands
      // here instead.
      ...(told?.first_illegal?.text ? [el("p", { class: "in-short" }, told.first_illegal.text)] : []),
      button("Cancel", { onclick: () => dialog.close() }),
      ...(told && !flags
        ? []
        : [button(flags ? wordsOf(told) : "Correct it", { class: "primary", "data-confirm": "", disabled: !flags, onclick: confirm })]),
    );
  }

  function hint() {
    if (way.value() === "replace" && isRound) return el("p", { class: "hint-line" }, "The beginning of a round can only be removed.");
    return el("p", { class: "hint-line" }, body() ? "Asking the table what would follow …" : "Say what it should have been; what would follow is shown here first.");
  }

  async function confirm(event) {
    event.currentTarget.disabled = true;
    asked += 1; // a preview under way is of no use any more
    const answer = await ask("correct", { ...preview.body, ...flagsOf(preview.told), ...signed(by, note) });
    if (answer.isDone) {
      dialog.close();
      return;
    }
    // Refused with another outlook: that is the truth now.
    if (answer.body.preview) preview = { ...preview, told: answer.body.preview };
    show();
    wrong.textContent = answer.text;
  }

  const dialog = openDialog({
    id: "correct",
    ofGame: true,
    title: `Correct move ${n}`,
    isWide: true,
    make: (self) => ({
      nodes: [
        el("p", { class: "was" }, "It was: ", line.player && badge(line.player, "small"), ` ${entrySaid(doc, line)}`),
        el(
          "div",
          { class: "correct-grid" },
          el("div", { class: "correct-form" }, way.node, moveFields, rulingFields),
          el("div", { class: "correct-side" }, el("div", { class: "field-row" }, by.node, note.node), outcome, wrong),
        ),
        buttons,
      ],
      follow(next) {
        const now = basisOf(next, n);
        const isSame = now === basis;
        doc = next;
        if (isSame) return;
        const isOwn = now.split("\n")[n - 1] === basis.split("\n")[n - 1];
        basis = now;
        self.say(
          isOwn
            ? "The game has gone on since this was opened. What would follow is asked again."
            : `The list of moves has changed since this was opened: move ${n} is now ${doc.history?.[n - 1] ? `"${entrySaid(doc, doc.history[n - 1])}"` : "gone"}. Close this and look again.`,
        );
        asked += 1;
        clearTimeout(timer);
        preview = null;
        if (isOwn) changed();
        else {
          buttons.replaceChildren(button("Close", { onclick: () => self.close() }));
          outcome.replaceChildren();
        }
      },
      closed: () => clearTimeout(timer),
    }),
  });
  touch.choose(line.spaces ?? []);
  return dialog;
}

// The moves as far as a correction rests on them; one line each.
function basisOf(doc, n) {
  return (doc.history ?? []).map((line) => JSON.stringify(recordLine(line))).concat(n > (doc.history ?? []).length ? ["gone"] : []).join("\n");
}

// What has to be agreed to; null: it cannot be done.
function flagsOf(told) {
  return { ...((told.forced ?? []).length > 0 && { keep_forced: true }), ...((told.lost ?? []).length > 0 && { drop_rest: true }) };
}

function wordsOf(told) {
  const [kept, lost] = [(told.forced ?? []).length, (told.lost ?? []).length];
  if (kept && lost) return `Keep ${kept} as forced, take ${lost} back`;
  if (kept) return kept === 1 ? "Keep it as forced" : kept === 2 ? "Keep both as forced" : `Keep all ${kept} as forced`;
  if (lost) return lost === 1 ? "Take that back too" : lost === 2 ? "Take both back too" : `Take those ${lost} back too`;
  return "Correct it";
}

function outcomeOf(doc, told, body) {
  const first = told.first_illegal;
  const kept = new Set(told.forced ?? []);
  const troubled = [...kept, ...(told.lost ?? [])].sort((a, b) => a - b);
  return [
    el("h3", {}, headOf(told, troubled, body)),
    first && el("p", { class: "first-illegal" }, first.text || `Move ${first.n} would not be allowed.`),
    troubled.length > 0 &&
      el(
        "ul",
        { class: "troubled" },
        ...troubled.map((number) => {
          const line = isEdited(number, body) ? null : doc.history[formerOf(number, body) - 1];
          return el(
            "li",
            {},
            line?.player && badge(line.player, "small"),
            el("span", {}, `${number} · ${line ? entrySaid(doc, line) : "the correction itself"}`),
            el("span", { class: "tag" }, kept.has(number) ? "only as forced" : "cannot stand"),
          );
        }),
      ),
    told.possible !== false && scoreChange(doc, told.scores),
    told.ended && el("p", {}, "The game would be over."),
  ].filter(Boolean);
}

function headOf(told, troubled, body) {
  if (told.possible === false) return "That cannot be";
  if (troubled.length === 0) return "Everything after it still fits";
  return troubled.every((number) => isEdited(number, body)) ? "It is against the rules itself" : "Not every move fits then";
}

const isEdited = (number, body) => number === body.n && body.do !== "remove";

// The number that a move of the new list has in the present one.
function formerOf(number, body) {
  if (body.do === "insert") return number > body.n ? number - 1 : number;
  if (body.do === "remove") return number >= body.n ? number + 1 : number;
  return number;
}
