// The two most costly moves of a lost game, step by step: each with its position, what it allowed, and a
// better move.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").ReviewView} Review */
/** @typedef {import("./received.js").MoveReview} MoveReview */
/** @typedef {import("./received.js").TurningPoint} TurningPoint */
/** @typedef {import("./received.js").Color} Color */
/** @typedef {import("./received.js").State} State */

/**
 * The colour of the person who lost a game against the engine that was played here, if one did.
 * @param {State} state
 * @returns {Color | undefined}
 */
export function loserOf({ phase, players, opened }) {
  const winner = phase.kind === "over" && !opened ? phase.winner : null;
  if (!winner || !players || players[0] === players[1]) return undefined;
  return players[winner === "black" ? 0 : 1] === "engine" ? opponent(winner) : undefined;
}

/** @param {Color} color @returns {Color} */
const opponent = (color) => color === "black" ? "white" : "black";

export class WhyView {
  /** The colour that lost, while its moves are shown. @type {Color | undefined} */
  #color;
  /** The number of the step. */
  #step = 0;
  /** The position that the step has led to. @type {number | undefined} */
  #node;
  #panel = byId("why");

  /** @param {{goTo: (node: number) => void, tryAgain: (node: number) => void, hint: (point: string) => void, show: () => void}} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  get isOpen() {
    return this.#color !== undefined;
  }

  /** @param {Color} color */
  open(color) {
    [this.#color, this.#step, this.#node] = [color, 0, undefined];
  }

  close() {
    this.#color = undefined;
  }

  /**
   * @param {Review | undefined} review
   * @param {number} node The position on the board.
   */
  show(review, node) {
    const color = this.#color;
    this.#panel.hidden = !color || !review;
    if (!color || !review) {
      this.#panel.replaceChildren();
      return;
    }
    const { done, steps, nodes, mistakes, summary } = review;
    const costly = (summary?.turning_points ?? []).flatMap((point) => {
      const mistake = mistakes.find((it) => it.number === point.number && it.color === color);
      return mistake ? [{ point, mistake }] : [];
    });
    const shown = costly[this.#step];
    const title = shown ? t("why.step", { step: this.#step + 1, steps: costly.length, number: shown.mistake.number, point: shown.mistake.move })
      : t(summary ? "review.none" : "why.running");
    const close = () => {
      this.close();
      this.handlers.show();
    };
    update(this.#panel,
      html("p", { class: "row" }, html("strong", {}, title),
        button("×", close, { class: "move", "aria-label": t("why.close"), "data-name": "close" })),
      !summary && html("progress", { max: Math.max(steps, 1), value: done, "aria-label": t("why.running") }),
      ...shown ? this.#stepOf(shown, costly.length, nodes) : []);
    if (!shown) return;
    const at = nodes[shown.mistake.number];
    if (this.#node !== at) {
      this.#node = at;
      this.handlers.goTo(at);
    }
    const { best } = shown.mistake;
    if (node === at && best && best !== shown.mistake.move) this.handlers.hint(best);
  }

  /**
   * @param {{point: TurningPoint, mistake: MoveReview}} shown
   * @param {number} count The number of steps.
   * @param {number[]} nodes
   */
  #stepOf({ point, mistake }, count, nodes) {
    const { color, best, move, before, after } = mistake;
    const percent = (/** @type {number} */ chance) => Math.round(100 * chance);
    const threat = (/** @type {import("./received.js").DecisiveThreat | null} */ it, /** @type {Color} */ by) =>
      it ? t(`why.${it.kind}`, { color: t(by), point: it.point }) : "";
    const reasons = [
      mistake.win_missed ? `${t("why.missed")} ${threat(point.missed, color)}`
        : t("why.chances", { before: percent(before), after: percent(after) }),
      point.allowed && `${t(mistake.loss_allowed ? "why.allowed" : "why.later")} ${threat(point.allowed, opponent(color))}`,
      best && best !== move && t("why.better", { point: best }),
    ];
    const next = () => {
      this.#step += 1;
      this.handlers.show();
    };
    return [
      ...reasons.filter(Boolean).map((reason) => html("p", {}, reason || "")),
      html("p", { class: "row" },
        this.#step + 1 < count && button(t("why.next"), next, { class: "main", "data-name": `next ${this.#step}` }),
        button(t("review.try"), () => this.handlers.tryAgain(nodes[mistake.number]),
          { class: this.#step + 1 < count ? "quiet" : "main", "data-name": `try ${mistake.number}` })),
    ];
  }
}
