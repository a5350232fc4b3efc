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
     * The rooms that have called so far, each with the offer made there.
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
    const calling = own.list().filter(({ room }) => room !== seen && (own.hasBegun(room) || own.offer(room) || own.isTurn(room)));
    const texts = calling.map((room) => this.#text(room));
    byId("calls").hidden = calling.length === 0;
    update(byId("calls"), ...calling.map(({ room }, i) => html("a", { href: `#${room}` }, texts[i])));
    const [news] = own.isTurn(seen) ? [t("rooms.your_turn")] : texts;
    document.title = news ? `${news} · Quincunx` : `Quincunx: ${t("rooms.title")}`;
    const calls = calling.map(({ room }) => `${room} ${own.offer(room)}`);
    if (calls.some((call) => !this.heard.has(call))) callSound();
    this.heard = new Set(calls);
  }

  /** @param {OwnRoom} room */
  #text({ room, seats, seat }) {
    const name = nameText(seats[seat === "first" ? 1 : 0]?.name ?? t("engine"));
    const offer = this.own.offer(room);
    if (offer) return t(`rooms.${offer}`, { name });
    return t(this.own.hasBegun(room) ? "rooms.begins" : "rooms.moves", { name });
  }
}
