// The visitor's identity: a random key that the browser keeps. The server knows only its hash.
// @ts-check

import { keepKey, keptKey } from "./preferences.js";

/** Zeros are no key: it would be shared by all who have none. */
const KEY = /^(?!0+$)[0-9a-f]{32}$/;

/** @returns {string} */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The key of this browser. There is one from the first call on.
 * @returns {string}
 */
export function ownKey() {
  const kept = keptKey();
  if (kept && KEY.test(kept)) return kept;
  const key = newKey();
  keepKey(key);
  return key;
}

/**
 * Returns true if a text in small letters is a key.
 * @param {string} text
 */
export const isKey = (text) => KEY.test(text);

/**
 * Has another key from now on.
 * @param {string} key
 */
export function takeKey(key) {
  if (isKey(key)) keepKey(key);
}
