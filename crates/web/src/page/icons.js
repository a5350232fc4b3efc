// Icons of the buttons of the header and the game. On small screens those of the header have no visible
// label; screen readers read it still.
// @ts-check

import { button, html, svg } from "./dom.js";

const QUESTION = "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v0";
const BULB = "M12 3a6 6 0 0 0-3 11v3h6v-3a6 6 0 0 0-3-11M10 20h4";

/** @type {Record<string, string>} */
const PATHS = {
  new: "M12 4v16M4 12h16",
  setup: "M4 20l1-5L16 4l4 4L9 19z",
  open: "M3 6h6l2 2h10v11H3z",
  games: "M4 5h4v4H4zM12 7h8M4 15h4v4H4zM12 17h8",
  export: "M12 15V4M7 9l5-5 5 5M5 14v6h14v-6",
  settings: "M4 7h16M4 12h16M4 17h16M9 5v4M15 10v4M7 15v4",
  help: QUESTION,
  why: QUESTION,
  other: "M5 4v16h14V4M9 8v0M15 8v0M9 12v0M15 12v0M9 16v0M15 16v0",
  gomoku: "M3 7h18M3 17h18M7 3v18M17 3v18M12 12v0",
  puzzles: BULB,
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3",
  hint: BULB,
  resign: "M6 21V4M6 4h12l-3 4 3 4H6",
  draw: "M5 9h14M5 15h14",
  pass: "M6 5l6 7-6 7M13 5l6 7-6 7",
  rematch: "M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5",
  review: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4",
  resume: "M8 5l11 7-11 7z",
  pause: "M9 5v14M15 5v14",
  conditional: "M4 12h6l8-6M10 12l8 6M14 5h5v5M14 19h5v-5",
  back: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 20c0-7 10-7 10 0M16 11a3 3 0 1 0 0-6M16 14c3 0 5 2 5 6",
};

/**
 * An icon and its label.
 * @param {string} name
 * @param {string} label
 */
export const icon = (name, label) => [
  svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] ?? "" })),
  html("span", { class: "word" }, label),
];

/**
 * A button with an icon and a label.
 * @param {string} name
 * @param {string} label
 * @param {() => void} act
 * @param {Record<string, any>} attributes
 */
export function iconButton(name, label, act, attributes) {
  const it = button("", act, { ...attributes, title: label });
  it.replaceChildren(...icon(name, label));
  return it;
}
