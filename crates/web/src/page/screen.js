// A screen for the club room: it shows the games that are being played, and the tournaments with their
// pairings, standings and clocks, one after another.
// @ts-check

/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./seats.js").OwnRooms} OwnRooms */

/** The address of the screen, after `#`. */
export const SCREEN = "screen";

/** The time that a game or a tournament is shown, in milliseconds. */
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
    /** The tournament that is shown, or nothing. */
    this.tournament = "";
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
    else this.room = this.tournament = "";
  }

  /** Asks for the lobby, which says what is played. */
  #next() {
    this.send("leave");
  }

  /**
   * Goes to the game or tournament after the one that was shown. Says whether there is one. To show
   * a game of the visitor's own would be to come to it.
   * @param {Lobby} lobby
   */
  hear(lobby) {
    const games = lobby.live.filter(({ room }) => !this.own.has(room)).map(({ room }) => room);
    const running = lobby.tournaments.filter(({ stage }) => stage === "running").map(({ tournament }) => tournament);
    const all = [...running, ...games];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#next(), SHOWN);
    const next = all[(all.indexOf(this.tournament || this.room) + 1) % all.length];
    this.tournament = running.includes(next) ? next : "";
    this.room = this.tournament ? "" : next ?? "";
    if (this.tournament) this.send("open_tournament", { tournament: next });
    else if (this.room) this.send("enter", { room: next });
    return next !== undefined;
  }
}
