// The proof of a forced win, step by step: the winner's move, the replies that need answers of their
// own, and one answer to all others.
// @ts-check

import { button, html, refill, shortNumber } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").ProofView} Proof */
/** @typedef {import("./received.js").ProofNode} ProofNode */
/** @typedef {import("./received.js").Color} Color */

export class ProofView {
  /**
   * @param {(points: string[], first: Color) => void} preview Shows moves on the board.
   * @param {(points: string[]) => void} playLine Plays moves into the tree.
   * @param {() => void} closed The close button was pressed.
   */
  constructor(preview, playLine, closed) {
    /** True if the search has found no win for the side to move. */
    this.isMissing = false;
    /** Shows the present content from its first step, in the present language. @type {(() => void) | undefined} */
    this.again = undefined;
    this.closed = closed;
    this.preview = preview;
    this.playLine = playLine;
    this.element = html("div", { class: "proof" });
    /** The moves previewed on the board. @type {string[]} */
    this.moves = [];
  }

  /** Previews its moves again, after another preview. */
  restore() {
    this.preview(this.moves, this.winner ?? "black");
  }

  clear() {
    this.isMissing = false;
    this.again = undefined;
    this.moves = [];
    if (this.element.hasChildNodes()) this.preview([], "black");
    this.element.replaceChildren();
  }

  searching() {
    this.clear();
    this.again = () => this.searching();
    this.element.replaceChildren(html("p", {}, t("proof.searching"), html("span", { class: "spinner" })));
  }

  /** @param {Proof} proof */
  show(proof) {
    const { win, plies, winner, threat, found, nodes } = proof;
    this.again = () => this.show(proof);
    this.isMissing = !win && !threat;
    this.moves = [];
    if (!win) {
      this.element.replaceChildren(
        html("p", {}, t(threat ? "proof.no_threat" : "proof.none"), this.#close()),
        html("p", { class: "facts" }, t(`proof.${found}`, { nodes: shortNumber(nodes) })));
      return;
    }
    this.winner = winner;
    this.threat = threat;
    this.limits = found === "line" ? t("proof.line") : "";
    this.title = t(threat ? "proof.threat" : "proof.win", { color: t(winner), plies });
    this.#step(win, [], []);
  }

  /**
   * Shows the winner's next move and the replies to it.
   * @param {ProofNode} node
   * @param {string[]} before The moves that lead here.
   * @param {(() => void)[]} back The previous steps.
   */
  #step(node, before, back) {
    const moves = [...before, node.point];
    const again = () => this.#step(node, before, back);
    const replies = node.replies.map(({ point, refutation }) =>
      button(point, () => this.#step(refutation, [...moves, point], [...back, again]), { class: "move", "data-name": "reply" }));
    if (node.otherwise.length > 0) {
      replies.push(button(t("proof.otherwise"),
        () => this.#line([...moves, "--", ...node.otherwise], [...back, again]), { class: "move", "data-name": "reply" }));
    }
    this.#write(moves, replies, back);
  }

  #close() {
    return button("×", () => {
      this.clear();
      this.closed();
    }, { class: "move close", "aria-label": t("proof.close") });
  }

  /**
   * Shows the end of a line.
   * @param {string[]} moves
   * @param {(() => void)[]} back
   */
  #line(moves, back) {
    this.#write(moves, [], back);
  }

  /**
   * @param {string[]} moves
   * @param {HTMLElement[]} replies
   * @param {(() => void)[]} back
   */
  #write(moves, replies, back) {
    const last = back.at(-1);
    this.moves = moves;
    this.restore();
    refill(this.element, ...[
      html("p", {}, html("strong", {}, this.title ?? ""), this.#close()),
      this.limits && html("p", { class: "facts" }, this.limits),
      this.threat || moves.includes("--") ? html("p", { class: "points" }, moves.join(" "))
        : button(moves.join(" "), () => this.playLine(moves), { class: "points", title: t("action.play_line") }),
      html("div", { class: "row" },
        last && button("←", last, { "aria-label": t("action.undo"), class: "move", "data-name": "back" }), ...replies),
    ].filter((child) => child instanceof Node));
  }
}
