// The players with their colours and clocks, and their choices in the opening.
// @ts-check

import { levelText, timeText } from "./dialogs.js";
import { byId, html } from "./dom.js";
import { t } from "./language.js";
import { choiceText } from "./opening.js";

/** @typedef {import("./received.js").ChosenView} Chosen */
/** @typedef {import("./received.js").Setup} Setup */
/** @typedef {import("./received.js").State} State */
/** @typedef {import("./received.js").Welcome} Welcome */

/**
 * The names of black and white; before colours are chosen, of the first and the second player.
 * @param {Pick<State, "players" | "levels" | "setup">} state
 * @param {Welcome} welcome
 */
export function playerNames({ players, levels, setup }, welcome) {
  const owners = players ?? [setup.black, setup.white];
  const isAlone = owners[0] !== owners[1];
  return owners.map((owner, i) => setup.names?.[i] || (owner === "person" ? t(isAlone ? "you" : "person")
    : `${t("engine")} · ${levelText(welcome, levels?.[i] ?? setup.level)}`));
}

/**
 * Shows the players by colour; before colours are chosen, by order.
 * @param {State} state
 * @param {Welcome} welcome
 */
export function showPlayers(state, welcome) {
  const { players, setup, acting, clock, thinking } = state;
  const names = playerNames(state, welcome);
  const rows = /** @type {const} */ (["black", "white"]).map((color, i) => {
    const seat = players ? t(color) : t(i === 0 ? "seat.begins" : "seat.answers");
    const acts = acting === i;
    return html("div", { class: `player ${acts ? "active" : ""}` },
      html("span", { class: `dot ${players ? color : ""} ${acts && thinking ? "spinner" : ""}` }),
      html("span", { class: "name" }, `${seat}: ${names[i]}`),
      clock && html("time", { "data-color": color }));
  });
  byId("players").replaceChildren(...rows);
  byId("conditions").textContent = conditions(setup);
}

/**
 * The setup of the game as text.
 * @param {Setup} setup
 */
function conditions({ rule, size, opening, handicap, time }) {
  return [
    t(`rule.${rule}`), size.replace("x", " × "),
    opening !== "free" && t(`opening.${opening}`),
    handicap && `${t("new.handicap")}: ${handicap}`,
    timeText(time),
  ].filter(Boolean).join(" · ");
}

/**
 * A file name for the game: the players and the date.
 * @param {State} state
 */
export function fileName({ players, setup, levels }) {
  const owners = players ?? [setup.black, setup.white];
  const isAlone = owners[0] !== owners[1];
  const names = owners.map((owner, i) => setup.names?.[i] || (owner === "engine" ? `Quincunx ${levels?.[i] ?? setup.level}`
    : t(isAlone ? "you" : i === 0 ? "black" : "white")));
  // Swedish dates are in ISO format, in local time.
  const date = new Date().toLocaleDateString("sv");
  return [...names, date].join(" ").replace(/[^\p{L}\p{N}]+/gu, "-");
}

/**
 * The choice of a player in the opening as text.
 * @param {Chosen} chosen
 * @param {{setup: Setup}} state
 */
export function chosenText({ first, player, choice }, { setup }) {
  const isAlone = setup.black !== setup.white;
  const name = !isAlone ? t(first ? "seat.first" : "seat.second") : t(player === "engine" ? "engine" : "you");
  return choiceText(name, choice);
}
