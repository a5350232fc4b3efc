// A move in advance: a point that is chosen while the engine thinks, and played after its move.
// @ts-check

/** @typedef {import("./received.js").State} State */

export class Premove {
  /** The point; none is "". */
  point = "";
  /** The position in which it was chosen. */
  #node = -1;

  /**
   * Returns true if a move can be chosen in advance: the engine thinks, and a person moves next.
   * @param {State} state
   * @param {string} point
   */
  static fits({ phase, thinking, actor, players, stones }, point) {
    return phase.kind === "move" && thinking && actor === "engine" && players !== null
      && players.includes("person") && stones.every((stone) => stone.point !== point);
  }

  /**
   * Chooses a point, or none where it was chosen already. Says whether there is one now.
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
   * The point to be played now, if the engine has just moved; it is given up where the game
   * went another way.
   * @param {State | undefined} before
   * @param {State} next
   * @param {number | null | undefined} parent The position before the one that is shown.
   */
  take(before, next, parent) {
    const { point } = this;
    if (point === "" || next.thinking && next.node === this.#node && before?.game === next.game) return "";
    this.clear();
    const follows = before?.game === next.game && parent === this.#node;
    return follows && next.actor === "person" && next.phase.kind === "move" ? point : "";
  }
}
