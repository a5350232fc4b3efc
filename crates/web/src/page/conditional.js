// Conditional moves in a correspondence game: lines of play that the visitor prepares on the board.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./language.js";
import { isCorrespondence } from "./room-setup.js";

/** @typedef {import("./received.js").RoomView} Room */
/** @typedef {import("./board.js").State} State */

/**
 * The moves of a line.
 * @param {string} line
 */
const movesOf = (line) => line.match(/[a-z]\d+/g) ?? [];

/**
 * The points of the last moves that were conditional ones.
 * @param {Room} room
 */
export const answered = ({ stones, answers }) => answers > 0 ? stones.slice(-answers).map(({ point }) => point) : [];

export class ConditionalMoves {
  /** True while the board is for preparing a line. */
  isOpen = false;

  /** The prepared lines, and the moves of the one on the board. */
  #lines = /** @type {string[]} */ ([]);
  #line = /** @type {string[]} */ ([]);

  /** True after lines were sent, until the server has answered. */
  #isSent = false;

  /** The position that the lines follow. */
  #position = "";

  /**
   * @param {import("./rooms.js").Send} send
   * @param {() => void} show Shows the room again.
   */
  constructor(send, show) {
    this.send = send;
    this.show = show;
  }

  /** Handles another room, or none. */
  leave() {
    this.#close();
    this.#lines = [];
    this.#position = "";
  }

  #close() {
    this.isOpen = false;
    this.#isSent = false;
    this.#line = [];
  }

  /** @param {string[]} lines */
  receive(lines) {
    this.#lines = lines;
    if (this.#isSent) this.#line = [];
    this.#isSent = false;
  }

  /** Handles an error of the server: the line stays, to be changed. */
  refuse() {
    this.#isSent = false;
  }

  /**
   * The button that begins or ends preparing lines; undefined where there is none.
   * @param {Room} room
   * @param {boolean} plays True if the visitor plays a game here.
   */
  button(room, plays) {
    if (!plays || !isCorrespondence(room)) return undefined;
    const count = this.#lines.length > 0 ? ` (${this.#lines.length})` : "";
    const it = button("", () => {
      if (this.isOpen) this.#close();
      else this.isOpen = true;
      this.show();
    }, { disabled: room.phase.kind !== "move", class: "wide", "data-name": "conditional", "aria-pressed": String(this.isOpen) });
    it.replaceChildren(...icon("conditional", t("action.conditional") + count));
    return it;
  }

  /**
   * The state of the board with the line on it.
   * @param {State} state
   * @returns {State}
   */
  on(state) {
    const colors = /** @type {const} */ (["black", "white"]);
    const stones = this.#line.map((point, i) => {
      const number = state.stones.length + i + 1;
      return { point, number, color: colors[1 - number % 2] };
    });
    const all = [...state.stones, ...stones];
    return {
      ...state, stones: all, node: state.node + stones.length, turn: colors[all.length % 2], actor: "person",
      forbidden: stones.length > 0 ? [] : state.forbidden, labels: this.#line.map((point, i) => ({ point, text: String(i + 1) })),
    };
  }

  /**
   * Puts the next stone of the line.
   * @param {string} point
   */
  add(point) {
    this.#line = [...this.#line, point];
    this.show();
  }

  /** Sends the lines. @param {string[]} lines */
  #send(lines, first = /** @type {string | null} */ (null), ply = 0) {
    this.#isSent = this.send("conditional_moves", { lines, point: first, ply }) === undefined;
  }

  /**
   * Shows the line on the board, and the lines that are prepared.
   * @param {Room} room
   * @param {boolean} isOwn True if the visitor acts next.
   * @param {boolean} canPlay True if the visitor plays a game here.
   */
  showPanel(room, isOwn, canPlay) {
    const position = `${room.room} ${room.games} ${room.stones.length} ${room.stones.at(-1)?.point}`;
    if (position !== this.#position || !canPlay || room.phase.kind !== "move") this.#close();
    this.#position = position;
    const panel = byId("conditional");
    panel.hidden = !this.isOpen;
    if (panel.hidden) return;
    const ply = room.stones.length;
    const line = this.#line;
    const own = isOwn ? line[0] ?? null : null;
    const rest = isOwn ? line.slice(1) : line;
    const isWhole = rest.length % 2 === 0 && line.length > 0;
    const status = line.length === 0 && isOwn ? "conditional.own" : rest.length % 2 === 0 ? "conditional.opponent" : "conditional.answer";
    const text = rest.join("");
    const save = () => {
      // A line that the new one goes on is a part of it.
      const others = this.#lines.filter((it) => !text.startsWith(it));
      this.#send(text ? [...others, text] : others, own, ply);
    };
    update(panel,
      html("p", {}, t("conditional.help")),
      html("p", { "aria-live": "polite" }, t(status), line.length > 0 && html("b", {}, ` ${line.join(" ")}`)),
      html("div", { class: "row" },
        button(isOwn && own ? t("conditional.play", { point: own }) : t("action.save"), save, {
          disabled: !isWhole, class: "main", "data-name": "save-line", "data-line": `${ply} ${line.join("")} ${this.#lines.join(" ")}` }),
        button(t("action.undo"), () => {
          this.#line = this.#line.slice(0, -1);
          this.show();
        }, { disabled: line.length === 0, "data-name": "undo-line" })),
      this.#lines.length > 0 && html("ul", { class: "lines", "aria-label": t("action.conditional") }, ...this.#lines.map((it) =>
        html("li", {},
          button(movesOf(it).join(" "), () => {
            this.#line = movesOf(it);
            this.show();
          }, { class: "quiet", "data-name": `line ${it}`, "data-line": ply }),
          button(t("conditional.delete"), () => this.#send(this.#lines.filter((other) => other !== it), null, ply), {
            class: "quiet", "data-name": `delete ${it}`, "data-line": ply, "aria-label": `${t("conditional.delete")}: ${movesOf(it).join(" ")}` })))));
  }
}
