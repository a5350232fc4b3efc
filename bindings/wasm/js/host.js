// What differs between pages and node. Bundlers make files for pages: they follow an import of one
// of node's modules, and find none.
// @ts-check

/** Whether this is a page or a worker of one. */
export const isPage = "Worker" in globalThis;

/**
 * One of node's modules.
 * @param {string} name
 * @returns {any}
 */
export function builtin(name) {
  return /** @type {any} */ (globalThis).process.getBuiltinModule(name);
}

/**
 * Begins a worker in node. A page does it where bundlers see its file's name.
 * @param {string} file
 */
export function beginInNode(file) {
  const { Worker } = builtin("node:worker_threads");
  // Options of node such as --input-type are for the program, not for the worker.
  const { url } = import.meta;
  return new Worker(new URL(file, url), { execArgv: [] });
}

/** @returns {any} Where a worker is spoken to, and answers. */
export function findPort() {
  return isPage ? globalThis : builtin("node:worker_threads").parentPort;
}
