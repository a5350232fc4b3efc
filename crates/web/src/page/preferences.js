// The preferences of a person, and the game in progress, in the storage of the browser. Where that
// can't be used they last as long as the page.
// @ts-check

import { browserLanguage } from "./language.js";

const KEY = "quincunx.preferences";
const GAME = "quincunx.game";
const NODE = "quincunx.node";
const LEFT = "quincunx.left";
const OWN = "quincunx.own";
const PERSON = "quincunx.key";

const DEFAULTS = {
  theme: "auto",
  language: browserLanguage(),
  sound: true,
  stone: "wood",
  volume: 100,
  numbers: false,
  threats: false,
  sides: false,
  large: false,
  confirm: true,
  phrases: true,
  notify: false,
  keys: true,
  opinion: true,
  lines: 3,
  view: 0,
  // Limits of the engine: zero is the program's default.
  threads: 0,
  memory: 0,
  stop: "{}",
};

/** @typedef {typeof DEFAULTS} Preferences */

/**
 * @param {Storage} storage
 * @param {string} key
 */
function read(storage, key) {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {Storage} storage
 * @param {string} key
 * @param {string} value
 */
function write(storage, key, value) {
  try {
    storage.setItem(key, value);
  } catch {
    // Storage is disabled, or full.
  }
}

/**
 * Reads a value that all tabs share.
 * @param {string} name
 */
export const loadShared = (name) => read(localStorage, name);

/**
 * @param {string} name
 * @param {string} value
 */
export const saveShared = (name, value) => write(localStorage, name, value);

/**
 * Reads a value of this tab.
 * @param {string} name
 */
export const loadHere = (name) => read(sessionStorage, name);

/**
 * @param {string} name
 * @param {string} value
 */
export const saveHere = (name, value) => write(sessionStorage, name, value);

/** The key of the person, where storage is disabled. */
let key = "";

/** The key of the person at this browser, if there is one. */
export const loadKey = () => read(localStorage, PERSON) ?? (key || null);

/** @param {string} value */
export function saveKey(value) {
  key = value;
  write(localStorage, PERSON, value);
}

/** @returns {Partial<Preferences>} */
function loadPreferences() {
  try {
    return JSON.parse(read(localStorage, KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @type {Preferences} */
export const preferences = { ...DEFAULTS, ...loadPreferences() };

/** @type {Set<(name: keyof Preferences) => void>} */
const listeners = new Set();

/** @param {(name: keyof Preferences) => void} listener Called after every change, with the name of the preference. */
export const onPreference = (listener) => listeners.add(listener);

/**
 * @template {keyof Preferences} K
 * @param {K} name
 * @param {Preferences[K]} value
 */
export function prefer(name, value) {
  preferences[name] = value;
  // Another tab may have changed others meanwhile. Defaults are not stored: they may change.
  write(localStorage, KEY, JSON.stringify({ ...loadPreferences(), [name]: value }));
  for (const listener of listeners) listener(name);
}

/**
 * The save of the game in progress: that of this tab, or else the last of any tab.
 * @param {string} [key]
 */
export const loadGame = (key = GAME) => loadHere(key) ?? read(localStorage, key);

/**
 * @param {string} save
 * @param {string} [key]
 */
export function saveGame(save, key = GAME) {
  write(sessionStorage, key, save);
  const own = loadHere(GAME);
  const isOther = own && own !== loadShared(GAME);
  // A running clock does not replace the game of another tab: its parts belong together.
  if (isOther && key === LEFT) return;
  for (const part of isOther ? [key, GAME, NODE, LEFT, OWN] : [key]) write(localStorage, part, loadHere(part) ?? "");
}

/** The position of the stored game that was shown last. */
export function loadNode() {
  const node = loadGame(NODE);
  return node ? Number(node) : null;
}

/** @param {number} node */
export const saveNode = (node) => saveGame(String(node), NODE);

/** The entry of the stored game among the own games. @returns {import("./owngames.js").Entry | null} */
export const loadEntry = () => JSON.parse(loadGame(OWN) || "null");

/** @param {import("./owngames.js").Entry} entry */
export const saveEntry = (entry) => saveGame(JSON.stringify(entry), OWN);

/** The time left on the running clock of the stored game, in milliseconds. */
export function loadTimeLeft() {
  const left = loadGame(LEFT);
  return left ? Number(left) : null;
}

/** @param {number | null} left */
export const saveTimeLeft = (left) => saveGame(left === null ? "" : String(left), LEFT);

/** Applies the theme that the person or the system prefers, and the size of stones. */
export function showTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = preferences.theme === "auto" ? (dark ? "dark" : "wood") : preferences.theme;
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.stones = preferences.large ? "large" : "usual";
}
