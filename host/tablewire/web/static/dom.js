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

// A list that keeps its nodes: one for each item, found again by its key, made once and then only updated. What a finger
// is about to touch stays the same node while documents come many times a second.
// items: values; key(item): a text; make(item): a node; update(node, item).
export function keep(parent, items, { key, make, update }) {
  const known = (parent.kept ??= new Map());
  const wanted = new Set(items.map(key));
  for (const [name, node] of known) {
    if (wanted.has(name)) continue;
    node.remove();
    known.delete(name);
  }
  let before = null;
  for (const item of items) {
    const name = key(item);
    const node = known.get(name) ?? make(item);
    known.set(name, node);
    const next = before ? before.nextSibling : parent.firstChild;
    if (node !== next) parent.insertBefore(node, next);
    update(node, item);
    before = node;
  }
}

// Sets a text only where it differs.
export function say(node, text) {
  const words = String(text ?? "");
  if (node.textContent !== words) node.textContent = words;
}

// Empties what another game has filled.
export function clear(node) {
  node.replaceChildren();
  delete node.filledWith;
  delete node.kept;
}

export function button(text, attributes = {}) {
  return el("button", { type: "button", ...attributes }, text);
}
