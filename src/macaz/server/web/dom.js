// Making elements, and saying a word to the person who looks at them.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element: its attributes, listeners (`onclick`) and children. Text is always text. */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** The same for a part of a drawing. */
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

/** New children for an element; whoever had the focus has it again if it is still there. */
export function show(place, ...children) {
  const active = document.activeElement;
  const key = place.contains(active) ? active.dataset.key : null;
  const again = key && [key, active.selectionStart];
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (!again) return;
  const found = place.querySelector(`[data-key="${CSS.escape(again[0])}"]`);
  found?.focus();
  if (again[1] !== undefined && again[1] !== null) found?.setSelectionRange(again[1], again[1]);
}

export const field = (label, control) => h("label", { class: "field" }, h("span", null, label), control);

export const choice = (options, value, props) => {
  const select = h("select", props, options.map(([key, text]) => h("option", { value: key }, text)));
  select.value = value;
  return select;
};

let fading;

/** A short message at the edge of the screen. */
export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), 6000);
}
