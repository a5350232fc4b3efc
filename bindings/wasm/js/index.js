// The engine as pages and node programs import it. It searches in a worker.
// @ts-check

import { beginInNode, isPage } from "./host.js";

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {(result: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {(line: import("./index.d.ts").Line) => void} [onLine]
 * @property {import("./index.d.ts").Line[]} lines The last line of each rank.
 */

/** Whether memory can be shared with a worker. A page must be cross-origin isolated for it. */
const canShare = typeof SharedArrayBuffer !== "undefined";

/** The most threads of a search: they share 512 MiB. */
const MOST_THREADS = 16;

/** A search that goes on after it was stopped is given up after two waits of so many milliseconds. */
const STOP_WAIT = 500;

export class Quincunx {
  /** @type {any} */
  #worker;
  /** @type {Int32Array | null} The number of the last call that is to stop. */
  #flag;
  /** @type {Map<number, Call>} */
  #calls = new Map();
  #count = 0;
  /** The number of threads that is wanted. */
  #wanted;
  #threads = 1;
  #isStopping = false;
  /** @type {any} Where the threads of the worker say that they failed. */
  #failures;
  /** Whether the worker has done anything: only then may another one do better. */
  #hasWorked = false;
  /** Why there is no worker any more. */
  #failed = "";
  /** @type {import("./index.d.ts").Game} */
  #game = { rule: "freestyle", width: 15, height: 15, moves: [], turn: "black", result: null };

  /**
   * @param {boolean} shares
   * @param {number} threads
   */
  constructor(shares, threads) {
    this.#flag = shares ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.#wanted = shares ? threads : 1;
    this.#begin();
  }

  /** @param {import("./index.d.ts").Setup & import("./index.d.ts").Start} [setup] */
  static async start({ shareMemory = canShare, threads = 1, signal, ...setup } = {}) {
    if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS) {
      throw new Error(`threads are from 1 to ${MOST_THREADS}`);
    }
    signal?.throwIfAborted();
    const quincunx = new Quincunx(shareMemory, threads);
    const abort = () => quincunx.end();
    signal?.addEventListener("abort", abort);
    try {
      await quincunx.newGame(setup);
      signal?.throwIfAborted();
    } catch (error) {
      // A worker that nothing refers to would keep the program from its end.
      quincunx.end();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    return quincunx;
  }

  get game() {
    return this.#game;
  }

  get threads() {
    return this.#threads;
  }

  /** @param {import("./index.d.ts").Setup} [setup] */
  async newGame({ rule = "freestyle", size = 15, moves = [], ...others } = {}) {
    const setup = { ...others, rule: String(rule), size: String(size), moves };
    return this.#call("newGame", [JSON.stringify(setup)]);
  }

  /** @param {string} point */
  async play(point) {
    return this.#call("play", [String(point)]);
  }

  undo() {
    return this.#call("undo", []);
  }

  /**
   * @param {import("./index.d.ts").Limits} [limits]
   * @param {(line: import("./index.d.ts").Line) => void} [onLine]
   */
  async think(limits = {}, onLine) {
    return this.#call("think", [JSON.stringify(limits)], onLine);
  }

  /** @param {{ nodes?: number }} [limits] */
  async solve({ nodes = 1_000_000, ...others } = {}) {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new Error(`unknown field \`${unknown}\`, expected \`nodes\``);
    if (!(nodes >= 0)) throw new Error("nodes are a number from 0 on");
    return this.#call("solve", [nodes]);
  }

  forbidden() {
    return this.#call("forbidden", []);
  }

  evaluate() {
    return this.#call("evaluate", []);
  }

  /** @param {number} depth */
  bench(depth) {
    return this.#call("bench", [depth]);
  }

  stop() {
    const searching = this.#searching();
    if (!searching) return;
    if (this.#flag) {
      const [id] = searching;
      Atomics.store(this.#flag, 0, id);
      this.#expect(id);
      return;
    }
    this.#isStopping = true;
    this.#cut();
  }

  end() {
    this.#lose("the engine has ended", false);
  }

  #begin() {
    /** @type {any} */
    const worker = isPage
      ? new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
      : beginInNode("worker.js");
    const hear = (/** @type {any} */ message) => this.#hear(message);
    const fail = (/** @type {any} */ error) => {
      if (worker === this.#worker) this.#lose(error?.message ?? "the worker could not be loaded");
    };
    if (worker.on) {
      worker.on("message", hear);
      worker.on("error", fail);
    } else {
      worker.onmessage = (/** @type {MessageEvent} */ event) => hear(event.data);
      worker.onerror = fail;
    }
    this.#worker = worker;
    this.#hasWorked = false;
    if (this.#wanted > 1) this.#listen();
  }

  /** Hears of threads that fail: the worker waits for them and can't tell. */
  #listen() {
    this.#failures = new BroadcastChannel(`quincunx ${crypto.randomUUID()}`);
    this.#failures.onmessage = (/** @type {MessageEvent} */ { data }) => this.#lose(data);
    // In node the channel alone keeps no program from its end.
    this.#failures.unref?.();
  }

  #endWorker() {
    this.#worker.terminate();
    this.#failures?.close();
  }

  /** Has another worker take the game over. */
  #beginAgain() {
    this.#endWorker();
    this.#begin();
    const { rule, width, height, moves } = this.#game;
    this.#call("newGame", [JSON.stringify({ rule, size: `${width}x${height}`, moves })]).catch(() => {});
  }

  #searching() {
    return [...this.#calls].find(([, call]) => isSearch(call));
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @param {(line: import("./index.d.ts").Line) => void} [onLine]
   * @returns {Promise<any>}
   */
  #call(method, args, onLine) {
    if (this.#failed) return Promise.reject(new Error(this.#failed));
    if (this.#searching()) return Promise.reject(new Error("a search is running: stop it first"));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { method, resolve, reject, onLine, lines: [] });
      const failures = this.#failures?.name;
      this.#worker.postMessage({ id, method, args, flag: this.#flag, wanted: this.#wanted, failures });
    });
  }

  /** @param {any} message */
  #hear({ id, line, result, threads, error, isBroken }) {
    const call = this.#calls.get(id);
    if (!call) return;
    if (line) {
      call.lines[line.rank] = line;
      // What listens may throw.
      this.#cut();
      call.onLine?.(line);
      return;
    }
    if (isSearch(call)) this.#isStopping = false;
    this.#calls.delete(id);
    if (error !== undefined) {
      call.reject(new Error(error));
      if (isBroken) this.#lose("the engine has failed");
      else this.#cut();
      return;
    }
    this.#hasWorked = true;
    this.#threads = threads;
    if (changesGame(call)) this.#game = result;
    if (call.method === "think") {
      if (result.line) call.lines[result.line.rank] = result.line;
      call.resolve({ move: result.move, lines: call.lines.filter(Boolean) });
    } else {
      call.resolve(result);
    }
    this.#cut();
  }

  /**
   * Answers a search that is to stop in the place of its worker, once what was asked before it is
   * answered and there is something to answer. The first line comes within a few milliseconds.
   */
  #cut() {
    const [first] = this.#calls;
    if (!this.#isStopping || !first) return;
    const [id, call] = first;
    if (!isSearch(call) || call.method === "think" && call.lines.length === 0) return;
    this.#isStopping = false;
    this.#calls.delete(id);
    this.#beginAgain();
    call.resolve(call.method === "think" ? answerOf(call.lines) : { found: "unknown", plies: null, line: [], nodes: 0 });
  }

  /**
   * Gives up on a search that was stopped and goes on, because one of its threads is gone. It has
   * two waits from when its worker comes to it: when a busy page sees the end of the first one,
   * the answer may be there, unheard.
   * @param {number} id
   */
  #expect(id, waits = 0) {
    if (!this.#calls.has(id)) return;
    if (waits === 2) {
      this.#lose("the search did not stop");
      return;
    }
    const [first] = this.#calls.keys();
    const timer = setTimeout(() => this.#expect(id, first === id ? waits + 1 : 0), STOP_WAIT);
    // In node an answered search keeps no program from its end.
    /** @type {any} */ (timer).unref?.();
  }

  /**
   * Rejects what was asked of the worker, and has another one take over if it `goesOn`.
   * @param {string} message
   */
  #lose(message, goesOn = this.#hasWorked) {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#isStopping = false;
    if (goesOn) {
      this.#beginAgain();
    } else {
      this.#endWorker();
      this.#failed = message;
    }
    for (const { reject } of calls) reject(new Error(message));
  }
}

/** @param {Call} call */
function isSearch({ method }) {
  return method === "think" || method === "solve";
}

/** @param {Call} call */
function changesGame({ method }) {
  return ["newGame", "play", "undo"].includes(method);
}

/** @param {import("./index.d.ts").Line[]} lines */
function answerOf(lines) {
  // A move that has become better still has its old line, too.
  const isNew = (/** @type {import("./index.d.ts").Line} */ line, /** @type {number} */ at) =>
    lines.findIndex((other) => other?.moves[0] === line.moves[0]) === at;
  const found = lines.filter((line, at) => line && isNew(line, at));
  return { move: found[0].moves[0], lines: found };
}
