// The positions of the game, as the program told of them: all at first, then what changes.
// @ts-check

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").NodeView} TreeNode */

/**
 * The new nodes of the tree: all of them where it is reshaped.
 * @typedef {{reshaped: boolean, added: number[], changed: number[]}} News
 */

/** @typedef {"first" | "previous" | "next" | "last" | "up" | "down"} Step */

/** @returns {News} */
const nothing = () => ({ reshaped: false, added: [], changed: [] });

export class Tree {
  /** @type {Map<number, TreeNode>} */
  #nodes = new Map();
  /** @type {Map<number, number[]>} What follows a position, the main line first. */
  #children = new Map();
  #news = nothing();

  get size() {
    return this.#nodes.size;
  }

  /** @param {State} state */
  hear({ whole, tree, removed }) {
    if (whole !== false) {
      this.#nodes.clear();
      this.#children.clear();
      this.#news = { ...nothing(), reshaped: true };
    }
    const reordered = new Set();
    for (const id of removed ?? []) {
      const parent = this.#nodes.get(id)?.parent;
      this.#nodes.delete(id);
      this.#children.delete(id);
      if (parent != null) this.#children.set(parent, this.following(parent).filter((child) => child !== id));
      this.#news.reshaped = true;
    }
    for (const node of tree) {
      const before = this.#nodes.get(node.id);
      this.#nodes.set(node.id, node);
      if (before) {
        this.#news.changed.push(node.id);
        if ((before.rank ?? 0) !== (node.rank ?? 0)) reordered.add(node.parent);
      } else if (node.parent !== null) {
        const children = this.following(node.parent);
        if (children.length === 0) this.#children.set(node.parent, children);
        children.push(node.id);
        if ((node.rank ?? 0) !== children.length - 1) reordered.add(node.parent);
        this.#news.added.push(node.id);
      }
    }
    const rank = (/** @type {number} */ id) => this.#nodes.get(id)?.rank ?? 0;
    for (const parent of reordered) {
      this.following(parent).sort((one, other) => rank(one) - rank(other));
      this.#news.reshaped = true;
    }
  }

  /** Takes the nodes that are new since the last call. */
  news() {
    const news = this.#news;
    this.#news = nothing();
    return news;
  }

  /** @param {number} id */
  node(id) {
    return this.#nodes.get(id);
  }

  /** The start. */
  get root() {
    return this.#nodes.values().next().value;
  }

  /**
   * The positions after one, the main line's first.
   * @param {number} id
   */
  following(id) {
    return this.#children.get(id) ?? [];
  }

  /**
   * The position that a step leads to, if there is one. `up` and `down` lead to the previous and
   * the next variation at this move.
   * @param {number} id
   * @param {Step} step
   */
  step(id, step) {
    const parent = this.node(id)?.parent;
    const branches = parent == null ? [] : this.following(parent);
    const at = branches.indexOf(id);
    const to = {
      first: () => this.root?.id, previous: () => parent, next: () => this.following(id)[0], last: () => this.end(id),
      up: () => branches[at - 1], down: () => branches[at + 1],
    }[step]();
    return to === id ? undefined : to;
  }

  /**
   * The positions from the start to one.
   * @param {number} id
   */
  path(id) {
    const path = [];
    for (let at = this.node(id); at; at = at.parent === null ? undefined : this.node(at.parent)) path.push(at);
    return path.reverse();
  }

  /**
   * The last position of the main line from one on.
   * @param {number} id
   */
  end(id) {
    let at = id;
    for (let next = this.following(at)[0]; next !== undefined; next = this.following(at)[0]) at = next;
    return at;
  }
}
