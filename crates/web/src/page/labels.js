// The tool that puts labels and symbols on points. They are part of the game, as in SGF.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./board.js").BoardView} BoardView */

/** The symbols by name; other labels are letters. */
const SIGNS = { triangle: "△", square: "□", circle: "○", cross: "×" };

/** The tool for arrows, which takes two points. */
const ARROW = "→";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export class Labeller {
  /**
   * @param {BoardView} board
   * @param {(point: string, text: string) => void} write Sets a label; "" removes it.
   * @param {(from: string, to: string) => void} draw Draws an arrow, or removes it.
   * @param {() => void} close
   */
  constructor(board, write, draw, close) {
    this.draw = draw;
    /** The point where the next arrow begins. */
    this.from = "";
    this.close = close;
    this.board = board;
    this.write = write;
    this.tool = SIGNS.triangle;
    /** @type {State | undefined} */
    this.state = undefined;
    this.panel = byId("labels");
  }

  /** True while clicks on points set labels. */
  get active() {
    return !this.panel.hidden;
  }

  toggle() {
    this.#begin("");
    this.panel.hidden = this.active;
    this.board.labelling = this.active;
    this.board.drawing.classList.toggle("labelling", this.active);
    this.#write();
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    if (this.active) this.#write();
  }

  #write() {
    const tools = [...Object.entries(SIGNS), ["letter", ""], ["arrow", ARROW]].map(([name, sign]) =>
      button(sign || "A", () => {
        this.tool = sign;
        this.#begin("");
        this.#write();
      }, {
        class: "quiet", "aria-pressed": String(sign === this.tool), "aria-label": t(`label.${name}`),
        title: t(`label.${name}`), "data-name": name,
      }));
    update(this.panel,
      html("div", { class: "row tools steps", role: "group", "aria-label": t("action.label") }, ...tools,
        button("✓", this.close, { class: "quiet", "aria-label": t("action.close"), "data-name": "close" })),
      html("p", { class: "facts" }, t("label.text")));
  }

  /**
   * Marks the point where an arrow begins, or none.
   * @param {string} point
   */
  #begin(point) {
    this.from = point;
    if (point) this.board.hint(point);
    else this.board.layers.hints.replaceChildren();
  }

  /**
   * Sets the circle on a point, or removes it.
   * @param {string} point
   */
  circle(point) {
    const there = this.state?.labels?.find((label) => label.point === point)?.text;
    this.write(point, there === SIGNS.circle ? "" : SIGNS.circle);
  }

  /**
   * Sets the label of the tool on a point, or removes it if it is there.
   * @param {string} point
   */
  choose(point) {
    if (this.tool === ARROW) {
      if (this.from && this.from !== point) this.draw(this.from, point);
      this.#begin(this.from ? "" : point);
      return;
    }
    const labels = this.state?.labels ?? [];
    const there = labels.find((label) => label.point === point)?.text ?? "";
    const isLetter = there !== "" && !Object.values(SIGNS).includes(there);
    const isThere = this.tool === "" ? isLetter : there === this.tool;
    const letter = LETTERS.find((letter) => labels.every(({ text }) => text !== letter)) ?? "?";
    this.write(point, isThere ? "" : this.tool || letter);
  }
}
