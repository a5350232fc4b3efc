// The parts that all pages share: the language, the theme and keyboard shortcuts.
// @ts-check

import { byId } from "./dom.js";
import { setLanguage, t } from "./language.js";
import { onPreference, preferences, showTheme } from "./preferences.js";
import { shortcut } from "./shortcut.js";
import { icon } from "./icons.js";

/**
 * Shows the page in the language of the address, or else of the preferences, and again after every
 * change of a preference.
 * @param {() => void} show
 */
export async function start(show) {
  await setLanguage(new URLSearchParams(location.search).get("lang") ?? preferences.language);
  showTheme();
  // The connection may take a while.
  byId("status").textContent = t("status.loading");
  show();
  onPreference(async (name) => {
    if (name === "language") await setLanguage(preferences.language);
    showTheme();
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
}

/**
 * Shows the icons and titles of links to other pages.
 * @param {[id: string, icon: string, title: string][]} links
 */
export function showLinks(links) {
  for (const [id, name, title] of links) byId(id).replaceChildren(...icon(name, t(title)));
}

/**
 * Shows the title of a page other than the board, and its link to the board.
 * @param {string} title
 */
export function showTitle(title) {
  document.title = `Quincunx: ${t(title)}`;
  showLinks([["other", "gomoku", "gravity.other"]]);
}

/**
 * Handles keyboard shortcuts outside of fields and dialogs.
 * @param {(key: string) => (() => void) | undefined} find Returns the action of a key, if it has one.
 */
export function onKey(find) {
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || target.closest("input, textarea, select, dialog")) return;
    const key = shortcut(event);
    const act = find(key);
    // Speech input types letters that are not meant as shortcuts.
    if (!act || key.length === 1 && !preferences.keys) return;
    event.preventDefault();
    act();
  });
}
