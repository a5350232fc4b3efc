// The status of the game, and the questions of opening rules.
// @ts-check

import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { chosenText } from "./players.js";

/** @typedef {import("./received.js").Choice} Choice */
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
  } else if (phase.kind === "place" && !thinking) {
    status = t("status.place", { stones: phase.stones });
  } else if (phase.kind === "choose" && !thinking) {
    status = t(typeof phase.options[0] === "object" ? "status.count" : "status.choose");
  } else if (phase.kind === "offer" && !thinking) {
    status = t("status.offer", { stones: phase.stones });
  } else if (phase.kind === "pick" && !thinking) {
    status = t("status.pick");
  } else if (stones.length === 0 && actor === "person" && setup.black !== setup.white) {
    detail = t("status.first", { color: t(turn) });
  }
  document.title = `${status} · Quincunx`;
  const element = byId("status");
  element.classList.toggle("over", phase.kind === "over");
  if (element.textContent !== status) element.textContent = status;
  // Only one of them: two could wrap and move the controls below.
  byId("detail").textContent = detail || (named_opening ? openingText(named_opening) : "");
  byId("chosen").textContent = (chosen ?? []).map((choice) => chosenText(choice, { setup })).join(" · ");
}

/**
 * The number and the name of an opening of renju, such as `D4 Kagetsu`.
 * @param {import("./received.js").NamedOpening} opening
 */
const openingText = ({ direct, number }) =>
  `${direct ? "D" : "I"}${number} ${t("openings.renju").split(" ")[number + (direct ? -1 : 12)]}`;

/**
 * Shows the question of the opening rule.
 * @param {State} state
 * @param {(choice: Choice) => void} choose The buttons keep the first one.
 */
export function showQuestion(state, choose) {
  const { phase, actor, waiting } = state;
  const question = byId("question");
  question.hidden = phase.kind === "move" || phase.kind === "over" || !(actor === "person" || waiting);
  if (question.hidden) return;
  const options = phase.kind === "choose" ? phase.options : [];
  const counts = typeof options[0] === "object" ? "counts" : "";
  update(question, html("p", {}, t(questionKey(state), { side: state.setup.opening === "pro" ? 5 : 7 })),
    options.length > 0 && html("div", { class: `choices ${counts}` }, ...options.map((choice) => {
      const label = typeof choice === "object" ? String(choice.offers) : t(`choice.${choice}`);
      return button(label, () => choose(choice), { class: "main" });
    })));
}

/** The opening rules that begin with three stones of one player near the centre. */
const FROM_THREE = ["rif", "yamaguchi", "soosorv"];

/**
 * The key of the explanation of a step of the opening.
 * @param {State} state
 */
function questionKey({ phase, setup: { opening }, stones: { length } }) {
  const isSoosorv = opening === "soosorv";
  const first = phase.kind !== "move" && phase.kind !== "over" && phase.first;
  switch (phase.kind) {
    case "offer": return "soosorv.offer";
    case "pick": return "soosorv.pick";
    case "place":
      if (FROM_THREE.includes(opening)) return length < 3 ? "soosorv.place" : isSoosorv ? "soosorv.fourth" : "place.fourth";
      if (opening === "swap1" || opening === "swap2") return first ? "place.first" : "place.second";
      return opening.endsWith("pro") ? "place.pro" : "place.nested";
    default:
      if (phase.kind === "choose" && typeof phase.options[0] === "object") return `count.${opening}`;
      if (isSoosorv) return length < 4 ? "soosorv.color" : "soosorv.swap";
      if (opening === "swap2") return first ? "choose.first" : "choose.second";
      return opening === "swap1" ? "choose.swap1" : "choose.color";
  }
}
