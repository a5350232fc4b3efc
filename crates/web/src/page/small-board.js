// Small pictures of positions.
// @ts-check

import { svg } from "./dom.js";
import { pointPlace } from "./points.js";

/** @typedef {import("./received.js").State} State */

/**
 * A thumbnail of a position.
 * @param {Pick<State, "width" | "height"> & {stones: Pick<State["stones"][0], "point" | "color">[]}} position
 */
export function smallBoard({ width, height, stones }) {
  const discs = stones.map(({ point, color }) => {
    const { x, y } = pointPlace(point);
    return svg("circle", { class: `disc ${color}`, cx: x + 1, cy: height - y, r: 0.46 });
  });
  const lines = [...Array.from({ length: height }, (_, y) => `M1 ${y + 1}H${width}`), ...Array.from({ length: width }, (_, x) => `M${x + 1} 1V${height}`)];
  return svg("svg", { class: "small-board", viewBox: `0 0 ${width + 1} ${height + 1}`, "aria-hidden": "true" },
    svg("rect", { class: "plate", width: width + 1, height: height + 1 }), svg("path", { d: lines.join("") }), ...discs);
}

/**
 * A thumbnail of the position after some moves.
 * @param {string} size
 * @param {string} moves Such as `h8i9`; `--` is a pass.
 */
export function smallBoardAfter(size, moves) {
  const [width, height = width] = size.split("x").map(Number);
  const points = (moves.match(/--|[a-z]\d+/g) ?? []).map((point, i) => /** @type {const} */ ({ point, color: i % 2 === 0 ? "black" : "white" }));
  return smallBoard({ width, height, stones: points.filter(({ point }) => point !== "--") });
}
