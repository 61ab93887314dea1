// Owns the fields that several forms share: who did it, why, one of several, points by step. Knows no HTTP.

import { button, el } from "./dom.js";

const TEXT_MAX_CHARS = 500; // what the table takes
const NAME_KEY = "tablewire.by";

// Who corrects: remembered on this device, for the audit.
export function byField() {
  const input = el("input", { type: "text", name: "by", maxlength: TEXT_MAX_CHARS, autocomplete: "off", placeholder: "operator" });
  input.value = remembered();
  return {
    node: el("label", { class: "field" }, el("span", {}, "Who says so"), input),
    value: () => {
      const name = input.value.trim();
      remember(name);
      return name;
    },
    // A form that stays on the page asks again for the name that was given in another.
    recall: () => {
      if (!input.value) input.value = remembered();
    },
  };
}

// A browser may forbid storage; then the name is asked for each time.
function remembered() {
  try {
    return localStorage.getItem(NAME_KEY) ?? "";
  } catch {
    return "";
  }
}

function remember(name) {
  try {
    localStorage.setItem(NAME_KEY, name);
  } catch {
    // as above
  }
}

export function noteField(label = "Why", changed = () => {}) {
  const input = el("input", { type: "text", name: "note", maxlength: TEXT_MAX_CHARS, autocomplete: "off", oninput: changed });
  const words = el("span", {}, label);
  return {
    node: el("label", { class: "field" }, words, input),
    value: () => input.value.trim(),
    ask: (text) => words.replaceChildren(text),
    focus: () => input.focus(),
    fill: (text) => {
      input.value = text;
    },
  };
}

// The fields of a body that people wrote, without the empty ones.
export function signed(by, note) {
  return { ...(by.value() && { by: by.value() }), ...(note.value() && { note: note.value() }) };
}

// One of several, as buttons side by side. options: [{value, text, content?, class?}]
export function segments(label, options, chosen, changed) {
  let value = chosen;
  const buttons = new Map();
  const show = () => {
    for (const [key, node] of buttons) {
      node.setAttribute("aria-checked", String(key === value));
      node.tabIndex = key === value || (!buttons.has(value) && key === options[0].value) ? 0 : -1;
    }
  };
  const choose = (next) => {
    if (next === value) return;
    value = next;
    show();
    changed(value);
  };
  for (const option of options) {
    buttons.set(
      option.value,
      el(
        "button",
        { type: "button", role: "radio", class: `segment ${option.class ?? ""}`, "data-value": option.value, onclick: () => choose(option.value) },
        ...(option.content ?? [option.text]),
      ),
    );
  }
  const node = el("div", { class: "segments", role: "radiogroup", "aria-label": label }, ...buttons.values());
  node.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const keys = [...buttons.keys()];
    choose(keys[(keys.indexOf(value) + by + keys.length) % keys.length]);
    buttons.get(value).focus();
  });
  show();
  return {
    node,
    value: () => value,
    set: (next) => {
      value = next;
      show();
    },
  };
}

// A number that goes up and down by a step.
export function stepper(label, step, changed) {
  let value = 0;
  const output = el("output", { class: "stepper-value" }, "0");
  const set = (next) => {
    value = next;
    output.value = value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
  };
  const move = (by) => {
    set(value + by);
    changed();
  };
  return {
    node: el(
      "span",
      { class: "stepper", role: "group", "aria-label": label },
      button(`−${step}`, { "aria-label": `${label}: ${step} less`, onclick: () => move(-step) }),
      output,
      button(`+${step}`, { "aria-label": `${label}: ${step} more`, onclick: () => move(step) }),
    ),
    value: () => value,
    set,
  };
}

// The line that says what is wrong, read out at once.
export function wrongLine() {
  return el("p", { class: "wrong", role: "alert" });
}
