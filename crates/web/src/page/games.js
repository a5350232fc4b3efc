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
import { corrections } from "./tournament.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./received.js").GameView} Game */
/** @typedef {import("./received.js").GamePage} GamePage */

/** The beginning of the address of a game, after `#`, and of the list. */
export const GAME = "game/";
export const GAMES = "games";

/** The days that there may be games of: from when seconds are counted, in years of four digits. */
const FIRST_DAY = "1970-01-02";
const LAST_DAY = "9999-12-30";

/**
 * The server's answer at an address, or the error in words.
 * @param {string} address
 * @returns {Promise<{found?: any, refusal?: string}>}
 */
async function lookUp(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return { found: await answer.json() };
    const { status } = answer;
    if (status < 500) return { refusal: t("games.no_game") };
    if (status === 503) return { refusal: t("games.busy") };
  } catch {
    // Nor does a proxy answer that finds no server.
  }
  return { refusal: t("rooms.lost") };
}

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
   * Looks a game up, and shows it unless the page shows something else by then. Says why it
   * can't be shown; no words where it is.
   * @param {string} number
   * @param {() => boolean} isWanted
   */
  async look(number, isWanted) {
    const { found, refusal = "" } = await lookUp(`games/${number}`);
    if (!isWanted() || refusal) return isWanted() ? refusal : "";
    this.game = /** @type {Game} */ (found);
    this.ply = this.game.stones.length;
    this.show();
    return "";
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
      ...game, games: game.number, forbidden: [], turn: ply % 2 === 0 ? "black" : "white",
      stones: game.stones.slice(0, ply), winning: ply === last ? game.winning : [],
      phase: { kind: "over", winner: null, reason: game.outcome.reason },
    }, false));
    update(byId("players"), ...game.players.map((name, i) => {
      const color = game.black === null ? "" : (game.black === "first") === (i === 0) ? "black" : "white";
      return html("div", { class: "player" }, color && html("span", { class: `dot ${color}` }),
        html("span", { class: "name" }, color ? `${t(color)}: ${nameText(name)}` : nameText(name)));
    }));
    byId("status").textContent = resultText(game) + (game.corrections ? ` (${t("tournament.corrected")})` : "");
    byId("detail").textContent = [t(`reason.${game.outcome.reason}`), dateText(game.ended), t("rooms.move_of", { ply, last }), setupText(game.setup)].join(" · ");
    const step = (/** @type {string} */ sign, /** @type {string} */ key, /** @type {number} */ by) =>
      button(sign, () => this.#step(by), { "aria-label": t(key), title: t(key), "data-name": key, disabled: by < 0 ? ply === 0 : ply === last });
    // The buttons of another game do something else.
    refill(byId("actions"),
      step("|◀", "step.first", -Infinity), step("◀", "step.previous", -1), step("▶", "step.next", 1), step("▶|", "step.last", Infinity),
      button(t("action.review"), () => location.assign(reviewLink(game.setup, game.moves ?? "")), { "data-name": "review" }),
      button(t("rooms.all_games"), () => (location.hash = GAMES), { "data-name": "games" }),
      button(t("action.lobby"), () => (location.hash = ""), { "data-name": "lobby" }));
    byId("question").hidden = true;
    const invite = byId("invite");
    invite.hidden = false;
    update(invite, game.corrections && corrections(game.corrections),
      html("p", {}, t("game.link")), linkRow(GAME + game.number, this.say));
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
    /**
     * What is shown: the games that a search has found so far, and the number before which there
     * are more.
     * @type {(GamePage & {search: URLSearchParams}) | undefined}
     */
    this.shown = undefined;
    /** The number of requests for games. */
    this.asked = 0;
    this.player = html("input", { maxlength: 20, autocomplete: "off" });
    this.rule = html("select");
    this.from = html("input", { type: "date", min: FIRST_DAY, max: LAST_DAY });
    this.to = html("input", { type: "date", min: FIRST_DAY, max: LAST_DAY });
    this.list = html("section", { class: "card" });
  }

  /** @param {string} player A name to begin with. */
  open(player) {
    this.player.value = player;
    this.rule.value = "";
    this.shown = undefined;
    this.show();
    void this.#find(this.#search());
  }

  /** Shows the form, and what was found, while the page shows the list. */
  show() {
    if (byId("games").hidden) return;
    this.rule = select([["", t("games.any_rule")], ...options("rule", this.rules())], this.rule.value);
    const form = html("form", { class: "card" }, html("h2", {}, t("rooms.all_games")),
      html("div", { class: "fields" },
        labelled(t("rooms.player"), this.player), labelled(t("new.rule"), this.rule),
        labelled(t("games.from"), this.from), labelled(t("games.to"), this.to)),
      html("div", { class: "row end" },
        button(t("action.lobby"), () => (location.hash = ""), { class: "quiet" }),
        html("button", { type: "submit", class: "main" }, t("games.find"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#find(this.#search());
    });
    this.list = html("section", { class: "card", "aria-label": t("rooms.finished") });
    byId("games").replaceChildren(form, this.list);
    this.#showFound();
  }

  /** The filled-in form, as the server reads it. */
  #search() {
    const search = new URLSearchParams();
    const put = (/** @type {string} */ key, /** @type {string | number} */ value) => {
      if (value !== "") search.set(key, String(value));
    };
    const seconds = (/** @type {string} */ day, /** @type {string} */ time) => day && Date.parse(day + time) / 1000;
    put("player", this.player.value.normalize("NFKC").trim());
    put("rule", this.rule.value);
    put("from", seconds(this.from.value, "T00:00"));
    // Not every day has 24 hours.
    put("to", seconds(this.to.value, "T24:00"));
    return search;
  }

  /**
   * Looks for games, and shows them unless others were asked for meanwhile.
   * @param {URLSearchParams} search
   * @param {GamePage} [before] Those that it has found already.
   */
  async #find(search, before = { games: [], before: null }) {
    this.asked += 1;
    const { asked } = this;
    const from = before.before === null ? "" : `&before=${before.before}`;
    const { found, refusal } = await lookUp(`games?${search}${from}`);
    if (asked !== this.asked) return;
    if (refusal) {
      this.say(refusal);
      return;
    }
    const page = /** @type {GamePage} */ (found);
    this.shown = { search, games: [...before.games, ...page.games], before: page.before };
    this.#showFound();
  }

  #showFound() {
    const { shown } = this;
    if (!shown) return;
    const items = shown.games.map(gameItem);
    this.list.replaceChildren(
      items.length > 0 ? html("ul", {}, ...items) : html("p", { class: "none" }, t("rooms.none")),
      ...(shown.before === null ? [] : [button(t("games.more"), () => void this.#find(shown.search, shown))]));
  }
}
