// The preferences of a person, and the game in progress. Kept by the browser; where it
// keeps nothing they last as long as the page.
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
  confirm: true,
  phrases: true,
  notify: false,
  keys: true,
  opinion: true,
  lines: 3,
  view: 0,
  // The engine: zero is as the program has it.
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
    // The browser keeps nothing, or is full.
  }
}

/**
 * Reads a value that the browser keeps for all tabs.
 * @param {string} name
 */
export const kept = (name) => read(localStorage, name);

/**
 * @param {string} name
 * @param {string} value
 */
export const keep = (name, value) => write(localStorage, name, value);

/**
 * Reads a value that the browser keeps for this tab alone.
 * @param {string} name
 */
export const keptHere = (name) => read(sessionStorage, name);

/**
 * @param {string} name
 * @param {string} value
 */
export const keepHere = (name, value) => write(sessionStorage, name, value);

/** What lasts as long as the page where the browser keeps nothing. */
let key = "";

/** The key of the person at this browser, if there is one. */
export const keptKey = () => read(localStorage, PERSON) ?? (key || null);

/** @param {string} value */
export function keepKey(value) {
  key = value;
  write(localStorage, PERSON, value);
}

/** @returns {Partial<Preferences>} */
function load() {
  try {
    return JSON.parse(read(localStorage, KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @type {Preferences} */
export const preferences = { ...DEFAULTS, ...load() };

/** @type {Set<(name: keyof Preferences) => void>} */
const listeners = new Set();

/** @param {(name: keyof Preferences) => void} listener Called after every change, with what has changed. */
export const onPreference = (listener) => listeners.add(listener);

/**
 * @template {keyof Preferences} K
 * @param {K} name
 * @param {Preferences[K]} value
 */
export function prefer(name, value) {
  preferences[name] = value;
  // Another tab may have kept something since. What was never chosen may be something else
  // another time.
  write(localStorage, KEY, JSON.stringify({ ...load(), [name]: value }));
  for (const listener of listeners) listener(name);
}

/**
 * The game in progress: this tab's own, or else the last of any tab.
 * @param {string} [key] Which of the games.
 */
export const keptGame = (key = GAME) => keptHere(key) ?? read(localStorage, key);

/**
 * @param {string} save
 * @param {string} [key]
 */
export function keepGame(save, key = GAME) {
  write(sessionStorage, key, save);
  const own = keptHere(GAME);
  const isOther = own && own !== kept(GAME);
  // A clock that runs is no reason to replace the game of another tab, whose parts make no sense
  // with this one.
  if (isOther && key === LEFT) return;
  for (const part of isOther ? [key, GAME, NODE, LEFT, OWN] : [key]) write(localStorage, part, keptHere(part) ?? "");
}

/** The position of the kept game that was shown last. */
export function keptNode() {
  const node = keptGame(NODE);
  return node ? Number(node) : null;
}

/** @param {number} node */
export const keepNode = (node) => keepGame(String(node), NODE);

/** The entry of the game in progress among the own games. @returns {import("./owngames.js").Entry | null} */
export const keptOwn = () => JSON.parse(keptGame(OWN) || "null");

/** @param {import("./owngames.js").Entry} entry */
export const keepOwn = (entry) => keepGame(JSON.stringify(entry), OWN);

/** The time that the running clock showed last, in milliseconds. */
export function keptLeft() {
  const left = keptGame(LEFT);
  return left ? Number(left) : null;
}

/** @param {number | null} left */
export const keepLeft = (left) => keepGame(left === null ? "" : String(left), LEFT);

/** Shows the colours that the person or the system prefers. */
export function showTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = preferences.theme === "auto" ? (dark ? "dark" : "wood") : preferences.theme;
  document.documentElement.dataset.theme = theme;
}
