// The page: what the program says is shown, what a person does is said to it.
// @ts-check

import { AnalysisView, rated } from "./analysis.js";
import { BoardView } from "./board.js";
import {
  confirmDialog, exportDialog, levelText, linked, newGameDialog, openDialog, readFile, settingsDialog,
} from "./dialogs.js";
import { button, byId, html, set, update } from "./dom.js";
import { Editor } from "./editor.js";
import { speak, t, known } from "./language.js";
import { MovesView, byRank } from "./moves.js";
import { keepGame, keptGame, onPreference, preferences } from "./preferences.js";
import { shortcut } from "./shortcut.js";
import { clockSound, endSound, refusalSound, stoneSound } from "./sound.js";
import { webSocket } from "./transport.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Welcome} Welcome */
/** @typedef {import("./types.js").ServerMessage} ServerMessage */
/** @typedef {import("./types.js").Color} Color */
/** @typedef {import("./types.js").Format} Format */

/** The version of the messages that this page speaks. */
const VERSION = 1;

/** The longest kept game in bytes: a message has at most one MiB. */
const LONGEST_SAVE = 2 ** 20 - 100;

/** @type {State | undefined} */
let state;
/** @type {Welcome | undefined} */
let welcome;
/** When the state arrived, for the clocks. */
let stateAt = 0;
/**
 * The files that were asked for and are not there yet, the first first.
 * @type {{format: Format, resolve: (text: string) => void, reject: (error: Error) => void}[]}
 */
let exporting = [];
/** @type {((refusal: string) => void) | undefined} Hears whether a game that was asked for is there. */
let answered;
/** Whether the program has said that it ends. */
let ended = false;

const board = new BoardView(byId("board"), play, (point) => say(t("alert.tap", { point })));
const editor = new Editor(board, {
  play: (stones) => beginWith(stones, "play"),
  analyse: (stones) => beginWith(stones, "analyse"),
  cancel: () => {
    editor.close();
    if (resumes) send("resume");
    if (state) show(state);
  },
});
const analysis = new AnalysisView({
  preview: (points, first) => board.preview(points, first),
  analyse: (lines, mode) => send("analyse", { lines, mode }),
  goTo: (node) => send("go_to", { node }),
  prove: () => send("prove"),
  proveThreat: () => send("prove_threat"),
});
const moves = new MovesView({
  goTo: (node) => send("go_to", { node }),
  remove: (node) => send("delete", { node }),
  promote: (node) => send("promote", { node }),
  comment: (node, text) => send("comment", { node, text }),
});

await speak(new URLSearchParams(location.search).get("lang") ?? preferences.language);
showTheme();
onPreference(async () => {
  await speak(preferences.language);
  showTheme();
  if (state) show(state);
});

const transport = webSocket({
  opened: () => {
    alertText("");
    // Nothing that was asked for on the connection before is answered.
    exporting = [];
    const save = state?.save ?? keptGame();
    // The program hangs up on a longer message, again and again.
    const fits = new Blob([JSON.stringify(save)]).size <= LONGEST_SAVE;
    if (!fits) say(t("alert.replaced"));
    send("hello", { version: VERSION, save: fits ? save : null });
  },
  heard: hear,
  lost: () => {
    if (!ended) alertText(t("alert.lost"));
  },
});

/**
 * @param {string} type
 * @param {object} [fields]
 */
function send(type, fields = {}) {
  transport.send({ type, ...fields });
}

/** @param {ServerMessage} message */
function hear(message) {
  switch (message.type) {
    case "welcome":
      welcome = message;
      openLink();
      break;
    case "state":
      hearState(message);
      break;
    case "analysis":
      if (message.node === state?.node && !editor.active) {
        analysis.update(message);
        if (state.analysis !== null) {
          board.showValues(rated(message.lines, state), message.losing);
        }
      }
      break;
    case "hint":
      if (message.node === state?.node) {
        board.hint(message.point);
        say(t("hint.is", { point: message.point }));
      }
      break;
    case "proof":
      if (message.node === state?.node) analysis.showProof(message);
      break;
    case "draw_declined":
      say(t("draw.declined"));
      break;
    case "opened":
      say(message.remarks.join("; "));
      break;
    case "exported": {
      // Answers come in the order of the questions; what was passed over has none any more.
      const at = exporting.findIndex(({ format }) => format === message.format);
      exporting.splice(0, at + 1).at(-1)?.resolve(message.text);
      break;
    }
    case "error":
      hearError(message.code, message.text);
      break;
    case "goodbye":
      ended = true;
      alertText(t("alert.goodbye"));
      break;
  }
}

/**
 * @param {string} code
 * @param {string} text
 */
function hearError(code, text) {
  // Somebody was faster than the answer: the board shows what counts.
  if (code === "stale") return;
  refusalSound();
  const key = `error.${code}`;
  const [least, most] = welcome?.sides ?? [];
  const refusal = known(key) ? t(key, { text, least, most }) : text;
  if (answered) answer(refusal);
  else if (exporting.length > 0) exporting.shift()?.reject(new Error(refusal));
  else say(refusal);
}

/**
 * Asks for another game in place of this one.
 * @param {"new_game" | "open"} type
 * @param {object} fields
 * @returns {Promise<string>} Why there is none; no words where it is there.
 */
function replace(type, fields) {
  return new Promise((resolve) => {
    answered = resolve;
    send(type, fields);
  });
}

/** @param {string} refusal */
function answer(refusal) {
  answered?.(refusal);
  answered = undefined;
}

/** @param {State} next */
function hearState(next) {
  const before = state;
  // An offer stays when the engine begins the other game.
  if (before && before.node !== next.node && !offers) alertText("");
  state = next;
  stateAt = performance.now();
  keepGame(next.save);
  if (before && before.game !== next.game) {
    editor.close();
    answer("");
  }
  show(next);
  offerBack(before, next);
  if (!before) {
    performance.mark("board");
    return;
  }
  const stone = next.stones.at(-1);
  if (next.stones.length > before.stones.length && next.node !== before.node) {
    stoneSound();
    if (stone) byId("spoken").textContent = t("spoken.move", { color: t(stone.color), point: stone.point });
  }
  if (next.phase.kind === "over" && before.phase.kind !== "over") endSound(next.phase.winner !== null);
}

/** @param {State} state */
function show(state) {
  showMenu();
  showPlayers(state);
  if (editor.active) {
    editor.show();
    return;
  }
  board.show(state);
  showStatus(state);
  showQuestion(state);
  showActions(state);
  analysis.show(state, welcome?.lines ?? 8);
  moves.show(state);
}

function showMenu() {
  byId("other").textContent = t("gravity.title");
  byId("back").textContent = t("rooms.title");
  const actions = /** @type {[string, () => void][]} */ ([
    ["new", newGame],
    ["setup", edit],
    ["open", () => openDialog((file) => replace("open", file))],
    ["export", exportGame],
    ["settings", () => settingsDialog(welcome?.may_stop ? () => send("stop_server") : undefined)],
  ]);
  update(byId("menu"), ...actions.map(([name, act]) =>
    button(t(`action.${name}`), act, { class: name === "new" ? "main" : "quiet", "data-name": name })));
}

/** @param {State} state */
function showPlayers({ players, levels, setup, turn, clock, phase, thinking }) {
  const owners = players ?? [setup.black, setup.white];
  const rows = /** @type {Color[]} */ (["black", "white"]).map((color, i) => {
    const isEngine = owners[i] === "engine";
    const name = isEngine && welcome ? `${t("engine")} · ${levelText(welcome, levels?.[i] ?? setup.level)}`
      : setup.names?.[i] || t(owners[i]);
    const toMove = phase.kind !== "over" && turn === color;
    return html("div", { class: `player ${toMove ? "active" : ""}` },
      html("span", { class: `dot ${color}` }),
      html("span", { class: "name" }, `${t(color)}: ${name}`),
      toMove && thinking && html("span", { class: "spinner", title: t("status.thinking") }),
      clock && html("time", { "data-color": color }));
  });
  byId("players").replaceChildren(...rows);
  showClocks();
}

/** The seconds left when the clock was heard last. */
let heardAt = 0;

function showClocks() {
  const { clock } = state ?? {};
  if (!clock) return;
  for (const element of document.querySelectorAll("time[data-color]")) {
    const color = /** @type {Color} */ (element.getAttribute("data-color"));
    const used = clock.running === color ? performance.now() - stateAt : 0;
    const seconds = Math.max(clock[color] - used, 0) / 1000;
    const minutes = Math.floor(seconds / 60);
    const rest = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
    element.textContent = `${minutes}:${rest}`;
    element.classList.toggle("short", seconds < 10);
    if (clock.running === color && seconds < 10 && Math.ceil(seconds) !== heardAt) {
      heardAt = Math.ceil(seconds);
      clockSound();
    }
  }
}
setInterval(showClocks, 100);

/** @param {State} state */
function showStatus({ phase, turn, thinking, waiting }) {
  let status = t("status.turn", { color: t(turn) });
  let detail = thinking ? t("status.thinking") : waiting ? t("status.waiting") : "";
  if (phase.kind === "over") {
    status = phase.winner ? t("status.wins", { color: t(phase.winner) }) : t("status.draw");
    detail = t(`reason.${phase.reason}`);
  } else if (phase.kind === "place" && !thinking) {
    status = t("status.place", { stones: phase.stones });
  } else if (phase.kind === "choose" && !thinking) {
    status = t(typeof phase.options[0] === "object" ? "status.count" : "status.choose");
  } else if (phase.kind === "offer" && !thinking) {
    status = t("status.offer", { stones: phase.stones });
  } else if (phase.kind === "pick" && !thinking) {
    status = t("status.pick");
  }
  const element = byId("status");
  if (element.textContent !== status) element.textContent = status;
  byId("detail").textContent = detail;
}

/**
 * The dialogue of an opening.
 * @param {State} state
 */
function showQuestion(state) {
  const { phase, node, actor, waiting } = state;
  const question = byId("question");
  question.hidden = phase.kind === "move" || phase.kind === "over" || !(actor === "person" || waiting);
  if (question.hidden) return;
  question.replaceChildren(html("p", {}, t(questionKey(state))));
  if (phase.kind !== "choose") return;
  const counts = typeof phase.options[0] === "object" ? "counts" : "";
  question.append(html("div", { class: `choices ${counts}` }, ...phase.options.map((choice) => {
    const label = typeof choice === "object" ? String(choice.offers) : t(`choice.${choice}`);
    return button(label, () => send("choose", { choice, node }), { class: "main" });
  })));
}

/**
 * Which explanation a step of the opening has.
 * @param {State} state
 */
function questionKey({ phase, setup, stones }) {
  if (setup.opening === "soosorv") {
    if (phase.kind === "place") return stones.length < 3 ? "soosorv.place" : "soosorv.fourth";
    if (phase.kind === "choose" && typeof phase.options[0] === "object") return "soosorv.count";
    if (phase.kind === "choose") return stones.length < 4 ? "soosorv.color" : "soosorv.swap";
    return phase.kind === "offer" ? "soosorv.offer" : "soosorv.pick";
  }
  const first = phase.kind !== "move" && phase.kind !== "over" && phase.first;
  if (phase.kind === "place") return first ? "place.first" : "place.second";
  return first ? "choose.first" : setup.opening === "swap1" ? "choose.swap1" : "choose.second";
}

/** @param {State} state */
function showActions({ can, analysis: lines, phase, actor, thinking, waiting, players }) {
  const isOver = phase.kind === "over";
  /** @type {[string, () => void, boolean, object?][]} */
  const actions = [
    ["undo", () => send("undo"), can.undo],
    ["redo", () => send("redo"), can.redo],
    ["hint", () => send("hint"), can.hint],
    ["analyse", analyse, true, { "aria-pressed": String(lines !== null) }],
    ["resign", () => confirmDialog(t("resign.confirm"), t("action.resign"), () => send("resign")), can.resign],
    ["draw", () => {
      const offer = () => send("offer_draw");
      const both = state?.players?.every((player) => player === "person");
      if (both) confirmDialog(t("draw.confirm"), t("action.draw"), offer);
      else offer();
    }, can.draw],
  ];
  if (isOver) actions.push(["rematch", () => send("rematch"), true, { class: "main" }]);
  if (waiting) actions.push(["resume", () => send("resume"), true, { class: "main wide" }]);
  if (thinking && actor === "engine" && players?.every((player) => player === "engine")) {
    actions.push(["pause", () => send("pause"), true, { class: "wide" }]);
  }
  update(byId("actions"), ...actions.map(([name, act, enabled, attributes]) =>
    button(t(`action.${name}`), act, { disabled: !enabled, "data-name": name, ...attributes })));
}

function analyse() {
  if (state?.analysis === null) send("analyse", { lines: preferences.lines });
  else send("stop_analysis");
}

/** Whether the game goes on where a set-up is given up. */
let resumes = false;

/** Lets the person set a position up. Nothing moves meanwhile, and no clock runs. */
function edit() {
  if (!state) return;
  if (state.analysis !== null) send("stop_analysis");
  if (!editor.active) {
    resumes = !state.waiting && state.phase.kind !== "over";
    if (resumes) send("pause");
  }
  editor.open(state);
}

/**
 * Begins a game with stones that were set up, or an analysis of them.
 * @param {import("./types.js").Stones} stones
 * @param {"play" | "analyse"} what
 */
async function beginWith(stones, what) {
  if (!state) return;
  const { rule, size, level, levels, time, black, white } = state.setup;
  const players = what === "analyse" ? { black: "person", white: "person" } : { black, white };
  const refusal = await replace("new_game", { rule, size, level, levels, time, stones, ...players });
  if (refusal) say(refusal);
  else if (what === "analyse") send("analyse", { lines: preferences.lines });
}

/** @param {string} point */
function play(point) {
  if (!state) return;
  if (editor.active) {
    editor.choose(point);
    return;
  }
  const forbidden = state.forbidden.find((entry) => entry.point === point);
  if (forbidden) {
    refusalSound();
    say(t("point.forbidden", { point, kind: t(`forbidden.${forbidden.kind}`) }));
    return;
  }
  if (offers) alertText("");
  send("play", { point, node: state.node });
}

function newGame() {
  if (welcome && state) newGameDialog(welcome, state.setup, (setup) => replace("new_game", setup));
}

function exportGame() {
  const drawing = document.querySelector("svg.board");
  if (!(drawing instanceof SVGSVGElement)) return;
  exportDialog((format) => new Promise((resolve, reject) => {
    exporting.push({ format, resolve, reject });
    send("export", { format });
  }), drawing, say);
}

/** @param {string} text */
async function read(text) {
  await openFile({ text });
}

/** @param {import("./dialogs.js").OpenedFile} file */
async function openFile(file) {
  const refusal = await replace("open", file);
  if (refusal) say(refusal);
}

/** Goes to the position that the address names. */
function openLink() {
  const position = linked(location.hash);
  if (!position) return;
  history.replaceState(null, "", location.pathname + location.search);
  read(position);
}
addEventListener("hashchange", openLink);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let saying;

/**
 * Says something for a while.
 * @param {string} text
 * @param {number} [milliseconds]
 */
function say(text, milliseconds = 4000) {
  alertText(text);
  saying = setTimeout(() => alertText(""), milliseconds);
}

/**
 * Shows a text until another is shown.
 * @param {string} text
 */
function alertText(text) {
  clearTimeout(saying);
  const element = byId("alert");
  element.textContent = text;
  element.hidden = text === "";
  offers = false;
}

/** Whether what was lost last is offered back. */
let offers = false;

/**
 * Offers to bring back a game that another one has replaced, or moves that were deleted.
 * @param {State | undefined} before
 * @param {State} next
 */
function offerBack(before, next) {
  if (!before || !next.can.bring_back) return;
  const isAnother = next.game !== before.game;
  if (!isAnother && next.tree.length >= before.tree.length) return;
  say(t(isAnother ? "alert.replaced" : "alert.deleted"), 15000);
  byId("alert").append(button(t(isAnother ? "action.bring_back" : "action.bring_back_moves"), bringBack));
  offers = true;
}

function bringBack() {
  alertText("");
  send("bring_back");
}

/** Takes back what was done last: a move, or that one game has replaced another. */
function undo() {
  if (offers) bringBack();
  else send("undo");
}

function showTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = preferences.theme === "auto" ? (dark ? "dark" : "wood") : preferences.theme;
  set(document.documentElement, { "data-theme": theme });
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);

addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.altKey || target.closest("input, textarea, select, dialog")) return;
  // While a position is set up there is nothing to undo or to search.
  const key = shortcut(event);
  if (editor.active && key !== "b") return;
  const redo = () => send("redo");
  const keys = /** @type {Record<string, () => void>} */ ({
    u: () => send("undo"), r: redo, "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo,
    h: () => send("hint"), a: analyse, n: newGame, b: () => board.enter(),
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
  });
  const act = keys[key];
  if (!act) return;
  event.preventDefault();
  act();
});

/**
 * Goes along the line that is shown.
 * @param {-1 | 1} direction
 */
function step(direction) {
  if (!state) return;
  const { tree, node } = state;
  const here = tree.find(({ id }) => id === node);
  const following = tree.filter(({ parent }) => parent === node).sort(byRank);
  const next = direction < 0 ? here?.parent : following[0]?.id;
  if (next !== null && next !== undefined) send("go_to", { node: next });
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  const text = event.dataTransfer?.getData("text");
  if (file) openFile(await readFile(file));
  else if (text) read(text);
});
addEventListener("paste", (event) => {
  const target = /** @type {Element} */ (event.target);
  const text = event.clipboardData?.getData("text");
  if (text && !target.closest?.("input, textarea")) read(text);
});
