// The editor of positions: stones in any order, either colour to move. The program checks whether
// they can be played from.
// @ts-check

import { button, byId, html, refill, select } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").Stones} Stones */
/** @typedef {import("./received.js").Color} Color */
/** @typedef {import("./board.js").BoardView} BoardView */

/**
 * @typedef {object} Handlers
 * @property {(stones: Stones) => void} play
 * @property {(stones: Stones) => void} analyse
 * @property {() => void} cancel
 */

export class Editor {
  /**
   * @param {BoardView} board
   * @param {Handlers} handlers
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    this.panel = byId("question");
    /** @type {State | undefined} The state whose board is edited. */
    this.state = undefined;
    /** @type {Map<string, Color>} */
    this.stones = new Map();
    /** @type {Color | "empty"} What a click places. */
    this.tool = "black";
    /** @type {Color} */
    this.first = "black";
  }

    get active() {
    return this.state !== undefined;
  }

  /** @param {State} state The position to begin with. */
  open(state) {
    this.state = state;
    this.stones = new Map(state.stones.map(({ point, color }) => [point, color]));
    this.first = state.turn;
    this.tool = "black";
    document.body.dataset.mode = "setup";
    this.show();
  }

  close() {
    this.state = undefined;
    this.board.editing = false;
    this.panel.replaceChildren();
  }

    show() {
    byId("status").textContent = t("setup.title");
    byId("detail").textContent = "";
    const tools = /** @type {(Color | "empty")[]} */ (["black", "white", "empty"]).map((tool) =>
      button(t(`setup.${tool}`), () => {
        this.tool = tool;
        this.show();
      }, { "aria-pressed": String(tool === this.tool), "data-name": tool }));
    const first = select([["black", t("black")], ["white", t("white")]], this.first);
    first.addEventListener("change", () => (this.first = /** @type {Color} */ (first.value)));
    this.panel.hidden = false;
    refill(this.panel,
      html("p", {}, t("setup.text")),
      html("div", { class: "choices", role: "group", "aria-label": t("setup.title") }, ...tools),
      html("label", { class: "field" }, html("span", {}, t("setup.first")), first),
      html("div", { class: "choices pairs" },
        button(t("action.play"), () => this.handlers.play(this.#setUp()), { class: "main" }),
        button(t("action.analyse"), () => this.handlers.analyse(this.#setUp())),
        button(t("setup.clear"), () => {
          this.stones.clear();
          this.#showBoard();
        }, { class: "quiet" }),
        button(t("action.cancel"), () => this.handlers.cancel(), { class: "quiet" })));
    this.#showBoard();
  }

  /**
   * Places what the tool places. A second click with the same stone removes it.
   * @param {string} point
   */
  choose(point) {
    if (this.tool === "empty" || this.stones.get(point) === this.tool) this.stones.delete(point);
    else this.stones.set(point, this.tool);
    this.#showBoard();
  }

  #showBoard() {
    if (!this.state) return;
    this.board.editing = true;
    this.board.show({
      ...this.state, node: -1, actor: "person", waiting: false, analysis: null,
      stones: [...this.stones].map(([point, color]) => ({ point, color, number: null })),
      turn: this.tool === "white" ? "white" : "black",
      phase: { kind: "place", first: true, stones: 0 },
      winning: [], forbidden: [], threats: [], allowed: null, offers: [], labels: [],
    });
  }

  /** @returns {Stones} */
  #setUp() {
    const of = (/** @type {Color} */ wanted) =>
      [...this.stones].filter(([, color]) => color === wanted).map(([point]) => point);
    return { black: of("black"), white: of("white"), first: this.first };
  }
}
