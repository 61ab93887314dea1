// Owns the making of elements. Text only ever becomes a text node: nothing here, and nothing on the page, parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

// Replaces what a node holds only when the key says that it changed: focus, hover and screen readers stay undisturbed.
export function refill(node, key, make) {
  const text = JSON.stringify(key);
  if (node.filledWith === text) return false;
  node.filledWith = text;
  node.replaceChildren(...make().filter(Boolean));
  return true;
}

export function button(text, attributes = {}) {
  return el("button", { type: "button", ...attributes }, text);
}
