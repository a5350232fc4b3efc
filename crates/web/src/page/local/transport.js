// The transport of pages without a server: a session in the page with engines in workers. This file
// replaces the other transport.js.

import { button, byId } from "./dom.js";
import init, { Session } from "./engine/quincunx.js";
import { t } from "./language.js";

/** Messages of any length are accepted. */
export const MAX_LENGTH = Infinity;

/** A worker with an engine, which runs the jobs of one kind, one at a time. */
class Engine {
  /** The last job, as the session has serialised it. */
  #job;
  /** The rule whose weights were requested last. */
  #rule;
  #number = 0;
  #isBusy = false;
  #worker;
  /** The number of the last cancelled job, if memory can be shared. */
  #stopped = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;

  constructor(report, lost) {
    this.report = report;
    this.lost = lost;
  }

  /** Runs a job, and cancels a different one that is running. */
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

  /** Loads the weights of a rule before the first job. */
  prepare(rule) {
    if (rule === this.#rule) return;
    this.#rule = rule;
    this.#worker ??= this.#begin();
    this.#worker.postMessage({ rule });
  }

  /** Cancels the running job. A searching worker receives no messages: it reads the shared number, or is terminated. */
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
    // The worker could not be loaded, or has failed. The next job starts another one.
    worker.onerror = () => {
      if (worker !== this.#worker) return;
      const wasBusy = this.#isBusy;
      this.end();
      if (wasBusy) this.lost();
    };
    return worker;
  }
}

/** The interval of checks for a new version, in milliseconds. */
const UPDATE_CHECK = 3_600_000;

/**
 * Offers a new version of the page once it is stored. The game in progress is preserved.
 * @param {ServiceWorkerRegistration} registration
 */
function announceVersions(registration) {
  const { serviceWorker } = navigator;
  const announce = () => {
    const { waiting } = registration;
    // The first installation is no update.
    if (!waiting || !serviceWorker.controller || document.getElementById("version")) return;
    const use = button(t("action.update"), () => {
      serviceWorker.addEventListener("controllerchange", () => location.reload());
      registration.waiting?.postMessage("use");
    }, { id: "version", class: "main" });
    byId("menu").before(use);
  };
  announce();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", announce));
  setInterval(() => void registration.update().catch(() => undefined), UPDATE_CHECK);
}

/** Stores the page for use offline: first the files that this page needs. */
function store(kind) {
  navigator.serviceWorker?.register("service.js", { updateViaCache: "none" }).then(announceVersions, () => undefined);
  // Puzzles are stored before the page of puzzles is visited.
  const later = kind === "training" ? ["puzzles"] : ["weights", "puzzles"];
  navigator.serviceWorker?.ready.then(({ active }) => later.forEach((files) => active.postMessage(files)));
  return true;
}

let isStored = false;

/**
 * Starts a session of this kind in the page.
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
  /** The engines by kind of job. A review runs beside other searches. */
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
      // The page may send a message when it receives one: its answers come after these replies.
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
