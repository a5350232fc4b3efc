// A screen for the club room: it shows the games that are being played, one after another.
// @ts-check

/** @typedef {import("./types-rooms.js").Lobby} Lobby */
/** @typedef {import("./types-rooms.js").Send} Send */
/** @typedef {import("./seats.js").OwnRooms} OwnRooms */

/** The address of the screen, after `#`. */
export const SCREEN = "screen";

/** How long a game is shown, in milliseconds. */
const SHOWN = 12000;

export class Screen {
  /**
   * @param {Send} send
   * @param {OwnRooms} own
   */
  constructor(send, own) {
    this.send = send;
    this.own = own;
    /** The room that is shown, or nothing. */
    this.room = "";
    this.isOn = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    document.body.classList.toggle(SCREEN, isOn);
    clearTimeout(this.timer);
    if (isOn) this.#next();
    else this.room = "";
  }

  /** Asks for the lobby, which says what is played. */
  #next() {
    this.send("leave");
  }

  /**
   * Goes to the game after the one that was shown. Says whether there is one. To show a game of
   * the visitor's own would be to come to it.
   * @param {Lobby} lobby
   */
  hear(lobby) {
    const live = lobby.live.filter(({ room }) => !this.own.has(room));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#next(), SHOWN);
    const at = live.findIndex(({ room }) => room === this.room);
    const next = live[(at + 1) % live.length];
    this.room = next?.room ?? "";
    if (next) this.send("enter", { room: next.room });
    return next !== undefined;
  }
}
