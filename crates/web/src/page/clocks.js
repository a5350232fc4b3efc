// The clocks of both players, and what the one that runs showed last.
// @ts-check

import { clockSound } from "./sound.js";
import { keepLeft } from "./preferences.js";

/** @typedef {import("./received.js").ClockView} Clock */
/** @typedef {import("./received.js").Color} Color */

export class Clocks {
  /** @type {Clock | null} */
  #clock = null;
  /** The time of the last clock message, in the page's time. */
  #toldAt = 0;
  /** The seconds left when the clock was heard last. */
  #heardAt = 0;
  /** The seconds left when they were kept last. */
  #keptAt = -1;

  /** @param {Clock | null} clock As the program has it now. */
  hear(clock) {
    this.#clock = clock;
    this.#toldAt = performance.now();
    this.#keptAt = -1;
  }

  /** @param {Color} color The milliseconds left to it. */
  #left(color) {
    const { running = null, [color]: told = 0 } = this.#clock ?? {};
    const used = running === color ? performance.now() - this.#toldAt : 0;
    return Math.max(told - used, 0);
  }

  /** The milliseconds that the running clock shows, in whole ones. */
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
      if (seconds < 10 && Math.ceil(seconds) !== this.#heardAt) {
        this.#heardAt = Math.ceil(seconds);
        clockSound();
      }
      if (Math.ceil(seconds) !== this.#keptAt) {
        this.#keptAt = Math.ceil(seconds);
        keepLeft(this.left);
      }
    }
  }
}
