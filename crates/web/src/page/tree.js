// The game tree. The program sends all nodes once, and then changes.
// @ts-check

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").NodeView} TreeNode */

/**
 * The changes since the last display: where the tree is reshaped, it is displayed anew.
 * @typedef {{reshaped: boolean, added: number[], changed: number[]}} Changes
 */

/** @typedef {"first" | "previous" | "next" | "last" | "up" | "down"} Step */

/** @returns {Changes} */
const noChanges = () => ({ reshaped: false, added: [], changed: [] });

export class Tree {
  /** @type {Map<number, TreeNode>} */
  #nodes = new Map();
  /** @type {Map<number, number[]>} The children of nodes, the main line first. */
  #children = new Map();
  #changes = noChanges();

  get size() {
    return this.#nodes.size;
  }

  /** @param {State} state */
  receive({ whole, tree, removed }) {
    if (whole !== false) {
      this.#nodes.clear();
      this.#children.clear();
      this.#changes = { ...noChanges(), reshaped: true };
    }
    const reordered = new Set();
    for (const id of removed ?? []) {
      const parent = this.#nodes.get(id)?.parent;
      this.#nodes.delete(id);
      this.#children.delete(id);
      if (parent != null) this.#children.set(parent, this.following(parent).filter((child) => child !== id));
      this.#changes.reshaped = true;
    }
    for (const node of tree) {
      const before = this.#nodes.get(node.id);
      this.#nodes.set(node.id, node);
      if (before) {
        this.#changes.changed.push(node.id);
        if ((before.rank ?? 0) !== (node.rank ?? 0)) reordered.add(node.parent);
      } else if (node.parent !== null) {
        const children = this.following(node.parent);
        if (children.length === 0) this.#children.set(node.parent, children);
        children.push(node.id);
        if ((node.rank ?? 0) !== children.length - 1) reordered.add(node.parent);
        this.#changes.added.push(node.id);
      }
    }
    const rank = (/** @type {number} */ id) => this.#nodes.get(id)?.rank ?? 0;
    for (const parent of reordered) {
      this.following(parent).sort((one, other) => rank(one) - rank(other));
      this.#changes.reshaped = true;
    }
  }

  /** Returns the changes since the last call. */
  takeChanges() {
    const changes = this.#changes;
    this.#changes = noChanges();
    return changes;
  }

  /** @param {number} id */
  node(id) {
    return this.#nodes.get(id);
  }

  /** True if a position has several moves. */
  get hasVariations() {
    for (const children of this.#children.values()) if (children.length > 1) return true;
    return false;
  }

  get root() {
    return this.#nodes.values().next().value;
  }

  /**
   * The children of a node, the main line first.
   * @param {number} id
   */
  following(id) {
    return this.#children.get(id) ?? [];
  }

  /**
   * The node that a step leads to, if there is one. `up` and `down` lead to the previous and the next
   * variation.
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
   * The nodes from the root to a node.
   * @param {number} id
   */
  path(id) {
    const path = [];
    for (let at = this.node(id); at; at = at.parent === null ? undefined : this.node(at.parent)) path.push(at);
    return path.reverse();
  }

  /**
   * The end of the main line through a node.
   * @param {number} id
   */
  end(id) {
    let at = id;
    for (let next = this.following(at)[0]; next !== undefined; next = this.following(at)[0]) at = next;
    return at;
  }
}
