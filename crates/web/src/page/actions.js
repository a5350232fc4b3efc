// The buttons of the game.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { t } from "./language.js";
import { iconButton } from "./icons.js";
import { loserOf } from "./why.js";

/** @typedef {import("./received.js").State} State */

/**
 * Shows the buttons of the present mode. Equal buttons keep their first listeners, which may only
 * depend on these parameters.
 * @param {State} state
 * @param {import("./frame.js").Mode} mode
 * @param {boolean} isReviewed True if the review of the game is shown.
 * @param {import("./connection.js").Send<import("./sent.js").ClientMessage, boolean>} send
 * @param {{review: () => void, why: () => void, pass: () => void}} acts Actions of more than a message without fields.
 */
export function showActions(state, mode, isReviewed, send, acts) {
  const { can, phase, actor, thinking, waiting, players, setup } = state;
  const isOver = phase.kind === "over";
  const isAmongPersons = Boolean(players?.every((player) => player === "person"));
  // Every button has a fixed place in the style sheet, so that none moves when others come and go.
  /** @type {[string, () => void, boolean, object?][]} */
  const actions = [
    ["undo", () => send("undo"), can.undo],
    ["redo", () => send("redo"), can.redo],
  ];
  if (mode === "playing") actions.push(
    ["hint", () => send("hint"), can.hint],
    ["resign", () => confirmDialog(t("resign.confirm"), t("action.resign"), () => send("resign")), can.resign],
    ["draw", () => confirmDialog(t(isAmongPersons ? "draw.confirm" : "draw.confirm.engine"), t("action.draw"),
      () => send("offer_draw")), can.draw, { "data-among": isAmongPersons ? "persons" : "engine" }],
  );
  if (setup.rule === "renju" && !isOver) actions.push(["pass", acts.pass, Boolean(can.pass)]);
  if (loserOf(state) && can.review) actions.push(["why", acts.why, true]);
  if (isOver) {
    actions.push(["rematch", () => send("rematch"), true, { class: "main half" }],
      ["review", acts.review, Boolean(can.review), { class: "main half", "aria-pressed": String(isReviewed) }]);
  }
  if (waiting) actions.push(["resume", () => send("resume"), true, { class: "main wide" }]);
  if (thinking && actor === "engine" && players?.every((player) => player === "engine")) {
    actions.push(["pause", () => send("pause"), true, { class: "wide" }]);
  }
  update(byId("actions"), ...actions.map(([name, act, enabled, attributes]) =>
    iconButton(name, t(`action.${name}`), act, { disabled: !enabled, "data-name": name, ...attributes })));
}
