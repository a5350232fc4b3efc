// The move list with variations, their graph, and the comment on a position.
// @ts-check

import { button, byId, html, refill, set, update } from "./dom.js";
import { VariationGraph } from "./graph.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").NodeView} TreeNode */
/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Handlers
 * @property {(node: number) => void} goTo
 * @property {(step: import("./tree.js").Step) => void} step
 * @property {(node: number) => void} remove
 * @property {(node: number) => void} promote
 * @property {(node: number, text: string) => boolean} comment Returns false if it could not be sent.
 * @property {() => void} toggleLabels Begins or ends labelling points.
 * @property {() => void} editInfo Opens the dialog for names, event, date and result.
 */

/** The maximum length of a comment: the program takes 10,000 bytes, at most three a UTF-16 unit. */
const MAX_COMMENT = 3333;

/**
 * The annotation symbols of marked moves.
 * @type {Record<string, string>}
 */
export const MARKS = { doubtful: "?!", bad: "?", very_bad: "??" };

/** The length to which comments are cut in the list, in characters. */
const MAX_SHOWN = 160;

/** The pause in typing after which a comment is sent, in milliseconds. */
const TYPING_PAUSE = 400;

export class MovesView {
  /**
   * @param {Handlers} handlers
   * @param {Tree} tree
   */
  constructor(handlers, tree) {
    this.handlers = handlers;
    this.tree = tree;
    this.list = html("div", { class: "moves", role: "group" });
    this.list.addEventListener("click", (event) => {
      const move = /** @type {Element} */ (event.target).closest(".move");
      if (move) handlers.goTo(Number(move.getAttribute("data-name")));
    });
    this.graph = new VariationGraph(tree, handlers);
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    /** The language of the list. */
    this.language = "";
    /** The game and the position that are shown. @type {number | undefined} */
    this.game = undefined;
    this.node = 0;
    this.comment = html("textarea", { rows: 2, maxlength: MAX_COMMENT });
    /** The position of the comment. It stays while the user types. */
    this.commented = 0;
    /** True if the comment has changes that were not sent yet. */
    this.unsent = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pause = undefined;
    this.comment.addEventListener("input", () => {
      this.unsent = true;
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.#sendComment(), TYPING_PAUSE);
    });
    this.comment.addEventListener("change", () => this.#sendComment());
    this.comment.addEventListener("blur", () => {
      if (this.commented !== this.node) this.#showComment();
    });
    this.steps = html("div", { class: "row tools steps" });
    this.tools = html("div", { class: "row tools" });
    byId("game").append(this.steps, html("section", { id: "record", role: "tabpanel" },
      html("div", { class: "record" }, this.list, this.graph.element), this.tools, this.comment));
  }

  /**
   * @param {State} state
   * @param {boolean} labels True if points are being labelled.
   */
  show({ game, node }, labels) {
    const { tree } = this;
    const isAnother = game !== this.game;
    this.game = game;
    set(this.list, { "aria-label": t("game.moves") });
    const { reshaped, added, changed } = tree.takeChanges();
    const { lang } = document.documentElement;
    if (reshaped || this.language !== lang) this.#writeAll();
    else {
      for (const id of added) this.#add(id);
      for (const id of changed) this.#updateButton(id);
    }
    this.language = lang;
    this.buttons.get(this.node)?.removeAttribute("aria-current");
    this.node = node;
    this.buttons.get(node)?.setAttribute("aria-current", "true");
    this.#scroll();
    this.graph.show(node, { isOther: isAnother, isChanged: reshaped || added.length > 0 });

    const here = tree.node(node);
    const inVariation = here !== undefined && here.parent !== null;
    const tool = (/** @type {string} */ name, /** @type {() => void} */ act) =>
      button(t(`action.${name}`), act, { disabled: !inVariation, class: "quiet", "data-name": name });
    update(this.tools,
      tool("promote", () => this.handlers.promote(this.node)), tool("delete", () => this.handlers.remove(this.node)));
    this.#showSteps(node, labels);
    set(this.comment, { "aria-label": t("game.comment"), placeholder: t("game.comment") });
    // An unsent comment on another game is lost.
    if (isAnother) {
      clearTimeout(this.pause);
      this.unsent = false;
    }
    if (this.unsent) this.#sendComment();
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
    update(this.steps, ...steps.map(([name, sign]) => button(sign, () => this.handlers.step(name), {
      disabled: this.tree.step(node, name) == null, class: "quiet", "data-name": name, "aria-label": t(`step.${name}`), title: t(`step.${name}`),
    })), button("△", this.handlers.toggleLabels, {
      class: "quiet", "data-name": "label", "aria-pressed": String(labels), "aria-label": t("action.label"), title: t("action.label"),
    }), button("✎", this.handlers.editInfo, {
      class: "quiet", "data-name": "info", "aria-label": t("action.info"), title: t("action.info"),
    }));
  }

  /** Sends a comment that was edited and not sent yet. */
  flushComment() {
    if (this.unsent) this.#sendComment();
  }

  /** Sends the comment, again if the connection was lost. */
  #sendComment() {
    clearTimeout(this.pause);
    this.unsent = !this.handlers.comment(this.commented, this.comment.value);
  }

  /** Shows the comment on the present position. */
  #showComment() {
    this.flushComment();
    this.commented = this.node;
    this.comment.value = this.tree.node(this.node)?.comment ?? "";
  }

  /** Scrolls the list, but not the page, to the present move. */
  #scroll() {
    const current = this.buttons.get(this.node);
    if (!current) return;
    const view = this.list.getBoundingClientRect();
    const move = current.getBoundingClientRect();
    if (move.top < view.top) this.list.scrollTop -= view.top - move.top;
    if (move.bottom > view.bottom) this.list.scrollTop += move.bottom - view.bottom;
  }

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
   * Writes the moves after a position: the main line inline, variations as blocks.
   * @param {ParentNode} list
   * @param {number} from
   */
  #write(list, from) {
    // Lines can be long: a stack of its own keeps recursion from overflowing the call stack.
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
   * Adds a move at the end of its line, or as a variation.
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
    this.#updateButton(id);
    return element;
  }

  /**
   * Updates the button of a move.
   * @param {number} id
   */
  #updateButton(id) {
    const node = this.tree.node(id);
    const element = this.buttons.get(id);
    if (!node || !element) return;
    const isStart = node.parent === null;
    element.textContent = isStart ? t("game.start") : `${node.number}. ${node.point}${MARKS[node.mark ?? ""] ?? ""}`;
    element.className = `move ${isStart ? "start" : node.color}${node.comment ? " remarked" : ""} ${node.mark ?? ""}`;
    const comment = node.comment ?? "";
    element.title = comment.length > MAX_SHOWN ? comment : "";
    // The style sheet shows it after the move.
    element.dataset.remark = comment.length > MAX_SHOWN ? `${comment.slice(0, MAX_SHOWN)}…` : comment;
  }
}
