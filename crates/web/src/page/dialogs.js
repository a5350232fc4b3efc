// The dialogs: a new game, open and settings.
// @ts-check

import { button, html, labelled, select } from "./dom.js";
import { engineFields } from "./engine.js";
import { LANGUAGES, t } from "./language.js";
import { prefer, preferences } from "./preferences.js";
import { STONES, stoneSound } from "./sound.js";
import { VIEWS } from "./view.js";
import { open, openForm } from "./window.js";

/** @typedef {import("./received.js").Setup} Setup */
/** @typedef {import("./sent.js").Time} Time */
/** @typedef {import("./received.js").GameInfo} Info */
/** @typedef {import("./received.js").Welcome} Welcome */

/** The suggested sizes; any other can be typed. */
export const SIZES = ["9", "11", "13", "15", "17", "19", "20", "22"];

/** @type {Time[]} */
const TIMES = [
  { turn_ms: 200 },
  { turn_ms: 500 },
  { turn_ms: 1000 },
  { turn_ms: 2000 },
  { turn_ms: 5000 },
  { turn_ms: 15000 },
  { game_ms: 180000, increment_ms: 2000 },
  { game_ms: 300000, increment_ms: 0 },
  { game_ms: 600000, increment_ms: 5000 },
  { game_ms: 1800000, increment_ms: 0 },
];

/** @param {Time} time */
export function timeText({ turn_ms, game_ms, increment_ms }) {
  if (!game_ms) return t("time.turn", { seconds: (turn_ms ?? 0) / 1000 });
  const minutes = game_ms / 60000;
  if (!increment_ms) return t("time.game", { minutes });
  return t("time.increment", { minutes, seconds: increment_ms / 1000 });
}

/**
 * The name of a level.
 * @param {{levels: [number, string][]}} welcome
 * @param {number} level
 */
export function levelText({ levels }, level) {
  const [, name] = levels.findLast(([from]) => from <= level) ?? [0, "beginner"];
  return `${t(`level.${name}`)} (${level})`;
}

/**
 * @param {string} name
 * @param {string[]} values
 * @returns {[string, string][]}
 */
export const options = (name, values) => values.map((value) => [value, t(`${name}.${value}`)]);

/**
 * Opens the dialog for a new game.
 * @param {Welcome} welcome
 * @param {Setup} setup The initial values.
 * @param {(setup: import("./connection.js").Fields<import("./sent.js").ClientMessage, "new_game">) => Promise<string>} start Returns the error, if the game is refused.
 */
export function newGameDialog(welcome, setup, start) {
  /** @type {[string, string][]} */
  const players = [["person", t("person")], ["engine", t("engine")]];
  const rule = select(options("rule", welcome.rules), setup.rule);
  const sizes = html("datalist", { id: "sizes" }, ...SIZES.map((size) => html("option", { value: size })));
  const size = html("input", { list: "sizes", value: setup.size, required: true, autocomplete: "off", size: 6 });
  const opening = select(options("opening", welcome.openings), setup.opening);
  const counts = [...Array(welcome.handicap + 1).keys()].map(String);
  const handicap = select(counts.map((count) => [count, count]), String(setup.handicap ?? 0));
  const black = select(players, setup.black);
  const white = select(players, setup.white);
  const level = levelField(welcome, t("new.level"), setup.level);
  const levels = [
    levelField(welcome, t("new.level.black"), setup.levels?.[0] ?? setup.level),
    levelField(welcome, t("new.level.white"), setup.levels?.[1] ?? setup.level),
  ];
  // One engine has one level, two engines have one each.
  const showLevels = () => {
    const engines = [black, white].filter(({ value }) => value === "engine").length;
    level.row.hidden = engines !== 1;
    for (const { row } of levels) row.hidden = engines < 2;
  };
  // An opening rule begins with the empty board.
  const showHandicap = () => (handicap.disabled = opening.value !== "free");
  opening.addEventListener("change", showHandicap);
  showHandicap();
  // A shortcut for players who want the other colour.
  const swapped = button("", () => {
    [black.value, white.value] = [white.value, black.value];
    swapped.form?.requestSubmit();
    showSwapped();
  }, { class: "quiet" });
  const showSwapped = () => {
    swapped.hidden = black.value === white.value;
    swapped.textContent = t("new.swapped", { color: t(black.value === "person" ? "white" : "black") });
  };
  for (const player of [black, white]) {
    player.addEventListener("change", showLevels);
    player.addEventListener("change", showSwapped);
  }
  showLevels();
  const times = TIMES.map((time) => /** @type {[string, string]} */ ([JSON.stringify(time), timeText(time)]));
  const given = JSON.stringify(normal(setup.time));
  const time = select([...times, ["", t("clock.other")]], times.some(([value]) => value === given) ? given : "");
  const number = (/** @type {number} */ ms, /** @type {number} */ unit, /** @type {number} */ max) =>
    html("input", { type: "number", value: ms / unit, min: 0, max, step: "any", required: true });
  const { turn_ms, game_ms, increment_ms } = setup.time;
  const minutes = number(game_ms ?? 0, 60000, 1440);
  const seconds = number((game_ms ? increment_ms : turn_ms) ?? 0, 1000, 3600);
  const own = html("div", { class: "fields" }, labelled(t("clock.minutes"), minutes), labelled(t("time.seconds"), seconds),
    html("p", { class: "facts" }, t("time.text")));
  const showOwn = () => (own.hidden = time.value !== "");
  time.addEventListener("change", showOwn);
  showOwn();
  /** @returns {Time} */
  const ownTime = () => {
    const [game, move] = [minutes.valueAsNumber * 60000, seconds.valueAsNumber * 1000].map(Math.round);
    return game > 0 ? { game_ms: game, increment_ms: move } : { turn_ms: move };
  };
  const begin = () => start({
    rule: rule.value,
    size: size.value.trim(),
    opening: opening.value,
    handicap: opening.value === "free" ? Number(handicap.value) : 0,
    black: /** @type {Setup["black"]} */ (black.value),
    white: /** @type {Setup["white"]} */ (white.value),
    level: Number(level.input.value),
    ...(black.value === "engine" && white.value === "engine"
      && { levels: /** @type {[number, number]} */ (levels.map(({ input }) => Number(input.value))) }),
    time: time.value ? JSON.parse(time.value) : ownTime(),
  });
  openForm(t("action.new"), t("action.start"), begin,
    html("div", { class: "fields" },
      labelled(t("new.rule"), rule, "field words"), labelled(t("new.size"), size), sizes,
      labelled(t("new.opening"), opening, "field words"), labelled(t("new.handicap"), handicap),
      labelled(t("black"), black), labelled(t("white"), white),
      labelled(t("new.time"), time)), own,
    level.row, ...levels.map(({ row }) => row), html("div", { class: "row end" }, swapped));
  showSwapped();
}

/**
 * Opens the dialog for the names, the event, the date and the result of the game.
 * @param {Partial<Info>} info
 * @param {string[]} players The players where no names are given.
 * @param {(info: Info) => Promise<string>} change Returns the error, if the change is refused.
 */
export function infoDialog({ black = "", white = "", event = "", date = "", result = "" }, players, change) {
  const text = (/** @type {string} */ value, placeholder = "") =>
    html("input", { value, placeholder, maxlength: 100, autocomplete: "off" });
  const [first, second] = [text(black, players[0]), text(white, players[1])];
  const where = text(event);
  const when = text(date);
  // Files may have other texts than dates.
  if (/^(\d{4}-\d\d-\d\d)?$/.test(date)) when.type = "date";
  const win = (/** @type {"black" | "white"} */ color, /** @type {string} */ letter) =>
    /** @type {[string, string]} */ ([result.startsWith(letter) ? result : `${letter}+`, t("status.wins", { color: t(color) })]);
  const outcome = select([["", t("own.unfinished")], win("black", "B"), win("white", "W"), ["0", t("status.draw")]], result);
  openForm(t("action.info"), t("action.save"),
    () => change({ black: first.value, white: second.value, event: where.value, date: when.value, result: outcome.value }),
    html("div", { class: "fields" }, labelled(t("black"), first), labelled(t("white"), second),
      labelled(t("info.event"), where), labelled(t("info.date"), when), labelled(t("info.result"), outcome)));
}

/**
 * A slider for a level, with its name.
 * @param {{levels: [number, string][]}} welcome
 * @param {string} label
 * @param {number} value
 * @param {number} [max]
 */
export function levelField(welcome, label, value, max = 100) {
  const input = html("input", { type: "range", min: 0, max, step: 1, value });
  const name = html("output");
  const show = () => {
    name.textContent = levelText(welcome, Number(input.value));
    input.setAttribute("aria-valuetext", name.textContent);
  };
  input.addEventListener("input", show);
  show();
  return { input, row: html("div", { class: "level" }, labelled(label, input), name) };
}

/**
 * A time in the form of the list of times.
 * @param {Time} time
 */
function normal({ turn_ms, game_ms, increment_ms }) {
  return game_ms ? { game_ms, increment_ms: increment_ms ?? 0 } : { turn_ms };
}

/**
 * A file to open: text, or a data URL, which the program decodes.
 * @typedef {{text: string, name?: string, encoding?: string, game?: number}} OpenedFile
 */

/**
 * Reads a file; undefined on errors, such as for a folder or a deleted file.
 * @param {File} file
 * @param {string} [encoding]
 * @returns {Promise<OpenedFile | undefined>}
 */
export async function readFile(file, encoding) {
  const reader = new FileReader();
  const text = await new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
  return text === undefined ? undefined : { text, name: file.name, encoding: encoding || undefined };
}

/**
 * Decodes a part of an address, if it is valid.
 * @param {string} encoded
 */
export function decoded(encoded) {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * The position in the hash of a link; empty if there is none.
 * @param {string} hash
 */
export const positionIn = (hash) => decoded(hash.replace(/^#/, "")).split("/").join(" ").trim();

/** Encodings to select for files that do not declare theirs. */
const ENCODINGS = ["UTF-8", "Shift_JIS", "EUC-JP", "GB18030", "Big5", "EUC-KR", "windows-1251", "windows-1252"];

/**
 * Opens the dialog for a file or pasted text.
 * @param {(file: OpenedFile) => Promise<string>} read Returns the error, if it can't be read.
 */
export function openDialog(read) {
  const text = html("textarea", { rows: 7, spellcheck: "false" });
  const file = html("input", { type: "file", accept: ".sgf,.psq,.rec,.sav,.pos,.txt,.lib,.rif,.xml,.pgn" });
  const encoding = html("select", {},
    html("option", { value: "" }, t("open.as_said")),
    ...ENCODINGS.map((name) => html("option", { value: name }, name)));
  const game = gameField(1);
  // The last input counts: a text or a file.
  text.addEventListener("input", () => (file.value = ""));
  file.addEventListener("change", () => (text.value = ""));
  const accept = async () => {
    const chosen = file.files?.[0];
    const opened = chosen ? await readFile(chosen, encoding.value) : { text: text.value };
    return opened ? read({ ...opened, game: game.valueAsNumber || 1 }) : t("error.file");
  };
  openForm(t("action.open"), t("action.open"), accept,
    labelled(t("open.text"), text), labelled(t("open.file"), file),
    labelled(t("open.game"), game), labelled(t("open.encoding"), encoding));
}

/**
 * Asks for another game of a file.
 * @param {number} number The initial value.
 * @param {number} count The number of games.
 * @param {(game: number) => Promise<string>} read Returns the error, if it can't be read.
 */
export function gameDialog(number, count, read) {
  const game = gameField(number, count);
  openForm(t("open.another"), t("action.open"), () => read(game.valueAsNumber || 1), labelled(t("open.game"), game));
}

/**
 * @param {number} number
 * @param {number} [count]
 */
const gameField = (number, count) => html("input", { type: "number", min: "1", max: count, value: String(number) });

/** @typedef {"sound" | "numbers" | "sides" | "large" | "threats" | "confirm" | "keys" | "opinion" | "phrases" | "notify"} Choice */

/**
 * Opens the preferences.
 * @param {Choice[]} choices The switches.
 * @param {{bounds?: import("./received.js").SearchBounds, stopServer?: () => void,
 *   more?: Node}} [others] The bounds of search limits, the action that stops the program, if the page
 *   may do that, and more fields.
 */
export function settingsDialog(choices, { bounds, stopServer, more } = {}) {
  const theme = select(options("theme", ["auto", "light", "dark", "wood", "paper", "contrast"]), preferences.theme);
  theme.addEventListener("change", () => prefer("theme", theme.value));
  // The address may override the preferred language.
  const language = select(LANGUAGES, document.documentElement.lang);
  language.addEventListener("change", () => {
    prefer("language", language.value);
    dialog.close();
  });
  const views = [...Array(VIEWS).keys()].map((view) => /** @type {[string, string]} */ (
    [String(view), view < 4 ? `${90 * view}°` : t("view.mirrored", { degrees: 90 * (view - 4) })]));
  const view = select(views, String(preferences.view));
  view.addEventListener("change", () => prefer("view", Number(view.value)));
  /** @param {Choice} name */
  const check = (name) => {
    const box = html("input", { type: "checkbox" });
    box.checked = preferences[name];
    box.addEventListener("change", () => prefer(name, box.checked));
    return html("label", { class: "check" }, box, t(`settings.${name}`));
  };
  const dialog = open(t("action.settings"),
    html("div", { class: "fields" },
      labelled(t("settings.theme"), theme, "field few-words"), labelled(t("settings.language"), language),
      choices.includes("sides") && labelled(t("settings.view"), view, "field few-words"),
      ...(bounds ? engineFields(bounds) : []), ...soundFields()),
    ...choices.map(check),
    choices.includes("threats") && html("p", { class: "facts" }, t("settings.threats.legend")),
    more,
    html("div", { class: "row end" },
      stopServer && button(t("action.stop_server"), () => {
        dialog.close();
        stopServer();
      }, { class: "quiet" }),
      button(t("action.close"), () => dialog.close(), { class: "main" })));
}

/** Fields for the sound of a stone and the volume. Changes play the sound. */
function soundFields() {
  const stone = select(options("stone", STONES), preferences.stone);
  stone.addEventListener("change", () => {
    prefer("stone", stone.value);
    stoneSound();
  });
  const volume = html("input", { type: "range", min: 0, max: 100, step: 5, value: preferences.volume });
  volume.addEventListener("change", () => {
    prefer("volume", Number(volume.value));
    stoneSound();
  });
  return [labelled(t("settings.stone"), stone), labelled(t("settings.volume"), volume)];
}

/**
 * Asks for a confirmation.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 * @param {Node | false} [note] More information.
 */
export function confirmDialog(question, yes, act, note = false) {
  const dialog = open(question, note,
    html("div", { class: "row end" },
      button(t("action.cancel"), () => dialog.close(), { class: "quiet" }),
      button(yes, () => {
        dialog.close();
        act();
      }, { class: "main" })));
}
