// The page: what the program says is shown, what a person does is said to it.
// @ts-check

import { showActions } from "./actions.js";
import { Alert } from "./alert.js";
import { AnalysisView, rated } from "./analysis.js";
import { BoardView, obstacle } from "./board.js";
import { Clocks } from "./clocks.js";
import { connect, fits } from "./connection.js";
import { CurveView } from "./curve.js";
import { exportDialog, newGameDialog, openDialog, settingsDialog } from "./dialogs.js";
import { byId, update } from "./dom.js";
import { hearGames } from "./drop.js";
import { Editor } from "./editor.js";
import { searchLimits } from "./engine.js";
import { ExplorerView } from "./explorer.js";
import { Frame } from "./frame.js";
import { helpDialog } from "./help.js";
import { Incoming } from "./incoming.js";
import { Labeller } from "./labels.js";
import { errorText, t } from "./language.js";
import { MovesView } from "./moves.js";
import { tellNews } from "./news.js";
import { OwnGames, ownGamesDialog } from "./owngames.js";
import { onKey, showLinks, start } from "./page.js";
import { fileName, showPlayers } from "./players.js";
import { keepGame, keepNode, keptGame, keptLeft, keptNode, preferences } from "./preferences.js";
import { Premove } from "./premove.js";
import { ReviewView } from "./review.js";
import { signedButton } from "./signs.js";
import { endSound, refusalSound } from "./sound.js";
import { showQuestion, showStatus } from "./status.js";
import { threatWords } from "./threats.js";
import { Tree } from "./tree.js";

/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").Setup} Setup */
/** @typedef {import("./received.js").Welcome} Welcome */
/** @typedef {import("./received.js").ServerMessage} ServerMessage */
/** @typedef {import("./received.js").Color} Color */
/** @typedef {import("./received.js").Format} Format */

/** The version of the messages that this page speaks. */
const VERSION = 1;

/** @type {State | undefined} */
let state;
/** @type {Welcome | undefined} */
let welcome;
/**
 * The files that were asked for and are not there yet, the first first.
 * @type {{format: Format, resolve: (text: string) => void, reject: (error: Error) => void}[]}
 */
let exporting = [];
/** True if the program has not said yet which game it continues. */
let isNew = true;
/** The limits of the engine that were sent last. */
let limits = "{}";
/** The position that steps go on from: the one asked for last, until anything else is sent. @type {number | undefined} */
let heading;
/** The text of the game that was told to be kept last. */
let kept = keptGame();

/** The game of the list that comes next. @type {import("./owngames.js").OwnGame | undefined} */
let restoring;

const ownGames = new OwnGames();
const alert = new Alert();
const incoming = new Incoming((type, fields) => send(type, fields), fits, alert);
const tree = new Tree();
const frame = new Frame();
const clocks = new Clocks();
const premove = new Premove();
const board = new BoardView(byId("board"), choosePoint, (point) => alert.say(t("alert.tap", { point })), refuse);
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
  turn: analyse,
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
  turn: toggleReview,
}, tree);
const curve = new CurveView(tree, goTo);
const moves = new MovesView({
  goTo,
  step,
  remove: (node) => send("delete", { node }),
  promote: (node) => send("promote", { node }),
  // While another game is awaited, nobody knows which one the program would write it into.
  comment: (node, text) => !incoming.isAwaited && send("comment", { node, text }),
  label,
}, tree);
const labeller = new Labeller(board, (point, text) => send("label", { node: state?.node ?? 0, point, text }), label);

await start(() => {
  showLinks([["other", "other", "gravity.title"], ["puzzles", "puzzles", "training.title"], ["back", "back", "rooms.title"]]);
  if (state) {
    limit();
    show(state);
  }
});

/** @type {import("./connection.js").Send<import("./sent.js").ClientMessage, boolean>} */
const sendMessage = connect("board", {
  opened: () => {
    alert.find();
    // Another tab may have kept its game since.
    if (!state) kept = keptGame();
    const isHeard = fits(kept);
    if (!isHeard) alert.say(t("alert.replaced"));
    const node = state ? state.node : keptNode();
    send("hello", {
      version: VERSION, save: isHeard ? kept : null, node: isHeard ? node : null, changes: true,
      left_ms: state ? clocks.left : keptLeft(),
    });
    limits = "{}";
    limit();
    // The new session analyses nothing until it is asked to.
    if (state?.analysis != null) send("analyse", { lines: state.analysis, mode: state.mode });
  },
  received: (message) => board.keepFocus(() => hear(message)),
  refused: (refusal) => alert.refuse(refusal),
  ended: () => alert.end(),
  lost: lose,
});

/**
 * Sends a message, and returns true if the program is there.
 * @type {typeof sendMessage}
 */
function send(type, ...fields) {
  heading = undefined;
  if (type !== "comment") moves.keepComment();
  return sendMessage(type, ...fields);
}

/** Tells the program what the engine may use, where that has changed. */
function limit() {
  const chosen = searchLimits();
  if (JSON.stringify(chosen) === limits) return;
  limits = JSON.stringify(chosen);
  send("limit", chosen);
}

/** @param {number} node */
function goTo(node) {
  if (send("go_to", { node })) heading = node;
}

/** @param {import("./tree.js").Step} where */
function step(where) {
  const node = tree.step(heading ?? state?.node ?? 0, where);
  if (node != null) goTo(node);
}

/**
 * Plays moves into the tree, from a position on.
 * @param {string[]} points
 * @param {number} [node]
 */
function playLine(points, node = state?.node) {
  if (node !== undefined && node !== state?.node) goTo(node);
  send("line", { node: node ?? 0, points });
  byId("board").scrollIntoView({ block: "nearest" });
}

/** Begins a review, or ends it. */
function toggleReview() {
  board.keepFocus(() => {
    review.isClosed = review.isOpen;
    review.hear(undefined);
    send(review.isClosed ? "stop_review" : "review");
    if (!review.isClosed) frame.open("review");
    if (state) show(state);
  });
}

/** The program is gone. Nothing that was asked for is answered any more. */
function lose() {
  const text = alert.lose(t("alert.lost"));
  incoming.answer(text);
  for (const { reject } of exporting.splice(0)) reject(new Error(text));
}

/** @param {ServerMessage} message */
function hear(message) {
  switch (message.type) {
    case "welcome":
      welcome = message;
      // What this program knows begins now.
      review.hear(undefined);
      isNew = true;
      incoming.openLink();
      break;
    case "state":
      hearState(message);
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
        alert.say(t("hint.is", { point: message.point }));
      }
      break;
    case "proof":
      if (message.node === state?.node) analysis.showProof(message);
      break;
    case "review":
      if (message.game === state?.game) {
        review.hear(message);
        show(state);
        if (message.summary) byId("spoken").textContent = byId("review").querySelector("strong")?.textContent ?? "";
      }
      break;
    case "draw_declined":
      alert.say(t(`draw.declined.${message.reason}`));
      break;
    case "opened":
      incoming.receive(message);
      break;
    case "exported": {
      // Answers come in the order of the questions; what was passed over has none any more.
      const at = exporting.findIndex(({ format }) => format === message.format);
      exporting.splice(0, at + 1).at(-1)?.resolve(message.text);
      break;
    }
    case "error":
      hearError(message);
      break;
  }
}

/** @param {Extract<import("./received.js").ServerMessage, {type: "error"}>} message */
function hearError(message) {
  heading = undefined;
  // The user was faster than the answer: the board shows what counts.
  if (message.code === "stale") return;
  refusalSound();
  const [least, most] = welcome?.sides ?? [];
  const refusal = errorText(message, { least, most });
  if (incoming.isAwaited) incoming.answer(refusal);
  else if (exporting.length > 0) exporting.shift()?.reject(new Error(refusal));
  else alert.say(refusal);
}

/** @param {State} next */
function hearState(next) {
  const before = state;
  // An offer stays when the engine begins the other game.
  const isElsewhere = before && before.node !== next.node;
  if (isElsewhere && !alert.offers) alert.clear();
  state = next;
  const { left } = clocks;
  clocks.hear(next.clock);
  const size = tree.size;
  tree.hear(next);
  storeGame(before, next, size, left);
  keepNode(next.node);
  if (before && before.game !== next.game) {
    editor.close();
    if (labeller.active) label();
    review.hear(undefined);
    incoming.answer("");
  }
  show(next);
  offerBack(before, next, size);
  incoming.report();
  if (!before) {
    performance.mark("board");
    return;
  }
  tellNews(before, next, (text, milliseconds) => alert.say(text, milliseconds));
  playPremove(before, next);
  if (next.phase.kind === "over" && before.phase.kind !== "over") endSound(next.phase.winner !== null);
}

/**
 * Stores the game on the board: as the one in progress, and among the own games.
 * @param {State | undefined} before
 * @param {State} next
 * @param {number} size How many positions there were.
 * @param {number | null} left What the running clock showed.
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
  ownGames.store(next, next.save === kept);
  kept = next.save;
  keepGame(next.save);
}

/**
 * Plays the move that was chosen in advance, if it can be played now.
 * @param {State} before
 * @param {State} next
 */
function playPremove(before, next) {
  const point = premove.take(before, next, tree.node(next.node)?.parent);
  board.premove(premove.point);
  if (point === "") return;
  if (next.stones.some((stone) => stone.point === point)) alert.say(t("premove.taken", { point }));
  else play(point);
}

/** Gives the move up that was chosen in advance. */
function cancelPremove() {
  if (premove.point === "") return;
  premove.clear();
  board.premove("");
  alert.say(t("premove.cancelled"));
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
  const mode = frame.show(state, review.isOpen);
  showActions(state, mode, review.isOpen, send, acts);
  analysis.show(state, welcome?.lines ?? 8);
  showValues(state);
  explorer.show(state);
  review.show(Boolean(state.can.review));
  curve.show(state, state.analysis !== null || review.isOpen);
  moves.show(state, labeller.active);
  byId("legend").hidden = !preferences.threats;
  byId("legend").textContent = threatWords(state.threats);
}

/** @param {State} state */
function showValues(state) {
  const { analysis: found } = analysis;
  if (found && state.analysis !== null) board.showValues(rated(found.lines, state), found.losing, found.unsearched);
}

/** Begins to put labels instead of stones, or ends it. */
function label() {
  board.keepFocus(() => {
    labeller.toggle();
    if (state) moves.show(state, labeller.active);
  });
}

function showMenu() {
  const actions = /** @type {[string, () => void][]} */ ([
    ["new", newGame],
    ["setup", edit],
    ["open", () => openDialog((file) => incoming.replace("open", file))],
    ["games", () => void showGames()],
    ["export", exportGame],
    ["settings", () => settingsDialog(["numbers", "sides", "threats", "opinion", "sound", "confirm", "keys"],
      { bounds: welcome?.searches, stopServer: welcome?.may_stop ? () => send("stop_server") : undefined })],
    ["help", help],
  ]);
  update(byId("menu"), ...actions.map(([name, act]) =>
    signedButton(name, t(`action.${name}`), act, { class: name === "new" ? "main" : "quiet", "data-name": name })));
}

setInterval(() => clocks.show(), 100);

/** @param {import("./received.js").Choice} choice The answer to the question of an opening. */
function choose(choice) {
  send("choose", { choice, node: state?.node ?? 0 });
}

/** Actions of buttons that take more than a message. */
const acts = {
  review: toggleReview,
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

/** True if the game goes on where a set-up is given up. */
let resumes = false;

/** Lets the person set a position up. Nothing moves meanwhile, and no clock runs. */
function edit() {
  if (!state || editor.active) return;
  if (state.analysis !== null) send("stop_analysis");
  if (labeller.active) label();
  resumes = !state.waiting && state.phase.kind !== "over";
  if (resumes) send("pause");
  editor.open(state);
}

/**
 * Begins a game with stones that were set up, or an analysis of them.
 * @param {import("./received.js").Stones} stones
 * @param {"play" | "analyse"} what
 */
async function beginWith(stones, what) {
  if (!state) return;
  const { rule, size, level, levels, time, black, white } = state.setup;
  const players = what === "analyse" ? { black: "person", white: "person" } : { black, white };
  const refusal = await incoming.replace("new_game", { rule, size, level, levels, time, stones, ...players });
  if (refusal) alert.say(refusal);
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
    alert.say(refusal);
    return;
  }
  if (alert.offers) alert.clear();
  send("play", { point, node: state.node });
}

/**
 * A point was chosen where none can be. It is a move in advance while the engine thinks;
 * otherwise the page says why not.
 * @param {string} point
 */
function refuse(point) {
  if (!state || editor.active) return;
  if (Premove.fits(state, point)) {
    const isSet = premove.choose(state, point);
    board.premove(premove.point);
    alert.say(isSet ? t("premove.set", { point }) : t("premove.cancelled"));
    return;
  }
  const { phase, thinking } = state;
  const reason = thinking ? "not_your_turn" : phase.kind === "choose" ? "opens" : phase.kind === "over" ? "over" : "not_now";
  refusalSound();
  alert.say(t(`error.${reason}`));
}

function newGame() {
  if (welcome && state) newGameDialog(welcome, state.setup, (setup) => incoming.replace("new_game", setup));
}

/** Lists the games of this browser, to continue one. */
async function showGames() {
  await ownGames.settled();
  const games = await ownGames.list();
  if (welcome) ownGamesDialog(games, ownGames.idOf(state?.game ?? 0), welcome, (game) => void restore(game));
}

/** @param {import("./owngames.js").OwnGame} game */
async function restore(game) {
  restoring = game;
  const refusal = await incoming.replace("restore", { save: game.save, node: game.node, left_ms: game.left });
  restoring = undefined;
  if (refusal) alert.say(refusal);
}

function exportGame() {
  const drawing = document.querySelector("svg.board");
  if (!(drawing instanceof SVGSVGElement) || !state) return;
  exportDialog((format) => new Promise((resolve, reject) => {
    exporting.push({ format, resolve, reject });
    const theme = /** @type {import("./sent.js").PictureTheme} */ (document.documentElement.dataset.theme);
    send("export", { format, look: { view: preferences.view, theme } });
  }), drawing, (text) => alert.say(text), fileName(state));
}

function help() {
  helpDialog(welcome?.rules ?? [], (text) => void incoming.open({ text }));
}

/**
 * Offers to bring back a game that another one has replaced, or moves that were deleted.
 * @param {State | undefined} before
 * @param {State} next
 * @param {number} size How many positions there were.
 */
function offerBack(before, next, size) {
  if (!before || !next.can.bring_back) return;
  const isAnother = next.game !== before.game;
  if (!isAnother && tree.size >= size) return;
  const [text, label] = isAnother ? ["alert.replaced", "action.bring_back"] : ["alert.deleted", "action.bring_back_moves"];
  alert.offer([isAnother && incoming.remarks, t(text)].filter(Boolean).join(". "), t(label), bringBack);
}

function bringBack() {
  alert.clear();
  send("bring_back");
}

/** Takes back what was done last: a move, or that one game has replaced another. */
function undo() {
  if (alert.offers) bringBack();
  else send("undo");
}

onKey((key) => {
  // While a position is set up there is nothing to undo or to search.
  if (editor.active && key !== "b") return undefined;
  const redo = () => send("redo");
  const keys = /** @type {Record<string, () => void>} */ ({
    u: () => send("undo"), r: redo, "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo,
    h: () => send("hint"), a: analyse, n: newGame, g: () => void showGames(), "?": help, b: () => board.enter(),
    ArrowLeft: () => step("previous"), ArrowRight: () => step("next"), Escape: labeller.active ? label : cancelPremove,
    ArrowUp: () => step("up"), ArrowDown: () => step("down"), Home: () => step("first"), End: () => step("last"),
  });
  return keys[key];
});

addEventListener("hashchange", () => incoming.openLink());
hearGames((file) => void incoming.open(file));
