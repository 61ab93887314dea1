// Owns the dialog that starts a game: which game, that game's own form, the warning about a running one, and the request.

import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { segments, wrongLine } from "./forms.js";
import { GAMES, gameOf, OFFERED, titleOf } from "./known_games.js";
import { get, post } from "./live.js";

// doc: what is on the table now, whose players are proposed again.
export function openNewGame(doc) {
  const isRunning = doc.players.length > 0 && doc.phase !== "over";
  const connected = doc.link?.board;
  const first = OFFERED.includes(connected) ? connected : gameOf(doc);
  const order = [first, ...OFFERED.filter((name) => name !== first)];
  const wrong = wrongLine();
  const place = el("div", {});
  const start = el("button", { type: "submit", class: "primary" }, isRunning ? "Put this game aside and start" : "Start the game");
  let form = null; // what the game's module made: {node, wrong(), body()}
  let asked = 0;

  async function choose(name) {
    const mine = (asked += 1);
    start.disabled = true;
    wrong.textContent = "";
    try {
      // Decks may have been taught or imported since the table was begun, and while a game is played it tells of none.
      const [module, data, kept] = await Promise.all([GAMES[name].load(), get(`/api/board?game=${name}`), GAMES[name].needsDecks ? get("/api/decks") : {}]);
      if (mine !== asked) return;
      form = module.newGameForm(doc, { ...data, ...kept });
      place.replaceChildren(form.node);
      start.disabled = false;
    } catch {
      if (mine === asked) wrong.textContent = "The table did not say how this game is begun. Try again.";
    }
  }

  async function submit(event, self) {
    event.preventDefault();
    if (!form) return;
    wrong.textContent = form.wrong() ?? "";
    if (wrong.textContent) return;
    start.disabled = true;
    wrong.textContent = (await post("new-game", form.body())) ?? "";
    start.disabled = false;
    if (!wrong.textContent) self.close();
  }

  const dialog = openDialog({
    id: "new-game",
    title: "New game",
    make: (self) => ({
      nodes: [
        el(
          "form",
          { onsubmit: (event) => submit(event, self) },
          isRunning && el("p", { class: "warning" }, "A game is being played. It is put aside as it stands, can be resumed, and the new one takes the table."),
          order.length > 1 && segments("Which game", order.map((name) => ({ value: name, text: titleOf(name) })), first, choose).node,
          place,
          wrong,
          el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), start),
        ),
      ],
      closed: () => (asked += 1),
    }),
  });
  if (dialog) choose(first);
  return dialog;
}
