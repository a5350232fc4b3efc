// The parts that all pages share: the language and the colours that a person prefers, and
// hears keys.
// @ts-check

import { byId } from "./dom.js";
import { speak, t } from "./language.js";
import { onPreference, preferences, showTheme } from "./preferences.js";
import { shortcut } from "./shortcut.js";
import { signed } from "./signs.js";

/**
 * Speaks the language of the address, or else the one that is preferred, and shows the page;
 * again after every change of what the person prefers. The language changes when another one is
 * chosen.
 * @param {() => void} show
 */
export async function start(show) {
  await speak(new URLSearchParams(location.search).get("lang") ?? preferences.language);
  showTheme();
  // The program may take a while to come.
  byId("status").textContent = t("status.loading");
  show();
  onPreference(async (name) => {
    if (name === "language") await speak(preferences.language);
    showTheme();
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
}

/**
 * Names links to other pages.
 * @param {[id: string, sign: string, title: string][]} links
 */
export function showLinks(links) {
  for (const [id, sign, title] of links) byId(id).replaceChildren(...signed(sign, t(title)));
}

/**
 * Shows the title of a page beside the board, and its link to the board.
 * @param {string} title
 */
export function showTitle(title) {
  document.title = `Quincunx: ${t(title)}`;
  showLinks([["other", "gomoku", "gravity.other"]]);
}

/**
 * Does what a key is for, where nothing is written.
 * @param {(key: string) => (() => void) | undefined} find What a key does, if it does anything.
 */
export function onKey(find) {
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || target.closest("input, textarea, select, dialog")) return;
    const key = shortcut(event);
    const act = find(key);
    // Those who speak to their computer write letters without meaning keys.
    if (!act || key.length === 1 && !preferences.keys) return;
    event.preventDefault();
    act();
  });
}
