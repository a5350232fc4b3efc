// The lobby: open rooms, games to watch and to review, tournaments, people and ratings.
// @ts-check

import { confirmDialog, levelText, options, SIZES } from "./dialogs.js";
import { button, byId, html, labelled, select, update } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./names.js";
import { Form, open } from "./window.js";

/** @typedef {import("./received.js").ClockRule} ClockRule */
/** @typedef {import("./received.js").GameSummary} GameSummary */
/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./received.js").OwnRoom} OwnRoom */
/** @typedef {import("./received.js").PlayerView} Player */
/** @typedef {import("./received.js").ProfileView} Profile */
/** @typedef {Extract<import("./received.js").ClubMessage, {type: "ratings"}>} Ratings */
/** @typedef {import("./received.js").RoomSetup} RoomSetup */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./received.js").TournamentSummary} TournamentSummary */
/** @typedef {import("./received.js").ClubWelcome} Welcome */
/** @typedef {import("./own-rooms.js").OwnRooms} OwnRooms */

/** @type {ClockRule[]} */
const CLOCKS = [
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

/** The range of the sides of boards. */
const MIN_SIDE = 5;
const MAX_SIDE = 22;

/** The limits of clocks: minutes, seconds a move or period, and periods. */
const CLOCK_LIMITS = { minutes: 360, seconds: 600, periods: 30 };

/** The limits of rated games: the sides of boards, and the minimum time in milliseconds. */
const RATED = { shortest: 13, longest: 20, time: 60000 };

/** The prefix of addresses of tournaments, after `#`. */
export const TOURNAMENT = "tournament/";

/** @param {ClockRule} clock */
export function clockText(clock) {
  const minutes = clock.main_ms / 60000;
  if (clock.kind === "increment") return t("clock.increment", { minutes, seconds: clock.increment_ms / 1000 });
  if (clock.kind === "sudden_death") return t("clock.sudden_death", { minutes });
  return t("clock.byoyomi", { minutes, periods: clock.periods, seconds: clock.period_ms / 1000 });
}

/** @param {RoomSetup} setup */
export const setupText = ({ rule, size, opening, clock, rated }) => [
  t(`rule.name.${rule}`), size, t(`opening.name.${opening}`), clockText(clock), t(rated ? "rooms.rated" : "rooms.unrated"),
].join(" · ");

/** @param {boolean} bot Whether it is an engine's account. */
const botText = (bot) => bot ? ` [${t("engine")}]` : "";

/** @param {Player} player */
export const playerText = ({ name, engine, bot, rating, provisional }) =>
  name === null ? `${t("engine")} ${engine}` : `${nameText(name)}${botText(bot)} (${rating}${provisional ? "?" : ""})`;

/**
 * Takes a seat, after a confirmation if the game is rated or the opponent's name is similar to another.
 * Games of guests are not rated.
 * @param {Pick<RoomSummary, "setup" | "seats">} room
 * @param {OwnRooms} own
 * @param {() => void} sit
 */
export function confirmSeat({ setup: offered, seats }, own, sit) {
  const setup = { ...offered, rated: offered.rated && !own.isGuest };
  const players = seats.filter((seat) => seat !== null);
  const alike = players.flatMap((player) => player.alike ?? []).map(nameText).join(", ");
  if (!setup.rated && !alike) {
    sit();
    return;
  }
  const question = t(setup.rated ? "rooms.join_rated" : "rooms.join_unrated",
    { player: players.map(playerText).join(" – "), setup: setupText(setup) });
  confirmDialog(question, t("rooms.join"), sit, alike !== "" && html("p", { class: "refusal" }, t("rooms.alike", { names: alike })));
}

/** The time for which lists stay frozen after a touch, in milliseconds. */
const FROZEN_AFTER_TOUCH = 2000;

/** The maximum length of a frozen list. */
const MAX_FROZEN = 100;

/**
 * A link that opens a finished game on the board page.
 * @param {RoomSetup} setup
 * @param {string} moves
 */
export const reviewLink = ({ size, rule }, moves) => `index.html#${[size, rule, moves].join("/")}`;

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
    && clock.main_ms + periods >= RATED.time;
}

/**
 * The fields of a room's setup, with their value and the error of the input.
 * @param {Welcome} welcome
 * @param {() => boolean} [mayBeRated] Whether the other fields allow rated games.
 */
function setupFields(welcome, mayBeRated = () => true) {
  const rule = select(options("rule", welcome.rules), "freestyle");
  const sizes = html("datalist", { id: "sizes" }, ...SIZES.map((size) => html("option", { value: size })));
  const size = html("input", { list: "sizes", value: "15", required: true, autocomplete: "off", size: 6 });
  const opening = select(options("opening", welcome.openings), "swap2");
  const clock = select([...CLOCKS.map((it) => /** @type {[string, string]} */ ([JSON.stringify(it), clockText(it)])),
    ["", t("clock.other")]], JSON.stringify(CLOCKS[1]));
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

export class LobbyView {
  /**
   * @param {Send} send
   * @param {OwnRooms} own
   * @param {import("./contacts.js").Contacts} contacts
   * @param {(room: string) => void} join Enters a room and takes its free seat.
   * @param {() => void} openKey Opens the form with the visitor's key.
   */
  constructor(send, own, contacts, join, openKey) {
    this.openKey = openKey;
    this.send = send;
    this.own = own;
    this.contacts = contacts;
    this.join = join;
    /** @type {Welcome | undefined} */
    this.welcome = undefined;
    /** @type {Lobby | undefined} */
    this.lobby = undefined;
    /** @type {Ratings | undefined} */
    this.ratings = undefined;
    this.rule = "freestyle";
    /**
     * The form that was opened last.
     * @type {Form | undefined}
     */
    this.form = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.releaseTimer = undefined;
    this.person = html("section", { class: "card" });
    /** True while the pointer is over the lists: updates do not move their items. */
    this.isFrozen = false;
    /**
     * The items in display order, by list.
     * @type {Map<string, {id: string}[]>}
     */
    this.frozen = new Map();
    const listeners = {
      pointerenter: () => this.#freeze(),
      pointerleave: (/** @type {PointerEvent} */ { pointerType }) => this.release(pointerType === "mouse" ? 0 : FROZEN_AFTER_TOUCH),
    };
    this.lists = html("div", { class: "lists", ...listeners });
    this.table = html("section", { class: "card", ...listeners });
    byId("lobby").append(this.person, this.lists, this.table);
  }

  /** Shows the lobby, if it is open. */
  show() {
    const { welcome, lobby } = this;
    if (!welcome || byId("lobby").hidden) return;
    update(this.person,
      html("div", { class: "row" },
        html("strong", { id: "you" }, t("rooms.you", { name: nameText(welcome.name) })),
        button(t("rooms.create"), () => this.create(), { class: "main" }),
        button(t("rooms.quick"), () => this.quick(), { class: "main" }),
        button(t("rooms.rename"), () => this.#rename(), { class: "quiet" }),
        button(t("rooms.key"), () => this.openKey(), { class: "quiet" }),
        button(t("rooms.bot"), () => this.#makeBot(), { class: "quiet" }),
        button(t("tournament.create"), () => this.createTournament(), { class: "quiet" }),
        html("a", { href: "#games" }, t("rooms.all_games")), html("a", { href: "#screen" }, t("rooms.screen"))),
      html("p", { class: "none" }, t("rooms.hint")));
    if (lobby) {
      const yours = this.own.list();
      const hasYours = this.isFrozen ? this.lists.dataset.yours === "true" : yours.length > 0;
      this.lists.dataset.yours = String(hasYours);
      const others = (/** @type {RoomSummary} */ { room }) => !this.own.has(room);
      const isWanted = (/** @type {RoomSummary} */ { seats }) => !seats.some((seat) => this.contacts.hasBlocked(seat?.name));
      update(this.lists,
        hasYours && list(t("rooms.yours"), yours.map((room) => roomItem(room, this.#ownText(room)))),
        this.#list("rooms.open", lobby.open.filter(others).filter(isWanted), ({ room }) => room, (room, isGone) =>
          roomItem(room, t("rooms.join"), { act: (id) => confirmSeat(room, this.own, () => this.join(id)), isGone })),
        this.#list("rooms.live", lobby.live.filter(others), ({ room }) => room, (room) => roomItem(room, t("rooms.watch"))),
        this.#list("tournament.title", lobby.tournaments, ({ tournament }) => tournament, tournamentItem),
        this.#list("rooms.finished", lobby.finished, ({ number }) => String(number), gameItem),
        html("section", { class: "card", "aria-label": t("rooms.here") }, html("h2", {}, t("rooms.visitors", { count: lobby.visitors })),
          html("p", { class: "row" }, ...this.#place("here", lobby.here, ({ name }) => name).map(({ it: { name, bot } }) =>
            button(`${nameText(name)}${botText(bot)}`, () => this.send("profile", { name }), { class: "quiet", "data-person": name })))));
    }
    this.#showRatings(welcome);
  }

  /** Fixes the order of items and the height of rows. */
  #freeze() {
    clearTimeout(this.releaseTimer);
    if (this.isFrozen) return;
    this.isFrozen = true;
    this.lists.style.gridTemplateRows = getComputedStyle(this.lists).gridTemplateRows;
    this.lists.classList.add("held");
  }

  /**
   * Lets updates move items again.
   * @param {number} [delay] In milliseconds.
   */
  release(delay = 0) {
    clearTimeout(this.releaseTimer);
    if (delay > 0) {
      this.releaseTimer = setTimeout(() => this.release(), delay);
      return;
    }
    this.isFrozen = false;
    this.lists.style.gridTemplateRows = "";
    this.lists.classList.remove("held");
    this.show();
  }

  /**
   * The items of a list in display order. In a frozen list they keep their places, even when they are
   * removed, and new ones come last.
   * @template T
   * @param {string} title
   * @param {T[]} items
   * @param {(item: T) => string} idOf
   * @returns {{it: T, id: string, isGone: boolean}[]}
   */
  #place(title, items, idOf) {
    const entries = items.map((it) => ({ it, id: idOf(it), isGone: false }));
    const before = /** @type {typeof entries} */ (this.isFrozen ? this.frozen.get(title) ?? [] : []);
    const kept = before.map((entry) => entries.find(({ id }) => id === entry.id) ?? { ...entry, isGone: true });
    const added = entries.filter(({ id }) => !kept.some((entry) => entry.id === id));
    const placed = [...kept, ...added].slice(0, Math.max(MAX_FROZEN, kept.length));
    this.frozen.set(title, placed);
    return placed;
  }

  /**
   * A list that can be frozen.
   * @template T
   * @param {string} title
   * @param {T[]} items
   * @param {(item: T) => string} idOf
   * @param {(item: T, isGone: boolean) => HTMLElement} show
   */
  #list(title, items, idOf, show) {
    return list(t(title), this.#place(title, items, idOf).map(({ it, isGone }) => show(it, isGone)));
  }

  /**
   * The action in one of the visitor's rooms.
   * @param {OwnRoom} room
   */
  #ownText({ room, stage }) {
    if (stage === "waiting") return t("rooms.waiting");
    if (stage === "over") return t("rooms.watch");
    return t(this.own.isTurn(room) ? "rooms.your_turn" : "rooms.resume");
  }

  requestRatings() {
    this.send("ratings", { rule: this.rule });
  }

  /** @param {Welcome} welcome */
  #showRatings(welcome) {
    const rule = select(options("rule", welcome.rules), this.rule, { "aria-label": t("new.rule") });
    rule.addEventListener("change", () => {
      this.rule = rule.value;
      this.requestRatings();
    });
    const rows = this.ratings?.rows ?? [];
    const heads = ["player", "rating", "points", "games"].map((key) => html("th", { scope: "col" }, t(`rooms.${key}`)));
    update(this.table,
      html("h2", {}, t("rooms.ratings")), rule,
      html("table", {}, html("thead", {}, html("tr", {}, ...heads)),
        html("tbody", {}, ...rows.map((row) => html("tr", {},
          html("th", { scope: "row" }, `${row.place} `, button(nameText(row.name), () => this.send("profile", { name: row.name }), { class: "quiet" }), botText(row.bot)),
          html("td", {}, `${row.rating}${row.provisional ? "?" : ""} ± ${2 * row.deviation}`),
          html("td", {}, String(row.points)),
          html("td", {}, resultsText(row.results)))))));
  }

  /** Closes an open form, whose request was accepted. Returns false if there is none. */
  accept() {
    const { form } = this;
    if (!form?.isOpen) return false;
    form.close();
    return true;
  }

  /**
   * Shows an error in an open form. Returns false if there is none.
   * @param {string} text
   */
  refuse(text) {
    const { form } = this;
    if (!form?.isOpen) return false;
    form.refuse(text);
    return true;
  }

  #rename() {
    const name = html("input", { value: this.welcome?.name ?? "", maxlength: 20, required: true, autocomplete: "off" });
    this.form = new Form(t("rooms.rename"), t("action.save"),
      () => this.send("rename", { name: name.value.normalize("NFKC") }),
      labelled(t("rooms.name"), name));
    name.select();
  }

  /** Opens the form for an engine's account. */
  #makeBot() {
    const name = html("input", { maxlength: 20, required: true, autocomplete: "off" });
    this.form = new Form(t("rooms.bot"), t("action.start"),
      () => this.send("make_bot", { name: name.value.normalize("NFKC") }),
      html("p", {}, t("rooms.bot.text")), labelled(t("rooms.name"), name));
    name.focus();
  }

  /** Opens the form for a game with any opponent. */
  quick() {
    const { welcome } = this;
    if (!welcome) return;
    const setup = setupFields(welcome);
    this.form = new Form(t("rooms.quick"), t("action.start"), () => setup.problem() ?? this.send("quick", { setup: setup.value() }),
      html("p", {}, t("rooms.quick.text")), html("div", { class: "fields" }, ...setup.fields), setup.rated);
  }

  /**
   * Opens the form for a new room.
   * @param {string} [challenged] The name of a person to challenge.
   */
  create(challenged = "") {
    const { welcome } = this;
    if (!welcome) return;
    const name = html("input", { value: challenged, maxlength: 20, autocomplete: "off", placeholder: t("rooms.anybody") });
    const levels = welcome.levels.map(([level]) => /** @type {[string, string]} */ ([
      String(level), `${t("engine")}: ${levelText(welcome, level)}`]));
    const opponent = select([["", t("rooms.anybody")], ...levels], "");
    const hidden = html("input", { type: "checkbox", change: () => setup.showRated() });
    const setup = setupFields(welcome, () => !hidden.checked && opponent.value === "");
    // Nobody is challenged to a game with the engine.
    opponent.addEventListener("change", () => {
      name.disabled = opponent.value !== "";
      setup.showRated();
    });
    const seat = select([["", t("rooms.seat.any")], ["first", t("seat.begins")], ["second", t("seat.answers")]], "");
    const send = () => setup.problem() ?? this.send("create", {
      setup: setup.value(),
      seat: /** @type {import("./received.js").Seat | null} */ (seat.value || null),
      engine: opponent.value === "" ? null : Number(opponent.value),
      opponent: name.disabled ? null : name.value.normalize("NFKC").trim() || null,
      private: hidden.checked,
    });
    this.form = new Form(t("rooms.create"), t("action.start"), send,
      html("div", { class: "fields" }, ...setup.fields,
        labelled(t("rooms.opponent"), opponent), labelled(t("rooms.challenge"), name), labelled(t("rooms.seat"), seat)),
      setup.rated,
      html("label", { class: "check" }, hidden, t("rooms.private")));
  }

  /** Opens the form for a new tournament. */
  createTournament() {
    const { welcome } = this;
    if (!welcome) return;
    const name = html("input", { required: true, minlength: 2, maxlength: 40, autocomplete: "off" });
    const system = select(options("tournament.system", ["round_robin", "double", "swiss"]), "swiss");
    const number = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) =>
      html("input", { type: "number", value, min, max, required: true });
    const rounds = number(5, 1, 20);
    const late = number(5, 1, 120);
    const pause = number(1, 0, 60);
    // The number of players determines the rounds of a round robin.
    system.addEventListener("change", () => (rounds.disabled = system.value !== "swiss"));
    const entry = select(options("tournament.entry", ["open", "link", "approval"]), "open");
    const named = html("input", { type: "checkbox" });
    named.checked = true;
    const setup = setupFields(welcome);
    const send = () => setup.problem() ?? this.send("create_tournament", {
      name: name.value.normalize("NFKC"), setup: setup.value(),
      system: system.value === "swiss" ? { kind: "swiss", rounds: Number(rounds.value) }
        : { kind: "round_robin", double: system.value === "double" },
      no_show_s: 60 * Number(late.value), pause_s: 60 * Number(pause.value),
      named_only: named.checked, entry: /** @type {import("./received.js").EntryRule} */ (entry.value),
    });
    this.form = new Form(t("tournament.create"), t("action.start"), send,
      html("div", { class: "fields" },
        labelled(t("tournament.name"), name, "field words"), labelled(t("tournament.system"), system, "field words"),
        labelled(t("tournament.rounds"), rounds), ...setup.fields,
        labelled(t("tournament.no_show"), late), labelled(t("tournament.pause"), pause),
        labelled(t("tournament.entry"), entry, "field words")),
      setup.rated, html("label", { class: "check" }, named, t("tournament.named_only")));
    name.focus();
  }
}

/** @param {[number, number, number]} results */
const resultsText = ([wins, draws, losses]) => t("rooms.results", { wins, draws, losses });

/**
 * @param {string} title
 * @param {HTMLElement[]} items
 */
function list(title, items) {
  const entries = items.length > 0 ? html("ul", {}, ...items) : html("p", { class: "none" }, t("rooms.none"));
  return html("section", { class: "card", "aria-label": title }, html("h2", {}, title), entries);
}

/**
 * @param {RoomSummary} room
 * @param {string} action
 * @param {{act?: (room: string) => void, isGone?: boolean}} [options] The action instead of a link,
 *   and whether the room is closed.
 */
function roomItem({ room, setup, seats, stones }, action, { act, isGone = false } = {}) {
  const players = seats.filter((seat) => seat !== null).map(playerText).join(" – ");
  const text = `${action}: ${players}`;
  return html("li", {},
    act ? button(text, () => act(room), isGone ? { disabled: true } : { "data-room": room }) : html("a", { href: `#${room}` }, text),
    html("span", {}, stones > 0 ? `${setupText(setup)} · ${t("game.moves_made", { count: stones })}` : setupText(setup)));
}

/** @param {TournamentSummary} tournament */
export function stageText({ stage, round, rounds, entry_closed }) {
  if (stage === "running") return t("tournament.running", { round, rounds });
  return t(stage === "open" && entry_closed ? "tournament.entry_closed" : `tournament.${stage}`);
}

/**
 * The system, the number of players, and the number of rounds, which a round robin has only once it has
 * begun.
 * @param {TournamentSummary} tournament
 */
export function systemText({ system, stage, players, rounds }) {
  const kind = system.kind === "round_robin" && system.double ? "double" : system.kind;
  const planned = stage !== "open" ? rounds : system.kind === "swiss" ? system.rounds : undefined;
  const count = planned === undefined ? t("tournament.joined", { players })
    : t("tournament.count", { rounds: planned, players });
  return [t(`tournament.system.${kind}`), count].join(" · ");
}

/** @param {TournamentSummary} tournament */
function tournamentItem(tournament) {
  return html("li", {},
    html("a", { href: `#${TOURNAMENT}${tournament.tournament}` }, nameText(tournament.name)),
    html("span", {}, `${stageText(tournament)} · ${systemText(tournament)}`));
}

/**
 * @param {number} seconds The Unix time.
 * @param {boolean} [isExact] Whether the time of day is shown.
 */
export const dateText = (seconds, isExact = true) =>
  new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: isExact ? "short" : undefined });

/**
 * The players of a finished game with its result, if it was not aborted.
 * @param {{players: [string, string], outcome: import("./received.js").Outcome}} game
 */
export function resultText({ players, outcome }) {
  const [first, second] = players.map(nameText);
  const result = outcome.reason === "ended" ? "–" : outcome.winner === "first" ? "1–0" : outcome.winner ? "0–1" : "½–½";
  return `${first} ${result} ${second}`;
}

/**
 * A finished game with a link to its page, or to its review if it is private.
 * @param {GameSummary} game
 */
export function gameItem(game) {
  const { number, setup, outcome, move_count: count, moves = "", ended } = game;
  return html("li", {},
    html("a", { href: game.private ? reviewLink(setup, moves) : `#game/${number}` }, resultText(game)),
    html("span", {}, [dateText(ended), t("game.moves_made", { count }), setupText(setup), t(`reason.${outcome.reason}`)].join(" · ")));
}

/**
 * Opens the profile of a person. Results against them are the visitor's.
 * @param {Profile} profile
 * @param {((name: string) => void) | undefined} challenge Sends a challenge.
 * @param {import("./contacts.js").Contacts} contacts
 */
export function profileDialog({ name, standings, games, against_you }, challenge, contacts) {
  const [losses, draws, wins] = against_you;
  const act = (/** @type {() => void} */ done) => () => {
    dialog.close();
    done();
  };
  const dialog = open(nameText(name),
    html("ul", {}, ...standings.map((it) => html("li", {},
      `${t(`rule.name.${it.rule}`)}: ${it.rating} ± ${2 * it.deviation}, ${t("rooms.points")} ${it.points}, ${resultsText(it.results)}`))),
    challenge && html("p", {}, `${t("rooms.against")}: ${resultsText([wins, draws, losses])}`),
    list(t("rooms.finished"), games.map(gameItem)),
    html("div", { class: "row end" },
      button(t("rooms.all_games"), act(() => (location.hash = `games/${encodeURIComponent(name)}`)), { class: "quiet" }),
      challenge && contacts.button(name, () => dialog.close()),
      challenge && button(t("rooms.challenge"), act(() => challenge(name))), button(t("action.close"), () => dialog.close(), { class: "main" })));
}

/**
 * Opens the only display of the token of an engine's account.
 * @param {{name: string, token: string}} account
 */
export function tokenDialog({ name, token }) {
  const command = `quincunx guest --engine ./engine --url ${location.origin}/ --token ${token}`;
  const field = html("textarea", { readonly: true, rows: 3, "aria-label": t("rooms.bot") });
  field.value = command;
  const dialog = open(nameText(name), html("p", {}, t("rooms.bot.token")), field,
    html("div", { class: "row end" }, button(t("action.close"), () => dialog.close(), { class: "main" })));
  field.select();
}
