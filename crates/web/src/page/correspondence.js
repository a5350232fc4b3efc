// The visitor's correspondence games, as small boards with the time left.
// @ts-check

import { button, html, labelled, select } from "./dom.js";
import { linkField, publicUrl } from "./invite.js";
import { t } from "./language.js";
import { nameText, playerText } from "./names.js";
import { clockText, durationText, setupText, unitText, vacationText } from "./room-setup.js";
import { smallBoardAfter } from "./small-board.js";

/** @typedef {import("./received.js").CorrespondenceGame} Game */

/** The fewest days of a vacation, and those that are proposed. */
const FEWEST_DAYS = 3;
const PROPOSED_DAYS = 7;

/** The tab with the games, and its address after `#`. */
export const MY_GAMES = "my-games";

/**
 * The state of a game for its player: whose move it is, or what is asked.
 * @param {Game} game
 */
function stateText({ stage, actor, seat, seats, rematch_wish }) {
  if (stage === "waiting") return t("rooms.waiting");
  if (stage === "over") return t(rematch_wish === seat ? "rooms.rematch_waits" : "rooms.rematch_wished");
  return actor === seat ? t("rooms.your_turn")
    : t("rooms.turn", { name: nameText(seats[seat === "first" ? 1 : 0]?.name ?? t("engine")) });
}

/** @param {number} days */
const daysText = (days) => unitText(days, "day", "long");

export class CorrespondenceGames {
  /**
   * The games, those that wait for the visitor first; none before the server has sent them.
   * @type {Game[] | undefined}
   */
  games = undefined;

  /** The time of the message with the games. */
  #receivedAt = 0;

  /** @type {import("./received.js").VacationView} */
  #vacation = { until: null, days_left: 0 };

  /** The path of the feed; empty without one. */
  #feed = "";

  /** @param {{games: Game[], vacation: import("./received.js").VacationView, feed: string | null}} message */
  receive({ games, vacation, feed }) {
    this.games = games;
    this.#vacation = vacation;
    this.#feed = feed ? `feed/${feed}.atom` : "";
    this.#receivedAt = performance.now();
  }

  /** The games as items of a list. */
  items() {
    const used = performance.now() - this.#receivedAt;
    return (this.games ?? []).map((game) => {
      const { room, setup, moves, seat, seats, stage, actor, left_ms: left } = game;
      const opponent = seats[seat === "first" ? 1 : 0];
      const isTurn = stage === "playing" && actor === seat;
      const state = [stateText(game), left !== null && durationText(left - used)].filter(Boolean).join(" · ");
      return html("li", {}, html("a", { href: `#${room}`, title: setupText(setup) },
        smallBoardAfter(setup.size, moves),
        opponent && html("span", {}, playerText(opponent)),
        opponent?.vacation !== undefined && html("span", { class: "none" }, vacationText(opponent.vacation)),
        html("span", { class: isTurn ? "turn" : "none" }, state),
        html("span", { class: "none" }, `${t(`rule.name.${setup.rule}`)} · ${clockText(setup.clock)}`)));
    });
  }

  /**
   * The vacation that goes on, or the fields of the next one.
   * @param {(days: number) => void} take Begins a vacation, or ends it with no days.
   */
  vacation(take) {
    const { until, days_left: left } = this.#vacation;
    const title = html("h2", {}, t("vacation"));
    if (until) {
      return html("section", { class: "card" }, title,
        html("div", { class: "row" }, vacationText(until), button(t("vacation.end"), () => take(0))));
    }
    if (left === 0) return html("section", { class: "card" }, title, html("p", { class: "none" }, t("vacation.none")));
    const lengths = Array.from({ length: left - FEWEST_DAYS + 1 }, (_, i) => FEWEST_DAYS + i);
    const days = select(lengths.map((length) => [String(length), daysText(length)]), String(Math.min(left, PROPOSED_DAYS)));
    return html("section", { class: "card" }, title,
      html("p", { class: "none" }, t("vacation.text", { days: daysText(left) })),
      html("div", { class: "row" }, labelled(t("vacation.days"), days),
        button(t("vacation.begin"), () => take(Number(days.value)))));
  }

  /**
   * The address of the feed of the games.
   * @param {() => void} renew Gives it a new address.
   * @param {(text: string) => void} showAlert
   */
  feed(renew, showAlert) {
    return html("section", { class: "card" }, html("h2", {}, t("feed")), html("p", { class: "none" }, t("feed.text")),
      this.#feed && linkField(publicUrl(this.#feed), t("feed"), showAlert),
      html("div", { class: "row" }, button(t("feed.new"), renew)));
  }
}
