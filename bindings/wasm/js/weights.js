// The weights of a rule: two files beside this one, which are read when the rule is first played.
// @ts-check

/**
 * Where the files of each rule are. Bundlers follow addresses that are literal.
 * @type {Record<string, URL[]>}
 */
const ADDRESSES = {
  freestyle: [
    new URL("./weights/freestyle.tables", import.meta.url),
    new URL("./weights/freestyle.line", import.meta.url),
  ],
  standard: [
    new URL("./weights/standard.tables", import.meta.url),
    new URL("./weights/standard.line", import.meta.url),
  ],
  renju: [
    new URL("./weights/renju.tables", import.meta.url),
    new URL("./weights/renju.line", import.meta.url),
  ],
  caro: [
    new URL("./weights/caro.tables", import.meta.url),
    new URL("./weights/caro.line", import.meta.url),
  ],
  "caro-overline": [
    new URL("./weights/caro-overline.tables", import.meta.url),
    new URL("./weights/caro-overline.line", import.meta.url),
  ],
};

/**
 * Gives an engine the weights of a rule, unless it has them.
 * @param {any} engine
 * @param {string} rule
 */
export async function provide(engine, rule) {
  const name = engine.missing(rule);
  if (name === undefined) return;
  const [tables, line] = await Promise.all(ADDRESSES[name].map(read));
  engine.addWeights(name, tables, line);
}

/** @param {URL} address */
async function read(address) {
  // Node does not fetch files.
  if (address.protocol === "file:") {
    return /** @type {any} */ (globalThis).process.getBuiltinModule("node:fs/promises").readFile(address);
  }
  const fail = (/** @type {any} */ why) => {
    throw new Error(`${address} could not be fetched: ${why.message ?? why}`);
  };
  const response = await fetch(address).catch(fail);
  if (!response.ok) fail(response.status);
  return new Uint8Array(await response.arrayBuffer());
}
