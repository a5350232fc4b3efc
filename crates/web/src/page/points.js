// Points as text: "h8" is in the eighth column from the left and the eighth row from the bottom.
// @ts-check

const A = "a".charCodeAt(0);

/**
 * @param {number} x Column from the left, from zero.
 * @param {number} y Row from the bottom, from zero.
 */
export const pointText = (x, y) => columnLetter(x) + (y + 1);

/** @param {number} x */
export const columnLetter = (x) => String.fromCharCode(A + x);

/**
 * @param {string} point
 * @returns {{x: number, y: number}}
 */
export const pointPlace = (point) => ({
  x: point.charCodeAt(0) - A,
  y: Number(point.slice(1)) - 1,
});
