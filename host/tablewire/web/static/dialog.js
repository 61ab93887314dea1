// Owns the page's dialogs: how one opens over another, closes, gives the focus back, and hears of each new document.
// Knows no game and no HTTP.

import { button, el } from "./dom.js";

const OTHER_GAME = "Another game is on the table now, so this cannot be done any more. Close it.";

const open = []; // the lowest first
let newest = null;

// Opens a dialog. `make(dialog)` fills it: it returns {nodes, follow(doc), closed()}, the last two only where wanted.
// A dialog stays as it is when a new document comes: `follow` says in it what has changed. `ofGame`: it is about the
// game on the table, and cannot be used while another one is there.
export function openDialog({ id, title, isWide = false, ofGame = false, make }) {
  if (open.some((dialog) => dialog.id === id)) return null;
  const opener = document.activeElement;
  const heading = el("h2", { id: `${id}-title`, tabindex: "-1", autofocus: true }, title);
  const said = el("p", { class: "said", role: "status", hidden: true });
  const node = el(
    "dialog",
    { id, class: isWide ? "dialog is-wide" : "dialog", "aria-labelledby": `${id}-title` },
    el("header", { class: "dialog-head" }, heading, button("Close", { class: "close", onclick: () => node.close() })),
    said,
  );
  const dialog = {
    id,
    node,
    close: () => node.close(),
    rename: (text) => heading.replaceChildren(text),
    // A line above everything: what has changed since the dialog was opened. Nothing: the line goes.
    say: (text) => {
      said.hidden = !text;
      said.textContent = text ?? "";
    },
  };
  const content = make(dialog);
  const nodes = content.nodes.filter(Boolean);
  const gameId = newest?.game_id;
  node.append(...nodes);
  dialog.follow = (doc) => {
    const isOther = ofGame && doc.game_id !== gameId;
    for (const part of nodes) part.inert = isOther;
    if (isOther) dialog.say(OTHER_GAME);
    else content.follow?.(doc);
  };
  node.addEventListener("close", () => {
    open.splice(open.indexOf(dialog), 1);
    content.closed?.();
    node.remove();
    giveBack(opener);
  });
  open.push(dialog);
  document.body.append(node);
  node.showModal();
  if (newest) dialog.follow(newest);
  return dialog;
}

// What had the focus may have been drawn anew meanwhile: then its successor gets it.
function giveBack(opener) {
  const name = opener?.dataset?.action;
  const heir = opener?.isConnected ? opener : name && document.querySelector(`[data-action="${CSS.escape(name)}"]`);
  heir?.focus?.({ preventScroll: true });
}

export function followDialogs(doc) {
  newest = doc;
  for (const dialog of [...open]) dialog.follow(doc);
}
