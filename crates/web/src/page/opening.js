// Opening rules: their names, the next step and the question to the player who acts.
// @ts-check

import { button, html } from "./dom.js";
import { t } from "./language.js";

/** @typedef {import("./received.js").Choice} Choice */
/** @typedef {import("./received.js").Phase} Phase */
/** @typedef {{phase: Phase, setup: {opening: string}, stones: {length: number}}} OpeningState */

/**
 * The short name of an opening rule: its description up to the colon.
 * @param {string} opening
 */
export const openingName = (opening) => t(`opening.${opening}`).split(/:|：/)[0];

/**
 * The number and the name of an opening of renju, such as `D4 Kagetsu`.
 * @param {import("./received.js").NamedOpening} opening
 */
export const namedOpeningText = ({ direct, number }) =>
  `${direct ? "D" : "I"}${number} ${t("openings.renju").split(" ")[number + (direct ? -1 : 12)]}`;

/**
 * The next step as a short text for the player who acts; empty for a move.
 * @param {Phase} phase
 */
export function openingStatus(phase) {
  switch (phase.kind) {
    case "place": return t("status.place", { stones: phase.stones });
    case "choose": return t(typeof phase.options[0] === "object" ? "status.count" : "status.choose");
    case "offer": return t("status.offer", { stones: phase.stones });
    case "pick": return t("status.pick");
    default: return "";
  }
}

/**
 * The question of the opening rule to the player who acts; empty for a move.
 * @param {OpeningState} state
 * @param {(choice: Choice) => void} choose The buttons keep the first one.
 * @returns {(Node | false)[]}
 */
export function openingQuestion(state, choose) {
  const { phase } = state;
  if (phase.kind === "move" || phase.kind === "over") return [];
  const options = phase.kind === "choose" ? phase.options : [];
  const counts = typeof options[0] === "object" ? "counts" : "";
  return [html("p", {}, t(questionKey(state), { side: state.setup.opening === "pro" ? 5 : 7 })),
    options.length > 0 && html("div", { class: `choices ${counts}` }, ...options.map((choice) => {
      const label = typeof choice === "object" ? String(choice.offers) : t(`choice.${choice}`);
      return button(label, () => choose(choice), { class: "main" });
    }))];
}

/**
 * A choice of the opening as text.
 * @param {string} name The name of the player.
 * @param {Choice} choice
 */
export const choiceText = (name, choice) =>
  typeof choice === "object" ? t("chosen.offers", { name, count: choice.offers }) : t(`chosen.${choice}`, { name });

/** The opening rules that begin with three stones of one player near the centre. */
const FROM_THREE = ["rif", "yamaguchi", "soosorv"];

/**
 * The key of the explanation of a step of the opening.
 * @param {OpeningState} state
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
