// The orientation of the board on the screen. Points keep their names in every orientation.
// @ts-check

import { pointPlace, pointText } from "./points.js";

/** The symmetries of the board: four rotations, each also mirrored. */
export const VIEWS = 8;

/** A board in one orientation. */
export class View {
  /**
   * @param {number} number Quarter turns clockwise, plus four if the board is mirrored first.
   * @param {number} width Columns of the board.
   * @param {number} height Rows of the board.
   */
  constructor(number, width, height) {
    this.number = number;
    this.isOnItsSide = number % 2 === 1;
    this.columns = this.isOnItsSide ? height : width;
    this.rows = this.isOnItsSide ? width : height;
    /** @type {Map<string, string>} */
    const points = new Map();
    for (let x = 0; x < width; x++) {
      for (let y = 0; y < height; y++) {
        const point = pointText(x, y);
        points.set(String(turned(number, width, height, point)), point);
      }
    }
    this.points = points;
    this.width = width;
    this.height = height;
  }

  /**
   * The column from the left and the row from the top of a point, from zero.
   * @param {string} point
   */
  place(point) {
    return turned(this.number, this.width, this.height, point);
  }

  /**
   * The point at a column and a row, clamped to the board.
   * @param {number} column
   * @param {number} row
   */
  point(column, row) {
    const within = (/** @type {number} */ n, /** @type {number} */ count) => Math.min(Math.max(n, 0), count - 1);
    return this.points.get(String([within(column, this.columns), within(row, this.rows)])) ?? "";
  }
}

/**
 * @param {number} number
 * @param {number} width
 * @param {number} height
 * @param {string} point
 */
function turned(number, width, height, point) {
  const { x, y } = pointPlace(point);
  let [column, row] = [number < 4 ? x : width - 1 - x, height - 1 - y];
  let [across, down] = [width, height];
  for (let turn = 0; turn < number % 4; turn++) {
    [column, row] = [down - 1 - row, column];
    [across, down] = [down, across];
  }
  return [column, row];
}
