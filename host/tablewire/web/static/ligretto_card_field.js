// Owns the fields that say which card is meant: whose it is, its colour, its number. Knows no rules.

import { el, refill } from "./dom.js";
import { segments } from "./forms.js";
import { cardFace, FACE_COLOURS, faceClass, VALUE_MAX } from "./ligretto_face.js";

// owners: names; card: the one to begin with, or null.
export function cardField(owners, card, changed) {
  const known = card && !owners.includes(card.owner) ? [...owners, card.owner] : owners;
  const picture = el("span", { class: "picked-card" });
  const told = () => {
    show();
    changed();
  };
  const owner = segments("Whose card", known.map((name) => ({ value: name, text: name })), card?.owner ?? null, told);
  const colours = FACE_COLOURS.map((colour) => ({ value: colour, class: faceClass(colour), content: [el("span", { class: "mini" }, cardFace({ colour, value: "" })), colour] }));
  const colour = segments("Colour", colours, card?.colour ?? null, told);
  const numbers = Array.from({ length: VALUE_MAX }, (_, i) => ({ value: i + 1, text: String(i + 1) }));
  const number = segments("Number", numbers, card?.value ?? null, told);
  const value = () => (owner.value() && colour.value() && number.value() ? { owner: owner.value(), colour: colour.value(), value: number.value() } : null);

  function show() {
    refill(picture, [colour.value(), number.value()], () => [cardFace({ colour: colour.value(), value: number.value() ?? "?" })]);
  }

  show();
  return {
    node: el("div", { class: "card-field" }, picture, el("div", {}, owner.node, colour.node, number.node)),
    value,
  };
}
