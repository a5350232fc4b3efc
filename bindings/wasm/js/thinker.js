// The worker of the board without a server: it does the jobs of the page's session.
// @ts-check

import init, { Thinker, watchStop } from "./quincunx.js";

const address = new URL("quincunx_bg.wasm", import.meta.url);
const loaded = init({ module_or_path: address }).then(() => new Thinker());

self.onmessage = async ({ data: { number, kind, job, flag } }) => {
  /** @type {any} */
  const thinker = await loaded;
  if (flag) watchStop(flag, number);
  thinker[kind](job, (/** @type {string} */ report, /** @type {boolean} */ isLast) => {
    self.postMessage({ number, report, isLast });
  });
};
