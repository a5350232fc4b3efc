// Modal dialogs, and forms in them. A form stays open with its input until its request is accepted, and
// shows errors.
// @ts-check

import { button, byId, html } from "./dom.js";
import { t } from "./language.js";

/**
 * The place of the alert while no dialog is open.
 * @type {{parent: Element | null, before: ChildNode | null}}
 */
let home = { parent: null, before: null };

/**
 * Moves the alert out of a closed dialog: to the one below it, or to its place in the page. The dialog
 * below may be another one than before.
 * @param {HTMLElement} alert
 */
function bringBack(alert) {
  const { parent, before } = home;
  const below = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (below) below.append(alert);
  else parent?.insertBefore(alert, before?.parentElement === parent ? before : null);
}

/**
 * Returns true if the pointer is on the backdrop of a dialog. The padding belongs to the dialog.
 * @param {HTMLElement} dialog
 * @param {MouseEvent} event
 */
function isOnBackdrop(dialog, { target, clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

/**
 * Opens a dialog. It is removed when it is closed.
 * @param {string} title
 * @param {...(Node | string | false | undefined)} children
 */
export function open(title, ...children) {
  const heading = html("h2", {}, title);
  const dialog = html("dialog", { "aria-label": title }, heading, ...children);
  // Screen readers ignore everything outside of a modal dialog: the alert moves into it.
  const alert = byId("alert");
  if (!alert.closest("dialog")) home = { parent: alert.parentElement, before: alert.nextSibling };
  dialog.addEventListener("close", () => {
    if (dialog.contains(alert)) bringBack(alert);
    dialog.remove();
  });
  // A click on the backdrop closes it, but not a drag that began inside, such as to select text.
  let isPressed = false;
  dialog.addEventListener("pointerdown", (event) => (isPressed = isOnBackdrop(dialog, event)));
  dialog.addEventListener("click", (event) => {
    if (isPressed && isOnBackdrop(dialog, event)) dialog.close();
  });
  dialog.append(alert);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A form whose answer arrives later, by {@link Form.refuse} or {@link Form.close}. */
export class Form {
  /**
   * @param {string} title
   * @param {string} label The label of the submit button.
   * @param {() => string | void} send Sends the request, or returns an error of the input.
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
      // A request is not sent again before its answer.
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
   * Shows an error, or none, and enables the submit button.
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
 * @param {string} label The label of the submit button.
 * @param {() => Promise<string>} accept Sends the request. Returns the error; an empty text if it is
 *   accepted.
 * @param {...(Node | string)} children
 */
export function openForm(title, label, accept, ...children) {
  const form = new Form(title, label, () => {
    void accept().then((refusal) => refusal ? form.refuse(refusal) : form.close());
  }, ...children);
}
