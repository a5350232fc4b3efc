// Games that are dropped on the page, or pasted.
// @ts-check

import { readFile } from "./dialogs.js";

/**
 * Returns true if the field under the pointer takes what is dragged: a file field takes files, any other
 * takes text.
 * @param {DragEvent} event
 */
function isForField({ target, dataTransfer }) {
  const field = /** @type {Element} */ (target).closest?.("input, textarea");
  return field && dataTransfer?.types.includes("Files") === field.matches("[type=file]");
}

/**
 * Returns true if an event happens in a dialog.
 * @param {Event} event
 */
const isInDialog = ({ target }) => Boolean(/** @type {Element} */ (target).closest?.("dialog"));

/** @param {(file: import("./dialogs.js").OpenedFile | undefined) => void} open Gets undefined if a file can't be read. */
export function onGame(open) {
  addEventListener("dragover", (event) => {
    if (!isForField(event)) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    if (isForField(event)) return;
    // By default the browser opens a file instead of the page.
    event.preventDefault();
    if (isInDialog(event)) return;
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (file) open(await readFile(file));
    else if (text) open({ text });
  });
  addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    const text = event.clipboardData?.getData("text");
    if (text && !target.closest?.("input, textarea") && !isInDialog(event)) open({ text });
  });
}
