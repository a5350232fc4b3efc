// The moves of the game with their variations, and the remark about a position.
// @ts-check

import { button, byId, html, refill, set, update } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").NodeView} TreeNode */
/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Wishes
 * @property {(node: number) => void} goTo
 * @property {(step: import("./tree.js").Step) => void} step
 * @property {(node: number) => void} remove
 * @property {(node: number) => void} promote
 * @property {(node: number, text: string) => boolean} comment Returns true if the program hears it.
 * @property {() => void} label Begins to put labels on the board, or ends it.
 */

/** The longest remark. The program takes 10,000 bytes, and a unit of UTF-16 is three at most. */
const LONGEST_REMARK = 3333;

/**
 * The signs of the marks of moves.
 * @type {Record<string, string>}
 */
export const MARKS = { doubtful: "?!", bad: "?", very_bad: "??" };

/** The length of a remark in the list, in characters. */
const SHORT = 160;

/** A remark is kept when nothing was typed for so many milliseconds. */
const PAUSE = 400;

export class MovesView {
  /**
   * @param {Wishes} wishes
   * @param {Tree} tree
   */
  constructor(wishes, tree) {
    this.wishes = wishes;
    this.tree = tree;
    this.list = html("div", { class: "moves", role: "group" });
    this.list.addEventListener("click", (event) => {
      const move = /** @type {Element} */ (event.target).closest(".move");
      if (move) wishes.goTo(Number(move.getAttribute("data-name")));
    });
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    /** The language that the list is written in. */
    this.written = "";
    /** The game and the position that are shown. @type {number | undefined} */
    this.game = undefined;
    this.node = 0;
    this.comment = html("textarea", { rows: 2, maxlength: LONGEST_REMARK });
    /** The position that the remark is about. It stays while the user writes. */
    this.about = 0;
    /** True if the program has not heard the remark as it stands there. */
    this.unheard = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
    this.comment.addEventListener("input", () => {
      this.unheard = true;
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.#tellComment(), PAUSE);
    });
    this.comment.addEventListener("change", () => this.#tellComment());
    this.comment.addEventListener("blur", () => {
      if (this.about !== this.node) this.#showComment();
    });
    this.steps = html("div", { class: "row tools steps" });
    this.tools = html("div", { class: "row tools" });
    byId("game").append(this.steps, html("section", { id: "record", role: "tabpanel" }, this.list, this.tools, this.comment));
  }

  /**
   * @param {State} state
   * @param {boolean} labels Whether labels are put on the board.
   */
  show({ game, node }, labels) {
    const { tree } = this;
    const isAnother = game !== this.game;
    this.game = game;
    set(this.list, { "aria-label": t("game.moves") });
    const { reshaped, added, changed } = tree.news();
    const { lang } = document.documentElement;
    if (reshaped || this.written !== lang) this.#writeAll();
    else {
      for (const id of added) this.#add(id);
      for (const id of changed) this.#dress(id);
    }
    this.written = lang;
    this.buttons.get(this.node)?.removeAttribute("aria-current");
    this.node = node;
    this.buttons.get(node)?.setAttribute("aria-current", "true");
    this.#scroll();

    const here = tree.node(node);
    const inVariation = here !== undefined && here.parent !== null;
    const tool = (/** @type {string} */ name, /** @type {() => void} */ act) =>
      button(t(`action.${name}`), act, { disabled: !inVariation, class: "quiet", "data-name": name });
    update(this.tools,
      tool("promote", () => this.wishes.promote(this.node)), tool("delete", () => this.wishes.remove(this.node)));
    this.#showSteps(node, labels);
    set(this.comment, { "aria-label": t("game.comment"), placeholder: t("game.comment") });
    // What was written in another game is not about this one.
    if (isAnother) {
      clearTimeout(this.pause);
      this.unheard = false;
    }
    if (this.unheard) this.#tellComment();
    else if (isAnother || document.activeElement !== this.comment) this.#showComment();
  }

  /**
   * @param {number} node
   * @param {boolean} labels
   */
  #showSteps(node, labels) {
    const steps = /** @type {[import("./tree.js").Step, string][]} */ ([
      ["first", "|◀\ufe0e"], ["previous", "◀\ufe0e"], ["next", "▶\ufe0e"], ["last", "▶\ufe0e|"],
    ]);
    update(this.steps, ...steps.map(([name, sign]) => button(sign, () => this.wishes.step(name), {
      disabled: this.tree.step(node, name) == null, class: "quiet", "data-name": name, "aria-label": t(`step.${name}`), title: t(`step.${name}`),
    })), button("△", this.wishes.label, {
      class: "quiet", "data-name": "label", "aria-pressed": String(labels), "aria-label": t("action.label"), title: t("action.label"),
    }));
  }

  /** Tells the program a remark that it has not heard: before anything else that it is told. */
  keepComment() {
    if (this.unheard) this.#tellComment();
  }

  /** Tells the program the remark. What it does not hear is told again when it is there. */
  #tellComment() {
    clearTimeout(this.pause);
    this.unheard = !this.wishes.comment(this.about, this.comment.value);
  }

  /** Shows the remark about the position that is shown. */
  #showComment() {
    this.keepComment();
    this.about = this.node;
    this.comment.value = this.tree.node(this.node)?.comment ?? "";
  }

  /** Brings the move that is shown into the list's view, and leaves the page alone. */
  #scroll() {
    const current = this.buttons.get(this.node);
    if (!current) return;
    const view = this.list.getBoundingClientRect();
    const move = current.getBoundingClientRect();
    if (move.top < view.top) this.list.scrollTop -= view.top - move.top;
    if (move.bottom > view.bottom) this.list.scrollTop += move.bottom - view.bottom;
  }

  /** Writes every move. */
  #writeAll() {
    const { root } = this.tree;
    this.buttons.clear();
    const moves = document.createDocumentFragment();
    if (root) {
      moves.append(this.#move(root.id));
      this.#write(moves, root.id);
    }
    refill(this.list, moves);
  }

  /**
   * Writes what follows a position: the main line flat, variations as blocks.
   * @param {ParentNode} list
   * @param {number} from
   */
  #write(list, from) {
    // Lines are long: what is still to be written waits here, so that none is too deep.
    /** @type {[ParentNode, number][]} */
    const pending = [[list, from]];
    for (let it = pending.pop(); it; it = pending.pop()) {
      const [line] = it;
      for (let children = this.tree.following(it[1]); children.length > 0;) {
        const [main, ...variations] = children;
        line.append(this.#move(main));
        for (const variation of variations) {
          const block = this.#block(variation);
          line.append(block);
          pending.push([block, variation]);
        }
        children = this.tree.following(main);
      }
    }
  }

  /**
   * Writes a move that is new: at the end of its line, or as a variation.
   * @param {number} id
   */
  #add(id) {
    const parent = this.tree.node(id)?.parent ?? null;
    if (parent === null) return;
    const siblings = this.tree.following(parent);
    const at = siblings.indexOf(id);
    if (at === 0) {
      this.buttons.get(parent)?.parentElement?.append(this.#move(id));
      return;
    }
    const before = this.buttons.get(siblings[at - 1]);
    (at === 1 ? before : before?.parentElement)?.after(this.#block(id));
  }

  /** @param {number} id */
  #block(id) {
    return html("div", { class: "variation" }, this.#move(id));
  }

  /** @param {number} id */
  #move(id) {
    const element = html("button", { type: "button", "data-name": id });
    this.buttons.set(id, element);
    this.#dress(id);
    return element;
  }

  /**
   * Writes what a move's button shows.
   * @param {number} id
   */
  #dress(id) {
    const node = this.tree.node(id);
    const element = this.buttons.get(id);
    if (!node || !element) return;
    const isStart = node.parent === null;
    element.textContent = isStart ? t("game.start") : `${node.number}. ${node.point}${MARKS[node.mark ?? ""] ?? ""}`;
    element.className = `move ${isStart ? "start" : node.color}${node.comment ? " remarked" : ""} ${node.mark ?? ""}`;
    const comment = node.comment ?? "";
    element.title = comment.length > SHORT ? comment : "";
    // The style sheet shows it beside the move.
    element.dataset.remark = comment.length > SHORT ? `${comment.slice(0, SHORT)}…` : comment;
  }
}
