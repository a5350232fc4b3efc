// Calls visitors to rooms of theirs that they do not see, where a game begins or it is
// their move, and tells them of challenges: by one line in the header, which covers and moves
// nothing, by the title, and by a sound.
// @ts-check

import { challenger } from "./challenges.js";
import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./names.js";
import { preferences } from "./preferences.js";
import { callSound } from "./sound.js";

/** @typedef {import("./seats.js").OwnRooms} OwnRooms */
/** @typedef {import("./received.js").OwnRoom} OwnRoom */

/** Challenges call by a sound at most this often, in milliseconds. */
const CHALLENGES_CALL_EVERY = 60000;

/** True if the browser has notifications, which it has by TLS or at its own machine only. */
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

/**
 * The opponent's name in a room of the visitor's.
 * @param {OwnRoom} room
 */
const opponent = ({ seats, seat }) => nameText(seats[seat === "first" ? 1 : 0]?.name ?? t("engine"));

/**
 * The end of a game of the visitor's, in words.
 * @param {OwnRoom} room
 */
function endText(room) {
  const { outcome, seat } = room;
  const isNone = outcome === null || ["ended", "no_show"].includes(outcome.reason) && outcome.winner === null;
  const result = isNone ? "none" : outcome.winner === null ? "draw" : outcome.winner === seat ? "win" : "loss";
  return t(`rooms.over.${result}`, { name: opponent(room) });
}

export class Calls {
  /**
   * @param {OwnRooms} own
   * @param {() => void} openChallenges
   */
  constructor(own, openChallenges) {
    this.own = own;
    this.openChallenges = openChallenges;
    /**
     * The rooms that call, each with the offer made there.
     * @type {Set<string>}
     */
    this.heard = new Set();
    /**
     * The challenges that have called so far. One that comes back does not call again.
     * @type {Set<string>}
     */
    this.challenged = new Set();
    /** The time from which challenges may call by a sound again. */
    this.quietUntil = 0;
  }

  /**
   * Shows which rooms call. Challenges wait while the visitor plays.
   * @param {string} seen The room that the visitor sees, or nothing.
   */
  show(seen) {
    const { own } = this;
    own.see(seen);
    const calling = own.list().filter(({ room }) => room !== seen && (own.hasBegun(room) || own.offer(room) || own.isTurn(room)));
    const isPlaying = own.list().some(({ stage }) => stage === "playing");
    const asked = isPlaying ? [] : own.asked().filter(({ room }) => room !== seen);
    const ended = own.ended().filter(({ room }) => !calling.some((it) => it.room === room));
    const [first, ...others] = [
      ...calling.map((room) => ({ room: room.room, text: this.#text(room) })),
      ...ended.map((room) => ({ room: room.room, text: endText(room) }))];
    const more = others.length > 0 ? ` (+${others.length})` : "";
    const challenges = this.#challengesText(asked);
    byId("calls").hidden = !first && !challenges;
    update(byId("calls"),
      first && html("a", { href: `#${first.room}`, title: first.text }, first.text + more),
      challenges && button(challenges, () => this.openChallenges(), { title: challenges, "data-name": "challenges" }));
    const news = own.isTurn(seen) ? t("rooms.your_turn") : first?.text ?? challenges;
    document.title = news ? `${news} · Quincunx` : `Quincunx: ${t("rooms.title")}`;
    const calls = [...calling.map(({ room }) => `${room} ${own.offer(room)}`), ...ended.map(({ room }) => `${room} over`)];
    const isNew = calls.some((call) => !this.heard.has(call));
    this.heard = new Set(calls);
    if (this.#isNewChallenge(asked) || isNew) {
      callSound();
      if (news) notify(news);
    }
  }

  /**
   * Returns true if a challenge calls by a sound.
   * @param {import("./received.js").RoomSummary[]} asked
   */
  #isNewChallenge(asked) {
    const isNew = asked.some(({ room }) => !this.challenged.has(room));
    for (const { room } of asked) this.challenged.add(room);
    if (!isNew || performance.now() < this.quietUntil) return false;
    this.quietUntil = performance.now() + CHALLENGES_CALL_EVERY;
    return true;
  }

  /**
   * The line about challenges; no words without one.
   * @param {import("./received.js").RoomSummary[]} asked
   */
  #challengesText(asked) {
    const [first] = asked;
    if (!first) return "";
    return asked.length === 1 ? t("challenges.one", { name: nameText(challenger(first)?.name ?? "") })
      : t("challenges.many", { count: asked.length });
  }

  /** @param {OwnRoom} own */
  #text(own) {
    const { room } = own;
    const name = opponent(own);
    const offer = this.own.offer(room);
    if (offer) return t(`rooms.${offer}`, { name });
    return t(this.own.hasBegun(room) ? "rooms.begins" : "rooms.moves", { name });
  }
}
