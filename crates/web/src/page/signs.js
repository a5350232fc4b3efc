// Signs for what the header offers: on a phone they stand there alone, each with its word for
// those who do not see it.
// @ts-check

import { button, html, svg } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  new: "M12 4v16M4 12h16",
  setup: "M4 20l1-5L16 4l4 4L9 19z",
  open: "M3 6h6l2 2h10v11H3z",
  games: "M4 5h4v4H4zM12 7h8M4 15h4v4H4zM12 17h8",
  export: "M12 15V4M7 9l5-5 5 5M5 14v6h14v-6",
  settings: "M4 7h16M4 12h16M4 17h16M9 5v4M15 10v4M7 15v4",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v0",
  other: "M5 4v16h14V4M9 8v0M15 8v0M9 12v0M15 12v0M9 16v0M15 16v0",
  gomoku: "M3 7h18M3 17h18M7 3v18M17 3v18M12 12v0",
  puzzles: "M12 3a6 6 0 0 0-3 11v3h6v-3a6 6 0 0 0-3-11M10 20h4",
  back: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 20c0-7 10-7 10 0M16 11a3 3 0 1 0 0-6M16 14c3 0 5 2 5 6",
};

/**
 * A sign and its word.
 * @param {string} name
 * @param {string} word
 */
export const signed = (name, word) => [
  svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] ?? "" })),
  html("span", { class: "word" }, word),
];

/**
 * A button with a sign and its word.
 * @param {string} name
 * @param {string} word
 * @param {() => void} act
 * @param {Record<string, any>} attributes
 */
export function signedButton(name, word, act, attributes) {
  const it = button("", act, { ...attributes, title: word });
  it.replaceChildren(...signed(name, word));
  return it;
}
