// Games that are over: the page of each, with a link that stays, and a list to find them by
// player, rule and date.
// @ts-check

import { options } from "./dialogs.js";
import { button, byId, html, labelled, refill, select, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { t } from "./language.js";
import { dateText, gameItem, resultText, reviewLink, setupText } from "./lobby.js";
import { nameText } from "./names.js";
import { onKey } from "./page.js";
import { boardState } from "./room.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./types-rooms.js").Game} Game */
/** @typedef {import("./types-rooms.js").GamePage} GamePage */

/** What the address of a game begins with, after `#`, and that of the list. */
export const GAME = "game/";
export const GAMES = "games";

const DAY_S = 86400;

export class GameView {
  /**
   * @param {BoardView} board
   * @param {(text: string) => void} say
   */
  constructor(board, say) {
    this.board = board;
    this.say = say;
    /** @type {Game | undefined} */
    this.game = undefined;
    this.ply = 0;
    onKey((key) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[key];
      return this.game && step !== undefined ? () => this.#step(step) : undefined;
    });
  }

  /**
   * Looks a game up, and shows it unless the page shows something else by then. Says whether
   * there is one.
   * @param {string} number
   * @param {() => boolean} isWanted
   */
  async look(number, isWanted) {
    const answer = await fetch(`games/${number}`).catch(() => undefined);
    if (!answer?.ok || !isWanted()) return !isWanted();
    this.game = /** @type {Game} */ (await answer.json());
    this.ply = this.game.stones.length;
    this.show();
    return true;
  }

  leave() {
    this.game = undefined;
  }

  /** @param {number} step How many moves to go on, or back. */
  #step(step) {
    if (!this.game) return;
    this.ply = Math.min(Math.max(this.ply + step, 0), this.game.stones.length);
    this.show();
  }

  show() {
    const { game, ply } = this;
    if (!game) return;
    const last = game.stones.length;
    this.board.show(boardState({
      ...game, setup: game.setup, games: game.number, forbidden: [], turn: ply % 2 === 0 ? "black" : "white",
      stones: game.stones.slice(0, ply), winning: ply === last ? game.winning : [],
      phase: { kind: "over", winner: null, reason: game.outcome.reason },
    }, false));
    update(byId("players"), ...game.players.map((name, i) => {
      const color = game.black === null ? "" : (game.black === "first") === (i === 0) ? "black" : "white";
      return html("div", { class: "player" }, color && html("span", { class: `dot ${color}` }),
        html("span", { class: "name" }, color ? `${t(color)}: ${nameText(name)}` : nameText(name)));
    }));
    byId("status").textContent = resultText(game);
    byId("detail").textContent = [t(`reason.${game.outcome.reason}`), dateText(game.ended), t("rooms.move_of", { ply, last }), setupText(game.setup)].join(" · ");
    const step = (/** @type {string} */ sign, /** @type {string} */ key, /** @type {number} */ by) =>
      button(sign, () => this.#step(by), { "aria-label": t(key), title: t(key), "data-name": key, disabled: by < 0 ? ply === 0 : ply === last });
    // The buttons of another game do something else.
    refill(byId("actions"),
      step("|◀", "game.first", -Infinity), step("◀", "game.back", -1), step("▶", "game.on", 1), step("▶|", "game.last", Infinity),
      button(t("action.review"), () => location.assign(reviewLink(game.setup, game.moves)), { "data-name": "review" }),
      button(t("rooms.all_games"), () => (location.hash = GAMES), { "data-name": "games" }),
      button(t("action.lobby"), () => (location.hash = ""), { "data-name": "lobby" }));
    byId("question").hidden = true;
    const invite = byId("invite");
    invite.hidden = false;
    update(invite, html("p", {}, t("game.link")), linkRow(GAME + game.number, this.say));
  }
}

export class GameList {
  /**
   * @param {() => string[]} rules The names of the rules.
   * @param {(text: string) => void} say
   */
  constructor(rules, say) {
    this.rules = rules;
    this.say = say;
    /** @type {GamePage["games"]} */
    this.games = [];
    /** @type {number | null} */
    this.before = null;
    this.player = html("input", { maxlength: 20, autocomplete: "off" });
    this.rule = html("select");
    this.from = html("input", { type: "date" });
    this.to = html("input", { type: "date" });
  }

  /** @param {string} player A name to begin with. */
  open(player) {
    this.player.value = player;
    this.rule = select([["", t("games.any_rule")], ...options("rule", this.rules())], "");
    const form = html("form", { class: "card" }, html("h2", {}, t("rooms.all_games")),
      html("div", { class: "fields" },
        labelled(t("rooms.player"), this.player), labelled(t("new.rule"), this.rule),
        labelled(t("games.from"), this.from), labelled(t("games.to"), this.to)),
      html("div", { class: "row end" },
        button(t("action.lobby"), () => (location.hash = ""), { class: "quiet" }),
        html("button", { type: "submit", class: "main" }, t("games.find"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#find(null);
    });
    this.list = html("section", { class: "card", "aria-label": t("rooms.finished") });
    byId("games").replaceChildren(form, this.list);
    void this.#find(null);
  }

  /** @param {number | null} before The number before which to look. */
  async #find(before) {
    const search = new URLSearchParams();
    const put = (/** @type {string} */ key, /** @type {string | number | null} */ value) => {
      if (value !== "" && value !== null) search.set(key, String(value));
    };
    const seconds = (/** @type {HTMLInputElement} */ day) => day.value && new Date(`${day.value}T00:00`).getTime() / 1000;
    put("player", this.player.value.normalize("NFKC").trim());
    put("rule", this.rule.value);
    put("from", seconds(this.from));
    const to = seconds(this.to);
    put("to", to && to + DAY_S);
    put("before", before);
    const answer = await fetch(`games?${search}`).catch(() => undefined);
    if (!answer?.ok || !this.list) {
      this.say(t("rooms.lost"));
      return;
    }
    const page = /** @type {GamePage} */ (await answer.json());
    this.games = before === null ? page.games : [...this.games, ...page.games];
    this.before = page.before;
    const items = this.games.map(gameItem);
    this.list.replaceChildren(
      items.length > 0 ? html("ul", {}, ...items) : html("p", { class: "none" }, t("rooms.none")),
      ...(this.before === null ? [] : [button(t("games.more"), () => void this.#find(this.before))]));
  }
}
