// The buttons of the game: what can be done with it now.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { t } from "./language.js";
import { signedButton } from "./signs.js";

/** @typedef {import("./received.js").State} State */

/**
 * Shows what can be done, which depends on what a person is doing. Buttons stay, with what they
 * do: that may depend on nothing but what is given here.
 * @param {State} state
 * @param {import("./frame.js").Mode} mode
 * @param {boolean} isReviewed Whether the review of the game is shown.
 * @param {import("./connection.js").Send<import("./sent.js").ClientMessage, boolean>} send
 * @param {{review: () => void, pass: () => void}} acts What takes more than a message.
 */
export function showActions({ can, phase, actor, thinking, waiting, players, setup }, mode, isReviewed, send, acts) {
  const isOver = phase.kind === "over";
  const isAmongPersons = Boolean(players?.every((player) => player === "person"));
  // Every button has a place of its own in the style sheet: what comes and goes moves no other.
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
  if (isOver) {
    actions.push(["rematch", () => send("rematch"), true, { class: "main half" }],
      ["review", acts.review, Boolean(can.review), { class: "main half", "aria-pressed": String(isReviewed) }]);
  }
  if (waiting) actions.push(["resume", () => send("resume"), true, { class: "main wide" }]);
  if (thinking && actor === "engine" && players?.every((player) => player === "engine")) {
    actions.push(["pause", () => send("pause"), true, { class: "wide" }]);
  }
  update(byId("actions"), ...actions.map(([name, act, enabled, attributes]) =>
    signedButton(name, t(`action.${name}`), act, { disabled: !enabled, "data-name": name, ...attributes })));
}
