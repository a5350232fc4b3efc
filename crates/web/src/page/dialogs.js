// The windows: a new game, export, open and settings.
// @ts-check

import { button, copy, html, labelled, select } from "./dom.js";
import { engineFields } from "./engine.js";
import { LANGUAGES, t } from "./language.js";
import { animationSvg, picturePng, pictureSvg } from "./picture.js";
import { prefer, preferences } from "./preferences.js";
import { STONES, stoneSound } from "./sound.js";
import { VIEWS } from "./view.js";
import { open, openForm } from "./window.js";

/** @typedef {import("./received.js").Setup} Setup */
/** @typedef {import("./sent.js").Time} Time */
/** @typedef {import("./received.js").Welcome} Welcome */
/** @typedef {import("./received.js").Format} Format */

/** Sizes to choose from; any other can be written. */
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
 * Asks for a new game.
 * @param {Welcome} welcome
 * @param {Setup} setup What to begin with.
 * @param {(setup: import("./connection.js").Fields<import("./sent.js").ClientMessage, "new_game">) => Promise<string>} start Says why there is no such game.
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
  // One engine has one level, two engines have one each; persons have none.
  const showLevels = () => {
    const engines = [black, white].filter(({ value }) => value === "engine").length;
    level.row.hidden = engines !== 1;
    for (const { row } of levels) row.hidden = engines < 2;
  };
  // An opening rule begins with the empty board.
  const showHandicap = () => (handicap.disabled = opening.value !== "free");
  opening.addEventListener("change", showHandicap);
  showHandicap();
  // One action less for those who want the other colour.
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
  const time = select(times, times.some(([value]) => value === given) ? given : times[2][0]);
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
    time: JSON.parse(time.value),
  });
  openForm(t("action.new"), t("action.start"), begin,
    html("div", { class: "fields" },
      labelled(t("new.rule"), rule, "field words"), labelled(t("new.size"), size), sizes,
      labelled(t("new.opening"), opening, "field words"), labelled(t("new.handicap"), handicap),
      labelled(t("black"), black), labelled(t("white"), white),
      labelled(t("new.time"), time)),
    level.row, ...levels.map(({ row }) => row), html("div", { class: "row end" }, swapped));
  showSwapped();
}

/**
 * A slider for a level, with the level's name.
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
 * A time as the list of times has it.
 * @param {Time} time
 */
function normal({ turn_ms, game_ms, increment_ms }) {
  return game_ms ? { game_ms, increment_ms: increment_ms ?? 0 } : { turn_ms };
}

/**
 * Asks which kind of file, and shows it.
 * @param {(format: Format) => Promise<string>} ask Asks the program.
 * @param {SVGSVGElement} drawing
 * @param {(text: string) => void} say
 * @param {string} name The file's, without its ending.
 */
export function exportDialog(ask, drawing, say, name) {
  const kinds = options("export", ["sgf", "psq", "text", "renlib", "link", "svg", "png", "gif", "animation"]);
  const format = select(kinds, "sgf");
  const content = html("textarea", { rows: 7, readonly: true, spellcheck: "false" });
  const text = labelled(t("export.content"), content);
  const picture = html("img", { class: "animation", alt: "", hidden: true });
  const choose = (/** @type {string} */ kind) => {
    format.value = kind;
    void show();
  };
  const local = html("div", { hidden: true }, html("p", { class: "facts" }, t("export.link.local")),
    html("div", { class: "row" }, ...["text", "png"].map((kind) => button(t(`export.${kind}`), () => choose(kind)))));
  const refusal = html("p", { class: "refusal", role: "alert", hidden: true });
  const write = async (/** @type {string} */ kind) => {
    if (kind === "svg" || kind === "png") return pictureSvg(drawing);
    if (kind === "animation") return animationSvg(drawing);
    if (kind === "link") return link(await ask("text"));
    return ask(/** @type {Format} */ (kind));
  };
  const show = async () => {
    const kind = format.value;
    content.value = refusal.textContent = "";
    text.hidden = !(picture.hidden = kind !== "gif" && kind !== "png");
    picture.alt = t(`export.${kind}`);
    // No clipboard takes an animation.
    copied.hidden = kind === "gif";
    local.hidden = kind !== "link" || !isLoopback(location.hostname);
    let written = "";
    let shown = "";
    let refused = "";
    try {
      written = await write(kind);
      shown = kind === "png" ? URL.createObjectURL(await picturePng(written)) : written;
    } catch (error) {
      refused = error instanceof Error ? error.message : "";
    }
    // Another format may have been chosen meanwhile.
    if (format.value !== kind) return;
    content.value = written;
    if (!picture.hidden) picture.src = shown;
    refusal.textContent = refused;
    refusal.hidden = refused === "";
  };
  const copyPicture = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picturePng(content.value) })]);
      return true;
    } catch {
      // It has its menu.
      return false;
    }
  };
  const copied = button(t("action.copy"), async () => {
    if (!content.value) return;
    if (await (format.value === "png" ? copyPicture() : copy(content))) say(t("alert.copied"));
  });
  const download = async () => {
    // What is refused, or not there yet, is no file.
    if (!content.value) return;
    const kind = format.value;
    const blob = kind === "png" ? await picturePng(content.value)
      : new Blob([kind === "renlib" || kind === "gif" ? bytesOf(content.value) : content.value]);
    const endings = /** @type {Record<string, string>} */ ({ text: "txt", link: "txt", animation: "svg", renlib: "lib" });
    const ending = endings[kind] ?? kind;
    const anchor = html("a", { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  };
  format.addEventListener("change", () => void show());
  const dialog = open(t("action.export"),
    labelled(t("export.format"), format), text, picture, local, refusal,
    html("div", { class: "row end" },
      button(t("action.close"), () => dialog.close(), { class: "quiet" }),
      copied,
      button(t("action.download"), () => void download(), { class: "main" })));
  void show();
}

/**
 * The bytes of a data URL.
 * @param {string} url
 */
const bytesOf = (url) => Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (byte) => byte.charCodeAt(0));

/**
 * A file as the program opens it: text, or bytes in a data URL, which the program decodes.
 * @typedef {{text: string, name?: string, encoding?: string, game?: number}} OpenedFile
 */

/**
 * Reads a file; nothing where the browser can't, such as of a folder or a file that is gone.
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
 * A link to a position, which is a line such as `15 renju h8i9`.
 * @param {string} line
 */
function link(line) {
  const url = new URL(location.href);
  url.hash = line.split(" ").join("/");
  return url.href;
}

/**
 * Returns true if a name leads to the machine that it is used on.
 * @param {string} host
 */
const isLoopback = (host) => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/**
 * A part of an address as it is read; one that is no such part as it is written.
 * @param {string} written
 */
export function decoded(written) {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/**
 * The position that a link leads to, if it leads to one.
 * @param {string} hash
 */
export const linked = (hash) => decoded(hash.replace(/^#/, "")).split("/").join(" ").trim();

/** Encodings that files have and do not always say. */
const ENCODINGS = ["UTF-8", "Shift_JIS", "EUC-JP", "GB18030", "Big5", "EUC-KR", "windows-1251", "windows-1252"];

/**
 * Asks for a game or a position.
 * @param {(file: OpenedFile) => Promise<string>} read Says why it can't be read.
 */
export function openDialog(read) {
  const text = html("textarea", { rows: 7, spellcheck: "false" });
  const file = html("input", { type: "file", accept: ".sgf,.psq,.rec,.sav,.pos,.txt,.lib,.rif,.xml,.pgn" });
  const encoding = html("select", {},
    html("option", { value: "" }, t("open.as_said")),
    ...ENCODINGS.map((name) => html("option", { value: name }, name)));
  const game = gameField(1);
  // What was written or chosen last counts.
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
 * @param {number} number The one to begin with.
 * @param {number} count How many there are.
 * @param {(game: number) => Promise<string>} read Says why it can't be read.
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

/** @typedef {"sound" | "numbers" | "sides" | "threats" | "confirm" | "keys" | "opinion" | "phrases" | "notify"} Choice */

/**
 * The preferences of the person.
 * @param {Choice[]} choices What can be switched on and off.
 * @param {{bounds?: import("./received.js").SearchBounds, stopServer?: () => void,
 *   more?: Node}} [program] What searches may use, what ends the program where the page may do that,
 *   and what other preferences there are.
 */
export function settingsDialog(choices, { bounds, stopServer, more } = {}) {
  const theme = select(options("theme", ["auto", "light", "dark", "wood", "paper", "contrast"]), preferences.theme);
  theme.addEventListener("change", () => prefer("theme", theme.value));
  // An address may name another language than the one that is preferred.
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

/** Fields for what a stone sounds like, and how loud. A change is heard. */
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
 * Asks a question that is answered with yes or no.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 * @param {Node | false} [note] What else is to be known.
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
