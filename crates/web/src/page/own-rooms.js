// The rooms where the visitor has a seat, and the challenges that the visitor has received.
// @ts-check

/** @typedef {import("./received.js").OwnRoom} OwnRoom */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */

export class OwnRooms {
  /** Whether the visitor is a guest, whose games are not rated. */
  isGuest = false;

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
   * @param {OwnRoom[]} rooms
   */
  reset(rooms) {
    this.#challenges.clear();
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
    const wasPlaying = this.#rooms.get(room.room)?.stage === "playing";
    if (room.stage === "playing" && !wasPlaying) {
      this.#begun.add(room.room);
      // A new game makes the notification about the last one obsolete.
      this.#ended.clear();
    }
    this.#rooms.set(room.room, room);
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
  }

  /**
   * Marks a room as seen by the visitor.
   * @param {string} id
   */
  markSeen(id) {
    this.#begun.delete(id);
    this.#ended.delete(id);
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
