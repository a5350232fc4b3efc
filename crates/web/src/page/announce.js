// Announcements of changes on the board, for screen readers.
// @ts-check

import { byId } from "./dom.js";
import { t } from "./language.js";
import { chosenText } from "./players.js";
import { stoneSound } from "./sound.js";

/** @typedef {import("./received.js").State} State */

/**
 * Announces choices and offers of the opening, the last move of another position, and that a game is
 * no longer over.
 * @param {State} before
 * @param {State} next
 * @param {(text: string, milliseconds?: number) => void} showAlert
 */
export function announce(before, next, showAlert) {
  const isSame = before.game === next.game;
  const choices = isSame ? (next.chosen ?? []).slice(before.chosen?.length ?? 0) : [];
  const offered = isSame ? (next.offers ?? []).filter((point) => !before.offers?.includes(point)) : [];
  const chosen = choices.map((choice) => chosenText(choice, next));
  const texts = [...chosen, ...offered.map((point) => t("point.offered", { point }))];
  const stone = next.stones.at(-1);
  if (next.node !== before.node) {
    if (next.stones.length > before.stones.length) stoneSound();
    texts.push(stone ? t("spoken.move", { color: t(stone.color), point: stone.point }) : t("game.start"));
  }
  if (texts.length > 0) byId("spoken").textContent = texts.join(". ");
  if (choices.some(({ player }) => player === "engine")) showAlert(chosen.join(". "), 8000);
  const isReopened = isSame && before.node === next.node && before.phase.kind === "over" && next.phase.kind !== "over";
  if (isReopened) showAlert(t("alert.reopened"));
}
