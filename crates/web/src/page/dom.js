// Creating and updating elements, and short numbers.
// @ts-check

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes; functions become listeners, `false`, `null` and `undefined`
 * leave an attribute out.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === false || value == null) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Changes the content of an element and restores the focus, by the `data-name` of the focused element.
 * If that is gone, the keyboard focus moves to another button.
 * @param {Element} element
 * @param {() => void} change
 */
function keepFocus(element, change) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const isByKeys = focused?.matches(":focus-visible");
  const name = focused?.getAttribute("data-name");
  change();
  const same = name ? element.querySelector(`[data-name="${name}"]`) : null;
  const other = isByKeys && !element.contains(document.activeElement) ? element.querySelector("button:not(.close)") : null;
  const next = same ?? other;
  if (next instanceof HTMLElement && next !== document.activeElement) next.focus();
}

/**
 * Replaces the children of an element and restores the focus by `data-name`.
 * @param {Element} element
 * @param {...Node} children
 */
export function refill(element, ...children) {
  keepFocus(element, () => element.replaceChildren(...children));
}

/**
 * Creates an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child) => child instanceof Node || typeof child === "string"));
  return element;
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Elements without listeners, whose children can be updated one by one. */
const CONTAINERS = ["SECTION", "P", "SPAN", "UL", "LI", "A", "svg", "TABLE", "TBODY"];

/**
 * Returns true if two containers differ only in their children.
 * @param {Node} one
 * @param {Node} other
 */
const isAlike = (one, other) => CONTAINERS.includes(one.nodeName)
  && one.cloneNode(false).isEqualNode(other.cloneNode(false));

/**
 * Updates the children of an element. Equal ones stay in the document, with their focus, input and
 * listeners, and no click on them is lost. Listeners may only depend on values that are also in the
 * text or in an attribute. The focus is restored by `data-name`.
 * @param {Element} parent
 * @param {...(Node | string | null | false | undefined)} children
 */
export function update(parent, ...children) {
  keepFocus(parent, () => change(parent, children));
}

/**
 * @param {Element} parent
 * @param {(Node | string | null | false | undefined)[]} children
 */
function change(parent, children) {
  const next = children.filter((child) => child instanceof Node || child)
    .map((child) => child instanceof Node ? child : document.createTextNode(String(child)));
  next.forEach((child, i) => {
    const rest = [...parent.childNodes].slice(i);
    const same = rest.find((it) => it.isEqualNode(child));
    const old = same ?? rest.find((it) => isAlike(it, child) && !next.some((other) => it.isEqualNode(other)));
    if (!old) {
      parent.insertBefore(child, rest[0] ?? null);
      return;
    }
    for (const gone of rest.slice(0, rest.indexOf(old))) gone.remove();
    if (!same) change(/** @type {Element} */ (old), [...child.childNodes]);
  });
  for (const gone of [...parent.childNodes].slice(next.length)) gone.remove();
}

/**
 * The element with this id. It must exist.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * A large number, abbreviated.
 * @param {number} number
 */
export function shortNumber(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${Math.round(number / 1e3)} k`;
  return String(number);
}

/** @type {HTMLElement | undefined} The button that was pressed last. */
let pressed;

/**
 * Returns true if a click is meant for this button. The second click of a double click is meant for the
 * first one's target, even if another button has moved under the pointer.
 * @param {MouseEvent} click
 * @param {HTMLElement} it
 */
function isMeant({ detail }, it) {
  const isSame = it === pressed || it.dataset.name !== undefined && it.dataset.name === pressed?.dataset.name;
  if (detail > 1 && !isSame) return false;
  pressed = it;
  return true;
}

/**
 * Creates a button. A disabled one can still have the focus.
 * @param {string} label
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(label, action, { disabled, ...attributes } = {}) {
  const act = (/** @type {MouseEvent} */ event) => {
    if (isMeant(event, /** @type {HTMLElement} */ (event.currentTarget))) action();
  };
  const state = disabled ? { "aria-disabled": "true" } : { click: act };
  return html("button", { type: "button", ...state, ...attributes }, label);
}

/**
 * Wraps a field in a label.
 * @param {string} label
 * @param {HTMLElement} field
 * @param {"field" | "field words" | "field few-words"} [kind] True if it needs a full row for its
 *   long texts, always or on phones.
 */
export function labelled(label, field, kind = "field") {
  return html("label", { class: kind }, html("span", {}, label), field);
}

/**
 * Creates a drop-down list.
 * @param {[value: string, text: string][]} options
 * @param {string} value
 * @param {Record<string, any>} [attributes]
 */
export function select(options, value, attributes = {}) {
  const list = html("select", attributes);
  for (const [option, text] of options) list.append(html("option", { value: option }, text));
  list.value = value;
  return list;
}

/**
 * Copies the text of a field to the clipboard, and returns true on success. Without TLS only the old
 * way works.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
