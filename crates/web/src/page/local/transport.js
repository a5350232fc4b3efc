// A session in the page, where there is no server, with its engine in a worker. This file stands in
// the place of the other transport.js.

import { button, byId } from "./dom.js";
import init, { Session } from "./engine/quincunx.js";
import { t } from "./language.js";

/** Messages of any length are read. */
export const LONGEST = Infinity;

/** An engine in a worker, which does jobs of one kind, one at a time. */
class Engine {
  /** The job that was asked for last, as the session writes it. */
  #job;
  /** The rule whose weights were asked for last. */
  #rule;
  #number = 0;
  #isBusy = false;
  #worker;
  /** The number of the last job that is no longer wanted, where memory can be shared. */
  #stopped = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;

  constructor(report, lost) {
    this.report = report;
    this.lost = lost;
  }

  /** Does this job, and ends the one under way if it is another. */
  work(job) {
    if (job === this.#job) return;
    this.stop();
    this.#job = job;
    if (job === undefined) return;
    this.#worker ??= this.#begin();
    this.#number += 1;
    this.#isBusy = true;
    this.#worker.postMessage({ number: this.#number, job, flag: this.#stopped });
  }

  /** Has the weights of this rule at hand before there is a job. */
  prepare(rule) {
    if (rule === this.#rule) return;
    this.#rule = rule;
    this.#worker ??= this.#begin();
    this.#worker.postMessage({ rule });
  }

  /** A worker that searches hears no message: it sees a number change, or ends. */
  stop() {
    if (!this.#isBusy) return;
    this.#isBusy = false;
    if (this.#stopped) {
      Atomics.store(this.#stopped, 0, this.#number);
    } else {
      this.#worker.terminate();
      this.#worker = undefined;
    }
  }

  end() {
    this.#worker?.terminate();
    this.#isBusy = false;
    this.#worker = this.#job = this.#rule = undefined;
  }

  #begin() {
    const worker = new Worker(new URL("./engine/thinker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { number, report, isLast } }) => {
      if (number !== this.#number || !this.#isBusy) return;
      this.#isBusy = !isLast;
      this.report(report);
    };
    // It could not be loaded, or broke. Another one may do better when there is a job.
    worker.onerror = () => {
      if (worker !== this.#worker) return;
      const isMissed = this.#isBusy;
      this.end();
      if (isMissed) this.lost();
    };
    return worker;
  }
}

/** The interval of checks for a new version, in milliseconds. */
const ASK_EVERY = 3_600_000;

/**
 * Announces a new version of the page once it is stored. The game in progress is kept.
 * @param {ServiceWorkerRegistration} registration
 */
function announceVersions(registration) {
  const { serviceWorker } = navigator;
  const announce = () => {
    const { waiting } = registration;
    // The first version replaces none.
    if (!waiting || !serviceWorker.controller || document.getElementById("version")) return;
    const use = button(t("action.update"), () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload());
      registration.waiting?.postMessage("use");
    }, { id: "version", class: "main" });
    byId("menu").before(use);
  };
  announce();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", announce));
  setInterval(() => void registration.update().catch(() => undefined), ASK_EVERY);
}

/** Has the page there without a network. What this page needs comes first. */
function store(kind) {
  navigator.serviceWorker?.register("service.js", { updateViaCache: "none" }).then(announceVersions, () => undefined);
  // Puzzles are there without a network before their first visit.
  const later = kind === "training" ? ["puzzles"] : ["weights", "puzzles"];
  navigator.serviceWorker?.ready.then(({ active }) => later.forEach((files) => active.postMessage(files)));
  return true;
}

let isStored = false;

/**
 * Begins a session of this kind in the page.
 * @param {string} kind
 * @param {import("../transport.js").Listener} listener
 * @returns {import("../transport.js").Transport}
 */
export function open(kind, listener) {
  /** @type {Session | undefined} */
  let session;
  let timer;
  const end = () => {
    clearTimeout(timer);
    Object.values(engines).forEach((engine) => engine.end());
    session = undefined;
    listener.closed();
  };
  const newEngine = () => new Engine((report) => act(session.report(performance.now(), report)), end);
  /** The engines by the kinds of their jobs. A review goes on beside whatever else is searched. */
  const engines = { search: newEngine(), review: newEngine(), gravity: newEngine() };
  const act = (replies) => {
    const jobs = JSON.parse(session.jobs());
    for (const [kind, engine] of Object.entries(engines)) engine.work(jobs[kind]);
    clearTimeout(timer);
    const at = session.deadline();
    if (at !== undefined) {
      timer = setTimeout(() => act(session.tick(performance.now())), Math.max(0, at - performance.now()));
    }
    for (const reply of JSON.parse(replies)) {
      if (kind === "board" && reply.type === "state") engines.search.prepare(reply.setup.rule);
      // The page may send something as it receives it: the answer comes after all of these.
      queueMicrotask(() => listener.received(reply));
    }
  };
  init({ module_or_path: new URL("./engine/quincunx_bg.wasm", import.meta.url) }).then(() => {
    session = new Session(kind);
    listener.opened();
  }, end);
  isStored ||= store(kind);
  return {
    send: (text) => {
      if (session) act(session.receive(performance.now(), text));
      return session !== undefined;
    },
    // The session ends with the page.
    close: () => undefined,
  };
}
