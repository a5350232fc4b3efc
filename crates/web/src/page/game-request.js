// Requests for another game on the board, with the warnings about its file.
// @ts-check

import { gameDialog, positionIn } from "./dialogs.js";
import { remarkText, t } from "./language.js";

/** @typedef {import("./dialogs.js").OpenedFile} OpenedFile */

export class GameRequest {
  /** Resolves the pending request. @type {((refusal: string) => void) | undefined} */
  #resolve;
  /** The file that was opened last. @type {OpenedFile | undefined} */
  #file;
  /** The number of games in that file. */
  #games = 1;
  /** The warnings about the file of the next game. */
  #remarks = "";

  /**
   * @param {(type: "new_game" | "open" | "restore" | "info", fields: any) => boolean} send
   * @param {(fields: unknown) => boolean} fits Returns false if the message would be too long.
   * @param {import("./alert.js").Alert} alert
   */
  constructor(send, fits, alert) {
    this.send = send;
    this.fits = fits;
    this.alert = alert;
  }

  /** True if the pending request changes the game instead of replacing it. */
  isChange = false;

  /** True if a request is pending. */
  get isPending() {
    return this.#resolve !== undefined;
  }

  /** The warnings about the file of the next game. */
  get remarks() {
    return this.#remarks;
  }

  /**
   * Requests another game in place of this one, or a change of it.
   * @param {"new_game" | "open" | "restore" | "info"} type
   * @param {object} fields
   * @returns {Promise<string>} The error, or an empty text if the game is on the board.
   */
  replace(type, fields) {
    if (!this.fits(fields)) return Promise.resolve(t("error.file_long"));
    if (type === "open") this.#file = /** @type {OpenedFile} */ (fields);
    this.isChange = type === "info";
    if (!this.send(type, fields)) return Promise.resolve(t("alert.lost"));
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  /** @param {string} refusal */
  answer(refusal) {
    this.#resolve?.(refusal);
    this.#resolve = undefined;
  }

  /**
   * Stores the warnings about the file of the next game.
   * @param {{remarks: import("./received.js").RemarkView[], games: number}} opened
   */
  receive({ remarks, games }) {
    this.#remarks = [...new Set(remarks.map(remarkText))].join("; ");
    this.#games = games;
  }

  /** Shows the warnings about the file of the game that has arrived. */
  showRemarks() {
    const count = this.#games;
    if (this.#remarks && !this.alert.hasOffer) this.alert.show(this.#remarks);
    if (count > 1) this.alert.append(t("open.another"), () => this.#another(count));
    this.#remarks = "";
    this.#games = 1;
  }

  /** @param {OpenedFile | undefined} file Undefined if it can't be read. */
  async open(file) {
    const refusal = file ? await this.replace("open", file) : t("error.file");
    if (refusal) this.alert.show(refusal);
  }

  /**
   * Asks for another game of the last file.
   * @param {number} count The number of its games.
   */
  #another(count) {
    const file = this.#file;
    if (file) gameDialog((file.game ?? 1) % count + 1, count, (game) => this.replace("open", { ...file, game }));
  }

  /** Opens the position in the address. */
  openLink() {
    const position = positionIn(location.hash);
    if (!position) return;
    history.replaceState(null, "", location.pathname + location.search);
    void this.open({ text: position });
  }
}
