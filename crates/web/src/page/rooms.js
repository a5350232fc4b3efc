// The page of the rooms. It shows the messages of the server, and sends the visitor's actions. The hash
// of the address is the route: a room, a tournament, a game, a person; without one the lobby.
// @ts-check

import { Alert } from "./alert.js";
import { Challenges } from "./challenges.js";
import { connect } from "./connection.js";
import { Contacts } from "./contacts.js";
import { decoded, settingsDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { GAME, GAMES, GameList, GameView } from "./games.js";
import { Identity } from "./identity.js";
import { setPublicAddress } from "./invite.js";
import roomTexts from "./lang/rooms/en.js";
import { addTexts, errorText, t } from "./language.js";
import { applyChanges } from "./lobby-changes.js";
import { LobbyView, PLAYER, TOURNAMENT, tabOf, tokenDialog } from "./lobby.js";
import { Notifications, askToNotify } from "./notifications.js";
import { OwnRooms } from "./own-rooms.js";
import { onKey, showLinks, start } from "./page.js";
import { onPreference } from "./preferences.js";
import { ProfileView } from "./profile.js";
import { RoomView } from "./room.js";
import { SCREEN, Screen } from "./screen.js";
import { iconButton } from "./icons.js";
import { refusalSound } from "./sound.js";
import { TournamentView, tournamentOf } from "./tournament.js";

/** @typedef {import("./received.js").ClubMessage} ClubMessage */
/** @typedef {import("./sent.js").VisitorMessage} VisitorMessage */

/**
 * Sends a message, or returns the error message of a lost connection.
 * @typedef {import("./connection.js").Send<VisitorMessage, string | undefined>} Send
 */

/** The version of the messages. */
const VERSION = 1;

/** The minimum time for which a finished game of a tournament is shown, in milliseconds. */
const NEXT_ROUND_DELAY = 6000;

/** Authenticates the visitor. */
const sendHello = () => void sendMessage("hello", { version: VERSION, ...identity.credentials() });

/** True if the server has accepted the visitor. */
let isAuthenticated = false;

/** True if the server has refused the last connection. */
let isRefused = false;

const alert = new Alert();
const showAlert = alert.show.bind(alert);
const own = new OwnRooms();
const contacts = new Contacts(send);
const challenges = new Challenges(send, own, join);
const notifications = new Notifications(own, () => challenges.open());
const identity = new Identity(send, showAlert, () => lobby.makeBot());
const lobby = new LobbyView(send, showAlert, own, contacts, join, () => identity.open());
const room = new RoomView(send, showAlert, own, contacts);
const game = new GameView(room.board, showAlert);
const games = new GameList(() => lobby.welcome?.rules ?? [], showAlert);
const screen = new Screen(send, own);
const tournament = new TournamentView(send, showAlert);
const profile = new ProfileView(contacts, (name) => lobby.create("open", name));

/** @type {Send} */
function send(type, ...fields) {
  return isAuthenticated && sendMessage(type, ...fields) ? undefined : t("rooms.lost");
}

/** The route in the address. */
const route = () => location.hash.slice(1).toLowerCase();

/** The room that the visitor sees, or an empty text. */
const visibleRoom = () => document.hidden ? "" : route();

/** The room on the page or on the screen. */
const shownRoom = () => screen.isOn ? screen.room : route();

/** Shows the visitor's rooms, with notifications and challenges. */
function showOwn() {
  lobby.show();
  notifications.show(visibleRoom());
  challenges.show();
}
document.addEventListener("visibilitychange", () => notifications.show(visibleRoom()));

/** The tournament on the page or on the screen. */
const shownTournament = () => screen.isOn ? screen.tournament : tournamentOf(route())[0];

/**
 * Shows the route.
 * @param {boolean} [sit] True if to take the free seat of a room.
 */
function navigate(sit = false) {
  identity.takeCode();
  if (!isAuthenticated) return;
  notifications.show(visibleRoom());
  lobby.release();
  lobby.isSeeking = false;
  const tab = tabOf(route());
  const [id, part] = tournamentOf(route());
  // Another tab of the same tournament is there at once.
  const isOpen = id !== "" && id === tournament.tournament?.tournament && !byId("tournament").hidden;
  tournament.tab = part;
  if (isOpen) tournament.show();
  if (!isOpen && room.room?.room !== route()) {
    showOnly(tab && "lobby");
    room.leave();
  }
  game.leave();
  if (screen.isOn || route() === SCREEN) screen.turn(route() === SCREEN);
  if (screen.isOn) return;
  if (shownTournament()) {
    send("open_tournament", { tournament: shownTournament() });
  } else if (route().startsWith(GAME)) {
    send("leave");
    void showGame(route());
  } else if (route().startsWith(PLAYER)) {
    send("leave");
    send("profile", { name: decoded(location.hash.slice(PLAYER.length + 1)) });
  } else if (tab) {
    send("leave");
    lobby.open(tab);
    if (tab === GAMES) games.open(decoded(location.hash.slice(GAMES.length + 2)));
  } else {
    send("enter", { room: route(), sit });
  }
}

/**
 * Shows a game of the archive.
 * @param {string} address
 */
async function showGame(address) {
  const refusal = await game.load(address.slice(GAME.length), () => route() === address);
  if (refusal) {
    showAlert(refusal);
    location.hash = "";
  } else if (game.game) showOnly("room");
}

/**
 * Shows one part of the page, or none while it is loading.
 * @param {string} [part]
 */
function showOnly(part) {
  for (const id of ["lobby", "room", "tournament", "profile"]) byId(id).hidden = id !== part;
}
addEventListener("hashchange", () => {
  // Dialogs belong to the route where they were opened.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  navigate();
});

/**
 * Enters a room and takes its free seat.
 * @param {string} id
 */
function join(id) {
  history.pushState(null, "", `#${id}`);
  navigate(true);
}

/**
 * Returns true if the page shows a finished game of the visitor in a tournament: the next round replaces
 * it.
 * @param {string} id
 */
const hasPlayedIn = (id) => room.seat !== null && room.room?.room === route()
  && room.room.tournament === id && room.room.stage === "over";

/** @param {ClubMessage} message */
function receive(message) {
  switch (message.type) {
    case "welcome":
      isAuthenticated = true;
      identity.accepted();
      alert.connected();
      isRefused = false;
      lobby.welcome = message;
      setPublicAddress(message.address);
      own.reset(message.rooms);
      own.isGuest = message.account === "guest";
      contacts.receive(message.contacts);
      // The request of an open form may be lost: it can be sent again.
      lobby.refuse("");
      tournament.you = message.name;
      navigate();
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
        if (!screen.advance(message)) showOnly("lobby");
      }
      lobby.show();
      break;
    case "lobby_changes":
      if (lobby.lobby) applyChanges(lobby.lobby, message);
      lobby.show();
      break;
    case "challenge":
      own.addChallenge(message);
      showOwn();
      break;
    case "challenge_gone":
      own.removeChallenge(message.room);
      showOwn();
      break;
    case "contacts":
      contacts.receive(message);
      showOwn();
      room.show();
      profile.show();
      break;
    case "said":
      room.receivePhrase(message);
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
      if (decoded(route()) !== PLAYER + message.name.toLowerCase()) break;
      profile.receive(message, message.name === lobby.welcome?.name);
      showOnly("profile");
      break;
    case "seat":
      // A new room is shown. If the visitor has left it meanwhile, the server is sent the route again.
      if (lobby.accept() || lobby.isSeeking) history.pushState(null, "", `#${message.room}`);
      if (message.room !== shownRoom()) {
        navigate();
        break;
      }
      lobby.isSeeking = false;
      room.seat = message.seat;
      notifications.show(visibleRoom());
      room.show();
      break;
    case "room":
      if (message.room !== shownRoom()) break;
      showOnly("room");
      room.receive(message);
      break;
    case "conditional_moves":
      if (message.room !== room.room?.room) break;
      room.conditional.receive(message.lines);
      room.show();
      break;
    case "your_room":
      own.receive(message);
      showOwn();
      break;
    case "your_turns":
      own.turns = message;
      lobby.refreshGames();
      showOwn();
      room.show();
      break;
    case "correspondence":
      lobby.correspondence.receive(message);
      lobby.show();
      break;
    case "closed":
      own.close(message.room);
      lobby.refreshGames();
      showOwn();
      if (route() !== message.room) break;
      showAlert(t("rooms.closed"));
      location.hash = "";
      break;
    case "tournament":
      if (lobby.accept()) history.pushState(null, "", `#${TOURNAMENT}${message.tournament}`);
      if (message.tournament !== shownTournament()) break;
      showOnly("tournament");
      tournament.receive(message);
      break;
    case "rounds":
      if (message.tournament === shownTournament()) tournament.receiveRounds(message);
      break;
    case "round":
      if (screen.isOn) break;
      if (shownTournament() === message.tournament) location.hash = message.room;
      else if (hasPlayedIn(message.tournament)) {
        const wait = room.endedAt + NEXT_ROUND_DELAY - performance.now();
        setTimeout(() => hasPlayedIn(message.tournament) && (location.hash = message.room), Math.max(wait, 0));
      }
      break;
    case "error":
      receiveError(message);
      break;
  }
}

/**
 * The message of an error, and when to try again.
 * @param {{code: string, text: string, retry_s?: number}} refusal
 */
function refusalText(refusal) {
  // Some errors have the texts of the board.
  const text = errorText({ ...refusal, text: errorText(refusal) }, {}, "rooms.error");
  return refusal.retry_s ? t("alert.retry", { text, seconds: refusal.retry_s }) : text;
}

/** @param {{code: string, text: string, retry_s?: number}} error */
function receiveError(error) {
  const { code } = error;
  lobby.isSeeking = false;
  room.conditional.refuse();
  // The action came before an update of the board, which shows the result.
  if (code === "stale") return;
  refusalSound();
  const text = refusalText(error);
  // The error of a visitor who is not authenticated stays.
  if (!isAuthenticated && identity.rejected(code)) {
    if (code !== "old_key" && code !== "forgotten") showAlert(text);
    sendHello();
  } else if (!isAuthenticated) alert.connectionLost(text);
  else if (!lobby.refuse(text)) showAlert(text);
  if (["no_room", "no_tournament"].includes(code) || code === "nobody" && route().startsWith(PLAYER) && byId("profile").hidden) location.hash = "";
}

function showMenu() {
  showLinks([["other", "gomoku", "board"], ["puzzles", "puzzles", "training.title"]]);
  update(byId("menu"), iconButton("settings", t("action.settings"),
    () => settingsDialog(["numbers", "large", "sound", "confirm", "keys", "phrases", "notify"], { more: contacts.settings() }),
    { class: "quiet", "data-name": "settings" }));
}

addTexts("lang/rooms", roomTexts);
await start(() => {
  showMenu();
  showOwn();
  room.show();
  game.show();
  if (lobby.tab === GAMES) games.show();
  tournament.show();
  profile.show();
});
onPreference(askToNotify);
identity.takeCode();

/** @type {import("./connection.js").Send<VisitorMessage, boolean>} */
const sendMessage = connect("rooms", {
  opened: () => {
    if (!isRefused) alert.connected();
    sendHello();
  },
  received: (message) => room.board.keepFocus(() => receive(message)),
  refused: (refusal) => {
    isRefused = true;
    alert.connectionLost(refusalText(refusal));
  },
  ended: () => alert.connectionLost(t("rooms.lost")),
  lost: () => {
    isAuthenticated = false;
    // The reason of a refusal stays until a connection is accepted.
    if (!isRefused) alert.connectionLost(t("rooms.lost"));
  },
});

onKey((key) => key === "b" && !byId("room").hidden ? () => room.board.enter() : undefined);
