// The visitor's correspondence games, as small boards with the time left.
// @ts-check

import { html } from "./dom.js";
import { t } from "./language.js";
import { nameText, playerText } from "./names.js";
import { clockText, durationText, setupText } from "./room-setup.js";
import { smallBoardAfter } from "./small-board.js";

/** @typedef {import("./received.js").CorrespondenceGame} Game */

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

export class CorrespondenceGames {
  /**
   * The games, those that wait for the visitor first; none before the server has sent them.
   * @type {Game[] | undefined}
   */
  games = undefined;

  /** The time of the message with the games. */
  #receivedAt = 0;

  /** @param {Game[]} games */
  receive(games) {
    this.games = games;
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
        html("span", { class: isTurn ? "turn" : "none" }, state),
        html("span", { class: "none" }, `${t(`rule.name.${setup.rule}`)} · ${clockText(setup.clock)}`)));
    });
  }
}
