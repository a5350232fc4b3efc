// A screen for the club room: a slide show of the live games, and of the running tournaments with
// their pairings, standings and clocks.
// @ts-check

/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./own-rooms.js").OwnRooms} OwnRooms */

/** The address of the screen, after `#`. */
export const SCREEN = "screen";

/** The time that a game or a tournament is shown, in milliseconds. */
const SLIDE_TIME = 12000;

export class Screen {
  /**
   * @param {Send} send
   * @param {OwnRooms} own
   */
  constructor(send, own) {
    this.send = send;
    this.own = own;
    /** The room on the screen, or an empty text. */
    this.room = "";
    /** The tournament on the screen, or an empty text. */
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
    if (isOn) this.#requestLobby();
    else this.room = this.tournament = "";
  }

  /** Requests the lobby, which lists the live games. */
  #requestLobby() {
    this.send("leave");
  }

  /**
   * Shows the next game or tournament. Returns false if there is none. The visitor's own games are
   * skipped: to enter their rooms is to be present.
   * @param {Lobby} lobby
   */
  advance(lobby) {
    const games = lobby.live.filter(({ room }) => !this.own.has(room)).map(({ room }) => room);
    const running = lobby.tournaments.filter(({ stage }) => stage === "running").map(({ tournament }) => tournament);
    const all = [...running, ...games];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#requestLobby(), SLIDE_TIME);
    const next = all[(all.indexOf(this.tournament || this.room) + 1) % all.length];
    this.tournament = running.includes(next) ? next : "";
    this.room = this.tournament ? "" : next ?? "";
    if (this.tournament) this.send("open_tournament", { tournament: next });
    else if (this.room) this.send("enter", { room: next });
    return next !== undefined;
  }
}
