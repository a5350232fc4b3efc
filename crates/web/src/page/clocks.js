// The clocks of both players. The time left on the running one is stored.
// @ts-check

import { clockSound } from "./sound.js";
import { saveTimeLeft } from "./preferences.js";

/** @typedef {import("./received.js").ClockView} Clock */
/** @typedef {import("./received.js").Color} Color */

export class Clocks {
  /** @type {Clock | null} */
  #clock = null;
  /** The time of the last clock message, on the page's clock. */
  #receivedAt = 0;
  /** The seconds left at the last warning sound. */
  #warnedAt = 0;
  /** The seconds left when they were stored last. */
  #storedAt = -1;

  /** @param {Clock | null} clock */
  receive(clock) {
    this.#clock = clock;
    this.#receivedAt = performance.now();
    this.#storedAt = -1;
  }

  /**
   * The milliseconds left to a colour.
   * @param {Color} color
   */
  #left(color) {
    const { running = null, [color]: left = 0 } = this.#clock ?? {};
    const used = running === color ? performance.now() - this.#receivedAt : 0;
    return Math.max(left - used, 0);
  }

  /** The milliseconds left on the running clock, rounded. */
  get left() {
    const running = this.#clock?.running;
    return running ? Math.round(this.#left(running)) : null;
  }

  show() {
    if (!this.#clock) return;
    const { running } = this.#clock;
    for (const element of document.querySelectorAll("time[data-color]")) {
      const color = /** @type {Color} */ (element.getAttribute("data-color"));
      const seconds = this.#left(color) / 1000;
      const minutes = Math.floor(seconds / 60);
      const rest = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
      element.textContent = `${minutes}:${rest}`;
      element.classList.toggle("short", seconds < 10);
      if (running !== color) continue;
      if (seconds < 10 && Math.ceil(seconds) !== this.#warnedAt) {
        this.#warnedAt = Math.ceil(seconds);
        clockSound();
      }
      if (Math.ceil(seconds) !== this.#storedAt) {
        this.#storedAt = Math.ceil(seconds);
        saveTimeLeft(this.left);
      }
    }
  }
}
