// Help: the rules with positions to try, the meaning of numbers, and the keys.
// @ts-check

import { button, html, svg } from "./dom.js";
import { COPIES } from "./export.js";
import { t } from "./language.js";
import { openingName } from "./opening.js";
import { pointPlace } from "./points.js";
import { open } from "./window.js";

/**
 * Positions in which the point is forbidden to black, in the program's notation.
 * @type {[kind: string, moves: string][]}
 */
const FORBIDDEN = [
  ["double_three", "d5a1f5a9e4i1e6i9"],
  ["double_four", "b5a1c5a9d5i1e2i9e3a3e4i7"],
  ["overline", "b5a1c5a9d5i1f5i9g5b9"],
];
const POINT = "e5";

/**
 * An example of each opening rule: the stones, the reach of a square around the centre, and offers for
 * the fifth move.
 * @type {Record<string, {stones: string, square?: number, offers?: string[]}>}
 */
const OPENINGS = {
  free: { stones: "e5" },
  swap1: { stones: "b3" },
  swap2: { stones: "e5f7d3" },
  pro: { stones: "e5f6h4", square: 2 },
  "long-pro": { stones: "e5f6i4", square: 3 },
  rif: { stones: "e5e6f6d7", square: 2, offers: ["f4", "g5"] },
  yamaguchi: { stones: "e5f6g5c6", square: 2, offers: ["d4", "f3", "g7"] },
  soosorv: { stones: "e5f6f4d6", square: 2, offers: ["g5", "e3", "c4", "f7"] },
  tarannikov: { stones: "e5f6g4c3b7", square: 4 },
  taraguchi: { stones: "e5e6f4d3", offers: ["f6", "g5", "c5", "f7", "e2", "h4", "d7", "b4", "g3", "c7"] },
};

/**
 * @param {string[]} rules
 * @param {string[]} openings
 * @param {(text: string) => void} show Opens a position.
 */
export function helpDialog(rules, openings, show) {
  const boards = FORBIDDEN.map(([kind, moves]) => html("figure", {},
    forbiddenDiagram(moves, t(`forbidden.${kind}`)),
    html("figcaption", {}, t(`forbidden.${kind}`)),
    button(t("help.try"), () => {
      dialog.close();
      show(`9 renju ${moves}`);
    }, { "aria-label": `${t("help.try")}: ${t(`forbidden.${kind}`)}` })));
  const dialog = open(t("action.help"),
    // Otherwise the first button gets the focus, which is far below.
    html("h3", { tabindex: -1, autofocus: true }, t("help.rules")),
    html("p", {}, t("help.goal")),
    html("ul", {}, ...rules.map((rule) => html("li", {}, t(`rule.${rule}`)))),
    html("h3", {}, t("help.forbidden")),
    html("p", {}, t("help.why")),
    html("div", { class: "boards" }, ...boards),
    html("h3", {}, t("help.openings")),
    html("p", {}, t("help.openings.26")),
    html("div", { class: "boards rules" }, ...openings.map((opening) => html("figure", {},
      openingDiagram(opening), html("figcaption", {}, html("b", {}, openingName(opening)), " ", t(`help.opening.${opening}`))))),
    html("h3", {}, t("help.numbers")),
    html("p", {}, t("analysis.view")),
    html("p", {}, t("help.review")),
    html("h3", {}, t("keys.title")),
    keyTable(),
    html("div", { class: "row end" }, button(t("action.close"), () => dialog.close(), { class: "main" })));
}

/** The table of keyboard shortcuts. */
function keyTable() {
  const keys = /** @type {[string, string][]} */ ([
    ["b", t("keys.board")],
    ["u", t("action.undo")], ["r", t("action.redo")], ["h", t("action.hint")], ["a", t("action.analyse")],
    ["n", t("action.new")], ["g", t("action.games")], ["i", t("action.info")], ["?", t("action.help")],
    ...Object.entries(COPIES).map(([key, what]) => [key, t(`copy.${what}`)]),
    ["t", t("settings.view")], ["m", t("keys.mirror")], ["f", t("keys.full")],
    ["←", t("step.previous")], ["→", t("step.next")], ["↑ ↓", t("keys.branches")], ["Home", t("step.first")], ["End", t("step.last")],
    ["Esc", t("keys.cancel")], ["Ctrl Z", t("action.undo")], ["Ctrl Y", t("action.redo")],
  ]);
  return html("table", { class: "keys" }, html("tbody", {}, ...keys.map(([key, does]) =>
    html("tr", {}, html("th", { scope: "row" }, html("kbd", {}, key)), html("td", {}, does)))));
}

/** The lines of a small board of 9x9, and the pixels of a point. */
const LINES = [...Array(9).keys()].map((n) => 20 + 20 * n);
const place = (/** @type {string} */ point) => [LINES[pointPlace(point).x], 200 - LINES[pointPlace(point).y]];

/**
 * A small board with stones in alternating colours, and marks on it.
 * @param {string} moves
 * @param {string} name Empty if the text beside it says the same.
 * @param {Node[]} marks
 */
function diagram(moves, name, marks) {
  const stones = (moves.match(/[a-i]\d/g) ?? []).map((point, i) => {
    const [cx, cy] = place(point);
    return svg("circle", { class: `disc ${i % 2 === 0 ? "black" : "white"}`, cx, cy, r: 9 });
  });
  const label = name ? { role: "img", "aria-label": name } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: "0 0 200 200", ...label },
    svg("rect", { class: "plate", width: 200, height: 200, rx: 6 }),
    svg("path", { class: "lines", d: LINES.map((n) => `M20 ${n}H180M${n} 20V180`).join("") }),
    ...stones, ...marks);
}

/**
 * A position in which a point is forbidden, with a cross on the point.
 * @param {string} moves
 * @param {string} name
 */
function forbiddenDiagram(moves, name) {
  const [x, y] = place(POINT);
  return diagram(moves, name, [svg("path", { class: "forbidden", d: `M${x - 5} ${y - 5}l10 10M${x + 5} ${y - 5}l-10 10` })]);
}

/**
 * The example of an opening rule: numbered stones, the square, and circles for offers.
 * @param {string} opening
 */
function openingDiagram(opening) {
  const { stones, square = 0, offers = [] } = OPENINGS[opening] ?? { stones: "" };
  const side = 40 * square + 20;
  const numbers = (stones.match(/[a-i]\d/g) ?? []).map((point, i) => {
    const [x, y] = place(point);
    return svg("text", { class: i % 2 === 0 ? "on-black" : "on-white", x, y: y + 4 }, String(i + 1));
  });
  const circles = offers.map((point) => {
    const [cx, cy] = place(point);
    return svg("circle", { class: "offer", cx, cy, r: 8 });
  });
  const frame = square > 0 ? [svg("rect", { class: "square", x: 100 - side / 2, y: 100 - side / 2, width: side, height: side })] : [];
  return diagram(stones, "", [...frame, ...numbers, ...circles]);
}
