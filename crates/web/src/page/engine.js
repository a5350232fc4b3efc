// The search limits in the preferences: threads, memory, and the length of an analysis.
// @ts-check

import { labelled, select, shortNumber } from "./dom.js";
import { t } from "./language.js";
import { prefer, preferences } from "./preferences.js";

/** @typedef {import("./received.js").SearchBounds} SearchBounds */
/** @typedef {import("./connection.js").Fields<import("./sent.js").ClientMessage, "limit">} SearchLimits */

/**
 * The limits of an analysis: none, a time, or a number of nodes.
 * @type {SearchLimits[]}
 */
const STOPS = [
  {}, ...[5, 15, 60, 300].map((seconds) => ({ analysis_ms: 1000 * seconds })),
  ...[1e5, 1e6, 1e7, 1e8].map((nodes) => ({ analysis_nodes: nodes })),
];

/** The smallest memory option, in MiB. */
const MIN_MEMORY = 16;

/** @param {SearchLimits} stop */
function stopText({ analysis_ms, analysis_nodes }) {
  if (analysis_ms) return t("stop.seconds", { seconds: analysis_ms / 1000 });
  return analysis_nodes ? t("stop.nodes", { nodes: shortNumber(analysis_nodes) }) : t("stop.never");
}

/**
 * Options from the least number to the most, each twice the previous one.
 * @param {number} least
 * @param {number} usual
 * @param {number} most
 */
function steps(least, usual, most) {
  const numbers = new Set([usual, most]);
  for (let number = least; number < most; number *= 2) numbers.add(number);
  return [...numbers].sort((a, b) => a - b);
}

/**
 * The fields of the search limits that have more than one option.
 * @param {SearchBounds} bounds
 */
export function engineFields({ threads, most_threads, memory_mib, most_memory_mib }) {
  const list = (/** @type {string} */ label, /** @type {[string, string][]} */ options,
    /** @type {"threads" | "memory" | "stop"} */ name, /** @type {string} */ usual) => {
    const chosen = String(preferences[name]);
    const isOption = options.some(([value]) => value === chosen);
    const field = select(options, isOption ? chosen : usual);
    field.addEventListener("change", () => prefer(name, name === "stop" ? field.value : Number(field.value)));
    return labelled(label, field);
  };
  const counts = steps(1, threads, most_threads).map((n) => /** @type {[string, string]} */ ([String(n), String(n)]));
  const sizes = steps(MIN_MEMORY, memory_mib, most_memory_mib)
    .map((n) => /** @type {[string, string]} */ ([String(n), `${n} MiB`]));
  const stops = STOPS.map((stop) => /** @type {[string, string]} */ ([JSON.stringify(stop), stopText(stop)]));
  return [
    counts.length > 1 && list(t("settings.threads"), counts, "threads", String(threads)),
    memory_mib > 0 && sizes.length > 1 && list(t("settings.memory"), sizes, "memory", String(memory_mib)),
    list(t("settings.stop"), stops, "stop", "{}"),
  ].filter((field) => field instanceof Node);
}

/**
 * The preferred limits, in the form of the message.
 * @returns {SearchLimits}
 */
export function searchLimits() {
  const { threads, memory, stop } = preferences;
  return {
    ...(threads > 0 && { threads }), ...(memory > 0 && { memory_mib: memory }),
    ...STOPS.find((it) => JSON.stringify(it) === stop),
  };
}
