// The dialog with the challenges that the visitor has received: each is accepted or declined, or its
// sender is blocked.
// @ts-check

import { button, html, update } from "./dom.js";
import { t } from "./language.js";
import { confirmSeat } from "./lobby.js";
import { playerText } from "./names.js";
import { setupText } from "./room-setup.js";
import { open } from "./window.js";

/** @typedef {import("./received.js").RoomSummary} RoomSummary */
/** @typedef {import("./rooms.js").Send} Send */

/**
 * The player who sends a challenge.
 * @param {RoomSummary} room
 */
export const challenger = ({ seats }) => seats.find((seat) => seat !== null);

export class Challenges {
  /** @type {HTMLDialogElement | undefined} */
  #dialog;
  #list = html("section");
  /**
   * The challenges since the dialog was opened. Those that are withdrawn keep their place, so that
   * nothing moves under the pointer.
   * @type {Map<string, RoomSummary>}
   */
  #shown = new Map();

  /**
   * @param {Send} send
   * @param {import("./own-rooms.js").OwnRooms} own
   * @param {(room: string) => void} join Enters a room and takes its free seat.
   */
  constructor(send, own, join) {
    this.send = send;
    this.own = own;
    this.join = join;
  }

  open() {
    this.#shown.clear();
    this.#list = html("section");
    const dialog = open(t("challenges.title"), this.#list,
      html("div", { class: "row end" },
        button(t("challenges.decline_all"), () => {
          for (const { room } of this.own.challenges()) this.send("decline", { room });
          dialog.close();
        }),
        button(t("action.close"), () => dialog.close(), { class: "main" })));
    this.#dialog = dialog;
    this.show();
  }

  /** Updates the dialog, if it is open. */
  show() {
    if (!this.#dialog?.open) return;
    for (const room of this.own.challenges()) this.#shown.set(room.room, room);
    update(this.#list, ...[...this.#shown.values()].map((room) => this.#item(room)));
  }

  /** @param {RoomSummary} room */
  #item(room) {
    const player = challenger(room);
    const name = player?.name ?? "";
    const isGone = !this.own.hasChallenge(room.room);
    const act = (/** @type {() => void} */ done) => () => {
      this.#dialog?.close();
      done();
    };
    const action = (/** @type {string} */ key, /** @type {() => void} */ done, main = "quiet") =>
      button(t(key), done, { class: main, disabled: isGone, "data-name": `${key} ${room.room}` });
    return html("section", { class: "challenge" },
      html("p", {}, html("strong", {}, player ? playerText(player) : ""), html("br"), setupText(room.setup)),
      html("section", { class: "row" },
        action("action.accept", act(() => confirmSeat(room, this.own, () => this.join(room.room))), "main"),
        action("action.decline", () => this.send("decline", { room: room.room })),
        action("contacts.block", () => this.send("block", { name, blocked: true }))));
  }
}
