// Windows over the page, and forms in them. A form stays open with everything in it until
// what it asks for is done, and says why it is not.
// @ts-check

import { button, byId, html } from "./dom.js";
import { t } from "./language.js";

/**
 * The place of the alert while no window is open.
 * @type {{parent: Element | null, before: ChildNode | null}}
 */
let home = { parent: null, before: null };

/**
 * Moves the alert out of a window that is closed: to one below it, or to its place in the page.
 * The window that was open when this one opened may be gone.
 * @param {HTMLElement} alert
 */
function bringBack(alert) {
  const { parent, before } = home;
  const below = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (below) below.append(alert);
  else parent?.insertBefore(alert, before?.parentElement === parent ? before : null);
}

/**
 * Returns true if the pointer is beside a window. Its margin belongs to it.
 * @param {HTMLElement} dialog
 * @param {MouseEvent} event
 */
function isBeside(dialog, { target, clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

/**
 * Opens a window. It goes away when it is closed.
 * @param {string} title
 * @param {...(Node | string | false | undefined)} children
 */
export function open(title, ...children) {
  const heading = html("h2", {}, title);
  const dialog = html("dialog", { "aria-label": title }, heading, ...children);
  // What is outside of the window is silent to screen readers: the alert moves into it.
  const alert = byId("alert");
  if (!alert.closest("dialog")) home = { parent: alert.parentElement, before: alert.nextSibling };
  dialog.addEventListener("close", () => {
    if (dialog.contains(alert)) bringBack(alert);
    dialog.remove();
  });
  // A click beside it closes it, but no pointer that was pressed in it, such as to mark a text.
  let isPressed = false;
  dialog.addEventListener("pointerdown", (event) => (isPressed = isBeside(dialog, event)));
  dialog.addEventListener("click", (event) => {
    if (isPressed && isBeside(dialog, event)) dialog.close();
  });
  dialog.append(alert);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A form whose answer comes at another time, by {@link Form.refuse} or {@link Form.close}. */
export class Form {
  /**
   * @param {string} title
   * @param {string} label What the button says that sends it.
   * @param {() => string | void} send Asks for what is filled in, or returns what is wrong
   *   with it.
   * @param {...(Node | string)} children
   */
  constructor(title, label, send, ...children) {
    this.refusal = html("p", { class: "refusal", role: "alert", hidden: true });
    this.submit = html("button", { type: "submit", class: "main" }, label);
    const form = html("form", { method: "dialog" }, ...children, this.refusal,
      html("div", { class: "row end" },
        button(t("action.cancel"), () => this.close(), { class: "quiet" }), this.submit));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // What was asked for is not asked for again before there is an answer.
      if (this.submit.ariaDisabled) return;
      const refusal = send();
      this.refuse(refusal ?? "");
      if (!refusal) this.submit.ariaDisabled = "true";
    });
    this.dialog = open(title, form);
  }

  get isOpen() {
    return this.dialog.open;
  }

  close() {
    this.dialog.close();
  }

  /**
   * Says what is wrong, or nothing, and can be sent again.
   * @param {string} text
   */
  refuse(text) {
    this.submit.ariaDisabled = null;
    this.refusal.textContent = text;
    this.refusal.hidden = text === "";
  }
}

/**
 * Opens a form whose answer is awaited.
 * @param {string} title
 * @param {string} label What the button says that sends it.
 * @param {() => Promise<string>} accept Sends what is filled in. Says why it is refused; no
 *   words where it is not.
 * @param {...(Node | string)} children
 */
export function openForm(title, label, accept, ...children) {
  const form = new Form(title, label, () => {
    void accept().then((refusal) => refusal ? form.refuse(refusal) : form.close());
  }, ...children);
}
