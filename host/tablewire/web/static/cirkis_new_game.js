// Owns the form that starts a game of Cir*Kis. Knows what may be set, not what it means.

import { badge, COLOUR_NAMES, classOf, nameOf } from "./colours.js";
import { el } from "./dom.js";

const PLAYERS_MIN = 2;

// `doc`: the game on the table, whose players are proposed again.
export function newGameForm(doc) {
  const order = doc.players.map(({ colour }) => colour).filter((colour) => COLOUR_NAMES.includes(colour));
  const seats = new Map();
  const hint = el("p", { class: "hint-line", id: "seat-hint" });

  function showOrder() {
    for (const [colour, seat] of seats) {
      const place = order.indexOf(colour);
      seat.setAttribute("aria-pressed", String(place >= 0));
      seat.querySelector(".seat-place").textContent = place >= 0 ? String(place + 1) : "";
    }
    hint.textContent =
      order.length < PLAYERS_MIN
        ? "Touch the colours in the order of play, clockwise: two to four of them."
        : `${order.map(nameOf).join(", then ")}.`;
  }

  for (const colour of COLOUR_NAMES) {
    seats.set(
      colour,
      el(
        "button",
        {
          type: "button",
          class: `seat ${classOf(colour)}`,
          "aria-describedby": "seat-hint",
          "data-colour": colour,
          onclick: () => {
            const place = order.indexOf(colour);
            if (place >= 0) order.splice(place, 1);
            else order.push(colour);
            showOrder();
          },
        },
        badge(colour),
        el("span", {}, nameOf(colour)),
        el("span", { class: "seat-place" }),
      ),
    );
  }

  const rulebook = (value, title, text, isChosen) =>
    el(
      "label",
      { class: "option" },
      el("input", { type: "radio", name: "rulebook", value, checked: isChosen }),
      el("span", {}, el("strong", {}, title), el("small", {}, text)),
    );
  const tick = (name, title, text) =>
    el(
      "label",
      { class: "option" },
      el("input", { type: "checkbox", name }),
      el("span", {}, el("strong", {}, title), el("small", {}, text)),
    );
  const number = (name, title, text, value) =>
    el(
      "label",
      { class: "option number" },
      el("span", {}, el("strong", {}, title), el("small", {}, text)),
      el("input", { type: "number", name, min: 5, max: 1000, step: 5, value, inputmode: "numeric", required: true }),
    );

  const form = el(
    "div",
    { class: "form" },
    el("fieldset", {}, el("legend", {}, "Players"), el("div", { class: "seats" }, ...seats.values()), hint),
    el(
      "fieldset",
      {},
      el("legend", {}, "Rulebook"),
      rulebook("hasbro", "Hasbro", "Who completes a figure and holds most of it gets 10; the last turn is played to its end.", true),
      rulebook("international", "International", "Who completes a figure and holds most of it gets 5; the game ends at once.", false),
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "Options"),
      tick("center_ring", "Center Ring", "The ten kites around the middle star score too."),
      tick("voluntary_pass", "Passing allowed", "A player who could place may pass, or decline a free turn."),
      number("target", "Points that end the game", "The board's tracks end at 40.", 40),
      tick("match", "Play a match", "Rounds are played until somebody has this many points in all:"),
      number("match_points", "Points that end the match", "", 100),
    ),
  );
  const field = (name) => form.querySelector(`[name="${name}"]`);
  const matchPoints = field("match_points").closest("label");
  const showMatch = () => {
    matchPoints.hidden = !field("match").checked;
    field("match_points").disabled = matchPoints.hidden;
  };
  field("match").addEventListener("change", showMatch);
  showMatch();
  showOrder();

  return {
    node: form,
    // What is still wrong, or null.
    wrong: () => (order.length < PLAYERS_MIN ? "Choose at least two players." : null),
    body: () => ({
      game: "cirkis",
      players: [...order],
      rulebook: form.querySelector('[name="rulebook"]:checked').value,
      options: {
        ...(field("center_ring").checked && { center_ring: true }),
        ...(field("voluntary_pass").checked && { voluntary_pass: true }),
        ...(field("target").valueAsNumber !== 40 && { target: field("target").valueAsNumber }),
        ...(field("match").checked && { match: field("match_points").valueAsNumber }),
      },
    }),
  };
}
