// Threats on the board: symbols on their points, and rings around their stones, with lines from these
// to the points.
// @ts-check

import { svg } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").ThreatView} Threat */

/** The maximum number of threats in the text. */
const MAX_LISTED = 3;

/**
 * The symbols of threats.
 * @type {Record<string, string>}
 */
const SIGNS = { five: "5", open_four: "4+", four_three: "43", four: "4", double_three: "33" };

/**
 * @param {Threat[]} threats
 * @param {(point: string) => number[]} place The coordinates of a point in the drawing.
 */
export function threatMarks(threats, place) {
  // Threats may share stones and lines.
  const rings = new Set(threats.flatMap(({ stones }) => stones));
  const paths = new Set(threats.flatMap(({ point, stones }) =>
    stones.map((stone) => `M${place(stone).join(" ")}L${place(point).join(" ")}`)));
  const lines = [
    svg("path", { class: "threat-line", d: [...paths].join("") }),
    ...[...rings].map((stone) => {
      const [cx, cy] = place(stone);
      return svg("circle", { class: "threat-stone", cx, cy, r: 13 });
    }),
  ];
  const signs = threats.map(({ point, color, kind }) => {
    const [x, y] = place(point);
    const shift = color === "black" ? -9 : 9;
    return svg("g", { class: `threat ${color}` },
      svg("circle", { cx: x + shift, cy: y, r: 9 }), svg("text", { x: x + shift, y }, SIGNS[kind] ?? ""));
  });
  return threats.length > 0 ? { lines, signs } : { lines: [], signs: [] };
}

/**
 * The strongest threats as text, one of each kind and colour.
 * @param {Threat[]} threats
 */
export function threatText(threats) {
  const isFirst = (/** @type {Threat} */ { kind, color }, /** @type {number} */ at) =>
    threats.findIndex((other) => other.kind === kind && other.color === color) === at;
  return threats.filter(isFirst).slice(0, MAX_LISTED).map(({ color, point, kind, stones }) =>
    `${SIGNS[kind]} ${t(`threat.${kind}`, { color: t(color), point })} (${stones.join(" ")})`).join(" · ");
}
