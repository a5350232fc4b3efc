// The page of the rooms: what the club says is shown, what a person does is said to it.
// The address says which room is shown; without one it is the lobby.
// @ts-check

import { Alert } from "./alert.js";
import { Calls, askToNotify } from "./calls.js";
import { Challenges } from "./challenges.js";
import { connect } from "./connection.js";
import { Contacts } from "./contacts.js";
import { decoded, settingsDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { GAME, GAMES, GameList, GameView } from "./games.js";
import { Identity } from "./identity.js";
import { setPublicAddress } from "./invite.js";
import roomWords from "./lang/rooms/en.js";
import { addWords, errorText, t } from "./language.js";
import { changeLobby } from "./lobby-changes.js";
import { LobbyView, TOURNAMENT, profileDialog, tokenDialog } from "./lobby.js";
import { onKey, showLinks, start } from "./page.js";
import { onPreference } from "./preferences.js";
import { RoomView } from "./room.js";
import { SCREEN, Screen } from "./screen.js";
import { OwnRooms } from "./seats.js";
import { signedButton } from "./signs.js";
import { refusalSound } from "./sound.js";
import { TournamentView } from "./tournament.js";

/** @typedef {import("./received.js").ClubMessage} ClubMessage */
/** @typedef {import("./sent.js").VisitorMessage} VisitorMessage */

/**
 * Sends a message, or returns that the server is not there.
 * @typedef {import("./connection.js").Send<VisitorMessage, string | undefined>} Send
 */

/** The version of the messages that this page speaks. */
const VERSION = 1;

/** The time that a finished game of a tournament stays before the next round leads away, in milliseconds. */
const LEADS_AFTER = 6000;

/** Says who the visitor is. */
const sayHello = () => void sendMessage("hello", { version: VERSION, ...identity.hello() });

/** True if the program has said hello. */
let greeted = false;

/** True if the program had no place. */
let refused = false;

const alert = new Alert();
const say = alert.say.bind(alert);
const own = new OwnRooms();
const contacts = new Contacts(send);
const challenges = new Challenges(send, own, join);
const calls = new Calls(own, () => challenges.open());
const identity = new Identity(send, say);
const lobby = new LobbyView(send, own, contacts, join, () => identity.open());
const room = new RoomView(send, say, own, contacts);
const game = new GameView(room.board, say);
const games = new GameList(() => lobby.welcome?.rules ?? [], say);
const screen = new Screen(send, own);
const tournament = new TournamentView(send, say);

/** @type {Send} */
function send(type, ...fields) {
  return greeted && sendMessage(type, ...fields) ? undefined : t("rooms.lost");
}

/** The room that the address names, as the server writes its number. */
const wanted = () => location.hash.slice(1).toLowerCase();

/** The room that the visitor sees, or nothing. */
const seen = () => document.hidden ? "" : wanted();

/** The room that is to be shown. */
const shownRoom = () => screen.isOn ? screen.room : wanted();

/** Shows the visitor's own rooms, and calls to them. */
function showOwn() {
  lobby.show();
  calls.show(seen());
  challenges.show();
}
document.addEventListener("visibilitychange", () => calls.show(seen()));

/** The tournament that the address names. */
const wantedTournament = () => screen.isOn ? screen.tournament
  : wanted().startsWith(TOURNAMENT) ? wanted().slice(TOURNAMENT.length) : "";

/**
 * Goes where the address says.
 * @param {boolean} [sit] Whether to take the free seat of a room.
 */
function go(sit = false) {
  identity.takeCode();
  if (!greeted) return;
  calls.show(seen());
  if (wanted() !== "") lobby.release();
  if (room.room?.room !== wanted()) {
    showOnly(wanted() === "" ? "lobby" : undefined);
    room.leave();
  }
  game.leave();
  if (screen.isOn || wanted() === SCREEN) screen.turn(wanted() === SCREEN);
  if (screen.isOn) return;
  if (wantedTournament()) {
    send("open_tournament", { tournament: wantedTournament() });
  } else if (wanted().startsWith(GAME)) {
    send("leave");
    void showGame(wanted());
  } else if (wanted() === GAMES || wanted().startsWith(`${GAMES}/`)) {
    send("leave");
    showOnly("games");
    games.open(decoded(location.hash.slice(GAMES.length + 2)));
  } else if (wanted()) {
    send("enter", { room: wanted(), sit });
  } else {
    send("leave");
    lobby.show();
    lobby.ask();
  }
}

/**
 * Shows the game of an address.
 * @param {string} address
 */
async function showGame(address) {
  const refusal = await game.look(address.slice(GAME.length), () => wanted() === address);
  if (refusal) {
    say(refusal);
    location.hash = "";
  } else if (game.game) showOnly("room");
}

/**
 * Shows one part of the page, or none until it is known.
 * @param {string} [part]
 */
function showOnly(part) {
  for (const id of ["lobby", "room", "tournament", "games"]) byId(id).hidden = id !== part;
}
addEventListener("hashchange", () => {
  // What a window asks is asked of the place where it was opened.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  go();
});

/**
 * Goes into a room and takes its free seat.
 * @param {string} id
 */
function join(id) {
  history.pushState(null, "", `#${id}`);
  go(true);
}

/**
 * Returns true if the page shows a game of a tournament that is over, and that the visitor has
 * played: the next round leads away from it.
 * @param {string} id
 */
const hasPlayedIn = (id) => room.seat !== null && room.room?.room === wanted()
  && room.room.tournament === id && room.room.stage === "over";

/** @param {ClubMessage} message */
function hear(message) {
  switch (message.type) {
    case "welcome":
      greeted = true;
      identity.welcome();
      alert.find();
      refused = false;
      lobby.welcome = message;
      setPublicAddress(message.address);
      own.welcome(message.rooms);
      own.isGuest = message.account === "guest";
      contacts.hear(message.contacts);
      // What was sent before the connection broke may not have arrived.
      lobby.refuse("");
      tournament.you = message.name;
      go();
      break;
    case "name":
      lobby.accept();
      own.isGuest = message.account === "guest";
      if (lobby.welcome) Object.assign(lobby.welcome, { name: message.name, account: message.account });
      tournament.you = message.name;
      lobby.show();
      break;
    case "lobby":
      lobby.lobby = message;
      if (screen.isOn) {
        if (!screen.hear(message)) showOnly("lobby");
      }
      lobby.show();
      break;
    case "lobby_changes":
      if (lobby.lobby) changeLobby(lobby.lobby, message);
      lobby.show();
      break;
    case "challenge":
      own.ask(message);
      showOwn();
      break;
    case "challenge_gone":
      own.unask(message.room);
      showOwn();
      break;
    case "contacts":
      contacts.hear(message);
      showOwn();
      room.show();
      break;
    case "said":
      room.hearPhrase(message);
      break;
    case "ratings":
      lobby.ratings = message;
      lobby.show();
      break;
    case "code":
      identity.showCode(message.code);
      break;
    case "devices":
      identity.showDevices(message.devices);
      break;
    case "renewed":
      identity.renewed();
      break;
    case "token":
      lobby.accept();
      tokenDialog(message);
      break;
    case "profile":
      profileDialog(message, message.name === lobby.welcome?.name ? undefined : (name) => lobby.create(name), contacts);
      break;
    case "seat":
      // A new room is shown. One that the visitor has turned away from meanwhile is not: the
      // server hears again where they are.
      if (lobby.accept()) history.pushState(null, "", `#${message.room}`);
      if (message.room !== shownRoom()) {
        go();
        break;
      }
      room.seat = message.seat;
      calls.show(seen());
      room.show();
      break;
    case "room":
      if (message.room !== shownRoom()) break;
      showOnly("room");
      room.hear(message);
      break;
    case "your_room":
      own.hear(message);
      showOwn();
      break;
    case "closed":
      own.close(message.room);
      showOwn();
      if (wanted() !== message.room) break;
      say(t("rooms.closed"));
      location.hash = "";
      break;
    case "tournament":
      if (lobby.accept()) history.pushState(null, "", `#${TOURNAMENT}${message.tournament}`);
      if (message.tournament !== wantedTournament()) break;
      showOnly("tournament");
      tournament.hear(message);
      break;
    case "rounds":
      if (message.tournament === wantedTournament()) tournament.hearRounds(message);
      break;
    case "round":
      if (screen.isOn) break;
      if (wantedTournament() === message.tournament) location.hash = message.room;
      else if (hasPlayedIn(message.tournament)) {
        const wait = room.endedAt + LEADS_AFTER - performance.now();
        setTimeout(() => hasPlayedIn(message.tournament) && (location.hash = message.room), Math.max(wait, 0));
      }
      break;
    case "error":
      hearError(message);
      break;
  }
}

/**
 * Why something is refused, and when to try again.
 * @param {{code: string, text: string, retry_s?: number}} refusal
 */
function refusalText(refusal) {
  // What the board says as well has the same words.
  const text = errorText({ ...refusal, text: errorText(refusal) }, {}, "rooms.error");
  return refusal.retry_s ? t("alert.retry", { text, seconds: refusal.retry_s }) : text;
}

/** @param {{code: string, text: string, retry_s?: number}} error */
function hearError(error) {
  const { code } = error;
  // A player was faster than the answer: the board shows what counts.
  if (code === "stale") return;
  refusalSound();
  const words = refusalText(error);
  // Who is not let in hears why until they are.
  if (!greeted && identity.refuse(code)) {
    if (code !== "old_key" && code !== "forgotten") say(words);
    sayHello();
  } else if (!greeted) alert.lose(words);
  else if (!lobby.refuse(words)) say(words);
  if (code === "no_room" || code === "no_tournament") location.hash = "";
}

function showMenu() {
  showLinks([["other", "gomoku", "board"], ["puzzles", "puzzles", "training.title"]]);
  update(byId("menu"), signedButton("settings", t("action.settings"),
    () => settingsDialog(["numbers", "sound", "confirm", "keys", "phrases", "notify"], { more: contacts.settings() }),
    { class: "quiet", "data-name": "settings" }));
}

addWords("lang/rooms", roomWords);
await start(() => {
  showMenu();
  showOwn();
  room.show();
  game.show();
  games.show();
  tournament.show();
});
onPreference(askToNotify);
identity.takeCode();

/** @type {import("./connection.js").Send<VisitorMessage, boolean>} */
const sendMessage = connect("rooms", {
  opened: () => {
    if (!refused) alert.find();
    sayHello();
  },
  received: (message) => room.board.keepFocus(() => hear(message)),
  refused: (refusal) => {
    refused = true;
    alert.lose(refusalText(refusal));
  },
  ended: () => alert.lose(t("rooms.lost")),
  lost: () => {
    greeted = false;
    // Why there is no place stays there until there is one.
    if (!refused) alert.lose(t("rooms.lost"));
  },
});

onKey((key) => key === "b" && !byId("room").hidden ? () => room.board.enter() : undefined);
