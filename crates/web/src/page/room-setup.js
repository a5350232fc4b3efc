// The setup of games in rooms: as text, and as the fields of forms.
// @ts-check

import { SIZES, options } from "./dialogs.js";
import { html, labelled, select } from "./dom.js";
import { t } from "./language.js";
import { openingName } from "./opening.js";

/** @typedef {import("./received.js").ClockRule} ClockRule */
/** @typedef {import("./received.js").RoomSetup} RoomSetup */
/** @typedef {import("./received.js").ClubWelcome} Welcome */

/** The clocks of forms; the first three are presets. @type {ClockRule[]} */
export const CLOCKS = [
  { kind: "increment", main_ms: 180000, increment_ms: 2000 },
  { kind: "increment", main_ms: 300000, increment_ms: 3000 },
  { kind: "increment", main_ms: 600000, increment_ms: 5000 },
  { kind: "sudden_death", main_ms: 60000 },
  { kind: "sudden_death", main_ms: 300000 },
  { kind: "sudden_death", main_ms: 900000 },
  { kind: "byoyomi", main_ms: 300000, period_ms: 20000, periods: 3 },
  { kind: "byoyomi", main_ms: 600000, period_ms: 30000, periods: 5 },
  { kind: "byoyomi", main_ms: 3600000, period_ms: 60000, periods: 5 },
];

/** The clocks of correspondence games. @type {ClockRule[]} */
export const CORRESPONDENCE_CLOCKS = [1, 2, 3, 5, 7, 14].map((days) => ({ kind: "correspondence", days }));

/** The range of the sides of boards. */
const MIN_SIDE = 5;
const MAX_SIDE = 22;

/** The limits of clocks: minutes, seconds a move or period, and periods. */
const CLOCK_LIMITS = { minutes: 360, seconds: 600, periods: 30 };

/** The limits of rated games: the sides of boards, and the minimum time in milliseconds. */
const RATED = { shortest: 13, longest: 20, time: 60000 };

/**
 * A number of days, hours or minutes in words.
 * @param {number} value
 * @param {string} unit
 * @param {"long" | "short"} unitDisplay
 */
export const unitText = (value, unit, unitDisplay) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay }).format(value);

/**
 * A duration in words, rounded up to minutes: the first unit that it has, and the next.
 * @param {number} duration In milliseconds.
 */
export function durationText(duration) {
  const minutes = Math.max(Math.ceil(duration / 60000), 1);
  /** @type {[number, string][]} */
  const units = [[Math.floor(minutes / 1440), "day"], [Math.floor(minutes / 60) % 24, "hour"], [minutes % 60, "minute"]];
  const first = units.findIndex(([value]) => value > 0);
  return units.slice(first, first + 2).filter(([value]) => value > 0).map(([value, unit]) => unitText(value, unit, "short")).join(" ");
}

/** @param {ClockRule} clock */
export function clockText(clock) {
  if (clock.kind === "correspondence") return t("clock.correspondence", { days: unitText(clock.days, "day", "long") });
  const minutes = clock.main_ms / 60000;
  if (clock.kind === "increment") return t("clock.increment", { minutes, seconds: clock.increment_ms / 1000 });
  if (clock.kind === "sudden_death") return t("clock.sudden_death", { minutes });
  return t("clock.byoyomi", { minutes, periods: clock.periods, seconds: clock.period_ms / 1000 });
}

/** @param {{setup: RoomSetup}} room */
export const isCorrespondence = ({ setup }) => setup.clock.kind === "correspondence";

/** @param {RoomSetup} setup */
export const setupText = ({ rule, size, opening, clock, rated }) => [
  t(`rule.name.${rule}`), size, openingName(opening), clockText(clock), t(rated ? "rooms.rated" : "rooms.unrated"),
].join(" · ");

/**
 * A size in the server's notation, such as `13x19` for `13×19` or full-width digits.
 * @param {string} text
 */
const plainSize = (text) => text.normalize("NFKC").replace(/[×✕*]/g, "x").replace(/\s/g, "").toLowerCase();

/**
 * Returns true if a size is valid, such as `15` or `20x15`.
 * @param {string} text
 */
function isSize(text) {
  const sides = /^(\d+)\s*(?:x\s*(\d+))?$/i.exec(text)?.slice(1).filter(Boolean) ?? [];
  return sides.length > 0 && sides.every((side) => Number(side) >= MIN_SIDE && Number(side) <= MAX_SIDE);
}

/**
 * Returns true if games with this size and clock can be rated.
 * @param {string} size
 * @param {ClockRule} clock
 */
function isComparable(size, clock) {
  const periods = clock.kind === "byoyomi" ? clock.periods * clock.period_ms : 0;
  return size.split("x").every((side) => Number(side) >= RATED.shortest && Number(side) <= RATED.longest)
    && (clock.kind === "correspondence" || clock.main_ms + periods >= RATED.time);
}

/**
 * The fields of a room's setup, with their value and the error of the input.
 * @param {Welcome} welcome
 * @param {ClockRule[]} [clocks]
 * @param {ClockRule} [preset] The clock that is chosen at first.
 * @param {() => boolean} [mayBeRated] True if the other fields allow rated games.
 */
export function setupFields(welcome, clocks = CLOCKS, preset = CLOCKS[1], mayBeRated = () => true) {
  const rule = select(options("rule", welcome.rules), "freestyle");
  const sizes = html("datalist", { id: "sizes" }, ...SIZES.map((size) => html("option", { value: size })));
  const size = html("input", { list: "sizes", value: "15", required: true, autocomplete: "off", size: 6 });
  const opening = select(options("opening", welcome.openings), "swap2");
  const clock = select([...clocks.map((it) => /** @type {[string, string]} */ ([JSON.stringify(it), clockText(it)])),
    ["", t("clock.other")]], JSON.stringify(preset));
  const number = (/** @type {number} */ value, /** @type {number} */ max) =>
    html("input", { type: "number", value, min: 0, max });
  const parts = { minutes: number(20, CLOCK_LIMITS.minutes), seconds: number(10, CLOCK_LIMITS.seconds), periods: number(0, CLOCK_LIMITS.periods) };
  const other = html("div", { class: "fields", hidden: true },
    ...Object.entries(parts).map(([name, field]) => labelled(t(`clock.${name}`), field)));
  clock.addEventListener("change", () => (other.hidden = clock.value !== ""));
  /** @returns {ClockRule} */
  const otherClock = () => {
    const [minutes, seconds, periods] = Object.values(parts).map((field) => Number(field.value));
    const main_ms = minutes * 60000;
    if (periods > 0) return { kind: "byoyomi", main_ms, period_ms: seconds * 1000, periods };
    return seconds > 0 ? { kind: "increment", main_ms, increment_ms: seconds * 1000 } : { kind: "sudden_death", main_ms };
  };
  const rated = html("input", { type: "checkbox" });
  rated.checked = true;
  const why = html("p", { class: "none" }, t("rooms.rated.where"));
  const chosenClock = () => /** @type {ClockRule} */ (clock.value ? JSON.parse(clock.value) : otherClock());
  const isRated = () => welcome.account !== "guest" && mayBeRated() && isComparable(plainSize(size.value), chosenClock());
  const showRated = () => {
    rated.disabled = !isRated();
    why.hidden = !rated.disabled;
  };
  showRated();
  for (const field of [size, clock, ...Object.values(parts)]) field.addEventListener("input", showRated);
  return {
    clock,
    showRated,
    fields: [
      labelled(t("new.rule"), rule, "field words"), labelled(t("new.size"), size), sizes,
      labelled(t("new.opening"), opening, "field words"), labelled(t("rooms.clock"), clock), other],
    rated: html("div", {}, html("label", { class: "check" }, rated, t("rooms.rated")), why),
    value: () => ({
      rule: rule.value, size: plainSize(size.value), opening: opening.value,
      clock: chosenClock(), rated: rated.checked && !rated.disabled,
    }),
    problem: () => isSize(plainSize(size.value)) ? undefined : t("error.size", { least: MIN_SIDE, most: MAX_SIDE }),
  };
}

/**
 * @param {number} seconds The Unix time.
 * @param {boolean} [isExact] True if the time of day is shown.
 */
export const dateText = (seconds, isExact = true) =>
  new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: isExact ? "short" : undefined });

/**
 * The vacation of a player.
 * @param {number} until Its end in seconds since 1970.
 */
export const vacationText = (until) => t("vacation.until", { date: dateText(until) });
