// The last fifty games of this browser, which can be opened again. A game is stored after every
// change, so that a new one never destroys it.
// @ts-check

import { button, html } from "./dom.js";
import { t } from "./language.js";
import { playerNames } from "./players.js";
import { saveEntry, loadEntry } from "./preferences.js";
import { smallBoard } from "./small-board.js";
import { open } from "./window.js";

/** @typedef {import("./received.js").State} State */

/**
 * @typedef {object} OwnGame
 * @property {string} id
 * @property {number} changed The time of the last change, in milliseconds since 1970.
 * @property {string} save The text from which the program restores it.
 * @property {number} node The position that was shown.
 * @property {number | null} left The time left on the running clock, in milliseconds.
 * @property {{moves: number, result: {winner: "black" | "white" | null, reason: string} | null}} summary
 * @property {Pick<State, "setup" | "players" | "levels" | "width" | "height" | "stones">} shown
 */

/**
 * The id of a stored game, and its last change that this page has seen; after a deletion of moves also
 * the entry of the game with them; in storage also the number of the game.
 * @typedef {{id: string, changed: number, whole?: Entry, game?: number}} Entry
 */

const MAX_GAMES = 50;
const STORE = "games";

/**
 * The promise of a database request.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @returns {Entry} An unused one. */
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
  /** The games, where storage is disabled. @type {Map<string, OwnGame>} */
  #memory = new Map();
  /** The entries of the games of this page, by the program's numbers. @type {Map<number, Entry>} */
  #entries = new Map();
  /** The last of the queued operations. @type {Promise<unknown>} */
  #work = Promise.resolve();

  /**
   * A new session restores the stored game, and numbers its games anew.
   * @param {State} state
   */
  begin({ game = 0, summary }) {
    this.#enqueue(async () => {
      this.#entries.clear();
      const entry = loadEntry();
      // A page closed between two writes has stored the entry of the previous game.
      if (entry?.game === game && summary) this.#entries.set(game, entry);
    });
  }

  /**
   * Stores the game on the board.
   * @param {State} state
   * @param {boolean} isSame True if its save is unchanged.
   */
  store(state, isSame) {
    const { game = 0, save, summary, setup, players, levels, width, height, stones, node } = state;
    if (!save || !summary) return;
    this.#enqueue(async () => {
      const entry = this.#entries.get(game) ?? newEntry();
      if (isSame && entry.changed) return;
      const changed = Math.max(Date.now(), entry.changed + 1);
      const shown = { setup, players, levels, width, height, stones };
      const id = await this.#put({ id: entry.id, changed, save, node, left: null, summary, shown }, entry.changed);
      this.#setEntry(game, { ...entry, id, changed });
    });
  }

  /**
   * Stores the time left of a game that another one replaces: its clock may have run since its last
   * change.
   * @param {number} game
   * @param {number | null} left The time left on its running clock, in milliseconds.
   */
  leave(game, left) {
    if (left === null) return;
    this.#enqueue(async () => {
      const entry = this.#entries.get(game);
      const own = (await this.list()).find(({ id, changed }) => id === entry?.id && changed === entry.changed);
      if (own) await this.#put({ ...own, left }, own.changed);
    });
  }

  /**
   * Moves were deleted or added. The game before the first of several deletions stays in the list.
   * @param {number} game
   * @param {"deleted" | "added" | "back"} change "back" restores deleted moves.
   */
  change(game, change) {
    this.#enqueue(async () => {
      const entry = this.#entries.get(game);
      if (change === "deleted" && entry && !entry.whole) this.#setEntry(game, { ...newEntry(), whole: entry });
      if (change === "deleted" || !entry?.whole) return;
      if (change === "back") await this.#remove(entry.id);
      this.#setEntry(game, change === "back" ? entry.whole : { ...entry, whole: undefined });
    });
  }

  /**
   * A game of the list was restored.
   * @param {number} game Its number on the board.
   * @param {OwnGame} own
   */
  restore(game, { id, changed }) {
    this.#enqueue(async () => this.#setEntry(game, { id, changed }));
  }

  /** @param {number} game */
  idOf(game) {
    return this.#entries.get(game)?.id;
  }

  /** All games, newest first. */
  async list() {
    const store = await this.#store("readonly");
    const games = store ? await done(store.getAll()) : [...this.#memory.values()];
    return /** @type {OwnGame[]} */ (games).sort((one, other) => other.changed - one.changed);
  }

  /** Waits for the queued operations. */
  settled() {
    return this.#work;
  }

  /** @param {() => Promise<unknown>} act */
  #enqueue(act) {
    this.#work = this.#work.then(act).catch(() => undefined);
  }

  /**
   * @param {number} game
   * @param {Entry} entry
   */
  #setEntry(game, entry) {
    this.#entries.set(game, entry);
    saveEntry({ ...entry, game });
  }

  /**
   * The object store; undefined where storage is disabled.
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
   * Writes a game. If another tab has changed the stored one, it gets a new entry.
   * @param {OwnGame} game
   * @param {number} seen The last change that this page has seen.
   * @returns {Promise<string>} The id.
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
    for (const key of keys.slice(0, -MAX_GAMES)) store.delete(key);
    return id;
  }
}

/**
 * Opens the list of games.
 * @param {OwnGame[]} games
 * @param {string | undefined} current The id of the game on the board.
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
    item.append(smallBoard(shown),
      html("span", {}, html("strong", {}, playerNames(shown, welcome).join(" – ")), html("small", {}, facts.join(" · "))));
    return html("li", {}, item);
  });
  const dialog = open(t("action.games"),
    html("p", { class: "facts" }, t(games.length > 0 ? "own.text" : "own.none", { count: MAX_GAMES })),
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
