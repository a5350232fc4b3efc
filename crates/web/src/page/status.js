// The status of the game, and the question of its opening rule.
// @ts-check

import { byId, update } from "./dom.js";
import { t } from "./language.js";
import { namedOpeningText, openingQuestion, openingStatus } from "./opening.js";
import { chosenText } from "./players.js";

/** @typedef {import("./received.js").State} State */

/** @param {State} state */
export function showStatus({ phase, turn, thinking, waiting, chosen, setup, players, actor, stones, opened, named_opening }) {
  let status = t("status.turn", { color: t(turn) });
  let detail = thinking ? t("status.thinking") : waiting ? t("status.waiting") : "";
  if (phase.kind === "over") {
    const { winner } = phase;
    // The result of a file is not the user's own, unless they played that game here.
    const isAlone = players && players[0] !== players[1] && !opened;
    const isWon = winner && players?.[winner === "black" ? 0 : 1] === "person";
    status = !winner ? t("status.draw")
      : isAlone ? t(isWon ? "status.you_win" : "status.you_lose") : t("status.wins", { color: t(winner) });
    // Agreement is no reason for a win: the file gives the winner without a reason.
    detail = winner && phase.reason === "agreement" ? "" : t(`reason.${phase.reason}`);
  } else if (phase.kind !== "move") {
    if (!thinking) status = openingStatus(phase);
  } else if (stones.length === 0 && actor === "person" && setup.black !== setup.white) {
    detail = t("status.first", { color: t(turn) });
  }
  document.title = `${status} · Quincunx`;
  const element = byId("status");
  element.classList.toggle("over", phase.kind === "over");
  if (element.textContent !== status) element.textContent = status;
  // Only one of them: two could wrap and move the controls below.
  byId("detail").textContent = detail || (named_opening ? namedOpeningText(named_opening) : "");
  byId("chosen").textContent = (chosen ?? []).map((choice) => chosenText(choice, { setup })).join(" · ");
}

/**
 * Shows the question of the opening rule.
 * @param {State} state
 * @param {(choice: import("./received.js").Choice) => void} choose
 */
export function showQuestion(state, choose) {
  const asked = state.actor === "person" || state.waiting ? openingQuestion(state, choose) : [];
  const question = byId("question");
  question.hidden = asked.length === 0;
  if (!question.hidden) update(question, ...asked);
}
