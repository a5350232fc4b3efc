// The table of open rooms, which a click on a heading sorts.
// @ts-check

import { button, html } from "./dom.js";
import { t } from "./language.js";
import { botText, nameText } from "./names.js";
import { openingName } from "./opening.js";
import { clockText } from "./room-setup.js";

/** @typedef {import("./received.js").ClockRule} ClockRule */
/** @typedef {import("./received.js").PlayerView} Player */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */

/**
 * The person who waits in an open room.
 * @param {RoomSummary} room
 */
const host = ({ seats }) => /** @type {Player} */ (seats.find((seat) => seat !== null));

/** The moves of a game for which the time of its clock is compared. */
const MOVES = 30;

/** @param {ClockRule} clock */
const clockTime = (clock) => clock.kind === "correspondence" ? MOVES * clock.days * 86400000 : clock.main_ms
  + MOVES * (clock.kind === "increment" ? clock.increment_ms : clock.kind === "byoyomi" ? clock.period_ms : 0);

/**
 * The columns of open rooms: the key of the heading, and the value to sort by.
 * @type {[string, (room: RoomSummary) => string | number][]}
 */
const COLUMNS = [
  ["rooms.player", (room) => host(room).name ?? ""],
  ["rooms.rating", (room) => host(room).rating ?? 0],
  ["new.rule", ({ setup }) => t(`rule.name.${setup.rule}`)],
  ["rooms.clock", ({ setup }) => clockTime(setup.clock)],
  ["new.opening", ({ setup }) => openingName(setup.opening)],
];

export class OpenRooms {
  /**
   * @param {(room: RoomSummary) => void} join
   * @param {() => void} changed Called when the order has changed.
   */
  constructor(join, changed) {
    this.join = join;
    this.changed = changed;
    /**
     * The key of the column by which open rooms are sorted; empty for the newest first.
     * @type {{key: string, isDescending: boolean}}
     */
    this.sorting = { key: "", isDescending: false };
  }

  /**
   * The rooms in display order.
   * @param {RoomSummary[]} rooms
   */
  sorted(rooms) {
    const { key, isDescending } = this.sorting;
    const value = COLUMNS.find(([name]) => name === key)?.[1];
    if (!value) return rooms;
    const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
    const sorted = [...rooms].sort((one, other) => compare(String(value(one)), String(value(other))));
    return isDescending ? sorted.reverse() : sorted;
  }

  /**
   * Sorts the open rooms by a column; again, in the other direction.
   * @param {string} key
   */
  #sortBy(key) {
    this.sorting = { key, isDescending: this.sorting.key === key && !this.sorting.isDescending };
    this.changed();
  }

  /**
   * The table of open rooms.
   * @param {{it: RoomSummary, isGone: boolean}[]} rooms
   */
  table(rooms) {
    const { key: sorted, isDescending } = this.sorting;
    const direction = isDescending ? "descending" : "ascending";
    const heads = COLUMNS.map(([key]) => html("th", { scope: "col", "aria-sort": key === sorted && direction },
      button(t(key), () => this.#sortBy(key), { class: "quiet", "data-name": `sort ${key}` })));
    const title = t("rooms.open");
    return html("section", { class: "card", "aria-label": title }, html("h2", {}, title),
      rooms.length === 0 ? html("p", { class: "none" }, t("rooms.none"))
        : html("table", { class: "open-rooms", "aria-label": title }, html("thead", {}, html("tr", {}, ...heads, html("td"))),
          html("tbody", {}, ...rooms.map(({ it, isGone }) => this.#row(it, isGone)))));
  }

  /**
   * @param {RoomSummary} room
   * @param {boolean} isGone True if it is closed.
   */
  #row(room, isGone) {
    const { rule, size, clock, opening, rated } = room.setup;
    const { name, bot, rating, provisional } = host(room);
    const player = `${nameText(name ?? "")}${botText(bot)}`;
    return html("tr", {},
      html("th", { scope: "row" }, player),
      html("td", {}, `${rating}${provisional ? "?" : ""} `, html("span", { class: "none" }, t(rated ? "rooms.rated" : "rooms.unrated"))),
      html("td", {}, `${t(`rule.name.${rule}`)} · ${size}`),
      html("td", {}, clockText(clock)),
      html("td", {}, openingName(opening)),
      html("td", {}, button(t("rooms.join"), () => this.join(room),
        { "aria-label": `${t("rooms.join")}: ${player}`, disabled: isGone, "data-room": !isGone && room.room })));
  }
}
