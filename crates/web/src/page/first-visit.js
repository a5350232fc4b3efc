// Questions to a person at the first visit, above the actions of an empty board: the experience, then the
// rule and the level, or puzzles to begin with. The first move ends them too.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { loadGame, loadShared, saveShared } from "./preferences.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").Welcome} Welcome */

/** The storage key that says that the questions were asked. */
const ASKED = "quincunx.asked";

/** The level for someone who never played. */
const BEGINNER = 10;

/** The levels that are offered to others. */
const LEVELS = [20, 35, 50, 65, 80];

export class FirstVisit {
  /** The question that is shown. @type {"played" | "begin" | "rule" | "level" | undefined} */
  #question = loadShared(ASKED) === null && loadGame() === null && location.hash === "" ? "played" : undefined;
  #rule = "freestyle";
  #panel = byId("first-visit");

  /** @param {(rule: string, level: number) => Promise<unknown>} start Begins a game. */
  constructor(start) {
    this.start = start;
  }

  /**
   * @param {State} state
   * @param {Welcome | undefined} welcome
   * @param {boolean} isEmpty True if the game has no move.
   */
  show(state, welcome, isEmpty) {
    if (!this.#question || !welcome) return;
    if (isEmpty && state.analysis === null) this.#show(welcome);
    else this.#end();
  }

  #end() {
    this.#question = undefined;
    this.#panel.hidden = true;
    this.#panel.replaceChildren();
    saveShared(ASKED, "yes");
  }

  /** @param {Welcome} welcome */
  #show(welcome) {
    const question = this.#question;
    const ask = (/** @type {typeof question} */ next) => () => {
      this.#question = next;
      this.#show(welcome);
    };
    const play = (/** @type {number} */ level) => () => {
      this.#end();
      void this.start(this.#rule, level);
    };
    const practise = async () => {
      this.#end();
      await this.start(this.#rule, BEGINNER);
      location.assign("training.html#first");
    };
    const level = (/** @type {number} */ least) => welcome.levels.find(([from]) => from === least)?.[1] ?? "club";
    /** @type {Record<string, [label: string, act: () => void][]>} */
    const answers = {
      played: [[t("first.never"), ask("begin")], [t("first.played"), ask("rule")]],
      begin: [[t("first.puzzles"), () => void practise()], [t("first.game"), play(BEGINNER)]],
      rule: welcome.rules.map((rule) => [t(`rule.name.${rule}`), () => {
        this.#rule = rule;
        ask("level")();
      }]),
      level: LEVELS.map((least) => [t(`level.${level(least)}`), play(least)]),
    };
    this.#panel.hidden = false;
    update(this.#panel,
      html("p", { class: "row" }, html("strong", {}, t(`first.${question}.question`)),
        button("×", () => this.#end(), { class: "move", "aria-label": t("first.skip"), "data-name": "skip" })),
      question === "begin" && html("p", { class: "facts" }, t("help.goal")),
      html("div", { class: "choices pairs" }, ...answers[question ?? "played"].map(([label, act], i) =>
        button(label, act, { "data-name": `${question} ${i}` }))));
  }
}
