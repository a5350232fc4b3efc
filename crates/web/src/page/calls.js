// Calls visitors to rooms of theirs that they do not see, where a game begins or it is
// their move: by a line on the page, by its title, and by a sound.
// @ts-check

import { byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { setupText } from "./lobby.js";
import { nameText } from "./names.js";
import { preferences } from "./preferences.js";
import { callSound } from "./sound.js";

/** @typedef {import("./seats.js").OwnRooms} OwnRooms */
/** @typedef {import("./types-rooms.js").OwnRoom} OwnRoom */

/**
 * The words of a challenge.
 * @param {import("./types-rooms.js").RoomSummary} room
 */
function challengeText({ seats, setup }) {
  const name = nameText(seats.find((seat) => seat !== null)?.name ?? "");
  return t("rooms.challenges", { name, setup: setupText(setup) });
}

/** Whether the browser has notifications, which it has by TLS or at its own machine only. */
const HAS_NOTIFICATIONS = "Notification" in window;

/** Asks once whether the page may notify, where the visitor prefers it. */
export function askToNotify() {
  if (preferences.notify && HAS_NOTIFICATIONS && Notification.permission === "default") void Notification.requestPermission();
}

/**
 * Notifies a visitor who looks elsewhere, if they have asked for it.
 * @param {string} text
 */
function notify(text) {
  if (document.hidden && preferences.notify && HAS_NOTIFICATIONS && Notification.permission === "granted") {
    new Notification("Quincunx", { body: text, tag: "quincunx" });
  }
}

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
    const asked = own.asked().filter(({ room }) => room !== seen);
    const lines = [
      ...calling.map((room) => ({ room: room.room, text: this.#text(room) })),
      ...asked.map((room) => ({ room: room.room, text: challengeText(room) }))];
    const texts = lines.map(({ text }) => text);
    byId("calls").hidden = lines.length === 0;
    update(byId("calls"), ...lines.map(({ room, text }) => html("a", { href: `#${room}` }, text)));
    const [news] = own.isTurn(seen) ? [t("rooms.your_turn")] : texts;
    document.title = news ? `${news} · Quincunx` : `Quincunx: ${t("rooms.title")}`;
    const calls = [...calling.map(({ room }) => `${room} ${own.offer(room)}`), ...asked.map(({ room }) => room)];
    if (calls.some((call) => !this.heard.has(call))) {
      callSound();
      if (news) notify(news);
    }
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
