// Alerts over everything else: for a while, or as long as the program is gone.
// @ts-check

import { button, byId } from "./dom.js";
import { errorText, t } from "./language.js";

export class Alert {
  /** True if what was lost last is offered back. */
  offers = false;
  /** The text while there is no other: that the program is gone. */
  #lost = "";
  /** Why the program has no place for the page, as long as it has none. */
  #refused = "";
  /** True if the program has said that it ends. */
  #ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saying;

  /**
   * Says something for a while.
   * @param {string} text
   * @param {number} [milliseconds]
   */
  say(text, milliseconds = 4000) {
    this.show(text);
    this.#saying = setTimeout(() => this.clear(), milliseconds);
  }

  /**
   * Says something, with a button that undoes it.
   * @param {string} text
   * @param {string} label
   * @param {() => void} act
   */
  offer(text, label, act) {
    this.say(text, 5000);
    this.append(label, act);
    this.offers = true;
  }

  /**
   * Adds a button to what is said.
   * @param {string} label
   * @param {() => void} act
   */
  append(label, act) {
    byId("alert").append(button(label, act));
  }

  clear() {
    this.show("");
  }

  /**
   * The program is gone. That is said until it is back.
   * @param {string} text
   * @returns {string} What is said.
   */
  lose(text) {
    this.#lost = this.#ended ? t("alert.goodbye") : this.#refused || text;
    this.clear();
    return this.#lost;
  }

  /**
   * The program has no place for the page. That is said instead of its being gone.
   * @param {{code: string, text: string, retry_s: number}} refusal
   */
  refuse(refusal) {
    this.#refused = t("alert.retry", { text: errorText(refusal), seconds: refusal.retry_s });
    this.lose("");
  }

  /** The program says that it ends. */
  end() {
    this.#ended = true;
    this.lose("");
  }

  /** The program is there. */
  find() {
    this.#ended = false;
    this.#refused = "";
    this.lose("");
  }

  /** @param {string} text */
  show(text) {
    clearTimeout(this.#saying);
    this.offers = false;
    const shown = text || this.#lost;
    const element = byId("alert");
    element.textContent = shown;
    element.hidden = shown === "";
  }
}
