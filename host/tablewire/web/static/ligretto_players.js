// Owns the players' cards of Ligretto: cards in the centre, cards left, points, and the button that stops the round.
// Nodes stay: a finger on a button finds it, however many cards come meanwhile.

import { openDialog } from "./dialog.js";
import { button, el, keep, say } from "./dom.js";
import { BLOCKED, numberSaid, signedSaid } from "./ligretto_words.js";

export function resultOf(doc) {
  return doc.result ? (doc.result.result ?? doc.result) : null;
}

// stop(control, player): what the button does; null where nobody may press any.
export function renderPlayers(node, doc, stop) {
  const winners = resultOf(doc)?.winners ?? [];
  node.dataset.count = String(doc.players.length);
  keep(node, doc.players, {
    key: ({ name }) => `player ${name}`,
    make: ({ name }) => playerNode(name, stop),
    update: (card, player) => renderPlayer(card, doc, player, winners),
  });
}

function playerNode(name, stop) {
  const fact = (what, title) => el("div", { class: `fact fact-${what}` }, el("dt", {}, title), el("dd", {}));
  return el(
    "article",
    { class: "card seat-card c-none", "data-player": name },
    el("header", {}, el("div", { class: "who" }, el("h3", {}, name), el("small", {})), el("span", { class: "pill" })),
    el("p", { class: "played" }, el("span", {}), el("span", { class: "unseen" }, " cards in the centre")),
    el("dl", { class: "facts-of" }, fact("total", "in all"), fact("left", "left"), fact("points", "this round")),
    stop && button("Stop!", { class: "stop", "data-stop": name, "aria-label": `${name} stops the round: no card is left in the own pile`, onclick: (event) => stop(event.currentTarget, name) }),
  );
}

function renderPlayer(card, doc, player, winners) {
  const isWinner = winners.includes(player.name);
  const isStopper = doc.stopped?.by === player.name;
  card.classList.toggle("is-winner", isWinner);
  card.classList.toggle("is-stopper", isStopper);
  say(card.querySelector(".who small"), player.deck && player.deck !== player.name ? `deck ${player.deck}` : "");
  const pill = card.querySelector(".pill");
  say(pill, isWinner ? (winners.length > 1 ? "shares the win" : "winner") : isStopper ? "stopped" : "");
  pill.hidden = !pill.textContent;
  say(card.querySelector(".played").firstChild, String(player.played ?? 0));
  const left = player.left ?? doc.counting?.counted?.[player.name] ?? null;
  const facts = {
    left: left === null ? "" : String(left),
    points: player.points === null || player.points === undefined ? "" : signedSaid(player.points),
    total: numberSaid(player.total ?? 0),
  };
  for (const [what, text] of Object.entries(facts)) {
    const fact = card.querySelector(`.fact-${what}`);
    fact.hidden = text === "";
    say(fact.lastChild, text);
  }
  const stop = card.querySelector(".stop");
  if (stop) stop.hidden = !doc.actions?.stop;
}

// The same buttons in a dialog: where many cards are wrong at once, the players' cards have no room for theirs.
export function openStop(players, stop) {
  const choices = [...players.map(({ name }) => ({ by: name, text: name })), { by: BLOCKED, text: "Nobody can play" }];
  return openDialog({
    id: "stop",
    ofGame: true,
    title: "Who stops the round?",
    make: (self) => ({
      nodes: [
        el("p", { class: "hint-line" }, "The first player whose own pile is empty, or nobody can play any more."),
        el(
          "div",
          { class: "choices" },
          ...choices.map(({ by, text }) => button(text, { class: "decide", "data-stop": by, onclick: async (event) => (await stop(event.currentTarget, by)) && self.close() })),
        ),
      ],
    }),
  });
}
