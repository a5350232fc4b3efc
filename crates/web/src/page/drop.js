// Games that come from elsewhere: dropped on the page, or pasted.
// @ts-check

import { readFile } from "./dialogs.js";

/** @param {(file: import("./dialogs.js").OpenedFile) => void} open */
export function hearGames(open) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (file) open(await readFile(file));
    else if (text) open({ text });
  });
  addEventListener("paste", (event) => {
    const target = /** @type {Element} */ (event.target);
    const text = event.clipboardData?.getData("text");
    if (text && !target.closest?.("input, textarea")) open({ text });
  });
}
