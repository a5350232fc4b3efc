// The page of a person: ratings with their curves, games, tournaments.
// @ts-check

import { button, byId, html, svg, update } from "./dom.js";
import { t } from "./language.js";
import { GAMES } from "./games.js";
import { gameItem, list, resultsText, tournamentItem } from "./lobby.js";
import { nameText } from "./names.js";
import { dateText } from "./room-setup.js";

/** @typedef {import("./received.js").ProfileView} Profile */

/** The width and the height of a curve. */
const WIDTH = 300;
const HEIGHT = 80;

export class ProfileView {
  /**
   * @param {import("./contacts.js").Contacts} contacts
   * @param {(name: string) => void} challenge Opens the form of a challenge.
   */
  constructor(contacts, challenge) {
    this.contacts = contacts;
    this.challenge = challenge;
    /** @type {Profile | undefined} */
    this.profile = undefined;
    /** True if it is the visitor's own. */
    this.isOwn = false;
  }

  /**
   * @param {Profile} profile
   * @param {boolean} isOwn
   */
  receive(profile, isOwn) {
    this.profile = profile;
    this.isOwn = isOwn;
    this.show();
  }

  /** Shows the profile again. */
  show() {
    const { profile, isOwn } = this;
    if (!profile) return;
    const { name, standings, games, tournaments, against_you: [losses, draws, wins] } = profile;
    update(byId("profile"),
      html("div", { class: "row" },
        html("h1", {}, nameText(name)),
        !isOwn && button(t("rooms.challenge"), () => this.challenge(name), { class: "main" }),
        !isOwn && this.contacts.button(name),
        button(t("action.lobby"), () => (location.hash = ""))),
      !isOwn && html("p", {}, `${t("rooms.against")}: ${resultsText([wins, draws, losses])}`),
      html("div", { class: "standings" }, ...standings.map((it) => html("section", { class: "card" },
        html("h2", {}, t(`rule.name.${it.rule}`), it.correspondence && ` · ${t("rooms.correspondence")}`),
        html("p", {}, html("b", {}, `${it.rating} ± ${2 * it.deviation}`), ` · ${t("rooms.points")} ${it.points}`),
        html("p", {}, resultsText(it.results)),
        it.curve.length > 1 && ratingCurve(t(`rule.name.${it.rule}`), it.curve)))),
      list(t("rooms.finished"), games.map(gameItem)),
      games.length > 0 && html("div", { class: "row" },
        button(t("rooms.all_games"), () => (location.hash = `${GAMES}/${encodeURIComponent(name)}`))),
      tournaments.length > 0 && list(t("tournament.title"), tournaments.map(tournamentItem)));
  }
}

/**
 * The chart of a rating after each game, with the lowest and the highest value.
 * @param {string} rule The name of the rule.
 * @param {[number, number][]} curve The times since 1970 in seconds and the ratings.
 */
function ratingCurve(rule, curve) {
  const ratings = curve.map(([, rating]) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const points = ratings.map((rating, i) =>
    `${i / (ratings.length - 1) * WIDTH},${HEIGHT - (rating - low) / Math.max(high - low, 1) * HEIGHT}`);
  const [first, last] = [curve[0], curve[curve.length - 1]].map(([time]) => dateText(time, false));
  return html("figure", { class: "rating" },
    svg("svg", { viewBox: `0 -2 ${WIDTH} ${HEIGHT + 4}`, preserveAspectRatio: "none", role: "img", "aria-label": `${t("rooms.ratings")}, ${rule}: ${low}–${high}` },
      svg("polyline", { points: points.join(" "), "vector-effect": "non-scaling-stroke" })),
    html("figcaption", {}, html("span", {}, first), html("span", {}, `${low}–${high}`), html("span", {}, last)));
}
