// The moves of the game with their variations, and the remark about a position.
// @ts-check

import { button, byId, html, refill, set } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").TreeNode} TreeNode */

/**
 * @typedef {object} Wishes
 * @property {(node: number) => void} goTo
 * @property {(node: number) => void} remove
 * @property {(node: number) => void} promote
 * @property {(node: number, text: string) => void} comment
 */

/**
 * The main line first, then its variations.
 * @param {TreeNode} one
 * @param {TreeNode} other
 */
export const byRank = (one, other) => (one.rank ?? 0) - (other.rank ?? 0);

/** The longest remark. The program takes 10,000 bytes, and a unit of UTF-16 is three at most. */
const LONGEST_REMARK = 3333;

export class MovesView {
  /** @param {Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    this.list = html("div", { class: "moves", role: "group" });
    this.comment = html("textarea", { rows: 2, maxlength: LONGEST_REMARK });
    /** @type {State | undefined} */
    this.state = undefined;
    /** The position that the remark is about. It stays while somebody writes. */
    this.about = 0;
    this.comment.addEventListener("change", () => wishes.comment(this.about, this.comment.value));
    this.comment.addEventListener("blur", () => {
      if (this.about !== this.state?.node) this.#showComment();
    });
    this.tools = html("div", { class: "row tools" });
    byId("game").append(this.list, this.tools, this.comment);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const { tree, node } = state;
    /** @type {Map<number | null, TreeNode[]>} */
    const children = new Map();
    for (const entry of tree) {
      const siblings = children.get(entry.parent);
      if (siblings) siblings.push(entry);
      else children.set(entry.parent, [entry]);
    }
    for (const siblings of children.values()) siblings.sort(byRank);
    const root = tree[0];
    const here = tree.find(({ id }) => id === node);
    set(this.list, { "aria-label": t("game.moves") });
    const moves = document.createDocumentFragment();
    moves.append(this.#move(root, node, t("game.start")));
    if (root) this.#write(moves, root, children, node);
    refill(this.list, moves);
    this.#scroll();

    const inVariation = here !== undefined && here.parent !== null;
    const tool = (/** @type {string} */ name, /** @type {() => void} */ act) =>
      button(t(`action.${name}`), act, { disabled: !inVariation, class: "quiet", "data-name": name });
    refill(this.tools,
      tool("promote", () => this.wishes.promote(node)), tool("delete", () => this.wishes.remove(node)));
    set(this.comment, { "aria-label": t("game.comment"), placeholder: t("game.comment") });
    if (document.activeElement !== this.comment) this.#showComment();
  }

  /** Shows the remark about the position that is shown. */
  #showComment() {
    const { tree, node } = /** @type {State} */ (this.state);
    this.about = node;
    this.comment.value = tree.find(({ id }) => id === node)?.comment ?? "";
  }

  /** Brings the move that is shown into the list's view, and leaves the page alone. */
  #scroll() {
    const current = this.list.querySelector("[aria-current]");
    if (!current) return;
    const view = this.list.getBoundingClientRect();
    const move = current.getBoundingClientRect();
    if (move.top < view.top) this.list.scrollTop -= view.top - move.top;
    if (move.bottom > view.bottom) this.list.scrollTop += move.bottom - view.bottom;
  }

  /**
   * Writes what follows a node: the main line flat, variations as blocks.
   * @param {ParentNode} list
   * @param {TreeNode} from
   * @param {Map<number | null, TreeNode[]>} children
   * @param {number} node
   */
  #write(list, from, children, node) {
    /** @type {TreeNode | undefined} */
    let at = from;
    while (at) {
      const [main, ...variations] = /** @type {TreeNode[]} */ (children.get(at.id) ?? []);
      if (main) list.append(this.#move(main, node));
      for (const variation of variations) {
        const block = html("div", { class: "variation" });
        block.append(this.#move(variation, node));
        this.#write(block, variation, children, node);
        list.append(block);
      }
      at = main;
    }
  }

  /**
   * @param {TreeNode} entry
   * @param {number} node
   * @param {string} [label]
   */
  #move(entry, node, label) {
    const text = label ?? `${entry.number}. ${entry.point}`;
    const current = entry.id === node ? { "aria-current": "true" } : {};
    return button(text, () => this.wishes.goTo(entry.id), {
      class: `move ${entry.color}${entry.comment ? " remarked" : ""}`, title: entry.comment, "data-name": entry.id,
      ...current,
    });
  }
}
