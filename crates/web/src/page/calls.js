// Calls visitors to rooms of theirs that they do not see, where a game begins or it is
// their move: by a line on the page, by its title, and by a sound.
// @ts-check

import { byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./names.js";
import { callSound } from "./sound.js";

/** @typedef {import("./seats.js").OwnRooms} OwnRooms */
/** @typedef {import("./types-rooms.js").OwnRoom} OwnRoom */

export class Calls {
  /** @param {OwnRooms} own */
  constructor(own) {
    this.own = own;
    /**
     * The rooms that have called so far.
     * @type {Set<string>}
     */
    this.heard = new Set();
  }

  /**
   * Shows which rooms call.
   * @param {string} seen The room that the visitor sees, or nothing.
   */
  show(seen) {
    const { own } = this;
    own.see(seen);
    const calling = own.list().filter(({ room }) => room !== seen && (own.hasBegun(room) || own.isTurn(room)));
    const texts = calling.map((room) => this.#text(room));
    byId("calls").hidden = calling.length === 0;
    update(byId("calls"), ...calling.map(({ room }, i) => html("a", { href: `#${room}` }, texts[i])));
    const [news] = own.isTurn(seen) ? [t("rooms.your_turn")] : texts;
    document.title = news ? `${news} · Quincunx` : `Quincunx: ${t("rooms.title")}`;
    if (calling.some(({ room }) => !this.heard.has(room))) callSound();
    this.heard = new Set(calling.map(({ room }) => room));
  }

  /** @param {OwnRoom} room */
  #text({ room, seats, seat }) {
    const name = nameText(seats[seat === "first" ? 1 : 0]?.name ?? t("engine"));
    return t(this.own.hasBegun(room) ? "rooms.begins" : "rooms.moves", { name });
  }
}
