// The worker of the board without a server: it does the jobs of the page's session.
// @ts-check

import init, { BackgroundEngine, watchStop } from "./quincunx.js";
import { provide } from "./weights.js";

const address = new URL("quincunx_bg.wasm", import.meta.url);
const loaded = init({ module_or_path: address }).then(() => new BackgroundEngine());

/** What was asked before is done before. */
let last = Promise.resolve();
// The page hears of errors, not of promises that are rejected.
self.onmessage = ({ data }) => { last = last.then(() => act(data)).catch(reportError); };

/**
 * Does a job, or fetches the weights of a rule that may be played next.
 * @param {any} message
 */
async function act({ number, job, rule, flag }) {
  /** @type {any} */
  const thinker = await loaded;
  const needed = rule ?? thinker.rule(job);
  const isThere = needed === undefined || await provide(thinker, needed).then(() => true, () => false);
  if (job === undefined) return;
  const tell = (/** @type {string} */ report, /** @type {boolean} */ isLast) => {
    self.postMessage({ number, report, isLast });
  };
  if (!isThere) return thinker.fail(job, tell);
  if (flag) watchStop(flag, number);
  thinker.work(job, tell);
}
