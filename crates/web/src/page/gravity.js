// The page of four in a row.
// @ts-check

import { Alert } from "./alert.js";
import { connect } from "./connection.js";
import { levelField, levelText, settingsDialog } from "./dialogs.js";
import { button, byId, html, labelled, select, set, shortNumber, svg, update } from "./dom.js";
import { errorText, t } from "./language.js";
import { onKey, showTitle, start } from "./page.js";
import { loadGame, saveGame } from "./preferences.js";
import { iconButton } from "./icons.js";
import { endSound, refusalSound, stoneSound } from "./sound.js";
import { openForm } from "./window.js";

/** @typedef {import("./received.js").Side} Side */
/** @typedef {import("./received.js").Player} Player */
/** @typedef {{kind: "win" | "draw" | "loss", plies?: number}} Value */
/** @typedef {Omit<import("./received.js").GravityState, "values"> & {values: (Value | null)[] | null}} State */

const VERSION = 1;
const STORED = "quincunx.gravity";

/** The distance of points, and the space above the board, in units of the drawing. */
const STEP = 60;
const TOP = 64;

/** @type {State | undefined} */
let state;
/** @type {{nodes: number, elapsed_ms: number} | undefined} The progress of the search for the values. */
let progress;
/** @type {((refusal: string) => void) | undefined} Resolves the pending request for a new game. */
let resolveNewGame;

const alert = new Alert();

/**
 * The names of the levels, each with its first level.
 * @type {{levels: [number, string][]}}
 */
const NAMED = {
  levels: [
    [0, "beginner"], [1, "novice"], [2, "casual"], [4, "club"], [5, "strong"], [7, "expert"], [8, "master"], [10, "full"],
  ],
};

/** The time after which the page explains that the search may take long, in milliseconds. */
const PATIENCE = 5000;

const drawing = svg("svg", { class: "board gravity" });
byId("board").append(drawing);
/** @type {Map<string, SVGElement>} */
const discs = new Map();
let size = "";

await start(() => {
  showTitle("gravity.title");
  if (!state) return;
  size = "";
  showBoard(state, false);
  showSide(state);
});

/** @type {import("./connection.js").Send<import("./sent.js").GravityMessage, boolean>} */
const send = connect("gravity", {
  opened: () => {
    alert.connected();
    send("hello", { version: VERSION, save: state?.save ?? loadGame(STORED) });
    if (state?.values) send("analyse", { on: true });
  },
  received: (message) => {
    if (message.type === "state") receiveState(message);
    else if (message.type === "progress") {
      progress = message;
      if (state) showDetail(state);
    } else if (message.type === "error" && message.code !== "stale") {
      refusalSound();
      const refusal = errorText(message);
      if (resolveNewGame) answer(refusal);
      else alert.show(refusal);
    }
  },
  refused: (refusal) => alert.connectionRefused(refusal),
  ended: () => alert.programEnded(),
  lost: connectionLost,
});

function connectionLost() {
  answer(alert.connectionLost(t("alert.lost")));
}

/** @param {string} refusal */
function answer(refusal) {
  resolveNewGame?.(refusal);
  resolveNewGame = undefined;
}

/** @param {State} next */
function receiveState(next) {
  answer("");
  const before = state;
  if (next.values === null || next.stones.length !== before?.stones.length) progress = undefined;
  state = next;
  saveGame(next.save, STORED);
  showBoard(next, before !== undefined && next.stones.length - before.stones.length <= 2);
  showSide(next);
  if (!before) return;
  const last = next.stones.at(-1);
  if (next.stones.length > before.stones.length) stoneSound();
  if (next.stones.length !== before.stones.length) {
    byId("spoken").textContent = last ? t("spoken.move", {
      color: t(`gravity.${last.side}`), point: t("gravity.drop", { column: last.column + 1 }),
    }) : t("game.start");
  }
  if (next.over && !before.over) endSound(next.winner !== null);
}

/** @param {State} state */
function draw({ columns, rows }) {
  const width = columns * STEP;
  const height = rows * STEP;
  set(drawing, { viewBox: `0 0 ${width} ${height + TOP}` });
  drawing.style.aspectRatio = `${width} / ${height + TOP}`;
  const holes = svg("mask", { id: "holes" }, svg("rect", { width, height: height + TOP, fill: "white" }));
  const grid = svg("g", { role: "grid", "aria-label": t("board") });
  for (let row = rows - 1; row >= 0; row--) {
    const line = svg("g", { role: "row" });
    for (let column = 0; column < columns; column++) {
      const [cx, cy] = place(column, row);
      holes.append(svg("circle", { cx, cy, r: STEP * 0.4, fill: "black" }));
      line.append(svg("circle", {
        role: "gridcell", class: "point", cx, cy, r: STEP * 0.4, "data-cell": `${column},${row}`,
      }));
    }
    grid.append(line);
  }
  const lanes = svg("g", {});
  for (let column = 0; column < columns; column++) {
    const drop = () => send("drop", { column, ply: state?.stones.length ?? 0 });
    lanes.append(svg("g", { class: "lane" },
      svg("text", { class: "value", x: column * STEP + STEP / 2, y: 22, "aria-hidden": "true", "data-value": column }),
      svg("text", { class: "plies", x: column * STEP + STEP / 2, y: 44, "aria-hidden": "true", "data-plies": column }),
      svg("rect", {
        role: "button", tabindex: 0, class: "drop", "data-column": column,
        x: column * STEP, y: 0, width: STEP, height: height + TOP,
        click: drop,
        pointerenter: () => showGhost(column), focus: () => showGhost(column),
        pointerleave: () => showGhost(), blur: () => showGhost(),
        // A click does not move the focus, which has an outline for the keyboard.
        mousedown: (/** @type {MouseEvent} */ event) => event.preventDefault(),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            drop();
          }
        },
      })));
  }
  drawing.replaceChildren(
    svg("defs", {}, holes), svg("g", { class: "ghost", "aria-hidden": "true" }),
    svg("g", { class: "discs", "aria-hidden": "true" }),
    svg("rect", { class: "rack", y: TOP, width, height, rx: 14, mask: "url(#holes)", "aria-hidden": "true" }),
    svg("g", { class: "winning", "aria-hidden": "true" }), grid, lanes);
  discs.clear();
}

/**
 * Shows where a disc would land; without a column hides it.
 * @param {number} [column]
 */
function showGhost(column) {
  const isOpen = column !== undefined && state?.actor === "person" && state.open.includes(column);
  const ghost = drawing.querySelector(".ghost");
  if (!isOpen || !state) {
    ghost?.replaceChildren();
    return;
  }
  const [cx, cy] = place(column, state.stones.filter((stone) => stone.column === column).length);
  ghost?.replaceChildren(svg("circle", { class: `disc ${state.turn}`, cx, cy, r: STEP * 0.44 }));
}

/**
 * @param {number} column
 * @param {number} row
 */
function place(column, row) {
  return [column * STEP + STEP / 2, TOP + ((state?.rows ?? 0) - row) * STEP - STEP / 2];
}

/**
 * @param {State} state
 * @param {boolean} falls True if new discs are animated.
 */
function showBoard(state, falls) {
  if (size !== `${state.columns}x${state.rows}`) {
    size = `${state.columns}x${state.rows}`;
    draw(state);
  }
  showGhost();
  const there = new Set();
  for (const { column, row, side } of state.stones) {
    const key = `${column},${row},${side}`;
    there.add(key);
    if (discs.has(key)) continue;
    const [cx, cy] = place(column, row);
    const disc = svg("circle", { class: `disc ${side}${falls ? " falls" : ""}`, cx, cy, r: STEP * 0.44 });
    disc.style.setProperty("--fall", `${-cy}px`);
    discs.set(key, disc);
    drawing.querySelector(".discs")?.append(disc);
  }
  for (const [key, disc] of discs) {
    if (there.has(key)) continue;
    disc.remove();
    discs.delete(key);
  }
  const last = state.stones.slice(-1).map(({ column, row }) => {
    const [cx, cy] = place(column, row);
    return svg("circle", { class: "last", cx, cy, r: 6 });
  });
  drawing.querySelector(".winning")?.replaceChildren(...last, ...state.line.map(([column, row]) => {
    const [cx, cy] = place(column, row);
    return svg("circle", { class: "won", cx, cy, r: STEP * 0.4 });
  }));
  const sides = new Map(state.stones.map(({ column, row, side }) => [`${column},${row}`, side]));
  for (const cell of drawing.querySelectorAll("[data-cell]")) {
    const [column, row] = (cell.getAttribute("data-cell") ?? "").split(",").map(Number);
    const side = sides.get(`${column},${row}`);
    set(cell, {
      "aria-label": t("gravity.cell", {
        column: column + 1, row: row + 1, state: t(side ? `gravity.state.${side}` : "gravity.empty"),
      }),
    });
  }
  for (const lane of drawing.querySelectorAll("[data-column]")) {
    const column = Number(lane.getAttribute("data-column"));
    const value = state.values?.[column];
    const chance = state.chances?.[column] ?? null;
    const percent = chance === null ? "" : Math.round(chance / 10);
    const open = state.actor === "person" && state.open.includes(column);
    const name = t("gravity.drop", { column: column + 1 });
    set(lane, {
      "aria-label": value ? `${name}: ${valueText(value)}`
        : chance === null ? name : `${name}: ${t("gravity.chance", { percent })}`,
      "aria-disabled": String(!open),
      class: open ? `drop open ${state.turn}` : "drop",
    });
    const sign = drawing.querySelector(`[data-value="${column}"]`);
    const plies = drawing.querySelector(`[data-plies="${column}"]`);
    if (!sign || !plies) continue;
    set(sign, { class: `value ${value?.kind ?? (chance === null ? "" : "chance")}` });
    const signs = { win: "+", draw: "=", loss: "\u2212" };
    const pending = !state.values || !state.open.includes(column) ? ""
      : chance === null ? "\u2026" : `${percent} %`;
    sign.textContent = value ? signs[value.kind] : pending;
    plies.textContent = value?.plies === undefined ? "" : String(value.plies);
  }
}

/** @param {Value} value */
const valueText = ({ kind, plies }) => t(`gravity.${kind}`, { plies: plies ?? 0 });

/** @param {State} state */
function showSide(state) {
  const { turn, winner, over, players, level, thinking, values, can_undo, can_redo } = state;
  update(byId("menu"), iconButton("new", t("action.new"), newGame, { class: "main", "data-name": "new" }),
    iconButton("settings", t("action.settings"), () => settingsDialog(["sound", "keys"]),
      { class: "quiet", "data-name": "settings" }));
  byId("players").replaceChildren(.../** @type {Side[]} */ (["first", "second"]).map((side, i) => {
    const acts = !over && turn === side;
    return html("div", { class: `player ${acts ? "active" : ""}` },
      html("span", { class: `dot ${side} ${acts && thinking ? "spinner" : ""}` }),
      html("span", { class: "name" },
        `${t(`gravity.${side}`)}: ${t(players[i])}${players[i] === "engine" ? ` · ${levelText(NAMED, level)}` : ""}`));
  }));
  const status = !over
    ? t("status.turn", { color: t(`gravity.${turn}`) })
    : winner ? t("status.wins", { color: t(`gravity.${winner}`) }) : t("status.draw");
  if (byId("status").textContent !== status) byId("status").textContent = status;
  showDetail(state);
  const actions = /** @type {[string, () => void, boolean, object?][]} */ ([
    ["undo", () => send("undo"), can_undo],
    ["redo", () => send("redo"), can_redo],
    ["analyse", () => send("analyse", { on: values === null }), true, { "aria-pressed": String(values !== null) }],
  ]);
  if (over) actions.push(["rematch", rematch, true, { class: "main wide" }]);
  update(byId("actions"), ...actions.map(([name, act, enabled, attributes]) =>
    button(t(`action.${name}`), act, { disabled: !enabled, "data-name": name, ...attributes })));
}

/**
 * Shows the progress of the search.
 * @param {State} state
 */
function showDetail({ over, open, thinking, values }) {
  const isSearching = !over && open.some((column) => values?.[column] === null);
  const { nodes, elapsed_ms } = progress ?? { nodes: 0, elapsed_ms: 0 };
  const searching = [
    t("gravity.searching"),
    progress && t("gravity.progress", { seconds: Math.round(elapsed_ms / 1000), nodes: shortNumber(nodes) }),
  ].filter(Boolean).join(": ");
  byId("detail").textContent = thinking ? t("status.thinking")
    : !isSearching ? (values && !over ? t("gravity.legend") : "") : elapsed_ms < PATIENCE ? searching : `${searching}. ${t("gravity.patience")}`;
}

/** Starts another game of the same kind with swapped colours. */
function rematch() {
  if (!state) return;
  const { columns, rows, players: [first, second], level } = state;
  send("new_game", { columns, rows, first: second, second: first, level });
}

function newGame() {
  if (!state) return;
  /** @type {[string, string][]} */
  const owners = [["person", t("person")], ["engine", t("engine")]];
  const number = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) =>
    html("input", { type: "number", value, min, max, required: true });
  const columns = number(state.columns, 4, 16);
  const rows = number(state.rows, 4, 16);
  const level = levelField(NAMED, t("new.level"), state.level, 10);
  const first = select(owners, state.players[0]);
  const second = select(owners, state.players[1]);
  const showLevel = () => (level.row.hidden = first.value === "person" && second.value === "person");
  for (const owner of [first, second]) owner.addEventListener("change", showLevel);
  showLevel();
  /** @returns {Promise<string>} */
  const begin = () => new Promise((resolve) => {
    resolveNewGame = resolve;
    send("new_game", {
      columns: Number(columns.value), rows: Number(rows.value),
      first: /** @type {Player} */ (first.value), second: /** @type {Player} */ (second.value),
      level: Number(level.input.value),
    });
  });
  openForm(t("action.new"), t("action.start"), begin,
    html("div", { class: "fields" },
      labelled(t("gravity.columns"), columns), labelled(t("gravity.rows"), rows),
      html("p", { class: "facts" }, t("error.gravity_size")),
      labelled(t("gravity.first"), first), labelled(t("gravity.second"), second)),
    level.row);
}

onKey((key) => {
  const column = Number(key) - 1;
  if (state && Number.isInteger(column) && column >= 0 && column < state.columns) {
    const ply = state.stones.length;
    return () => send("drop", { column, ply });
  }
  const [undo, redo] = [() => send("undo"), () => send("redo")];
  return { u: undo, "Ctrl+z": undo, r: redo, "Ctrl+y": redo, "Ctrl+Shift+z": redo }[key];
});
