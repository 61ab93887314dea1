// Owns the dialog that starts a game: the game's own form, the warning about a running one, and the request.

import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { wrongLine } from "./forms.js";
import { post } from "./live.js";

// form: what the game's module made: {node, wrong(), body()}.
export function openNewGame(doc, form) {
  const isRunning = doc.players.length > 0 && doc.phase !== "over";
  const wrong = wrongLine();
  const start = el("button", { type: "submit", class: "primary" }, isRunning ? "Put this game aside and start" : "Start the game");
  return openDialog({
    id: "new-game",
    title: "New game",
    make: (self) => ({
      nodes: [
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
              if (!wrong.textContent) self.close();
            },
          },
          isRunning && el("p", { class: "warning" }, "A game is being played. It is put aside as it stands, can be resumed, and the new one takes the table."),
          form.node,
          wrong,
          el("div", { class: "dialog-buttons" }, button("Cancel", { onclick: () => self.close() }), start),
        ),
      ],
    }),
  });
}
