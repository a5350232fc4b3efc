// The connection with the program where there is no server: the session is in the page,
// its engine in a worker. This file stands in the place of the other transport.js.

import { button, byId } from "./dom.js";
import init, { Board, Gravity, Training } from "./engine/quincunx.js";
import { t } from "./language.js";

/** The times to wait before the next attempt, in milliseconds. */
const RETRY = [100, 300, 1000, 2000];

/** An engine in a worker, which does one job at a time. */
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

  constructor(kind, hear, lost) {
    this.kind = kind;
    this.hear = hear;
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
    this.#worker.postMessage({ number: this.#number, kind: this.kind, job, flag: this.#stopped });
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
      this.hear(report);
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

/** The sessions by the names of their sockets. */
const DESKS = { board: Board, gravity: Gravity, training: Training };

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

/**
 * Speaks with a session in the page.
 * @param {import("../transport.js").Listener} listener
 * @param {string} [path] Where the socket would be.
 * @returns {import("../transport.js").Transport}
 */
export function connect(listener, path = "socket") {
  const kind = path === "socket" ? "board" : path.split("/")[0];
  let desk;
  let timer;
  let attempts = 0;
  const act = (replies) => {
    engine.work(desk.job());
    if (desk.reviewJob) reviewer.work(desk.reviewJob());
    clearTimeout(timer);
    const at = desk.deadline();
    if (at !== undefined) {
      timer = setTimeout(() => act(desk.tick(performance.now())), Math.max(0, at - performance.now()));
    }
    for (const reply of JSON.parse(replies)) {
      if (kind === "board" && reply.type === "state") engine.prepare(reply.setup.rule);
      // The page may send something as it hears it: the answer comes after all of these.
      queueMicrotask(() => listener.heard(reply));
    }
  };
  const lost = () => {
    clearTimeout(timer);
    engine.end();
    reviewer.end();
    desk = undefined;
    listener.lost();
    setTimeout(begin, RETRY[Math.min(attempts, RETRY.length - 1)]);
    attempts += 1;
  };
  const hears = (hear) => (report) => {
    attempts = 0;
    act(hear(report));
  };
  const engine = new Engine(kind, hears((report) => desk.report(performance.now(), report)), lost);
  // A review goes on beside whatever else is searched.
  const reviewer = new Engine("review", hears((report) => desk.hearReview(performance.now(), report)), lost);
  const begin = () => init({ module_or_path: new URL("./engine/quincunx_bg.wasm", import.meta.url) }).then(() => {
    desk = new DESKS[kind]();
    listener.opened();
  }, lost);
  begin();
  navigator.serviceWorker?.register("service.js", { updateViaCache: "none" }).then(announceVersions, () => undefined);
  // What this page needs comes first. Puzzles are there without a network before their first visit.
  const later = kind === "training" ? ["puzzles"] : ["weights", "puzzles"];
  navigator.serviceWorker?.ready.then(({ active }) => later.forEach((files) => active.postMessage(files)));
  return {
    send: (message) => {
      if (desk) act(desk.hear(performance.now(), JSON.stringify(message)));
      return desk !== undefined;
    },
    longest: Infinity,
  };
}
