// Alerts: messages that are shown for a while, or as long as the connection is lost.
// @ts-check

import { button, byId } from "./dom.js";
import { errorText, t } from "./language.js";

export class Alert {
  /** True if the alert offers to restore a game or moves. */
  hasOffer = false;
  /** The message about a lost connection, shown while there is no other. */
  #lost = "";
  /** The reason of a refused connection, until one is accepted. */
  #refused = "";
  /** True if the program has announced that it ends. */
  #ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * Shows a message for a while.
   * @param {string} text
   * @param {number} [milliseconds]
   */
  show(text, milliseconds = 4000) {
    this.#write(text);
    this.#timer = setTimeout(() => this.clear(), milliseconds);
  }

  /**
   * Shows a message with a button.
   * @param {string} text
   * @param {string} label
   * @param {() => void} act
   */
  offer(text, label, act) {
    this.show(text, 5000);
    this.append(label, act);
    this.hasOffer = true;
  }

  /**
   * Adds a button to the message.
   * @param {string} label
   * @param {() => void} act
   */
  append(label, act) {
    byId("alert").append(button(label, act));
  }

  clear() {
    this.#write("");
  }

  /**
   * Shows that the connection is lost, until it is restored.
   * @param {string} text
   * @returns {string} The message.
   */
  connectionLost(text) {
    this.#lost = this.#ended ? t("alert.goodbye") : this.#refused || text;
    this.clear();
    return this.#lost;
  }

  /**
   * Shows why the connection is refused, instead of its loss.
   * @param {{code: string, text: string, retry_s: number}} refusal
   */
  connectionRefused(refusal) {
    this.#refused = t("alert.retry", { text: errorText(refusal), seconds: refusal.retry_s });
    this.connectionLost("");
  }

  /** Shows that the program has ended. */
  programEnded() {
    this.#ended = true;
    this.connectionLost("");
  }

  /** Clears the messages about the connection. */
  connected() {
    this.#ended = false;
    this.#refused = "";
    this.connectionLost("");
  }

  /** @param {string} text */
  #write(text) {
    clearTimeout(this.#timer);
    this.hasOffer = false;
    const shown = text || this.#lost;
    const element = byId("alert");
    element.textContent = shown;
    element.hidden = shown === "";
  }
}
