// Names within other texts.
// @ts-check

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A name within a text. One that is written from right to left is isolated: it would turn
 * what follows around, a result as well.
 * @param {string} name
 */
export const nameText = (name) => RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
