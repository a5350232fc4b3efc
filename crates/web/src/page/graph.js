// The variations of a game as a graph: a row for each move, and a lane for each line. Only its visible
// part is in the document.
// @ts-check

import { html, set, svg } from "./dom.js";
import { t } from "./language.js";
import { MARKS } from "./moves.js";

/** @typedef {import("./tree.js").Tree} Tree */

/** The place of a node, and the number of variations that it is in. @typedef {{id: number, lane: number, row: number, level: number}} Place */

/** The distance of lanes and rows, in pixels. */
const STEP = 22;
/** The radius of a node. */
const RADIUS = 7;

const at = (/** @type {number} */ n) => n * STEP + STEP / 2;

/** The keys of steps. @type {Record<string, import("./tree.js").Step>} */
const STEPS = { ArrowUp: "previous", ArrowDown: "next", ArrowLeft: "up", ArrowRight: "down", Home: "first", End: "last" };

/**
 * The nodes of a tree by their rows, each with increasing lanes. A line has a lane of its own for its
 * length. Later variations of a line are placed first: the edges do not cross.
 * @param {Tree} tree
 * @param {Set<number>} collapsed The nodes without their variations.
 */
function layOut(tree, collapsed) {
  /** @type {Place[][]} */
  const rows = [];
  /** @type {[id: number, row: number, level: number][]} */
  const pending = tree.root ? [[tree.root.id, 0, 1]] : [];
  for (let it = pending.pop(); it; it = pending.pop()) {
    const [first, top, level] = it;
    const line = [first];
    for (let next = tree.following(first)[0]; next !== undefined; next = tree.following(next)[0]) line.push(next);
    const lane = 1 + line.reduce((most, _, i) => Math.max(most, rows[top + i]?.at(-1)?.lane ?? -1), -1);
    line.forEach((id, i) => {
      (rows[top + i] ??= []).push({ id, lane, row: top + i, level });
      if (collapsed.has(id)) return;
      for (const variation of tree.following(id).slice(1).reverse()) pending.push([variation, top + i + 1, level + 1]);
    });
  }
  return rows;
}

export class VariationGraph {
  /** @type {Place[][]} */
  #rows = [];
  /** @type {Map<number, Place>} */
  #places = new Map();
  /** The nodes whose variations are hidden. @type {Set<number>} */
  #collapsed = new Set();
  /** The present node. */
  #node = 0;
  /** The nodes up to the present one. @type {Set<number>} */
  #path = new Set();
  #isDrawing = false;

  /**
   * @param {Tree} tree
   * @param {{goTo: (node: number) => void, step: (step: import("./tree.js").Step) => void}} handlers
   */
  constructor(tree, handlers) {
    this.tree = tree;
    this.handlers = handlers;
    this.drawing = svg("svg", { role: "none" });
    this.element = html("div", { class: "graph", role: "tree", tabindex: 0, hidden: true }, this.drawing);
    this.element.addEventListener("scroll", () => this.#drawSoon());
    new ResizeObserver(() => this.#drawSoon()).observe(this.element);
    this.drawing.addEventListener("click", ({ target }) => {
      const { node, toggle } = /** @type {SVGElement | null} */ (/** @type {Element} */ (target).closest("[data-node], [data-toggle]"))?.dataset ?? {};
      if (toggle !== undefined) this.#toggle(Number(toggle));
      else if (node !== undefined) handlers.goTo(Number(node));
    });
    this.element.addEventListener("keydown", (event) => {
      const step = event.ctrlKey || event.altKey || event.metaKey ? undefined : STEPS[event.key];
      if (step) handlers.step(step);
      else if (event.key === "Enter" || event.key === " ") this.#toggle(this.#node);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /**
   * @param {number} node The present node.
   * @param {{isOther: boolean, isChanged: boolean}} since The changes: another game, or other nodes.
   */
  show(node, { isOther, isChanged }) {
    if (isOther) this.#collapsed.clear();
    const isMoved = isOther || isChanged || node !== this.#node;
    this.#node = node;
    const path = this.tree.path(node);
    this.#path = new Set(path.map(({ id }) => id));
    // The present position is never hidden.
    const hiding = path.filter(({ id, rank }, i) => i > 0 && rank && this.#collapsed.delete(path[i - 1].id));
    if (isOther || isChanged || hiding.length > 0) this.#layOut();
    set(this.element, { "aria-label": t("game.variations") });
    if (this.element.hidden) return;
    if (isMoved) this.#scroll();
    this.#draw();
  }

  #layOut() {
    this.element.hidden = !this.tree.hasVariations;
    if (this.element.hidden) return;
    this.#rows = layOut(this.tree, this.#collapsed);
    this.#places = new Map(this.#rows.flatMap((row) => row.map((place) => [place.id, place])));
    const lanes = this.#rows.reduce((most, row) => Math.max(most, row.at(-1)?.lane ?? 0), 0) + 1;
    set(this.drawing, { width: lanes * STEP, height: this.#rows.length * STEP });
  }

  /** @param {number} id Hides or shows the variations after this node. */
  #toggle(id) {
    if (this.tree.following(id).length < 2) return;
    if (!this.#collapsed.delete(id)) this.#collapsed.add(id);
    this.#layOut();
    this.#draw();
    if (!this.#places.has(this.#node)) this.handlers.goTo(id);
  }

  /** Scrolls the graph, but not the page, to the present node. */
  #scroll() {
    const { element } = this;
    const place = this.#places.get(this.#node);
    if (!place) return;
    const nearest = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ n) =>
      Math.max(Math.min(from, (n - 1) * STEP), (n + 2) * STEP - size, 0);
    element.scrollTop = nearest(element.scrollTop, element.clientHeight, place.row);
    element.scrollLeft = nearest(element.scrollLeft, element.clientWidth, place.lane);
  }

  #drawSoon() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      if (!this.element.hidden) this.#draw();
    });
  }

  /** Draws the visible part. */
  #draw() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.element;
    const first = Math.max(Math.floor(scrollTop / STEP) - 1, 0);
    const left = Math.floor(scrollLeft / STEP) - 1;
    const right = Math.ceil((scrollLeft + clientWidth) / STEP);
    const edges = [];
    const nodes = [];
    for (const row of this.#rows.slice(first, Math.ceil((scrollTop + clientHeight) / STEP) + 1)) {
      for (let i = lowerBound(row, left); i < row.length; i++) {
        edges.push(...this.#edge(row[i]));
        nodes.push(this.#circle(row[i]));
        // The edge to the next node on the right may pass through.
        if (row[i].lane > right) break;
      }
    }
    // Those of the path lie above the others.
    edges.sort((one, other) => Number(one.classList.contains("path")) - Number(other.classList.contains("path")));
    this.drawing.replaceChildren(...edges, ...nodes, ...nodes.flatMap((node) => this.#fold(Number(node.dataset.node))));
    // It names a node that is drawn.
    const active = `node-${this.#node}`;
    set(this.element, { "aria-activedescendant": nodes.some(({ id }) => id === active) && active });
  }

  /**
   * The edge from the parent to a node.
   * @param {Place} place
   */
  #edge({ id, lane, row }) {
    const parent = this.#places.get(this.tree.node(id)?.parent ?? -1);
    if (!parent) return [];
    const d = `M${at(parent.lane)} ${at(parent.row)}V${row * STEP}H${at(lane)}V${at(row)}`;
    return [svg("path", { class: this.#path.has(id) ? "edge path" : "edge", d })];
  }

  /** @param {Place} place */
  #circle({ id, lane, row, level }) {
    const node = this.tree.node(id);
    const siblings = node?.parent == null ? [id] : this.tree.following(node.parent);
    const isStart = node?.parent == null;
    const label = isStart ? t("game.start") : `${node?.number}. ${node?.point}${MARKS[node?.mark ?? ""] ?? ""} ${t(node?.color ?? "black")}`;
    return svg("g", {
      class: `node ${isStart ? "start" : node?.color} ${node?.mark ?? ""} ${this.#path.has(id) ? "path" : ""}`, role: "treeitem",
      id: `node-${id}`, "data-node": id, "aria-label": label, "aria-level": level, "aria-selected": String(id === this.#node),
      "aria-expanded": this.tree.following(id).length > 1 ? String(!this.#collapsed.has(id)) : null,
      "aria-setsize": siblings.length, "aria-posinset": siblings.indexOf(id) + 1,
    }, svg("title", {}, label), svg("rect", { x: lane * STEP, y: row * STEP, width: STEP, height: STEP }),
      svg("circle", { cx: at(lane), cy: at(row), r: RADIUS }));
  }

  /**
   * The sign that hides or shows the variations after a node.
   * @param {number} id
   */
  #fold(id) {
    const place = this.#places.get(id);
    if (!place || this.tree.following(id).length < 2) return [];
    const [x, y] = [(place.lane + 1) * STEP, (place.row + 1) * STEP];
    const plus = this.#collapsed.has(id) ? `M${x} ${y - 3}v6` : "";
    return [svg("g", { class: "fold", "data-toggle": id, "aria-hidden": "true" },
      svg("rect", { x: x - 8, y: y - 8, width: 16, height: 16 }), svg("circle", { cx: x, cy: y, r: 6 }),
      svg("path", { d: `M${x - 3} ${y}h6${plus}` }))];
  }
}

/**
 * The index of the first node of a row in this lane or a later one.
 * @param {Place[]} row
 * @param {number} lane
 */
function lowerBound(row, lane) {
  let [from, to] = [0, row.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (row[middle].lane < lane) from = middle + 1;
    else to = middle;
  }
  return from;
}
