// The rooms where the visitor has a seat, as the club tells of them, and which of them
// want the visitor to look.
// @ts-check

/** @typedef {import("./received.js").OwnRoom} OwnRoom */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */

export class OwnRooms {
  /** Whether the visitor is a guest, whose games are not rated. */
  isGuest = false;

  /** @type {Map<string, OwnRoom>} */
  #rooms = new Map();

  /**
   * Rooms whose game has begun since the visitor saw them.
   * @type {Set<string>}
   */
  #begun = new Set();

  /**
   * The rooms whose game has ended since the visitor saw them.
   * @type {Map<string, OwnRoom>}
   */
  #ended = new Map();

  /**
   * The rooms of games that others ask the visitor for.
   * @type {Map<string, RoomSummary>}
   */
  #asked = new Map();

  /** @param {RoomSummary} room A game that the visitor is asked for. */
  ask(room) {
    this.#asked.set(room.room, room);
  }

  /** @param {string} id Whether the visitor is asked for a game there. */
  isAsked(id) {
    return this.#asked.has(id);
  }

  /** @param {string} id The challenge there is withdrawn. */
  unask(id) {
    this.#asked.delete(id);
  }

  asked() {
    return [...this.#asked.values()];
  }

  /**
   * All of them, when a connection begins.
   * @param {OwnRoom[]} rooms
   */
  welcome(rooms) {
    this.#asked.clear();
    this.#rooms = new Map(rooms.map((room) => [room.room, room]));
    // A game without a stone may have begun while the page was not there.
    for (const { room, stage, stones } of rooms) if (stage === "playing" && !stones) this.#begun.add(room);
  }

  /**
   * How one of them stands. It is forgotten with the end of its game, unless the other player
   * wants a rematch.
   * @param {OwnRoom} room
   */
  hear(room) {
    this.#asked.delete(room.room);
    const wasPlaying = this.#rooms.get(room.room)?.stage === "playing";
    if (room.stage === "playing" && !wasPlaying) {
      this.#begun.add(room.room);
      // With the next game the last one is no news any more.
      this.#ended.clear();
    }
    this.#rooms.set(room.room, room);
    if (room.stage === "over" && wasPlaying) this.#ended.set(room.room, room);
    if (room.stage === "over" && !this.offer(room.room)) this.#forget(room.room);
  }

  /** @param {string} id The room is no more. */
  close(id) {
    this.#forget(id);
    this.#ended.delete(id);
  }

  /** @param {string} id */
  #forget(id) {
    this.#rooms.delete(id);
    this.#asked.delete(id);
    this.#begun.delete(id);
  }

  /**
   * The visitor sees a room.
   * @param {string} id
   */
  see(id) {
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

  /** @param {string} id Whether its game has begun since the visitor saw it. */
  hasBegun(id) {
    return this.#begun.has(id);
  }

  /** @param {string} id Whether it is the visitor's move there. */
  isTurn(id) {
    const room = this.#rooms.get(id);
    return room?.stage === "playing" && room.actor === room.seat;
  }

  /** @param {string} id The offer of the other player there, if there is one: its words. */
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
