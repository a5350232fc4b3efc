// The games of this browser: the last fifty that were on the board, each to be opened again. A
// game is stored with every change, so that whatever replaces it destroys nothing.
// @ts-check

import { button, html, svg } from "./dom.js";
import { t } from "./language.js";
import { playerNames } from "./players.js";
import { pointPlace } from "./points.js";
import { keepOwn, keptOwn } from "./preferences.js";
import { open } from "./window.js";

/** @typedef {import("./received.js").State} State */

/**
 * @typedef {object} OwnGame
 * @property {string} id
 * @property {number} changed The time of the last change, in milliseconds.
 * @property {string} save The text that the program continues it from.
 * @property {number} node The position that was shown.
 * @property {number | null} left What the running clock showed, in milliseconds.
 * @property {{moves: number, result: {winner: "black" | "white" | null, reason: string} | null}} summary
 * @property {Pick<State, "setup" | "players" | "levels" | "width" | "height" | "stones">} shown
 */

/**
 * The entry that a game on the board is stored in, and its last change that this page knows of;
 * after a deletion of moves also the entry that has them, and where it is kept the number of the
 * game.
 * @typedef {{id: string, changed: number, whole?: Entry, game?: number}} Entry
 */

const MOST = 50;
const STORE = "games";

/**
 * The result of a request to the database.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @returns {Entry} One that no game has. */
const newEntry = () => ({ id: `${Date.now()} ${Math.random()}`, changed: 0 });

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  const request = indexedDB.open("quincunx", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("changed", "changed");
  return done(request);
}

export class OwnGames {
  /** @type {Promise<IDBDatabase> | undefined} */
  #database;
  /** The games, where the browser stores nothing: as long as the page. @type {Map<string, OwnGame>} */
  #memory = new Map();
  /** The entries of the games of this page, by the program's numbers. @type {Map<number, Entry>} */
  #entries = new Map();
  /** The work under way: writes come one after another. @type {Promise<unknown>} */
  #work = Promise.resolve();

  /**
   * The page begins, or the program is there again: it continues the game whose entry the browser
   * has stored, and counts its games anew.
   * @param {State} state
   */
  begin({ game = 0, summary }) {
    this.#do(async () => {
      this.#entries.clear();
      const entry = keptOwn();
      // A page that ended between two writes has stored the game, and the entry of the one before.
      if (entry?.game === game && summary) this.#entries.set(game, entry);
    });
  }

  /**
   * Stores the game on the board.
   * @param {State} state One with a text to store.
   * @param {boolean} isSame Whether the text is the one that was stored last.
   */
  store(state, isSame) {
    const { game = 0, save, summary, setup, players, levels, width, height, stones, node } = state;
    if (!save || !summary) return;
    this.#do(async () => {
      const entry = this.#entries.get(game) ?? newEntry();
      if (isSame && entry.changed) return;
      const changed = Math.max(Date.now(), entry.changed + 1);
      const shown = { setup, players, levels, width, height, stones };
      const id = await this.#put({ id: entry.id, changed, save, node, left: null, summary, shown }, entry.changed);
      this.#enter(game, { ...entry, id, changed });
    });
  }

  /**
   * Another game has taken the place of this one, whose clock may have run on since its last
   * change.
   * @param {number} game
   * @param {number | null} left What its running clock showed, in milliseconds.
   */
  leave(game, left) {
    if (left === null) return;
    this.#do(async () => {
      const entry = this.#entries.get(game);
      const own = (await this.list()).find(({ id, changed }) => id === entry?.id && changed === entry.changed);
      if (own) await this.#put({ ...own, left }, own.changed);
    });
  }

  /**
   * Moves are gone, or there are more. The game as it was before the first of several deletions
   * stays in the list.
   * @param {number} game
   * @param {"deleted" | "added" | "back"} change "back" brings deleted moves back.
   */
  change(game, change) {
    this.#do(async () => {
      const entry = this.#entries.get(game);
      if (change === "deleted" && entry && !entry.whole) this.#enter(game, { ...newEntry(), whole: entry });
      if (change === "deleted" || !entry?.whole) return;
      if (change === "back") await this.#remove(entry.id);
      this.#enter(game, change === "back" ? entry.whole : { ...entry, whole: undefined });
    });
  }

  /**
   * A game of the list is on the board.
   * @param {number} game Its number there.
   * @param {OwnGame} own
   */
  restore(game, { id, changed }) {
    this.#do(async () => this.#enter(game, { id, changed }));
  }

  /** @param {number} game The entry of a game on the board. */
  idOf(game) {
    return this.#entries.get(game)?.id;
  }

  /** All games, the last one first. */
  async list() {
    const store = await this.#store("readonly");
    const games = store ? await done(store.getAll()) : [...this.#memory.values()];
    return /** @type {OwnGame[]} */ (games).sort((one, other) => other.changed - one.changed);
  }

  /** Waits for what is under way. */
  settled() {
    return this.#work;
  }

  /** @param {() => Promise<unknown>} act */
  #do(act) {
    this.#work = this.#work.then(act).catch(() => undefined);
  }

  /**
   * @param {number} game
   * @param {Entry} entry
   */
  #enter(game, entry) {
    this.#entries.set(game, entry);
    keepOwn({ ...entry, game });
  }

  /**
   * The games in the database; nothing where the browser has none for this page.
   * @param {IDBTransactionMode} mode
   */
  async #store(mode) {
    try {
      const database = await (this.#database ??= openDatabase());
      return database.transaction(STORE, mode).objectStore(STORE);
    } catch {
      return undefined;
    }
  }

  /** @param {string} id */
  async #remove(id) {
    this.#memory.delete(id);
    (await this.#store("readwrite"))?.delete(id);
  }

  /**
   * Writes a game. One that another tab has changed since stays, and this one gets an entry of
   * its own.
   * @param {OwnGame} game
   * @param {number} seen The change that this page knows of.
   * @returns {Promise<string>} The entry.
   */
  async #put(game, seen) {
    const store = await this.#store("readwrite");
    if (!store) {
      this.#memory.set(game.id, game);
      return game.id;
    }
    const there = /** @type {OwnGame | undefined} */ (await done(store.get(game.id)));
    const { id } = there && there.changed !== seen ? newEntry() : game;
    await done(store.put({ ...game, id }));
    const keys = await done(store.index("changed").getAllKeys());
    for (const key of keys.slice(0, -MOST)) store.delete(key);
    return id;
  }
}

/**
 * Lists the games.
 * @param {OwnGame[]} games
 * @param {string | undefined} current The one on the board.
 * @param {import("./received.js").Welcome} welcome
 * @param {(game: OwnGame) => void} choose
 */
export function ownGamesDialog(games, current, welcome, choose) {
  const items = games.map((game) => {
    const { changed, summary, shown } = game;
    const facts = [
      resultText(game), t("game.moves_made", { count: summary.moves }),
      t(`rule.name.${shown.setup.rule}`), shown.setup.size.replace("x", " × "), dateText(changed),
    ];
    const item = button("", () => {
      dialog.close();
      choose(game);
    }, { class: "own", "aria-current": game.id === current && "true" });
    item.append(boardPicture(shown),
      html("span", {}, html("strong", {}, playerNames(shown, welcome).join(" – ")), html("small", {}, facts.join(" · "))));
    return html("li", {}, item);
  });
  const dialog = open(t("action.games"),
    html("p", { class: "facts" }, t(games.length > 0 ? "own.text" : "own.none", { count: MOST })),
    html("ul", { class: "own-games" }, ...items),
    html("div", { class: "row end" }, button(t("action.close"), () => dialog.close(), { class: "main" })));
}

/** @param {OwnGame} game */
function resultText({ summary: { result } }) {
  if (!result) return t("own.unfinished");
  return result.winner ? t("status.wins", { color: t(result.winner) }) : t("status.draw");
}

/** @param {number} milliseconds */
const dateText = (milliseconds) =>
  new Date(milliseconds).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/**
 * A small picture of a position.
 * @param {OwnGame["shown"]} shown
 */
function boardPicture({ width, height, stones }) {
  const discs = stones.map(({ point, color }) => {
    const { x, y } = pointPlace(point);
    return svg("circle", { class: `disc ${color}`, cx: x + 1, cy: height - y, r: 0.46 });
  });
  return svg("svg", { viewBox: `0 0 ${width + 1} ${height + 1}`, "aria-hidden": "true" },
    svg("rect", { class: "plate", width: width + 1, height: height + 1 }), ...discs);
}
