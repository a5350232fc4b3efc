// Games that come from elsewhere: dropped on the page, or pasted.
// @ts-check

import { readFile } from "./dialogs.js";

/**
 * Returns true if what is dragged belongs to the field below it: a file to one for files, a text to any
 * other.
 * @param {DragEvent} event
 */
function isForField({ target, dataTransfer }) {
  const field = /** @type {Element} */ (target).closest?.("input, textarea");
  return field && dataTransfer?.types.includes("Files") === field.matches("[type=file]");
}

/**
 * Returns true if an event happens in a window over the page.
 * @param {Event} event
 */
const isInWindow = ({ target }) => Boolean(/** @type {Element} */ (target).closest?.("dialog"));

/** @param {(file: import("./dialogs.js").OpenedFile | undefined) => void} open Nothing is a file that can't be read. */
export function hearGames(open) {
  addEventListener("dragover", (event) => {
    if (!isForField(event)) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    if (isForField(event)) return;
    // The browser would leave the page for a file.
    event.preventDefault();
    if (isInWindow(event)) return;
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (file) open(await readFile(file));
    else if (text) open({ text });
  });
  addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    const text = event.clipboardData?.getData("text");
    if (text && !target.closest?.("input, textarea") && !isInWindow(event)) open({ text });
  });
}
