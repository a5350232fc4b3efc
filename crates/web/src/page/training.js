// The page of puzzles. The program plays the defence; the page stores ratings and selects puzzles.
// @ts-check

import { Alert } from "./alert.js";
import { BoardView, obstacle } from "./board.js";
import { connect } from "./connection.js";
import { confirmDialog, settingsDialog } from "./dialogs.js";
import { button, byId, html, labelled, select, update } from "./dom.js";
import { errorText, t } from "./language.js";
import { onKey, showTitle, start } from "./page.js";
import { loadGame, loadHere, loadShared, saveGame, saveShared } from "./preferences.js";
import { iconButton } from "./icons.js";
import { endSound, refusalSound, stoneSound } from "./sound.js";

/** @typedef {import("./received.js").Color} Color */
/** @typedef {import("./received.js").Strength} Strength */
/** @typedef {import("./received.js").TrainingState} State */

/**
 * The record that all tabs share: the ratings of the person and of the puzzles tried, by the `name` of the
 * puzzle, and the results.
 * @typedef {object} Record
 * @property {Strength} person
 * @property {Object<string, Strength>} puzzles
 * @property {number} tried
 * @property {number} solved
 * @property {number} streak
 * @property {number} longest
 */

const VERSION = 1;
const STORED = "quincunx.training";
/** The storage key of this tab's state: the set, the current puzzle and its result. */
const TASK = "quincunx.puzzle";

/** The number of puzzles closest to the person's rating from which one is drawn. */
const NEAREST = 20;

/** The number of puzzles of a beginner, to whom `#first` leads. */
const FIRST_STEPS = 5;

/** The delay before puzzles are fetched again, in milliseconds. */
const RETRY = 5000;

/** @type {Extract<import("./received.js").TrainingReply, {type: "welcome"}>} */
let welcome;
/** @type {Record} */
let record;

/** The name of the selected set. */
let set = "freestyle";
/** True while the first puzzles of a beginner are begun, one after the other. */
let isBeginner = location.hash === "#first";
/** The puzzles of the sets that are loaded. @type {Map<string, string[]>} */
const files = new Map();
/** The current puzzle. */
let line = "";
/** Its rating when this tab began it; zero if it had none. */
let rated = 0;
/** The record at that time, whose ratings were sent to the program. @type {Record} */
let initial;
/** True if it is solved, false if it is failed. @type {boolean | null} */
let result = null;
/** The number of puzzles begun. */
let number = 0;
/** @type {State | undefined} */
let state;
/** The last move of the person. */
let chosen = "";

const alert = new Alert();
const board = new BoardView(byId("board"), play, (point) => alert.show(t("alert.tap", { point })), refusalSound);

await start(() => {
  showTitle("training.title");
  if (state) show(state);
});

/** @type {import("./connection.js").Send<import("./sent.js").TrainingMessage, boolean>} */
const send = connect("training", {
  opened: () => {
    alert.connected();
    send("hello", { version: VERSION });
  },
  received: (message) => board.keepFocus(() => {
    if (message.type === "welcome") {
      welcome = message;
      readRecord();
      // A new session has no puzzle yet.
      if (line) begin(line, result, rated);
      else resume();
    } else if (message.type === "state") receiveState(message);
    else if (message.type === "error" && message.code !== "stale") {
      refusalSound();
      alert.show(errorText(message));
    }
  }),
  refused: (refusal) => alert.connectionRefused(refusal),
  ended: () => alert.programEnded(),
  lost: () => alert.connectionLost(t("training.lost")),
});

/**
 * Parses JSON; an empty object if it is damaged.
 * @param {string | null} text
 */
function parsed(text) {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

/** Loads the record, which another tab may have changed. Damaged values are replaced by defaults. */
function readRecord() {
  const { person, puzzles, tried, solved, streak, longest } = parsed(loadShared(STORED));
  const count = (/** @type {any} */ value) => Number.isSafeInteger(value) && value > 0 ? value : 0;
  record = {
    person: validStrength(person) ?? welcome.person,
    puzzles: Object.fromEntries(Object.entries(Object(puzzles)).flatMap(([name, value]) => {
      const strength = validStrength(value);
      return strength ? [[name, strength]] : [];
    })),
    tried: count(tried), solved: count(solved), streak: count(streak), longest: count(longest),
  };
}

/**
 * Returns a strength if it is within the program's limits.
 * @param {any} value
 * @returns {Strength | undefined}
 */
function validStrength(value) {
  const { rating, deviation, volatility } = Object(value);
  const numbers = /** @type {Object<string, any>} */ ({ rating, deviation, volatility });
  const isValid = Object.entries(welcome.limits).every(([name, [least, most]]) =>
    typeof numbers[name] === "number" && numbers[name] >= least && numbers[name] <= most);
  return isValid ? { rating, deviation, volatility } : undefined;
}

addEventListener("storage", ({ key }) => {
  if (key !== STORED || !state) return;
  readRecord();
  showScore();
});

/**
 * The hash of a puzzle's position, by which it is stored.
 * @param {string} puzzle
 */
function name(puzzle) {
  let hash = 0x811c9dc5;
  for (const char of puzzle.split(";")[0]) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash.toString(36);
}

/**
 * The strength of a puzzle: by results, or else by its grade.
 * @param {string} puzzle
 * @returns {Strength}
 */
function strength(puzzle) {
  const grade = Number(/grade (\d+)/.exec(puzzle)?.[1] ?? 1);
  return record.puzzles[name(puzzle)] ?? welcome.puzzles[grade - 1];
}

/** Begins the current puzzle of this tab again, or another one. */
async function resume() {
  if (isBeginner) {
    await next();
    return;
  }
  const last = parsed(loadGame(TASK));
  if (welcome.sets.includes(last.set)) set = last.set;
  const task = parsed(loadHere(TASK));
  const [wanted, begun] = [set, number];
  const file = await load(wanted);
  if (wanted !== set || number !== begun) return;
  if (file?.includes(task.puzzle)) begin(task.puzzle, typeof task.result === "boolean" ? task.result : null, task.rated);
  else if (file) next();
}

/**
 * The easiest puzzles, with the fewest stones: a single four wins.
 * @param {string[]} file
 */
const firstSteps = (file) => file.filter((text) => /; vcf( \S+){5};.* grade 1$/.test(text))
  .sort((one, other) => one.length - other.length).slice(0, FIRST_STEPS);

/** The untried ones of a beginner's first puzzles. */
const stepsLeft = () => firstSteps(files.get(set) ?? []).filter((puzzle) => !Object.hasOwn(record.puzzles, name(puzzle)));

/** Begins a puzzle close to the person's rating, an untried one if possible. */
async function next() {
  const [wanted, begun] = [set, number];
  const file = await load(wanted);
  if (!file || wanted !== set || number !== begun) return;
  const [step] = isBeginner ? stepsLeft().filter((puzzle) => puzzle !== line) : [];
  if (step) {
    begin(step);
    return;
  }
  isBeginner = false;
  let puzzles = file.filter((puzzle) => puzzle !== line && !Object.hasOwn(record.puzzles, name(puzzle)));
  if (puzzles.length === 0) puzzles = file;
  const distance = (/** @type {string} */ puzzle) => Math.abs(strength(puzzle).rating - record.person.rating);
  const nearest = puzzles.map((puzzle) => ({ puzzle, distance: distance(puzzle), order: Math.random() }))
    .sort((a, b) => a.distance - b.distance || a.order - b.order).slice(0, NEAREST);
  begin(nearest[Math.floor(Math.random() * nearest.length)].puzzle);
}

/**
 * Loads the puzzles of a set, with retries; undefined if another set is selected meanwhile.
 * @param {string} wanted
 */
async function load(wanted) {
  while (!files.has(wanted)) {
    try {
      const answer = await fetch(`puzzles/${wanted}.txt`);
      if (!answer.ok) throw new Error(answer.statusText);
      files.set(wanted, (await answer.text()).split("\n").filter((text) => text && !text.startsWith("#")));
    } catch {
      alert.show(t(navigator.onLine ? "training.lost" : "training.offline"));
      await new Promise((resolve) => setTimeout(resolve, RETRY));
      if (wanted !== set) return undefined;
    }
  }
  return files.get(wanted);
}

/**
 * The rating of a puzzle by results; zero if it was never tried.
 * @param {string} puzzle
 */
function rating(puzzle) {
  return record.puzzles[name(puzzle)]?.rating ?? 0;
}

/**
 * @param {string} puzzle
 * @param {boolean | null} [known] Its result, if it is known.
 * @param {number} [before] Its rating when it was begun first.
 */
function begin(puzzle, known = null, before = rating(puzzle)) {
  line = puzzle;
  result = known;
  rated = before;
  number += 1;
  initial = record;
  send("begin", { puzzle, person: record.person, strength: strength(puzzle), result });
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
  chosen = point;
  send("play", { point, stones: state.stones.length });
}

function hint() {
  if (!state || state.solved) return;
  if (state.hint_loses) askToLose("action.hint", "hint");
  else send("hint");
}

function giveUp() {
  if (state?.result === null) askToLose("training.show", "give_up");
  else send("give_up");
}

/**
 * Asks for help after a confirmation that it fails the puzzle.
 * @param {string} label
 * @param {"hint" | "give_up"} type The type of the message.
 */
function askToLose(label, type) {
  const asked = number;
  const { streak } = record;
  const price = t("training.price", { points: state?.stake ?? 0 });
  confirmDialog([price, streak > 0 && t("training.price.streak", { streak })].filter(Boolean).join(" "), t(label), () => {
    if (asked === number) send(type);
  });
}

/** @param {State} next */
function receiveState(next) {
  // The message may be about a previous puzzle.
  if (next.puzzle !== line) return;
  const before = state;
  if (next.result !== null && result === null) recordResult(next);
  result = next.result;
  state = next;
  saveGame(JSON.stringify({ set, puzzle: next.solved ? "" : line, result, rated }), TASK);
  show(next);
  const isPlayed = before?.puzzle === next.puzzle && next.stones.length > before.stones.length;
  if (next.end.kind === "wrong" || next.end.kind === "slow") refusalSound();
  else if (next.solved) endSound(true);
  else if (isPlayed) stoneSound();
  const last = next.stones.at(-1);
  if (isPlayed && last) {
    byId("spoken").textContent = t("spoken.move", { color: t(`color.${last.color}`), point: last.point });
  }
}

/**
 * Stores the result of a puzzle, unless another tab has stored one since the puzzle was begun. The change
 * of the rating is added to those of other puzzles in the meantime.
 * @param {State} state
 */
function recordResult({ puzzle, result, person, strength }) {
  readRecord();
  const { puzzles, tried, solved, streak, longest } = record;
  if (rating(puzzle) !== rated) return;
  const row = result ? streak + 1 : 0;
  const moved = (/** @type {keyof Strength} */ name) => {
    const [least, most] = welcome.limits[name];
    return Math.min(Math.max(person[name] + (record.person[name] - initial.person[name]), least), most);
  };
  record = {
    person: { rating: moved("rating"), deviation: moved("deviation"), volatility: moved("volatility") },
    puzzles: { ...puzzles, [name(puzzle)]: strength },
    tried: tried + 1,
    solved: solved + (result ? 1 : 0),
    streak: row,
    longest: Math.max(longest, row),
  };
  saveShared(STORED, JSON.stringify(record));
}

/** @param {State} state */
function show(state) {
  board.show(/** @type {any} */ ({
    ...state, game: number, node: 0, actor: "person", waiting: false, allowed: null, offers: [], threats: [],
    labels: [], analysis: null, can: { go_on: false }, phase: { kind: state.solved ? "over" : "move" },
  }));
  board.preview(state.end.kind === "wrong" ? state.end.line : [], state.turn);
  if (state.end.kind === "point") board.hint(state.end.point);
  const text = statusText(state);
  if (byId("status").textContent !== text) byId("status").textContent = text;
  const isLast = isBeginner && stepsLeft().every((puzzle) => puzzle === line);
  const step = isBeginner ? 1 + firstSteps(files.get(set) ?? []).indexOf(line) : 0;
  byId("detail").textContent = step > 0 ? t("training.first", { number: step, count: FIRST_STEPS }) : [
    t("training.grade", { grade: state.grade }),
    t("training.rated", { rating: Math.round(state.strength.rating) }),
    state.stake !== null && t("training.stake", { points: state.stake }),
  ].filter(Boolean).join(" · ");
  update(byId("menu"),
    iconButton("settings", t("action.settings"), () => settingsDialog(["sound", "confirm", "numbers", "sides", "large", "keys"]),
      { class: "quiet", "data-name": "settings" }));
  update(byId("actions"),
    button(t(state.result !== null || state.hint_loses ? "action.hint" : "training.hint.free"), hint, { disabled: state.solved, "data-name": "hint" }),
    button(t("training.show"), giveUp, { disabled: state.solved, "data-name": "show" }),
    button(t("training.board"), openBoard, { "data-name": "board" }),
    isLast && state.result !== null && button(t("training.game"), () => location.assign("index.html"), { class: "main wide", "data-name": "game" }),
    button(t("training.next"), next, { class: state.result === null ? "wide" : "main wide", "data-name": "next" }));
  showScore();
}

/** Opens the position on the board page for analysis. */
function openBoard() {
  if (state) location.href = `index.html#${state.position.split(" ").join("/")}`;
}

/**
 * The answer to the last move, or the task.
 * @param {State} state
 */
function statusText({ kind, end, turn, stones }) {
  const point = chosen;
  switch (end.kind) {
    case "solved": return t("training.solved");
    case "slow": return t("training.slow", { point });
    case "unknown": return t("training.unknown", { point });
    case "wrong": return end.line.length > 1 ? t("training.answered", { point, reply: end.line[1] }) : t("training.wrong", { point });
    case "moves": return t("training.moves", { moves: end.moves });
    case "column": return t("training.column", { column: end.column });
    case "point": return t("training.point", { point: end.point });
    default: return t(stones.at(-1)?.number != null ? "training.right" : `training.task.${kind}`, { color: t(turn) });
  }
}

function showScore() {
  const { person, tried, solved, streak, longest } = record;
  const word = (/** @type {string} */ name) => t(name === "threes" ? "training.threes" : `rule.name.${name}`);
  const choice = select(welcome.sets.map((name) => [name, word(name)]), set, { "data-name": "set" });
  choice.addEventListener("change", () => {
    set = choice.value;
    isBeginner = false;
    next();
  });
  update(byId("score"),
    html("p", {}, html("strong", {}, t("training.person", { rating: Math.round(person.rating), deviation: Math.round(person.deviation) }))),
    html("p", { class: "facts" }, t("training.count", { solved, tried, streak, longest })),
    labelled(t("new.rule"), choice));
}

onKey((key) => ({ b: () => board.enter(), n: () => welcome && next(), h: hint })[key]);
