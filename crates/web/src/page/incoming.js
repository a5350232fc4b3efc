// Requests for another game in place of the one on the board, with the remarks on the file that it
// comes from.
// @ts-check

import { gameDialog, linked } from "./dialogs.js";
import { remarkText, t } from "./language.js";

/** @typedef {import("./dialogs.js").OpenedFile} OpenedFile */

export class Incoming {
  /** Resolves the request that is under way. @type {((refusal: string) => void) | undefined} */
  #answered;
  /** The file that was opened last. @type {OpenedFile | undefined} */
  #file;
  /** The number of games in the file whose game comes next. */
  #games = 1;
  /** The remarks on that file. */
  #remarks = "";

  /**
   * @param {(type: "new_game" | "open" | "restore", fields: any) => boolean} send
   * @param {(fields: unknown) => boolean} fits Whether the program accepts a message of this length.
   * @param {import("./alert.js").Alert} alert
   */
  constructor(send, fits, alert) {
    this.send = send;
    this.fits = fits;
    this.alert = alert;
  }

  /** True if a game that was asked for is not there yet. */
  get isAwaited() {
    return this.#answered !== undefined;
  }

  /** The remarks on the file whose game comes next. */
  get remarks() {
    return this.#remarks;
  }

  /**
   * Asks for another game in place of this one.
   * @param {"new_game" | "open" | "restore"} type
   * @param {object} fields
   * @returns {Promise<string>} The refusal, or an empty text if the game is there.
   */
  replace(type, fields) {
    if (!this.fits(fields)) return Promise.resolve(t("error.file_long"));
    if (type === "open") this.#file = /** @type {OpenedFile} */ (fields);
    if (!this.send(type, fields)) return Promise.resolve(t("alert.lost"));
    return new Promise((resolve) => (this.#answered = resolve));
  }

  /** @param {string} refusal */
  answer(refusal) {
    this.#answered?.(refusal);
    this.#answered = undefined;
  }

  /**
   * Notes the remarks on a file whose game comes next.
   * @param {{remarks: import("./received.js").RemarkView[], games: number}} opened
   */
  receive({ remarks, games }) {
    this.#remarks = [...new Set(remarks.map(remarkText))].join("; ");
    this.#games = games;
  }

  /** Shows the remarks on the file whose game is there now. */
  report() {
    const count = this.#games;
    if (this.#remarks && !this.alert.offers) this.alert.say(this.#remarks);
    if (count > 1) this.alert.append(t("open.another"), () => this.#another(count));
    this.#remarks = "";
    this.#games = 1;
  }

  /** @param {OpenedFile | undefined} file Undefined for one that can't be read. */
  async open(file) {
    const refusal = file ? await this.replace("open", file) : t("error.file");
    if (refusal) this.alert.say(refusal);
  }

  /**
   * Opens another game of the file that was opened last.
   * @param {number} count The number of its games.
   */
  #another(count) {
    const file = this.#file;
    if (file) gameDialog((file.game ?? 1) % count + 1, count, (game) => this.replace("open", { ...file, game }));
  }

  /** Goes to the position that the address names. */
  openLink() {
    const position = linked(location.hash);
    if (!position) return;
    history.replaceState(null, "", location.pathname + location.search);
    void this.open({ text: position });
  }
}
