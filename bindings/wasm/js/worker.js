// The worker: one engine, which does one thing after another.
// @ts-check

import { beginInNode, builtin, findPort, isPage } from "./host.js";
import { provide } from "./weights.js";

/** @type {(flag: Int32Array, number: number) => void} */
let watchStop;

/**
 * @param {Promise<any>} imported
 * @param {URL} address
 * @returns {Promise<any>}
 */
async function loadFrom(imported, address) {
  const { default: init, ...module } = await imported;
  const source = isPage ? address : await builtin("node:fs/promises").readFile(address);
  const { memory } = await init({ module_or_path: source });
  return { ...module, memory };
}

// Bundlers follow imports and addresses that are literal.
const loadModule = () => loadFrom(import("./quincunx.js"), new URL("./quincunx_bg.wasm", import.meta.url));
const loadThreads = () =>
  loadFrom(import("./threads/quincunx.js"), new URL("./threads/quincunx_bg.wasm", import.meta.url));

/**
 * The module with a pool of further workers; none of them stays where one can't be had.
 * @param {number} count
 * @param {string} failures
 */
async function loadPool(count, failures) {
  const module = await loadThreads();
  /** @returns {any} */
  const begin = () => isPage
    ? new Worker(new URL("./thread.js", import.meta.url), { type: "module" })
    : beginInNode("thread.js");
  const workers = Array.from({ length: count }, begin);
  try {
    await Promise.all(workers.map((worker) => new Promise((resolve, reject) => {
      if (worker.on) worker.on("message", resolve).on("error", reject);
      else [worker.onmessage, worker.onerror] = [resolve, refuse(reject)];
      worker.postMessage({ module: module.module(), memory: module.memory, failures });
    })));
    module.makePool(count);
  } catch (error) {
    for (const worker of workers) worker.terminate();
    throw error;
  }
  return module;
}

/**
 * Keeps an error of a thread from being one of this worker as well.
 * @param {(error: Event) => void} reject
 */
function refuse(reject) {
  return (/** @type {Event} */ error) => {
    error.preventDefault();
    reject(error);
  };
}

/**
 * An engine with so many threads, or with one where the others can't be had.
 * @param {number} wanted
 * @param {string} failures The channel on which threads tell that they failed.
 */
async function load(wanted, failures) {
  const pool = wanted > 1 ? await loadPool(wanted - 1, failures).catch(() => undefined) : undefined;
  const module = pool ?? await loadModule();
  watchStop = module.watchStop;
  const engine = new module.Engine();
  const threads = pool ? wanted : 1;
  engine.setThreads(threads);
  return { engine, threads };
}

/** @type {Promise<{ engine: any, threads: number }> | undefined} */
let loaded;
const port = findPort();

/** What was asked before is answered before. */
let last = Promise.resolve();
const receive = (/** @type {any} */ message) => { last = last.then(() => answer(message)); };

// There must be a listener before the first pause: a message that comes earlier is lost.
if (isPage) port.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
else port.on("message", receive);

/** @param {any} message */
async function answer({ id, method, args, flag, wanted, failures }) {
  try {
    const { engine, threads } = await (loaded ??= load(wanted, failures));
    for (const rule of rules(engine, method, args)) await provide(engine, rule);
    if (flag) watchStop(flag, id);
    const tell = (/** @type {string} */ line) => port.postMessage({ id, line: JSON.parse(line) });
    const more = method === "think" ? [tell] : [];
    port.postMessage({ id, threads, result: JSON.parse(engine[method](...args, ...more)) });
  } catch (error) {
    // After a trap the memory of the module is in no good state.
    const isBroken = error instanceof WebAssembly.RuntimeError;
    port.postMessage({ id, error: error instanceof Error ? error.message : String(error), isBroken });
  }
}

/**
 * The rules whose weights are needed from now on.
 * @param {any} engine
 * @param {string} method
 * @param {any[]} args
 * @returns {string[]}
 */
function rules(engine, method, args) {
  if (method === "newGame") return [JSON.parse(args[0]).rule];
  return method === "bench" ? JSON.parse(engine.rules()) : [];
}
