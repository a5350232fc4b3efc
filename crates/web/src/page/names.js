// Names of people in texts.
// @ts-check

import { t } from "./language.js";

/** Characters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** The name of deleted accounts. Nobody can choose it. */
const FORMER = "Former player";

/**
 * A name within a text. Right-to-left names are isolated: they would reverse the order of the text
 * that follows.
 * @param {string} name
 */
export function nameText(name) {
  if (name === FORMER) return t("rooms.former");
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * The mark of engines' accounts.
 * @param {boolean} bot
 */
export const botText = (bot) => bot ? ` [${t("engine")}]` : "";

/**
 * A player with the rating.
 * @param {import("./received.js").PlayerView} player
 */
export const playerText = ({ name, engine, bot, rating, provisional }) =>
  name === null ? `${t("engine")} ${engine}` : `${nameText(name)}${botText(bot)} (${rating}${provisional ? "?" : ""})`;
