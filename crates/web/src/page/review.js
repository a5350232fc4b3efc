// The review of a game: its mistakes with what was better, and another try at each.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { MARKS } from "./moves.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Mistake} Mistake */
/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Wishes
 * @property {(node: number) => void} goTo
 * @property {(points: string[], node: number) => void} playLine Plays moves from a position on.
 * @property {(node: number) => void} tryAgain
 * @property {() => void} close
 */

export class ReviewView {
  /** @type {Review | undefined} */
  #review;
  /** Whether it was closed: what is on its way is not shown. */
  isClosed = false;

  /**
   * @param {Wishes} wishes
   * @param {Tree} tree
   */
  constructor(wishes, tree) {
    this.wishes = wishes;
    this.tree = tree;
    this.panel = byId("review");
  }

  get isOpen() {
    return this.#review !== undefined;
  }

  /** @param {Review | undefined} review Nothing ends it. */
  hear(review) {
    this.#review = this.isClosed ? undefined : review;
    this.show();
  }

  show() {
    const review = this.#review;
    this.panel.hidden = !review;
    if (!review) {
      this.panel.replaceChildren();
      return;
    }
    const { done, steps, mistakes, summary } = review;
    const percent = steps > 0 ? Math.floor((100 * done) / steps) : 0;
    const [black, white] = (summary?.accuracy ?? []).map((accuracy) => accuracy ?? "–");
    const escape = summary?.escape && this.tree.node(summary.escape[0]);
    const estimated = summary?.estimated != null && this.tree.node(summary.estimated);
    const move = (/** @type {import("./types.js").TreeNode} */ { number, point }) => ({ number, point });
    update(this.panel,
      html("p", { class: "row" },
        html("strong", {}, summary ? t("review.accuracy", { black, white }) : t("review.running", { percent })),
        button("×", this.wishes.close, { class: "move", "aria-label": t("review.close"), "data-name": "close" })),
      !summary && html("progress", { max: 100, value: percent, "aria-label": t("action.review") }),
      escape && html("p", { class: "facts escape" },
        t(summary?.certain ? "review.escape.proved" : "review.escape", { ...move(escape), instead: summary?.escape?.[1] }),
        estimated && ` ${t("review.estimated", move(estimated))}`),
      summary && mistakes.length === 0 && html("p", { class: "facts" }, t("review.none")),
      html("ul", {}, ...mistakes.map((mistake) => this.#mistake(mistake)).filter((item) => item !== undefined)),
      // Below the list, which is what the review is for.
      mistakes.length > 0 && html("p", { class: "facts" }, t("review.known")));
  }

  /** @param {Mistake} mistake */
  #mistake({ node, class: kind, before, after, line }) {
    const played = this.tree.node(node);
    if (!played || played.parent === null) return undefined;
    const { parent } = played;
    const name = (/** @type {string} */ what) => ({ "data-name": `${what} ${node}` });
    const percent = (/** @type {number} */ chance) => Math.round(chance / 10);
    const better = line.filter((point, i) => i > 0 || point !== played.point);
    return html("li", {},
      button(`${played.number}. ${played.point}${MARKS[played.mark ?? ""] ?? ""}`, () => this.wishes.goTo(node),
        { class: `move ${played.color}`, ...name("mistake") }),
      html("span", { class: "facts" }, `${t(`class.${kind}`)} · ${percent(before)} → ${percent(after)} %`),
      html("span", { class: "row" },
        better.length === line.length && line.length > 0 && button(line.slice(0, 6).join(" "),
          () => this.wishes.playLine(line, parent), { class: "move", title: t("action.play_line"), "data-line": line.join(" "), ...name("line") }),
        button(t("review.try"), () => this.wishes.tryAgain(node), { class: "quiet", ...name("try") })));
  }
}
