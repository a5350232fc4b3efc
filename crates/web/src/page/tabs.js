// A row of tabs, of which a click or an arrow key opens one.
// @ts-check

import { button, set, update } from "./dom.js";
import { t } from "./language.js";

/** @template {string} T The names of the tabs. */
export class Tabs {
  /**
   * @param {HTMLElement} row
   * @param {(name: T) => void} open
   */
  constructor(row, open) {
    this.row = row;
    this.open = open;
    row.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {[name: T, word: string, panel: string][]} tabs Each with the key of its label and the id of its panel.
   * @param {T} shown The name of the open one.
   * @param {Partial<Record<T, number>>} [counts] Numbers that are part of the labels; zero is not shown.
   */
  show(tabs, shown, counts = {}) {
    set(this.row, { role: "tablist", class: "tabs", "aria-label": t("tab.all") });
    update(this.row, ...tabs.map(([name, word, panel]) => button(counts[name] ? `${t(word)} (${counts[name]})` : t(word), () => this.open(name), {
      role: "tab", "data-name": `tab ${name}`, "aria-selected": String(name === shown), "aria-controls": panel,
      tabindex: name === shown ? 0 : -1,
    })));
  }

  /**
   * Goes to the previous or next tab.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const seen = /** @type {HTMLElement[]} */ ([...this.row.children]).filter((tab) => tab.checkVisibility());
    const at = seen.findIndex((tab) => tab.ariaSelected === "true");
    const next = seen[(at + by + seen.length) % seen.length];
    next.focus();
    this.open(/** @type {T} */ (next.dataset.name?.slice("tab ".length)));
  }
}
