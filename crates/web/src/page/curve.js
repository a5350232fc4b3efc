// The chances of black through the game that is shown, with the moves to look at again.
// @ts-check

import { byId, set, svg, update } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").State} State */
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
    /** It stays when it is drawn anew: no click on it is lost. */
    this.drawing = svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    /** The position that is shown. */
    this.node = 0;
  }

  /**
   * @param {State} state
   * @param {boolean} isShown
   */
  show({ node }, isShown) {
    this.node = node;
    this.graph.hidden = !isShown;
    if (!isShown) return;
    update(this.graph, this.drawing);
    this.draw();
  }

  /** Draws what is known of the line that is shown. */
  draw() {
    const { tree, node, drawing } = this;
    if (this.graph.hidden) return;
    const path = tree.path(node);
    const here = path.length - 1;
    for (let next = tree.following(node)[0]; next !== undefined; next = tree.following(next)[0]) {
      path.push(/** @type {import("./types.js").TreeNode} */ (tree.node(next)));
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
    drawing.onclick = (event) => {
      const box = drawing.getBoundingClientRect();
      const at = Math.round(((event.clientX - box.left) / box.width) * (path.length - 1));
      const node = path[Math.min(Math.max(at, 0), path.length - 1)];
      if (node) this.goTo(node.id);
    };
  }
}
