// Notifications about the visitor's rooms that the page does not show, where a game has begun or
// ended or a move is due, and about challenges: in the header, in the title, and by a sound.
// @ts-check

import { challenger } from "./challenges.js";
import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./names.js";
import { preferences } from "./preferences.js";
import { isCorrespondence } from "./room-setup.js";
import { notificationSound } from "./sound.js";

/** @typedef {import("./own-rooms.js").OwnRooms} OwnRooms */
/** @typedef {import("./received.js").OwnRoom} OwnRoom */

/** The minimum time between sounds of challenges, in milliseconds. */
const CHALLENGE_SOUND_EVERY = 60000;

/** True if the browser allows notifications: only over TLS or on the same machine. */
const HAS_NOTIFICATIONS = "Notification" in window;

/** Asks the browser once for permission to notify, if the visitor prefers it. */
export function askToNotify() {
  if (preferences.notify && HAS_NOTIFICATIONS && Notification.permission === "default") void Notification.requestPermission();
}

/**
 * Shows a notification of the browser while the page is hidden, if the visitor prefers it.
 * @param {string} text
 */
function notify(text) {
  if (document.hidden && preferences.notify && HAS_NOTIFICATIONS && Notification.permission === "granted") {
    new Notification("Quincunx", { body: text, tag: "quincunx" });
  }
}

/**
 * The opponent's name in one of the visitor's rooms.
 * @param {OwnRoom} room
 */
const opponent = ({ seats, seat }) => nameText(seats[seat === "first" ? 1 : 0]?.name ?? t("engine"));

/**
 * The result of one of the visitor's games as text.
 * @param {OwnRoom} room
 */
function endText(room) {
  const { outcome, seat } = room;
  const isNone = outcome === null || ["ended", "no_show"].includes(outcome.reason) && outcome.winner === null;
  const result = isNone ? "none" : outcome.winner === null ? "draw" : outcome.winner === seat ? "win" : "loss";
  return t(`rooms.over.${result}`, { name: opponent(room) });
}

export class Notifications {
  /**
   * @param {OwnRooms} own
   * @param {() => void} openChallenges
   */
  constructor(own, openChallenges) {
    this.own = own;
    this.openChallenges = openChallenges;
    /**
     * The keys of the notifications that are shown.
     * @type {Set<string>}
     */
    this.shown = new Set();
    /**
     * The challenges so far. One that is sent again makes no sound.
     * @type {Set<string>}
     */
    this.challenged = new Set();
    /** The time from which challenges may make a sound again. */
    this.quietUntil = 0;
  }

  /**
   * Shows the notifications. Challenges wait while the visitor plays.
   * @param {string} seen The room that the visitor sees, or an empty text.
   */
  show(seen) {
    const { own } = this;
    own.markSeen(seen);
    const active = own.list().filter(({ room }) => room !== seen && own.isCalling(room));
    const isPlaying = own.list().some((room) => room.stage === "playing" && !isCorrespondence(room));
    const challenges = isPlaying ? [] : own.challenges().filter(({ room }) => room !== seen);
    const ended = own.ended().filter(({ room }) => !active.some((it) => it.room === room));
    const [first, ...others] = [
      ...active.map((room) => ({ room: room.room, text: this.#text(room) })),
      ...ended.map((room) => ({ room: room.room, text: endText(room) }))];
    const more = others.length > 0 ? ` (+${others.length})` : "";
    const challengesText = this.#challengesText(challenges);
    byId("calls").hidden = !first && !challengesText;
    update(byId("calls"),
      first && html("a", { href: `#${first.room}`, title: first.text }, first.text + more),
      challengesText && button(challengesText, () => this.openChallenges(), { title: challengesText, "data-name": "challenges" }));
    const text = own.isTurn(seen) ? t("rooms.your_turn") : first?.text ?? challengesText;
    const count = own.turns.count > 0 ? `(${own.turns.count}) ` : "";
    document.title = count + (text ? `${text} · Quincunx` : `Quincunx: ${t("rooms.title")}`);
    const keys = [...active.map(({ room }) => `${room} ${own.offer(room)}`), ...ended.map(({ room }) => `${room} over`)];
    const isNew = keys.some((key) => !this.shown.has(key));
    this.shown = new Set(keys);
    if (this.#isNewChallenge(challenges) || isNew) {
      notificationSound();
      if (text) notify(text);
    }
  }

  /**
   * Returns true if a challenge is new and may make a sound.
   * @param {import("./received.js").RoomSummary[]} challenges
   */
  #isNewChallenge(challenges) {
    const isNew = challenges.some(({ room }) => !this.challenged.has(room));
    for (const { room } of challenges) this.challenged.add(room);
    if (!isNew || performance.now() < this.quietUntil) return false;
    this.quietUntil = performance.now() + CHALLENGE_SOUND_EVERY;
    return true;
  }

  /**
   * The text about challenges; empty without one.
   * @param {import("./received.js").RoomSummary[]} challenges
   */
  #challengesText(challenges) {
    const [first] = challenges;
    if (!first) return "";
    return challenges.length === 1 ? t("challenges.one", { name: nameText(challenger(first)?.name ?? "") })
      : t("challenges.many", { count: challenges.length });
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
