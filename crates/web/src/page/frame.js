// The layout around the board: the mode, the tabs and the width of the study. The style sheet chooses
// the form of the layout by the size of the window.
// @ts-check

import { byId, set } from "./dom.js";
import { t } from "./language.js";
import { loadShared, saveShared } from "./preferences.js";
import { Tabs } from "./tabs.js";

/** @typedef {"playing" | "studying" | "opening" | "setup"} Mode */
/** @typedef {"play" | "analysis" | "review" | "explorer" | "moves" | "more"} Tab */

const WIDTH = "quincunx.study";

/** The minimum width of the study, and the step of an arrow key, in rem. */
const MIN_WIDTH = 25;
const STEP = 1;

/**
 * The tabs, each with the key of its label and the id of its panel.
 * @type {[Tab, word: string, panel: string][]}
 */
const TABS = [
  ["play", "tab.play", "play"],
  ["analysis", "tab.analysis", "panel-analysis"],
  ["review", "action.review", "panel-review"],
  ["explorer", "tab.explorer", "panel-explorer"],
  ["moves", "game.moves", "record"],
  ["more", "tab.more", "more"],
];

/** The tabs of phones: elsewhere their panels are always visible. */
const OF_PHONES = /** @type {Tab[]} */ (["play", "more"]);

/** The form of the layout, from the style sheet. */
const form = () => getComputedStyle(document.body).getPropertyValue("--frame").trim();

/**
 * The mode of the page, which decides which controls are shown.
 * @param {import("./received.js").State} state
 * @param {boolean} isReviewed True if the review of the game is shown.
 * @returns {Mode}
 */
function modeOf({ phase, analysis, actor, waiting }, isReviewed) {
  if (analysis !== null || isReviewed || phase.kind === "over") return "studying";
  return phase.kind === "choose" && (actor === "person" || waiting) ? "opening" : "playing";
}

export class Frame {
  /** The tab that was opened last. @type {Tab | undefined} */
  #chosen;
  /** The game for which that tab was opened. @type {number | undefined} */
  #game;
  /** True if there is a games database to explore. */
  #explores = false;
  /** True if the review of the game is shown. */
  #isReviewed = false;

  constructor() {
    /** @type {Tabs<Tab>} */
    this.tabs = new Tabs(byId("tabs"), (name) => this.open(name));
    addEventListener("resize", () => this.#showTabs());
    this.#enableResizing();
  }

  /**
   * Opens a tab until the next game.
   * @param {Tab} tab
   */
  open(tab) {
    this.#chosen = tab;
    this.#showTabs();
  }

  /**
   * @param {import("./received.js").State} state
   * @param {boolean} isReviewed True if the review of the game is shown.
   * @returns {Mode} The mode of the page.
   */
  show(state, isReviewed) {
    const mode = modeOf(state, isReviewed);
    document.body.dataset.mode = mode;
    // A new game begins with the first tab.
    if (state.game !== this.#game) this.#chosen = undefined;
    this.#game = state.game;
    this.#explores = Boolean(state.explored);
    this.#isReviewed = isReviewed;
    this.#showTabs();
    set(byId("split"), { "aria-label": t("tab.width") });
    return mode;
  }

  /** The tabs of the present game. */
  get #offered() {
    return TABS.filter(([name]) => name !== "explorer" || this.#explores);
  }

  #showTabs() {
    const isPhone = form() === "phone";
    const offered = this.#offered.map(([name]) => name).filter((name) => isPhone || !OF_PHONES.includes(name));
    const wanted = this.#chosen ?? (this.#isReviewed ? "review" : offered[0]);
    const shown = offered.includes(wanted) ? wanted : offered[0];
    document.body.dataset.tab = shown;
    for (const [name, , panel] of TABS) {
      if (panel.startsWith("panel-")) byId(panel).hidden = name !== shown;
    }
    this.tabs.show(this.#offered, shown);
  }

  /** Makes the separator between the board and the study draggable. */
  #enableResizing() {
    const split = byId("split");
    const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
    const most = () => Math.max(innerWidth / unit() / 2, MIN_WIDTH);
    const wide = () => byId("study").getBoundingClientRect().width / unit();
    const choose = (/** @type {number} */ width) => {
      const chosen = Math.min(Math.max(width, MIN_WIDTH), most());
      byId("study").parentElement?.style.setProperty("--wanted", `${chosen}rem`);
      set(split, { "aria-valuenow": Math.round(chosen), "aria-valuemin": MIN_WIDTH, "aria-valuemax": Math.round(most()) });
      return chosen;
    };
    const saveWidth = (/** @type {number} */ width) => saveShared(WIDTH, choose(width).toFixed(2));
    set(split, { "aria-valuenow": MIN_WIDTH, "aria-valuemin": MIN_WIDTH, "aria-valuemax": Math.round(most()) });
    const before = Number(loadShared(WIDTH));
    if (before > 0) choose(before);
    split.addEventListener("pointerdown", (event) => {
      split.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    split.addEventListener("pointermove", (event) => {
      if (split.hasPointerCapture(event.pointerId)) {
        saveWidth(wide() + (byId("study").getBoundingClientRect().left - event.clientX) / unit());
      }
    });
    split.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      saveWidth(wide() + by);
    });
  }
}
