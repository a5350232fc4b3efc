// The review of a game: its mistakes, each with a better move and a button to try again.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { MARKS } from "./moves.js";

/** @typedef {import("./received.js").ReviewView} Review */
/** @typedef {import("./received.js").MoveReview} MoveReview */
/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Handlers
 * @property {(node: number) => void} goTo
 * @property {(points: string[], node: number) => void} playLine Plays moves from a position.
 * @property {(node: number) => void} tryAgain
 * @property {() => void} toggle Begins or ends the review.
 */

export class ReviewView {
  /** @type {Review | undefined} */
  #review;
  #isPossible = false;
  /** True if it was closed: results that still arrive are ignored. */
  isClosed = false;

  /**
   * @param {Handlers} handlers
   * @param {Tree} tree
   */
  constructor(handlers, tree) {
    this.handlers = handlers;
    this.tree = tree;
    this.panel = byId("review");
  }

  get isOpen() {
    return this.#review !== undefined;
  }

  get review() {
    return this.#review;
  }

  /** @param {Review | undefined} review Undefined closes it. */
  set(review) {
    this.#review = this.isClosed ? undefined : review;
    this.show();
  }

  /** @param {boolean} [isPossible] True if the game can be reviewed; unchanged if omitted. */
  show(isPossible = this.#isPossible) {
    const review = this.#review;
    this.#isPossible = isPossible;
    this.panel.hidden = !review;
    byId("unreviewed").hidden = review !== undefined;
    update(byId("unreviewed"),
      button(t("review.begin"), this.handlers.toggle, { class: "main", disabled: !isPossible, "data-name": "begin" }),
      html("span", { class: "facts" }, t("review.text")));
    if (!review) {
      this.panel.replaceChildren();
      return;
    }
    const { done, steps, nodes, mistakes, summary } = review;
    const percent = steps > 0 ? Math.floor((100 * done) / steps) : 0;
    const [black, white] = [summary?.accuracy.black, summary?.accuracy.white].map((it) => it == null ? "–" : Math.round(it));
    const last = summary?.last_escape;
    const escape = last && this.tree.node(nodes[last.number]);
    const estimated = last?.estimated != null && this.tree.node(nodes[last.estimated]);
    const move = (/** @type {import("./received.js").NodeView} */ { number, point }) => ({ number, point });
    update(this.panel,
      html("p", { class: "row" },
        html("strong", {}, summary ? t("review.accuracy", { black, white }) : t("review.running", { percent })),
        button("×", this.handlers.toggle, { class: "move", "aria-label": t("review.close"), "data-name": "close" })),
      !summary && html("progress", { max: 100, value: percent, "aria-label": t("action.review") }),
      escape && html("p", { class: "facts escape" },
        t(last?.certain ? "review.escape.proved" : "review.escape", { ...move(escape), instead: last?.instead }),
        estimated && ` ${t("review.estimated", move(estimated))}`),
      summary && mistakes.length === 0 && html("p", { class: "facts" }, t("review.none")),
      html("ul", {}, ...mistakes.map((mistake) => this.#mistake(nodes[mistake.number], mistake)).filter((item) => item !== undefined)),
      // The list comes first: it matters most.
      mistakes.length > 0 && html("p", { class: "facts" }, t("review.known")));
  }

  /**
   * @param {number} node The position after the move.
   * @param {MoveReview} mistake
   */
  #mistake(node, { color, class: kind, before, after, line }) {
    const played = this.tree.node(node);
    if (!played || played.parent === null) return undefined;
    const { parent } = played;
    const name = (/** @type {string} */ what) => ({ "data-name": `${what} ${node}` });
    const percent = (/** @type {number} */ chance) => Math.round(100 * (color === "black" ? chance : 1 - chance));
    const better = line.filter((point, i) => i > 0 || point !== played.point);
    return html("li", {},
      button(`${played.number}. ${played.point}${MARKS[played.mark ?? ""] ?? ""}`, () => this.handlers.goTo(node),
        { class: `move ${played.color}`, ...name("mistake") }),
      html("span", { class: "facts" }, `${t(`class.${kind.replace(" ", "_")}`)} · ${percent(before)} → ${percent(after)} %`),
      html("span", { class: "row" },
        better.length === line.length && line.length > 0 && button(line.slice(0, 6).join(" "),
          () => this.handlers.playLine(line, parent), { class: "move", title: t("action.play_line"), "data-line": line.join(" "), ...name("line") }),
        button(t("review.try"), () => this.handlers.tryAgain(node), { class: "quiet", ...name("try") })));
  }
}
