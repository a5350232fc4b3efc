// The worker: one engine, which does one thing after another.
// @ts-check

import init, { Engine, watchStop } from "./quincunx.js";
import { provide } from "./weights.js";

const isPage = typeof self !== "undefined" && "postMessage" in self;

/** @returns {Promise<any>} */
async function findPort() {
  return isPage ? self : (await import("node:worker_threads")).parentPort;
}

async function load() {
  const address = new URL("quincunx_bg.wasm", import.meta.url);
  const module = isPage ? address : await (await import("node:fs/promises")).readFile(address);
  await init({ module_or_path: module });
  return new Engine();
}

const loaded = load();
const found = findPort();

/** What was asked before is answered before. */
let last = Promise.resolve();
const receive = (/** @type {any} */ message) => { last = last.then(() => answer(message)); };

// There must be a listener before the first pause: a message that comes earlier is lost.
if (isPage) self.onmessage = (event) => receive(event.data);
else (await found).on("message", receive);

/** @param {any} message */
async function answer({ id, method, args, flag }) {
  const port = await found;
  try {
    /** @type {any} */
    const engine = await loaded;
    for (const rule of rules(engine, method, args)) await provide(engine, rule);
    if (flag) watchStop(flag, id);
    const tell = (/** @type {string} */ line) => port.postMessage({ id, line: JSON.parse(line) });
    const more = method === "think" ? [tell] : [];
    port.postMessage({ id, result: JSON.parse(engine[method](...args, ...more)) });
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
