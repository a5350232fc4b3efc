// A form in a window, which stays open with everything in it until what it asks for is
// done, and says why it is not.
// @ts-check

import { open } from "./dialogs.js";
import { button, html } from "./dom.js";
import { t } from "./language.js";

export class Form {
  /**
   * @param {string} title
   * @param {string} label What the button says that sends it.
   * @param {() => string | void} send Asks for what is filled in, or returns what is wrong
   *   with it.
   * @param {...(Node | string)} children
   */
  constructor(title, label, send, ...children) {
    this.problem = html("p", { class: "problem", role: "alert", hidden: true });
    this.submit = html("button", { type: "submit", class: "main" }, label);
    const form = html("form", { method: "dialog" }, ...children, this.problem,
      html("div", { class: "row end" },
        button(t("action.cancel"), () => this.close(), { class: "quiet" }), this.submit));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const problem = send();
      this.refuse(problem ?? "");
      // What was asked for is not asked for again before there is an answer.
      this.submit.disabled = !problem;
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
    this.submit.disabled = false;
    this.problem.textContent = text;
    this.problem.hidden = text === "";
  }
}
