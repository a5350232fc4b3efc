// The words of the page. Each language is a file of the folder `lang` with the same keys as
// `en.js`, and with those of remarks on files, whose English is the program's own. The words of
// the rooms are in a folder of their own, which other pages do not load.
// @ts-check

import en from "./lang/en.js";

/** English, where a language lacks a word. @type {Record<string, string>} */
const english = { ...en };

/** @type {Record<string, string>} */
let words = english;

/** The folders of the words that this page uses. */
const folders = ["lang"];

/**
 * Adds the words of a folder, before a language is spoken.
 * @param {string} folder
 * @param {Record<string, string>} theirs Its English.
 */
export function addWords(folder, theirs) {
  folders.push(folder);
  Object.assign(english, theirs);
}

/** The languages, each with its own name for itself. */
export const LANGUAGES = /** @type {[string, string][]} */ ([
  ["en", "English"],
  ["zh-Hans", "简体中文"],
  ["zh-Hant", "繁體中文"],
  ["ja", "日本語"],
  ["ko", "한국어"],
  ["ru", "Русский"],
  ["vi", "Tiếng Việt"],
]);

/** The first language of the browser that the page has, or English. */
export function browserLanguage() {
  const codes = LANGUAGES.map(([code]) => code);
  const has = (/** @type {string} */ tag) => codes.find((code) => namesOf(tag).includes(code));
  return navigator.languages.map(has).find(Boolean) ?? "en";
}

/**
 * A language without and with the script that it is written in, such as `zh` and `zh-Hant`
 * for `zh-TW`.
 * @param {string} tag
 */
function namesOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return [language, `${language}-${script}`];
  } catch {
    // Some browsers have tags that are none, such as `en-US@posix`.
    return [];
  }
}

/** The language that was asked for last. */
let wanted = "en";

/**
 * The words of a language; nothing where they can't be had.
 * @param {string} language
 * @returns {Promise<Record<string, string> | undefined>}
 */
async function load(language) {
  try {
    const files = await Promise.all(folders.map((folder) => import(`./${folder}/${language}.js`)));
    return Object.assign({}, ...files.map((file) => file.default));
  } catch {
    return undefined;
  }
}

/**
 * Uses another language from now on, unless its words can't be had or another one is asked for
 * meanwhile. One that the page does not have is English.
 * @param {string} language
 */
export async function speak(language) {
  const known = LANGUAGES.some(([code]) => code === language) ? language : "en";
  wanted = known;
  const theirs = known === "en" ? english : await load(known);
  if (known !== wanted || !theirs) return;
  words = theirs;
  document.documentElement.lang = known;
}

/**
 * The words for a key, with `{names}` filled in.
 * @param {string} key
 * @param {Record<string, string | number | undefined>} [values]
 */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The text of an error or a remark in the page's language, with its place in a file; the
 * program's English where there is none.
 * @param {{code: string, text: string, place?: import("./received.js").Location}} error
 * @param {Record<string, string | number | undefined>} [values]
 * @param {string} [kind] How its key begins.
 */
export function errorText({ code, text, place }, values, kind = "error") {
  const key = `${kind}.${code}`;
  if (!(key in words)) return text;
  const said = t(key, values);
  // A column comes after its line.
  const at = Object.keys(place ?? {}).at(-1);
  return at ? t(`place.${at}`, { ...place, text: said }) : said;
}

/**
 * The text of a remark on a file, which may stand behind others, in the page's language.
 * @param {import("./received.js").RemarkView} remark
 */
export function remarkText(remark) {
  const { rule, color } = remark.values;
  const text = errorText(remark, { ...remark.values, rule: t(`rule.name.${rule}`), color: t(`${color}`) }, "remark");
  return remark.place ? text[0].toLowerCase() + text.slice(1) : text;
}
