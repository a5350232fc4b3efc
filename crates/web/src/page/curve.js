// The chart of black's winning chance through the game, with its marked moves.
// @ts-check

import { byId, html, set, svg, update } from "./dom.js";
import { t } from "./language.js";
import { MARKS } from "./moves.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./tree.js").Tree} Tree */

const WIDTH = 300;
const HEIGHT = 64;

export class CurveView {
  /**
   * @param {Tree} tree
   * @param {(node: number) => void} goTo
   */
  constructor(tree, goTo) {
    this.tree = tree;
    this.goTo = goTo;
    this.graph = byId("curve");
    /** The element stays when its content is redrawn, so that no click is lost. */
    this.drawing = svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    /** The tooltip: the move under the pointer with its evaluation. */
    this.tip = html("span", { class: "tip", "aria-hidden": "true" });
    /** The present position. */
    this.node = 0;
    /** The line in the chart. @type {import("./received.js").NodeView[]} */
    this.path = [];
    this.drawing.addEventListener("click", (event) => {
      const node = this.#at(event);
      if (node) this.goTo(node.id);
    });
    this.drawing.addEventListener("pointermove", (event) => this.#showTip(this.#at(event)));
    this.drawing.addEventListener("pointerleave", () => (this.tip.textContent = ""));
  }

  /**
   * @param {State} state
   * @param {boolean} isShown
   */
  show({ node }, isShown) {
    this.node = node;
    this.graph.hidden = !isShown;
    if (!isShown) return;
    update(this.graph, this.drawing, this.tip);
    this.draw();
  }

  /** Draws the evaluations of the present line. */
  draw() {
    const { tree, node, drawing } = this;
    if (this.graph.hidden) return;
    const path = this.path = tree.path(node);
    const here = path.length - 1;
    for (let next = tree.following(node)[0]; next !== undefined; next = tree.following(next)[0]) {
      path.push(/** @type {import("./received.js").NodeView} */ (tree.node(next)));
    }
    const xOf = (/** @type {number} */ i) => (i / Math.max(path.length - 1, 1)) * WIDTH;
    const yOf = (/** @type {number} */ chance) => HEIGHT - (chance / 1000) * HEIGHT;
    const known = path.flatMap(({ chance, mark }, i) => (chance === undefined ? [] : [{ x: xOf(i), y: yOf(chance), mark }]));
    const points = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`);
    const dots = known.filter(({ mark }) => mark);
    set(drawing, { "aria-label": t("analysis.curve") });
    drawing.replaceChildren(
      svg("path", { class: "area", d: known.length > 0 ? `M${known[0].x},${HEIGHT}L${points.join("L")}L${known.at(-1)?.x},${HEIGHT}Z` : "" }),
      svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("line", { class: "now", x1: xOf(here), x2: xOf(here), y1: 0, y2: HEIGHT }),
      svg("polyline", { class: "graph", points: points.join(" ") }),
      ...dots.map(({ x, y, mark }) => svg("path", { class: `dot ${mark}`, d: `M${x} ${y}h.01` })));
  }

  /**
   * The position under the pointer.
   * @param {MouseEvent} event
   */
  #at({ clientX }) {
    const { left, width } = this.drawing.getBoundingClientRect();
    const last = this.path.length - 1;
    return this.path[Math.min(Math.max(Math.round(((clientX - left) / width) * last), 0), last)];
  }

  /** @param {import("./received.js").NodeView | undefined} node */
  #showTip(node) {
    if (!node) return;
    const { parent, number, point, chance, mark } = node;
    const move = parent === null ? t("game.start") : `${number}. ${point}${MARKS[mark ?? ""] ?? ""}`;
    this.tip.textContent = chance === undefined ? move : `${move} · ${Math.round(chance / 10)} %`;
  }
}
