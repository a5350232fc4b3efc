// Changes of the board in words, for those who do not see it.
// @ts-check

import { byId } from "./dom.js";
import { t } from "./language.js";
import { chosenText } from "./players.js";
import { stoneSound } from "./sound.js";

/** @typedef {import("./received.js").State} State */

/**
 * Says what is new: what was chosen or offered in the opening, the move of another position, that
 * an end is no more.
 * @param {State} before
 * @param {State} next
 * @param {(text: string, milliseconds?: number) => void} say
 */
export function tellNews(before, next, say) {
  const isSame = before.game === next.game;
  const choices = isSame ? (next.chosen ?? []).slice(before.chosen?.length ?? 0) : [];
  const offered = isSame ? (next.offers ?? []).filter((point) => !before.offers?.includes(point)) : [];
  const chosen = choices.map((choice) => chosenText(choice, next));
  const told = [...chosen, ...offered.map((point) => t("point.offered", { point }))];
  const stone = next.stones.at(-1);
  if (next.node !== before.node) {
    if (next.stones.length > before.stones.length) stoneSound();
    told.push(stone ? t("spoken.move", { color: t(stone.color), point: stone.point }) : t("game.start"));
  }
  if (told.length > 0) byId("spoken").textContent = told.join(". ");
  if (choices.some(({ player }) => player === "engine")) say(chosen.join(". "), 8000);
  const isReopened = isSame && before.node === next.node && before.phase.kind === "over" && next.phase.kind !== "over";
  if (isReopened) say(t("alert.reopened"));
}
