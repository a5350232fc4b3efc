// Elements in few words.
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
 * An HTML element.
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
 * An SVG element.
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

/**
 * The element with this id, which the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * A button.
 * @param {string} label
 * @param {() => void} action
 * @param {Record<string, any>} [attributes]
 */
export function button(label, action, attributes = {}) {
  return html("button", { type: "button", click: action, ...attributes }, label);
}

/**
 * A labelled field.
 * @param {string} label
 * @param {HTMLElement} field
 */
export function labelled(label, field) {
  return html("label", { class: "field" }, html("span", {}, label), field);
}

/**
 * A list to choose from.
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
