// Help: the rules with positions to try, the meaning of numbers, and the keys.
// @ts-check

import { button, html, svg } from "./dom.js";
import { COPIES } from "./export.js";
import { t } from "./language.js";
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
 * @param {string[]} rules
 * @param {(text: string) => void} show Opens a position.
 */
export function helpDialog(rules, show) {
  const boards = FORBIDDEN.map(([kind, moves]) => html("figure", {},
    diagram(moves, t(`forbidden.${kind}`)),
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

/**
 * A small board with stones in alternating colours, and a cross on the forbidden point.
 * @param {string} moves
 * @param {string} name
 */
function diagram(moves, name) {
  const along = [...Array(9).keys()].map((n) => 20 + 20 * n);
  const place = (/** @type {string} */ point) => [along[pointPlace(point).x], 200 - along[pointPlace(point).y]];
  const stones = (moves.match(/[a-i]\d/g) ?? []).map((point, i) => {
    const [cx, cy] = place(point);
    return svg("circle", { class: `disc ${i % 2 === 0 ? "black" : "white"}`, cx, cy, r: 9 });
  });
  const [x, y] = place(POINT);
  return svg("svg", { viewBox: "0 0 200 200", role: "img", "aria-label": name },
    svg("rect", { class: "plate", width: 200, height: 200, rx: 6 }),
    svg("path", { class: "lines", d: along.map((n) => `M20 ${n}H180M${n} 20V180`).join("") }),
    ...stones, svg("path", { class: "forbidden", d: `M${x - 5} ${y - 5}l10 10M${x + 5} ${y - 5}l-10 10` }));
}
