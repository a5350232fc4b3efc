// The visitor's identity: a random key in the browser's storage. The server has only its hash.
// @ts-check

import { saveKey, loadKey } from "./preferences.js";

/** Not all zeros: clients without a key would share that one. */
const KEY = /^(?!0+$)[0-9a-f]{32}$/;

/** @returns {string} */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The key of this browser. The first call makes one.
 * @returns {string}
 */
export function ownKey() {
  const stored = loadKey();
  if (stored && KEY.test(stored)) return stored;
  const key = newKey();
  saveKey(key);
  return key;
}

/**
 * Returns true if a text in lower case is a key.
 * @param {string} text
 */
export const isKey = (text) => KEY.test(text);

/**
 * Replaces the key of this browser.
 * @param {string} key
 */
export function replaceKey(key) {
  if (isKey(key)) saveKey(key);
}
