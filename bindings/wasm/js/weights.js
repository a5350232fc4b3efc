// The weights of a rule: two files beside this one, which are read when the rule is first played.
// @ts-check

const isPage = typeof self !== "undefined" && "postMessage" in self;

/**
 * Gives an engine the weights of a rule, unless it has them.
 * @param {any} engine
 * @param {string} rule
 */
export async function provide(engine, rule) {
  const name = engine.missing(rule);
  if (name === undefined) return;
  const [tables, line] = await Promise.all([read(`${name}.tables`), read(`${name}.line`)]);
  engine.addWeights(name, tables, line);
}

/** @param {string} name */
async function read(name) {
  const address = new URL(`weights/${name}`, import.meta.url);
  if (!isPage) return (await import("node:fs/promises")).readFile(address);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${name} could not be fetched: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
