// Names within other texts.
// @ts-check

import { t } from "./language.js";

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** The name of people who were forgotten. It is no person's. */
const FORMER = "Former player";

/**
 * A name within a text. One that is written from right to left is isolated: it would turn
 * what follows around, a result as well.
 * @param {string} name
 */
export function nameText(name) {
  if (name === FORMER) return t("rooms.former");
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
