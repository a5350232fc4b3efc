// The texts of the page. Each language is a file in `lang` with the keys of `en.js`, and with those of
// warnings about files, whose English comes from the program. The texts of the rooms are in a folder
// that other pages do not load.
// @ts-check

import en from "./lang/en.js";

/** The fallback for missing keys. @type {Record<string, string>} */
const english = { ...en };

/** @type {Record<string, string>} */
let texts = english;

/** The folders of the texts that this page uses. */
const folders = ["lang"];

/**
 * Adds the texts of a folder, before a language is set.
 * @param {string} folder
 * @param {Record<string, string>} texts Its English.
 */
export function addTexts(folder, texts) {
  folders.push(folder);
  Object.assign(english, texts);
}

/** The languages, each with its native name. */
export const LANGUAGES = /** @type {[string, string][]} */ ([
  ["en", "English"],
  ["zh-Hans", "简体中文"],
  ["zh-Hant", "繁體中文"],
  ["ja", "日本語"],
  ["ko", "한국어"],
  ["ru", "Русский"],
  ["vi", "Tiếng Việt"],
]);

/** The first of the browser's languages that the page supports, or English. */
export function browserLanguage() {
  const codes = LANGUAGES.map(([code]) => code);
  const has = (/** @type {string} */ tag) => codes.find((code) => namesOf(tag).includes(code));
  return navigator.languages.map(has).find(Boolean) ?? "en";
}

/**
 * The codes of a language tag without and with its script, such as `zh` and `zh-Hant` for `zh-TW`.
 * @param {string} tag
 */
function namesOf(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return [language, `${language}-${script}`];
  } catch {
    // Some browsers report invalid tags, such as `en-US@posix`.
    return [];
  }
}

/** The language that was requested last. */
let wanted = "en";

/**
 * The texts of a language; undefined if they can't be loaded.
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
 * Changes the language, unless its texts can't be loaded or another one is requested meanwhile. An
 * unknown language is English.
 * @param {string} language
 */
export async function setLanguage(language) {
  const known = LANGUAGES.some(([code]) => code === language) ? language : "en";
  wanted = known;
  const loaded = known === "en" ? english : await load(known);
  if (known !== wanted || !loaded) return;
  texts = loaded;
  document.documentElement.lang = known;
}

/**
 * The text of a key, with its `{placeholders}` filled in.
 * @param {string} key
 * @param {Record<string, string | number | undefined>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The message of an error or a warning in the page's language, or else in the program's English, with
 * its location in a file.
 * @param {{code: string, text: string, place?: import("./received.js").Location}} error
 * @param {Record<string, string | number | undefined>} [values]
 * @param {string} [kind] The prefix of its key.
 */
export function errorText({ code, text, place }, values, kind = "error") {
  const key = `${kind}.${code}`;
  if (!(key in texts)) return text;
  const message = t(key, values);
  // The text of a column includes its line.
  const at = Object.keys(place ?? {}).at(-1);
  return at ? t(`place.${at}`, { ...place, text: message }) : message;
}

/**
 * A warning about a file in the page's language, to be joined with others.
 * @param {import("./received.js").RemarkView} remark
 */
export function remarkText(remark) {
  const { rule, color } = remark.values;
  const text = errorText(remark, { ...remark.values, rule: t(`rule.name.${rule}`), color: t(`${color}`) }, "remark");
  return remark.place ? text[0].toLowerCase() + text.slice(1) : text;
}
