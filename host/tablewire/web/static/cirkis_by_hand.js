// Owns the forms that enter something by hand: a piece that the sensors did not see, and points given or taken by the
// house. Whether it is allowed is the table's to say.

import { badge, classOf } from "./colours.js";
import { TouchBoard } from "./cirkis_touch.js";
import { isForceable, playerName, reasonSaid } from "./cirkis_words.js";
import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { byField, noteField, segments, signed, stepper, wrongLine } from "./forms.js";
import { ask } from "./live.js";

const STEP = 5; // every award is a multiple of it

export function openPlace({ data, doc: opened }) {
  let doc = opened;
  let moves = doc.moves;
  let reasons = []; // why the table refused what the form says

  const colours = doc.players.map(({ colour }) => ({
    value: colour,
    class: classOf(colour),
    content: [badge(colour, "small"), playerName(doc, colour)],
  }));
  const who = segments("Player", colours, doc.turn ?? doc.players[0]?.colour, changed);
  const touch = new TouchBoard(data, doc.pieces?.shapes ?? [], changed);
  const by = byField();
  const note = noteField();
  const wrong = wrongLine();
  const place = button("Place it", { class: "primary", "data-confirm": "", onclick: () => send(false) });
  const force = button("Place it all the same", { "data-confirm": "forced", hidden: true, onclick: () => send(true) });
  const refused = el("ul", { class: "reasons" });

  function changed() {
    reasons = [];
    wrong.textContent = "";
    show();
  }

  function show() {
    touch.show({ laid: doc.laid ?? [], leader: doc.leader ?? [], colour: who.value() });
    place.disabled = !touch.shape || !who.value() || reasons.length > 0;
    force.hidden = !isForceable(reasons);
    refused.hidden = reasons.length === 0;
    refused.replaceChildren(...reasons.map((reason) => el("li", {}, reasonSaid(reason))));
  }

  async function send(isForced) {
    place.disabled = force.disabled = true;
    const answer = await ask("place", { player: who.value(), spaces: touch.spaces, ...(isForced && { forced: true }), ...signed(by, note) });
    force.disabled = false;
    if (answer.isDone) return dialog.close();
    reasons = answer.body.reasons ?? [];
    show();
    place.disabled = reasons.length > 0;
    wrong.textContent = answer.text;
    (refused.lastElementChild ?? wrong).scrollIntoView({ block: "nearest" });
  }

  const dialog = openDialog({
    id: "place",
    ofGame: true,
    title: "Place a piece by hand",
    isWide: true,
    make: (self) => ({
      nodes: [
        el("p", { class: "hint-line" }, "For a piece that the sensors do not see. The rules are checked as for any other."),
        el(
          "div",
          { class: "correct-grid" },
          el("div", { class: "correct-form" }, who.node, touch.node),
          el(
            "div",
            { class: "correct-side" },
            el("div", { class: "field-row" }, by.node, note.node),
            wrong,
            refused,
          ),
        ),
        el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), force, place),
      ],
      follow(next) {
        doc = next;
        if (doc.moves !== moves) {
          moves = doc.moves;
          self.say("The game has gone on since this was opened.");
          reasons = [];
        }
        show();
      },
    }),
  });
  show();
  return dialog;
}

export function openRuling({ doc: opened }) {
  let doc = opened;
  const fields = new Map(doc.players.map(({ colour }) => [colour, stepper(playerName(doc, colour), STEP, show)]));
  const scores = new Map(doc.players.map(({ colour }) => [colour, el("span", { class: "ruling-score" })]));
  const by = byField();
  const note = noteField();
  const wrong = wrongLine();
  const give = button("Record the ruling", { class: "primary", "data-confirm": "", onclick: send });

  const points = () => Object.fromEntries([...fields].map(([colour, field]) => [colour, field.value()]).filter(([, count]) => count !== 0));

  function show() {
    give.disabled = Object.keys(points()).length === 0;
    for (const { colour, score } of doc.players) {
      const change = fields.get(colour)?.value() ?? 0;
      scores.get(colour)?.replaceChildren(change ? `${score} → ${score + change}` : String(score));
    }
  }

  async function send() {
    give.disabled = true;
    const answer = await ask("ruling", { points: points(), ...signed(by, note) });
    if (answer.isDone) return dialog.close();
    wrong.textContent = answer.text;
    give.disabled = false;
  }

  let standing = JSON.stringify(doc.players.map(({ score }) => score));
  const dialog = openDialog({
    id: "ruling",
    ofGame: true,
    title: "House ruling",
    make: (self) => ({
      nodes: [
        el("p", { class: "hint-line" }, "Points that the house gives or takes. They stay in the list of moves and in the record."),
        ...doc.players.map(({ colour }) =>
          el(
            "div",
            { class: `ruling-row ${classOf(colour)}`, "data-player": colour },
            badge(colour),
            el("span", { class: "ruling-name" }, playerName(doc, colour)),
            scores.get(colour),
            fields.get(colour).node,
          ),
        ),
        el("div", { class: "field-row" }, by.node, note.node),
        wrong,
        el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), give),
      ],
      follow(next) {
        const now = JSON.stringify(next.players.map(({ score }) => score));
        if (now !== standing) self.say("The scores have changed since this was opened.");
        standing = now;
        doc = next;
        show();
      },
    }),
  });
  show();
  return dialog;
}
