// The rooms where the visitor has a seat, as the club tells of them.
// @ts-check

/** @typedef {import("./types-rooms.js").OwnRoom} OwnRoom */

export class OwnRooms {
  /** @type {Map<string, OwnRoom>} */
  #rooms = new Map();

  /**
   * All of them, when a connection begins.
   * @param {OwnRoom[]} rooms
   */
  welcome(rooms) {
    this.#rooms = new Map(rooms.map((room) => [room.room, room]));
  }

  /**
   * How one of them stands. It is forgotten with the end of its game.
   * @param {OwnRoom} room
   */
  hear(room) {
    if (room.stage === "over") this.#rooms.delete(room.room);
    else this.#rooms.set(room.room, room);
  }

  /** @param {string} id */
  close(id) {
    this.#rooms.delete(id);
  }

  /** @param {string} id */
  has(id) {
    return this.#rooms.has(id);
  }

  list() {
    return [...this.#rooms.values()];
  }
}
