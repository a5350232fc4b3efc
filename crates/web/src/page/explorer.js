// The games database: the moves that were played in this position.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").ExploredMoveView} ExploredMove */

/**
 * @typedef {object} Handlers
 * @property {(points: string[]) => void} preview
 * @property {(points: string[]) => void} playLine
 */

export class ExplorerView {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.panel = byId("explorer");
  }

  /** @param {State} state */
  show({ explored }) {
    this.panel.hidden = !explored;
    if (!explored) return;
    const { games, moves, failed } = explored;
    const key = failed ? "explorer.failed" : games === 0 ? "explorer.none" : "explorer.games";
    update(this.panel, html("p", { class: "facts" }, t(key, { games })),
      html("ol", { class: "best-lines" }, ...moves.map((move) => html("li", {}, this.#row(move)))));
  }

  /** @param {ExploredMove} move */
  #row({ points, games, black, white, draws }) {
    const [point] = points;
    const show = () => this.handlers.preview([point]);
    const hide = () => this.handlers.preview([]);
    const row = button("", () => this.handlers.playLine([point]), {
      class: "best-line", title: t("action.play_line"), "data-name": `explored ${point}`,
      pointerenter: show, focus: show, pointerleave: hide, blur: hide,
    });
    row.append(html("span", { class: "games" }, String(games)), html("strong", {}, point),
      html("span", { class: "points" }, t("explorer.results", { black, white, draws })));
    return row;
  }
}
