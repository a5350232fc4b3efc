// The board page. It shows the messages of the program, and sends the person's actions.
// @ts-check

import { showActions } from "./actions.js";
import { Alert } from "./alert.js";
import { AnalysisView, rated } from "./analysis.js";
import { announce } from "./announce.js";
import { BoardView, obstacle } from "./board.js";
import { Clocks } from "./clocks.js";
import { connect, fits } from "./connection.js";
import { CurveView } from "./curve.js";
import { infoDialog, newGameDialog, openDialog, settingsDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { onGame } from "./drop.js";
import { Editor } from "./editor.js";
import { searchLimits } from "./engine.js";
import { ExplorerView } from "./explorer.js";
import { COPIES, Exporter } from "./export.js";
import { FirstVisit } from "./first-visit.js";
import { Frame } from "./frame.js";
import { GameRequest } from "./game-request.js";
import { helpDialog } from "./help.js";
import { Labeller } from "./labels.js";
import { errorText, t } from "./language.js";
import { MovesView } from "./moves.js";
import { OwnGames, ownGamesDialog } from "./owngames.js";
import { onKey, showLinks, start } from "./page.js";
import { fileName, playerNames, showPlayers } from "./players.js";
import { loadGame, loadNode, loadTimeLeft, prefer, preferences, saveGame, saveNode } from "./preferences.js";
import { Premove } from "./premove.js";
import { ReviewView } from "./review.js";
import { iconButton } from "./icons.js";
import { endSound, refusalSound } from "./sound.js";
import { showQuestion, showStatus } from "./status.js";
import { threatText } from "./threats.js";
import { Tree } from "./tree.js";
import { WhyView, loserOf } from "./why.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").Setup} Setup */
/** @typedef {import("./received.js").Welcome} Welcome */
/** @typedef {import("./received.js").ServerMessage} ServerMessage */
/** @typedef {import("./received.js").Color} Color */
/** @typedef {import("./received.js").Format} Format */

/** The version of the messages. */
const VERSION = 1;

/** @type {State | undefined} */
let state;
/** @type {Welcome | undefined} */
let welcome;
/**
 * The pending requests for files, oldest first.
 * @type {{format: Format, resolve: (text: string) => void, reject: (error: Error) => void}[]}
 */
let exporting = [];
/** True until the first state of a session. */
let isNew = true;
/** The search limits that were sent last. */
let limits = "{}";
/** The position of the last `go_to`, from which further steps count, until another message. @type {number | undefined} */
let target;
/** The save of the game that was stored last. */
let stored = loadGame();

/** The game of the list that is being restored. @type {import("./owngames.js").OwnGame | undefined} */
let restoring;

const ownGames = new OwnGames();
const alert = new Alert();
const gameRequest = new GameRequest((type, fields) => send(type, fields), fits, alert);
const tree = new Tree();
const frame = new Frame();
const clocks = new Clocks();
const premove = new Premove();
const board = new BoardView(byId("board"), choosePoint, (point) => alert.show(t("alert.tap", { point })), refuse);
const editor = new Editor(board, {
  play: (stones) => beginWith(stones, "play"),
  analyse: (stones) => beginWith(stones, "analyse"),
  cancel: () => board.keepFocus(() => {
    editor.close();
    if (resumes) send("resume");
    if (state) show(state);
  }),
});
const analysis = new AnalysisView({
  preview: board.preview.bind(board),
  toggle: analyse,
  analyse: (lines, mode) => send("analyse", { lines, mode }),
  playLine,
  prove: () => send("prove"),
  proveThreat: () => send("prove_threat"),
}, tree);
const explorer = new ExplorerView({ preview: board.preview.bind(board), playLine });
const review = new ReviewView({
  goTo,
  playLine,
  tryAgain: (node) => send("try_again", { node }),
  toggle: toggleReview,
}, tree);
const why = new WhyView({
  goTo,
  tryAgain: (node) => send("try_again", { node }),
  hint: board.hint.bind(board),
  show: () => state && show(state),
});
const curve = new CurveView(tree, goTo);
const moves = new MovesView({
  goTo,
  step,
  remove: (node) => send("delete", { node }),
  promote: (node) => send("promote", { node }),
  // While another game is awaited, it is uncertain which game the comment would be written to.
  comment: (node, text) => !gameRequest.isPending && send("comment", { node, text }),
  toggleLabels,
  editInfo,
}, tree);
const drawArrow = (/** @type {string} */ from, /** @type {string} */ to) => void send("arrow", { node: state?.node ?? 0, from, to });
const labeller = new Labeller(board, (point, text) => send("label", { node: state?.node ?? 0, point, text }), drawArrow, toggleLabels);
board.mark = (/** @type {string} */ from, /** @type {string} */ to) => {
  if (editor.active) return;
  if (from === to) labeller.circle(from);
  else drawArrow(from, to);
};

const firstVisit = new FirstVisit((rule, level) => gameRequest.replace("new_game", { ...state?.setup, rule, level }));

const exporter = new Exporter((format) => new Promise((resolve, reject) => {
  exporting.push({ format, resolve, reject });
  const theme = /** @type {import("./sent.js").PictureTheme} */ (document.documentElement.dataset.theme);
  send("export", { format, look: { view: preferences.view, theme } });
}), board.drawing, (text) => alert.show(text), () => state ? fileName(state) : "");

await start(() => {
  showLinks([["other", "other", "gravity.title"], ["puzzles", "puzzles", "training.title"], ["back", "back", "rooms.title"]]);
  if (state) {
    sendLimits();
    show(state);
  }
});

/** @type {import("./connection.js").Send<import("./sent.js").ClientMessage, boolean>} */
const sendMessage = connect("board", {
  opened: () => {
    alert.connected();
    // Another tab may have stored its game meanwhile.
    if (!state) stored = loadGame();
    const isSent = fits(stored);
    if (!isSent) alert.show(t("alert.replaced"));
    const node = state ? state.node : loadNode();
    send("hello", {
      version: VERSION, save: isSent ? stored : null, node: isSent ? node : null, changes: true,
      left_ms: state ? clocks.left : loadTimeLeft(),
    });
    limits = "{}";
    sendLimits();
    // A new session begins without an analysis.
    if (state?.analysis != null) send("analyse", { lines: state.analysis, mode: state.mode });
  },
  received: (message) => board.keepFocus(() => receive(message)),
  refused: (refusal) => alert.connectionRefused(refusal),
  ended: () => alert.programEnded(),
  lost: connectionLost,
});

/**
 * Sends a message. Returns false if the connection is lost.
 * @type {typeof sendMessage}
 */
function send(type, ...fields) {
  target = undefined;
  if (type !== "comment") moves.flushComment();
  return sendMessage(type, ...fields);
}

/** Sends the search limits, if they have changed. */
function sendLimits() {
  const chosen = searchLimits();
  if (JSON.stringify(chosen) === limits) return;
  limits = JSON.stringify(chosen);
  send("limit", chosen);
}

/** @param {number} node */
function goTo(node) {
  if (send("go_to", { node })) target = node;
}

/** @param {import("./tree.js").Step} where */
function step(where) {
  const node = tree.step(target ?? state?.node ?? 0, where);
  if (node != null) goTo(node);
}

/**
 * Adds moves to the tree from a position, and plays them.
 * @param {string[]} points
 * @param {number} [node]
 */
function playLine(points, node = state?.node) {
  if (node !== undefined && node !== state?.node) goTo(node);
  send("line", { node: node ?? 0, points });
  byId("board").scrollIntoView({ block: "nearest" });
}

/** Begins or ends a review. */
function toggleReview() {
  board.keepFocus(() => {
    review.isClosed = review.isOpen;
    why.close();
    review.set(undefined);
    send(review.isClosed ? "stop_review" : "review");
    if (!review.isClosed) frame.open("review");
    if (state) show(state);
  });
}

/** Explains why the person lost the game, by its review. */
function explainLoss() {
  const loser = state && loserOf(state);
  if (!state || !loser) return;
  if (!review.isOpen) toggleReview();
  why.open(loser);
  frame.open("review");
  show(state);
}

/** Rejects the pending requests, which will get no answer. */
function connectionLost() {
  const text = alert.connectionLost(t("alert.lost"));
  gameRequest.answer(text);
  for (const { reject } of exporting.splice(0)) reject(new Error(text));
}

/** @param {ServerMessage} message */
function receive(message) {
  switch (message.type) {
    case "welcome":
      welcome = message;
      // A new session has no review.
      review.set(undefined);
      isNew = true;
      gameRequest.openLink();
      break;
    case "state":
      receiveState(message);
      break;
    case "analysis":
      if (message.node === state?.node && !editor.active) {
        analysis.update(message);
        curve.draw();
        showValues(state);
      }
      break;
    case "hint":
      if (message.node === state?.node) {
        board.hint(message.point);
        alert.show(t("hint.is", { point: message.point }));
      }
      break;
    case "proof":
      if (message.node === state?.node) analysis.showProof(message);
      break;
    case "review":
      if (message.game === state?.game) {
        review.set(message);
        show(state);
        if (message.summary) byId("spoken").textContent = byId("review").querySelector("strong")?.textContent ?? "";
      }
      break;
    case "draw_declined":
      alert.show(t(`draw.declined.${message.reason}`));
      break;
    case "opened":
      gameRequest.receive(message);
      break;
    case "exported": {
      // Answers arrive in the order of requests; skipped ones will get none.
      const at = exporting.findIndex(({ format }) => format === message.format);
      exporting.splice(0, at + 1).at(-1)?.resolve(message.text);
      break;
    }
    case "error":
      receiveError(message);
      break;
  }
}

/** @param {Extract<import("./received.js").ServerMessage, {type: "error"}>} message */
function receiveError(message) {
  target = undefined;
  // The action came before an update of the board, which shows the result.
  if (message.code === "stale") return;
  refusalSound();
  const [least, most] = welcome?.sides ?? [];
  const refusal = errorText(message, { least, most });
  if (gameRequest.isPending) gameRequest.answer(refusal);
  else if (exporting.length > 0) exporting.shift()?.reject(new Error(refusal));
  else alert.show(refusal);
}

/** @param {State} next */
function receiveState(next) {
  const before = state;
  // An offer to restore a game stays during the first moves of the next one.
  const isElsewhere = before && before.node !== next.node;
  if (isElsewhere && !alert.hasOffer) alert.clear();
  state = next;
  const { left } = clocks;
  clocks.receive(next.clock);
  const size = tree.size;
  tree.receive(next);
  storeGame(before, next, size, left);
  saveNode(next.node);
  if (before && before.game !== next.game) {
    editor.close();
    if (labeller.active) toggleLabels();
    why.close();
    review.set(undefined);
    gameRequest.answer("");
  }
  if (gameRequest.isChange) gameRequest.answer("");
  show(next);
  offerRestore(before, next, size);
  gameRequest.showRemarks();
  if (!before) {
    performance.mark("board");
    return;
  }
  announce(before, next, (text, milliseconds) => alert.show(text, milliseconds));
  playPremove(before, next);
  if (next.phase.kind === "over" && before.phase.kind !== "over") endSound(next.phase.winner !== null);
}

/**
 * Stores the game as the one in progress and among the own games.
 * @param {State | undefined} before
 * @param {State} next
 * @param {number} size The previous number of positions.
 * @param {number | null} left The time left on the running clock before.
 */
function storeGame(before, next, size, left) {
  const { game = 0 } = next;
  if (isNew) ownGames.begin(next);
  else if (before && before.game !== game) ownGames.leave(before.game ?? 0, left);
  else if (tree.size < size) ownGames.change(game, "deleted");
  else if (tree.size > size) ownGames.change(game, next.whole ? "back" : "added");
  isNew = false;
  if (restoring && before?.game !== game) ownGames.restore(game, restoring);
  if (next.save === undefined) return;
  ownGames.store(next, next.save === stored);
  stored = next.save;
  saveGame(next.save);
}

/**
 * Plays the premove, if it is possible now.
 * @param {State} before
 * @param {State} next
 */
function playPremove(before, next) {
  const point = premove.take(before, next, tree.node(next.node)?.parent);
  board.premove(premove.point);
  if (point === "") return;
  if (next.stones.some((stone) => stone.point === point)) alert.show(t("premove.taken", { point }));
  else play(point);
}

function cancelPremove() {
  if (premove.point === "") return;
  premove.clear();
  board.premove("");
  alert.show(t("premove.cancelled"));
}

/** @param {State} state */
function show(state) {
  showMenu();
  if (welcome) showPlayers(state, welcome);
  clocks.show();
  if (editor.active) {
    editor.show();
    return;
  }
  board.show(state, tree.following(state.node).map((id) => tree.node(id)?.point ?? ""));
  labeller.show(state);
  showStatus(state);
  showQuestion(state, choose);
  firstVisit.show(state, welcome, tree.size === 1);
  const mode = frame.show(state, review.isOpen);
  showActions(state, mode, review.isOpen, send, acts);
  analysis.show(state, welcome?.lines ?? 8);
  showValues(state);
  explorer.show(state);
  review.show(Boolean(state.can.review));
  why.show(review.review, state.node);
  curve.show(state, state.analysis !== null || review.isOpen);
  moves.show(state, labeller.active);
  byId("legend").hidden = !preferences.threats;
  byId("legend").textContent = threatText(state.threats);
}

/** @param {State} state */
function showValues(state) {
  const { analysis: found } = analysis;
  if (found && state.analysis !== null) board.showValues(rated(found.lines, state), found.losing, found.unsearched);
}

/** Begins or ends labelling points. */
function toggleLabels() {
  board.keepFocus(() => {
    labeller.toggle();
    if (state) moves.show(state, labeller.active);
  });
}

function showMenu() {
  const actions = /** @type {[string, () => void][]} */ ([
    ["new", newGame],
    ["setup", openEditor],
    ["open", () => openDialog((file) => gameRequest.replace("open", file))],
    ["games", () => void showGames()],
    ["export", () => exporter.open()],
    ["settings", () => settingsDialog(["numbers", "sides", "large", "threats", "opinion", "sound", "confirm", "keys"],
      { bounds: welcome?.searches, stopServer: welcome?.may_stop ? () => send("stop_server") : undefined })],
    ["help", help],
  ]);
  update(byId("menu"), ...actions.map(([name, act]) =>
    iconButton(name, t(`action.${name}`), act, { class: name === "new" ? "main" : "quiet", "data-name": name })));
}

setInterval(() => clocks.show(), 100);

/** @param {import("./received.js").Choice} choice The answer to the question of an opening. */
function choose(choice) {
  send("choose", { choice, node: state?.node ?? 0 });
}

/** Actions of buttons that need more than a message without fields. */
const acts = {
  review: toggleReview,
  why: explainLoss,
  pass: () => send("pass", { node: state?.node ?? 0 }),
};

function analyse() {
  if (state?.analysis === null) beginAnalysis();
  else send("stop_analysis");
}

function beginAnalysis() {
  frame.open("analysis");
  send("analyse", { lines: preferences.lines });
}

/** True if cancelling the editor resumes the game. */
let resumes = false;

/** Opens the editor of positions, and pauses the engine and the clocks. */
function openEditor() {
  if (!state || editor.active) return;
  if (state.analysis !== null) send("stop_analysis");
  if (labeller.active) toggleLabels();
  resumes = !state.waiting && state.phase.kind !== "over";
  if (resumes) send("pause");
  editor.open(state);
}

/**
 * Begins a game from a position of the editor, or an analysis of it.
 * @param {import("./received.js").Stones} stones
 * @param {"play" | "analyse"} what
 */
async function beginWith(stones, what) {
  if (!state) return;
  const { rule, size, level, levels, time, black, white } = state.setup;
  const players = what === "analyse" ? { black: "person", white: "person" } : { black, white };
  const refusal = await gameRequest.replace("new_game", { rule, size, level, levels, time, stones, ...players });
  if (refusal) alert.show(refusal);
  else if (what === "analyse") beginAnalysis();
}

/** @param {string} point */
function choosePoint(point) {
  if (editor.active) editor.choose(point);
  else if (labeller.active) labeller.choose(point);
  else play(point);
}

/** @param {string} point */
function play(point) {
  if (!state) return;
  const refusal = obstacle(state, point);
  if (refusal) {
    refusalSound();
    alert.show(refusal);
    return;
  }
  if (alert.hasOffer) alert.clear();
  send("play", { point, node: state.node });
}

/**
 * Handles a click on a point that can't be played: a premove while the engine thinks, an error
 * otherwise.
 * @param {string} point
 */
function refuse(point) {
  if (!state || editor.active) return;
  if (Premove.fits(state, point)) {
    const isSet = premove.choose(state, point);
    board.premove(premove.point);
    alert.show(isSet ? t("premove.set", { point }) : t("premove.cancelled"));
    return;
  }
  const { phase, thinking } = state;
  const reason = thinking ? "not_your_turn" : phase.kind === "choose" ? "opens" : phase.kind === "over" ? "over" : "not_now";
  refusalSound();
  alert.show(t(`error.${reason}`));
}

function newGame() {
  if (welcome && state) newGameDialog(welcome, state.setup, (setup) => gameRequest.replace("new_game", setup));
}

function editInfo() {
  if (welcome && state) infoDialog(state.info ?? {}, playerNames(state, welcome), (info) => gameRequest.replace("info", info));
}

/** Opens the list of own games. */
async function showGames() {
  await ownGames.settled();
  const games = await ownGames.list();
  if (welcome) ownGamesDialog(games, ownGames.idOf(state?.game ?? 0), welcome, (game) => void restore(game));
}

/** @param {import("./owngames.js").OwnGame} game */
async function restore(game) {
  restoring = game;
  const refusal = await gameRequest.replace("restore", { save: game.save, node: game.node, left_ms: game.left });
  restoring = undefined;
  if (refusal) alert.show(refusal);
}

function help() {
  helpDialog(welcome?.rules ?? [], welcome?.openings ?? [], (text) => void gameRequest.open({ text }));
}

/**
 * Offers to restore a replaced game or deleted moves.
 * @param {State | undefined} before
 * @param {State} next
 * @param {number} size The previous number of positions.
 */
function offerRestore(before, next, size) {
  if (!before || !next.can.bring_back) return;
  const isAnother = next.game !== before.game;
  if (!isAnother && tree.size >= size) return;
  const [text, label] = isAnother ? ["alert.replaced", "action.bring_back"] : ["alert.deleted", "action.bring_back_moves"];
  alert.offer([isAnother && gameRequest.remarks, t(text)].filter(Boolean).join(". "), t(label), bringBack);
}

function bringBack() {
  alert.clear();
  send("bring_back");
}

/** Undoes the last move, or restores what the alert offers. */
function undo() {
  if (alert.hasOffer) bringBack();
  else send("undo");
}

onKey((key) => {
  // The editor disables the shortcuts of the game.
  if (editor.active && key !== "b") return undefined;
  const redo = () => send("redo");
  const keys = /** @type {Record<string, () => void>} */ ({
    u: () => send("undo"), r: redo, "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo,
    h: () => send("hint"), a: analyse, n: newGame, g: () => void showGames(), i: editInfo,
    t: () => prefer("view", preferences.view & 4 | preferences.view + 1 & 3), m: () => prefer("view", preferences.view ^ 4),
    f: () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()), "?": help, b: () => board.enter(),
    ArrowLeft: () => step("previous"), ArrowRight: () => step("next"), Escape: labeller.active ? toggleLabels : cancelPremove,
    ArrowUp: () => step("up"), ArrowDown: () => step("down"), Home: () => step("first"), End: () => step("last"),
  });
  const copied = COPIES[key];
  return copied ? () => void exporter.copy(copied) : keys[key];
});

addEventListener("hashchange", () => gameRequest.openLink());
onGame((file) => void gameRequest.open(file));
