// The rooms where the visitor has a seat, and the challenges that the visitor has received.
// @ts-check

import { MY_GAMES } from "./correspondence.js";
import { isCorrespondence } from "./room-setup.js";

/** @typedef {import("./received.js").OwnRoom} OwnRoom */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */

export class OwnRooms {
  /** Whether the visitor is a guest, whose games are not rated. */
  isGuest = false;

  /**
   * The correspondence games that wait for the visitor's move: their number, and the first.
   * @type {{count: number, next: string | null}}
   */
  turns = { count: 0, next: null };

  /** @type {Map<string, OwnRoom>} */
  #rooms = new Map();

  /**
   * The rooms whose game has begun since the visitor saw them.
   * @type {Set<string>}
   */
  #begun = new Set();

  /**
   * The rooms whose game has ended since the visitor saw them.
   * @type {Map<string, OwnRoom>}
   */
  #ended = new Map();

  /**
   * The correspondence games where the visitor's turn has begun since they saw them.
   * @type {Set<string>}
   */
  #turned = new Set();

  /** @type {Map<string, RoomSummary>} */
  #challenges = new Map();

  /** @param {RoomSummary} room */
  addChallenge(room) {
    this.#challenges.set(room.room, room);
  }

  /** @param {string} id */
  hasChallenge(id) {
    return this.#challenges.has(id);
  }

  /** @param {string} id */
  removeChallenge(id) {
    this.#challenges.delete(id);
  }

  challenges() {
    return [...this.#challenges.values()];
  }

  /**
   * Replaces all rooms, on a new connection.
   * @param {OwnRoom[]} rooms The live ones: of the others the server sends changes.
   */
  reset(rooms) {
    this.turns = { count: 0, next: null };
    this.#challenges.clear();
    this.#turned.clear();
    this.#rooms = new Map(rooms.map((room) => [room.room, room]));
    // A game without a stone may have begun while the connection was lost.
    for (const { room, stage, stones } of rooms) if (stage === "playing" && !stones) this.#begun.add(room);
  }

  /**
   * Updates a room. It is removed at the end of its game, unless the opponent offers a rematch.
   * @param {OwnRoom} room
   */
  receive(room) {
    this.#challenges.delete(room.room);
    const before = this.#rooms.get(room.room);
    const wasPlaying = before ? before.stage === "playing" : isCorrespondence(room) && room.stones > 0;
    if (room.stage === "playing" && !wasPlaying) {
      this.#begun.add(room.room);
      // A new game makes the notification about the last one obsolete.
      this.#ended.clear();
    }
    this.#rooms.set(room.room, room);
    if (isCorrespondence(room) && this.isTurn(room.room)) this.#turned.add(room.room);
    else this.#turned.delete(room.room);
    if (room.stage === "over" && wasPlaying) this.#ended.set(room.room, room);
    if (room.stage === "over" && !this.offer(room.room)) this.#remove(room.room);
  }

  /** @param {string} id */
  close(id) {
    this.#remove(id);
    this.#ended.delete(id);
  }

  /** @param {string} id */
  #remove(id) {
    this.#rooms.delete(id);
    this.#challenges.delete(id);
    this.#begun.delete(id);
    this.#turned.delete(id);
  }

  /**
   * Marks a room as seen by the visitor, or the correspondence games, which their list shows.
   * @param {string} id
   */
  markSeen(id) {
    const seen = id === MY_GAMES ? this.list().filter(isCorrespondence).map(({ room }) => room) : [id];
    for (const room of seen) {
      this.#begun.delete(room);
      this.#turned.delete(room);
      this.#ended.delete(room);
    }
  }

  /** The rooms whose game has ended since the visitor saw them. */
  ended() {
    return [...this.#ended.values()];
  }

  /** @param {string} id */
  has(id) {
    return this.#rooms.has(id);
  }

  /** @param {string} id True if its game has begun since the visitor saw it. */
  hasBegun(id) {
    return this.#begun.has(id);
  }

  /** @param {string} id True if it is the visitor's move there. */
  isTurn(id) {
    const room = this.#rooms.get(id);
    return room?.stage === "playing" && room.actor === room.seat;
  }

  /** @param {string} id True if the visitor is notified about it elsewhere. */
  isCalling(id) {
    const room = this.#rooms.get(id);
    return this.hasBegun(id) || Boolean(this.offer(id)) || (room && isCorrespondence(room) ? this.#turned.has(id) : this.isTurn(id));
  }

  /** @param {string} id The key of the text of the opponent's offer, if there is one. */
  offer(id) {
    const room = this.#rooms.get(id);
    const isTheirs = (/** @type {string | null | undefined} */ seat) => seat != null && seat !== room?.seat;
    if (isTheirs(room?.draw_offer)) return "offers_draw";
    if (isTheirs(room?.undo_wish)) return "asks_undo";
    return isTheirs(room?.rematch_wish) ? "rematch_wished" : undefined;
  }

  list() {
    return [...this.#rooms.values()];
  }
}
