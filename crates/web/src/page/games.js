// The archive of games: the view of one with its permanent link, and a list that is searched by
// player, rule and date.
// @ts-check

import { options } from "./dialogs.js";
import { button, byId, html, labelled, refill, select, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { t } from "./language.js";
import { gameItem, resultText, reviewLink } from "./lobby.js";
import { nameText } from "./names.js";
import { choiceText } from "./opening.js";
import { onKey } from "./page.js";
import { dateText, setupText } from "./room-setup.js";
import { boardState } from "./room.js";
import { corrections } from "./tournament.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./received.js").GameView} Game */
/** @typedef {import("./received.js").GamePage} GamePage */

/** The prefixes of the addresses of a game and of the list, after `#`. */
export const GAME = "game/";
export const GAMES = "games";

/** The range of dates: from the Unix epoch, in years of four digits. */
const FIRST_DAY = "1970-01-02";
const LAST_DAY = "9999-12-30";

/**
 * Fetches JSON from an address, or returns the error message.
 * @param {string} address
 * @returns {Promise<{found?: any, refusal?: string}>}
 */
async function fetchJson(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return { found: await answer.json() };
    const { status } = answer;
    if (status < 500) return { refusal: t("games.no_game") };
    if (status === 503) return { refusal: t("games.busy") };
  } catch {
    // The same message as for the error of a proxy.
  }
  return { refusal: t("rooms.lost") };
}

export class GameView {
  /**
   * @param {BoardView} board
   * @param {(text: string) => void} showAlert
   */
  constructor(board, showAlert) {
    this.board = board;
    this.showAlert = showAlert;
    /** @type {Game | undefined} */
    this.game = undefined;
    this.ply = 0;
    onKey((key) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[key];
      return this.game && step !== undefined ? () => this.#step(step) : undefined;
    });
  }

  /**
   * Loads a game, and shows it unless the address has changed meanwhile. Returns the error, or an
   * empty text.
   * @param {string} number
   * @param {() => boolean} isWanted
   */
  async load(number, isWanted) {
    const { found, refusal = "" } = await fetchJson(`games/${number}`);
    if (!isWanted() || refusal) return isWanted() ? refusal : "";
    this.game = /** @type {Game} */ (found);
    this.ply = this.game.stones.length;
    this.show();
    return "";
  }

  leave() {
    this.game = undefined;
  }

  /** @param {number} step The number of moves forward; negative for back. */
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
      ...game, games: game.number, forbidden: [], allowed: null, turn: ply % 2 === 0 ? "black" : "white",
      // The offers are for the fifth stone.
      offers: ply === 4 ? game.offers ?? [] : [],
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
    // The buttons of another game have other listeners.
    refill(byId("actions"),
      step("|◀", "step.first", -Infinity), step("◀", "step.previous", -1), step("▶", "step.next", 1), step("▶|", "step.last", Infinity),
      button(t("action.review"), () => location.assign(reviewLink(game.setup, game.moves ?? "")), { "data-name": "review" }),
      button(t("rooms.all_games"), () => (location.hash = GAMES), { "data-name": "games" }),
      button(t("action.lobby"), () => (location.hash = ""), { "data-name": "lobby" }));
    byId("question").hidden = true;
    byId("chosen").textContent = (game.chosen ?? []).map(([seat, choice]) =>
      choiceText(nameText(game.players[seat === "first" ? 0 : 1]), choice)).join(" · ");
    const invite = byId("invite");
    invite.hidden = false;
    update(invite, game.corrections && corrections(game.corrections),
      html("p", {}, t("game.link")), linkRow(GAME + game.number, this.showAlert));
  }
}

export class GameList {
  /**
   * @param {() => string[]} rules The names of the rules.
   * @param {(text: string) => void} showAlert
   */
  constructor(rules, showAlert) {
    this.rules = rules;
    this.showAlert = showAlert;
    /**
     * The games that a search has found so far, and the number before which there are more.
     * @type {(GamePage & {search: URLSearchParams}) | undefined}
     */
    this.shown = undefined;
    /** The number of requests so far. */
    this.requests = 0;
    this.player = html("input", { maxlength: 20, autocomplete: "off" });
    this.rule = html("select");
    this.from = html("input", { type: "date", min: FIRST_DAY, max: LAST_DAY });
    this.to = html("input", { type: "date", min: FIRST_DAY, max: LAST_DAY });
    this.list = html("section", { class: "card" });
  }

  /** @param {string} player The initial value. */
  open(player) {
    this.player.value = player;
    this.rule.value = "";
    this.shown = undefined;
    this.show();
    void this.#find(this.#search());
  }

  /** Shows the form and the games found. */
  show() {
    this.rule = select([["", t("games.any_rule")], ...options("rule", this.rules())], this.rule.value);
    const form = html("form", { class: "card" }, html("h2", {}, t("rooms.all_games")),
      html("div", { class: "fields" },
        labelled(t("rooms.player"), this.player), labelled(t("new.rule"), this.rule),
        labelled(t("games.from"), this.from), labelled(t("games.to"), this.to)),
      html("div", { class: "row end" }, html("button", { type: "submit", class: "main" }, t("games.find"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#find(this.#search());
    });
    this.list = html("section", { class: "card", "aria-label": t("rooms.finished") });
    byId("lobby-games").replaceChildren(form, this.list);
    this.#showFound();
  }

  /** The query of the form. */
  #search() {
    const search = new URLSearchParams();
    const put = (/** @type {string} */ key, /** @type {string | number} */ value) => {
      if (value !== "") search.set(key, String(value));
    };
    const seconds = (/** @type {string} */ day, /** @type {string} */ time) => day && Date.parse(day + time) / 1000;
    put("player", this.player.value.normalize("NFKC").trim());
    put("rule", this.rule.value);
    put("from", seconds(this.from.value, "T00:00"));
    // Not `from` plus 24 hours: days differ in length.
    put("to", seconds(this.to.value, "T24:00"));
    return search;
  }

  /**
   * Searches for games, and shows them unless there is a newer request.
   * @param {URLSearchParams} search
   * @param {GamePage} [before] The games that it has found so far.
   */
  async #find(search, before = { games: [], before: null }) {
    this.requests += 1;
    const request = this.requests;
    const from = before.before === null ? "" : `&before=${before.before}`;
    const { found, refusal } = await fetchJson(`games?${search}${from}`);
    if (request !== this.requests) return;
    if (refusal) {
      this.showAlert(refusal);
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
