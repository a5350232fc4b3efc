// The premove: a move that is entered while the engine thinks, and played after its move.
// @ts-check

/** @typedef {import("./received.js").State} State */

export class Premove {
  /** The point; "" without a premove. */
  point = "";
  /** The position in which it was chosen. */
  #node = -1;

  /**
   * Returns true if a premove is possible: the engine thinks, and a person moves next.
   * @param {State} state
   * @param {string} point
   */
  static fits({ phase, thinking, actor, players, stones }, point) {
    return phase.kind === "move" && thinking && actor === "engine" && players !== null
      && players.includes("person") && stones.every((stone) => stone.point !== point);
  }

  /**
   * Sets the premove, or clears it if it is the same point. Returns true if it is set.
   * @param {State} state
   * @param {string} point
   */
  choose({ node }, point) {
    this.point = this.point === point ? "" : point;
    this.#node = node;
    return this.point !== "";
  }

  clear() {
    this.point = "";
  }

  /**
   * Returns the point to play if the engine has moved, and clears the premove then and whenever another
   * position is shown.
   * @param {State | undefined} before
   * @param {State} next
   * @param {number | null | undefined} parent The parent of the present position.
   */
  take(before, next, parent) {
    const { point } = this;
    if (point === "" || next.thinking && next.node === this.#node && before?.game === next.game) return "";
    this.clear();
    const follows = before?.game === next.game && parent === this.#node;
    return follows && next.actor === "person" && next.phase.kind === "move" ? point : "";
  }
}
