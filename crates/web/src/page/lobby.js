// The lobby, in tabs with addresses: play (presets, open rooms, games to watch, people), the visitor's
// correspondence games, finished games, tournaments, ratings.
// @ts-check

import { CorrespondenceGames, MY_GAMES } from "./correspondence.js";
import { confirmDialog, levelText, options } from "./dialogs.js";
import { button, byId, html, labelled, select, update } from "./dom.js";
import { t } from "./language.js";
import { botText, nameText, playerText } from "./names.js";
import { OpenRooms } from "./open-rooms.js";
import { loadShared, saveShared } from "./preferences.js";
import { CLOCKS, CORRESPONDENCE_CLOCKS, clockText, dateText, isCorrespondence, setupFields, setupText } from "./room-setup.js";
import { smallBoardAfter } from "./small-board.js";
import { Tabs } from "./tabs.js";
import { Form, open } from "./window.js";

/** @typedef {import("./received.js").ClockRule} ClockRule */
/** @typedef {import("./received.js").GameSummary} GameSummary */
/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./received.js").OwnRoom} OwnRoom */
/** @typedef {Extract<import("./received.js").ClubMessage, {type: "ratings"}>} Ratings */
/** @typedef {import("./received.js").RoomSetup} RoomSetup */
/** @typedef {import("./received.js").RoomSummary} RoomSummary */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./received.js").TournamentSummary} TournamentSummary */
/** @typedef {import("./received.js").ClubWelcome} Welcome */
/** @typedef {import("./own-rooms.js").OwnRooms} OwnRooms */

/** The prefix of addresses of tournaments, after `#`. */
export const TOURNAMENT = "tournament/";

/** The prefix of addresses of persons, after `#`. */
export const PLAYER = "player/";

/**
 * Opens the page of a person.
 * @param {string} name
 */
const showPlayer = (name) => void (location.hash = PLAYER + encodeURIComponent(name));

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

/** @typedef {"play" | "my-games" | "games" | "tournaments" | "ratings"} Tab */

/**
 * The tabs, each with the key of its label and the id of its panel. Their names are their addresses
 * after `#`; that of the first is empty. No id is an address: the browser would scroll there.
 * @type {[Tab, word: string, panel: string][]}
 */
const TABS = [
  ["play", "action.play", "lobby-play"], [MY_GAMES, "action.games", "lobby-my-games"], ["games", "rooms.all_games", "lobby-games"],
  ["tournaments", "tournament.title", "lobby-tournaments"], ["ratings", "rooms.ratings", "lobby-ratings"],
];

/**
 * The tab of an address, if it has one.
 * @param {string} route
 */
export const tabOf = (route) => route === "" ? "play" : TABS.slice(1).find(([name]) => name === route.split("/")[0])?.[0];

/** The storage key of the rule of presets and ratings. */
const RULE = "quincunx.rule";

/** The interval of updates of the time left in correspondence games, in milliseconds. */
const MINUTE = 60000;

/** The clock of correspondence games that is chosen at first. */
const THREE_DAYS = CORRESPONDENCE_CLOCKS[2];

/** The number of clocks that are presets, and the size and the opening of their games. */
const PRESETS = 3;
const PRESET = { size: "15", opening: "swap2" };

export class LobbyView {
  /**
   * @param {Send} send
   * @param {(text: string) => void} showAlert
   * @param {OwnRooms} own
   * @param {import("./contacts.js").Contacts} contacts
   * @param {(room: string) => void} join Enters a room and takes its free seat.
   * @param {() => void} openKey Opens the form with the visitor's key.
   */
  constructor(send, showAlert, own, contacts, join, openKey) {
    this.openKey = openKey;
    this.send = send;
    this.showAlert = showAlert;
    this.own = own;
    this.contacts = contacts;
    this.join = join;
    /** @type {Welcome | undefined} */
    this.welcome = undefined;
    /** @type {Lobby | undefined} */
    this.lobby = undefined;
    /** @type {Ratings | undefined} */
    this.ratings = undefined;
    this.rule = loadShared(RULE) || "freestyle";
    /** @type {Tab} */
    this.tab = "play";
    /** True if a preset was pressed, and the server has not given a seat yet. */
    this.isSeeking = false;
    /**
     * The form that was opened last.
     * @type {Form | undefined}
     */
    this.form = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.releaseTimer = undefined;
    this.person = html("section", { class: "row" });
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
    this.openRooms = new OpenRooms((room) => confirmSeat(room, this.own, () => this.join(room.room)), () => {
      // The visitor has asked for it: rows move under the pointer.
      this.frozen.delete("open");
      this.show();
    });
    this.correspondence = new CorrespondenceGames();
    /** True if the ratings are those of correspondence games. */
    this.ratesCorrespondence = false;
    setInterval(() => this.tab === MY_GAMES && this.show(), MINUTE);
    this.choices = html("section", { class: "card" });
    const row = html("div");
    /** @type {Tabs<Tab>} */
    this.tabs = new Tabs(row, (name) => (location.hash = name === "play" ? "" : name));
    byId("lobby").append(this.person, row,
      html("div", { id: "lobby-play", role: "tabpanel" }, this.choices, this.lists),
      html("div", { id: "lobby-my-games", role: "tabpanel" }), html("div", { id: "lobby-games", role: "tabpanel" }),
      html("div", { id: "lobby-tournaments", role: "tabpanel", ...listeners }), html("div", { id: "lobby-ratings", role: "tabpanel" }));
  }

  /**
   * Opens the tab of an address.
   * @param {Tab} tab
   */
  open(tab) {
    this.tab = tab;
    this.show();
    if (tab === "ratings") this.#requestRatings();
    this.refreshGames();
  }

  /** Requests the visitor's correspondence games, if they are shown. */
  refreshGames() {
    if (this.tab === MY_GAMES && !byId("lobby").hidden) this.send("correspondence");
  }

  /** Shows the lobby, if it is open. */
  show() {
    const { welcome, lobby } = this;
    if (!welcome || byId("lobby").hidden) return;
    update(this.person,
      html("strong", { id: "you" }, t("rooms.you", { name: nameText(welcome.name) })),
      button(t("rooms.rename"), () => this.#rename(), { class: "quiet" }),
      button(t("rooms.key"), () => this.openKey(), { class: "quiet" }));
    this.tabs.show(TABS, this.tab, { [MY_GAMES]: this.own.turns.count });
    for (const [name, , panel] of TABS) byId(panel).hidden = name !== this.tab;
    if (this.tab === "play") this.#showChoices(welcome);
    if (this.tab === "play" && lobby) this.#showLists(lobby, welcome);
    if (this.tab === MY_GAMES) this.#showGames();
    if (this.tab === "tournaments" && lobby) {
      update(byId("lobby-tournaments"),
        html("section", { class: "row" },
          button(t("tournament.create"), () => this.createTournament(), { class: "main" }),
          html("a", { href: "#screen" }, t("rooms.screen"))),
        list(t("tournament.title"), this.#place("tournaments", lobby.tournaments, ({ tournament }) => tournament).map(({ it }) => tournamentItem(it))));
    }
    if (this.tab === "ratings") this.#showRatings(welcome);
  }

  /**
   * Shows the ways to a game.
   * @param {Welcome} welcome
   */
  #showChoices(welcome) {
    update(this.choices,
      html("section", { class: "presets", role: "group", "aria-label": t("rooms.quick") },
        html("h2", {}, t("rooms.quick")), this.#ruleField(welcome),
        ...CLOCKS.slice(0, PRESETS).map((clock) => button(clockText(clock), () => this.#seek(clock), { class: "main", title: t("rooms.quick.text") }))),
      html("section", { class: "presets" },
        button(t("rooms.friend"), () => this.create("friend")),
        button(t("rooms.engine"), () => this.create("engine")),
        button(t("rooms.create"), () => this.create("open"))));
    this.#setRule(this.choices);
  }

  /** Shows the visitor's correspondence games. */
  #showGames() {
    const { games } = this.correspondence;
    update(byId("lobby-my-games"),
      html("section", { class: "row" }, button(t("rooms.create"), () => this.create("open", "", THREE_DAYS), { class: "main" })),
      games && (games.length > 0 ? list(t("action.games"), this.correspondence.items(), "small-boards")
        : html("p", {}, t("rooms.no_games"))),
      games && this.correspondence.vacation((days) => this.send("vacation", { days })),
      games && this.correspondence.feed(() => this.send("new_feed"), this.showAlert));
  }

  /**
   * @param {Lobby} lobby
   * @param {Welcome} welcome
   */
  #showLists({ open: rooms, live, here, visitors }, { name: you }) {
    const yours = this.own.list().filter((room) => !isCorrespondence(room));
    const hasYours = this.isFrozen ? this.lists.dataset.yours === "true" : yours.length > 0;
    this.lists.dataset.yours = String(hasYours);
    const others = (/** @type {RoomSummary} */ { room, seats }) => !this.own.has(room) && !seats.some((seat) => seat?.name === you);
    const isWanted = (/** @type {RoomSummary} */ { seats }) => !seats.some((seat) => this.contacts.hasBlocked(seat?.name));
    const idOf = (/** @type {RoomSummary} */ { room }) => room;
    update(this.lists,
      hasYours && list(t("rooms.yours"), yours.map((room) => ownItem(room, this.#ownText(room)))),
      this.openRooms.table(this.#place("open", this.openRooms.sorted(rooms.filter(others).filter(isWanted)), idOf)),
      list(t("rooms.live"), this.#place("live", live.filter(others), idOf).map(({ it }) => liveItem(it)), "small-boards"),
      html("section", { class: "card", "aria-label": t("rooms.here") }, html("h2", {}, t("rooms.visitors", { count: visitors })),
        html("p", { class: "row" }, ...this.#place("here", here, ({ name }) => name).map(({ it: { name, bot } }) =>
          button(`${nameText(name)}${botText(bot)}`, () => showPlayer(name), { class: "quiet", "data-person": name })))));
  }

  /**
   * Plays any opponent with the clock of a preset.
   * @param {ClockRule} clock
   */
  #seek(clock) {
    if (this.isSeeking) return;
    const refusal = this.send("quick", { setup: { ...PRESET, rule: this.rule, clock, rated: !this.own.isGuest } });
    this.isSeeking = !refusal;
    if (refusal) this.showAlert(refusal);
  }

  /** @param {Welcome} welcome */
  #ruleField({ rules }) {
    const rule = select(options("rule.name", rules), this.rule, { "aria-label": t("new.rule"), class: "rule" });
    rule.addEventListener("change", () => {
      this.rule = rule.value;
      saveShared(RULE, rule.value);
      if (this.tab === "ratings") this.#requestRatings();
    });
    return rule;
  }

  /**
   * Shows the rule that was chosen in another tab.
   * @param {HTMLElement} panel
   */
  #setRule(panel) {
    const rule = /** @type {HTMLSelectElement} */ (panel.querySelector("select.rule"));
    if (rule.value !== this.rule) rule.value = this.rule;
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
   * The action in one of the visitor's rooms.
   * @param {OwnRoom} room
   */
  #ownText({ room, stage }) {
    if (stage === "waiting") return t("rooms.waiting");
    if (stage === "over") return t("rooms.watch");
    return t(this.own.isTurn(room) ? "rooms.your_turn" : "rooms.resume");
  }

  #requestRatings() {
    this.send("ratings", { rule: this.rule, correspondence: this.ratesCorrespondence });
  }

  /** @param {Welcome} welcome */
  #showRatings(welcome) {
    const rows = this.ratings?.rows ?? [];
    const kind = html("input", {
      type: "checkbox", checked: this.ratesCorrespondence, "data-name": "correspondence",
      change: () => {
        this.ratesCorrespondence = !this.ratesCorrespondence;
        this.#requestRatings();
      },
    });
    const heads = ["player", "rating", "points", "games"].map((key) => html("th", { scope: "col" }, t(`rooms.${key}`)));
    update(byId("lobby-ratings"), html("section", { class: "card" },
      html("h2", {}, t("rooms.ratings")), this.#ruleField(welcome),
      html("label", { class: "check" }, kind, t("rooms.correspondence")),
      html("table", { "aria-label": t("rooms.ratings") }, html("thead", {}, html("tr", {}, ...heads)),
        html("tbody", {}, ...rows.map((row) => html("tr", {},
          html("th", { scope: "row" }, `${row.place} `, button(nameText(row.name), () => showPlayer(row.name), { class: "quiet" }), botText(row.bot)),
          html("td", {}, `${row.rating}${row.provisional ? "?" : ""} ± ${2 * row.deviation}`),
          html("td", {}, String(row.points)),
          html("td", {}, resultsText(row.results))))))));
    this.#setRule(byId("lobby-ratings"));
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
  makeBot() {
    const name = html("input", { maxlength: 20, required: true, autocomplete: "off" });
    this.form = new Form(t("rooms.bot"), t("action.start"),
      () => this.send("make_bot", { name: name.value.normalize("NFKC") }),
      html("p", {}, t("rooms.bot.text")), labelled(t("rooms.name"), name));
    name.focus();
  }

  /**
   * Opens the form for a new room: for all, for a friend with its link, or with the engine.
   * @param {"open" | "friend" | "engine"} kind
   * @param {string} [challenged] The name of a person to challenge.
   * @param {ClockRule} [clock] The clock that is chosen at first.
   */
  create(kind, challenged = "", clock = CLOCKS[1]) {
    const { welcome } = this;
    if (!welcome) return;
    const isEngine = kind === "engine";
    const name = html("input", { value: challenged, maxlength: 20, autocomplete: "off", placeholder: t("rooms.anybody") });
    const level = select(welcome.levels.map(([it]) => [String(it), levelText(welcome, it)]), String(welcome.levels[1]?.[0]));
    const hidden = html("input", { type: "checkbox", change: () => setup.showRated() });
    hidden.checked = kind === "friend";
    const setup = setupFields(welcome, [...CLOCKS, ...CORRESPONDENCE_CLOCKS], clock, () => !hidden.checked && !isEngine);
    const seat = select([["", t("rooms.seat.any")], ["first", t("seat.begins")], ["second", t("seat.answers")]], "");
    const send = () => setup.problem() ?? this.send("create", {
      setup: setup.value(),
      seat: /** @type {import("./received.js").Seat | null} */ (seat.value || null),
      engine: isEngine ? Number(level.value) : null,
      opponent: isEngine ? null : name.value.normalize("NFKC").trim() || null,
      private: hidden.checked,
    });
    this.form = new Form(t(kind === "open" ? "rooms.create" : `rooms.${kind}`), t("action.start"), send,
      html("div", { class: "fields" }, ...setup.fields,
        isEngine ? labelled(t("new.level"), level) : labelled(t("rooms.challenge"), name), labelled(t("rooms.seat"), seat)),
      isEngine ? "" : setup.rated,
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
    const days = number(60, 7, 365);
    const entry = select(options("tournament.entry", ["open", "link", "approval"]), "open");
    const named = html("input", { type: "checkbox" });
    named.checked = true;
    const setup = setupFields(welcome, [...CLOCKS, ...CORRESPONDENCE_CLOCKS]);
    // Correspondence games are a round robin without rounds. The number of players determines the rounds
    // of another one.
    const show = () => {
      const hasDays = isCorrespondence({ setup: setup.value() });
      if (hasDays && system.value === "swiss") system.value = "round_robin";
      for (const option of system.options) option.disabled = hasDays && option.value === "swiss";
      rounds.disabled = system.value !== "swiss";
      days.disabled = !hasDays;
      for (const field of [late, pause, named]) field.disabled = hasDays;
    };
    show();
    for (const field of [system, setup.clock]) field.addEventListener("change", show);
    const send = () => setup.problem() ?? this.send("create_tournament", {
      name: name.value.normalize("NFKC"), setup: setup.value(),
      system: system.value === "swiss" ? { kind: "swiss", rounds: Number(rounds.value) }
        : { kind: days.disabled ? "round_robin" : "all_at_once", double: system.value === "double" },
      days: days.disabled ? null : Number(days.value),
      no_show_s: 60 * Number(late.value), pause_s: 60 * Number(pause.value),
      named_only: named.checked, entry: /** @type {import("./received.js").EntryRule} */ (entry.value),
    });
    this.form = new Form(t("tournament.create"), t("action.start"), send,
      html("div", { class: "fields" },
        labelled(t("tournament.name"), name, "field words"), labelled(t("tournament.system"), system, "field words"),
        labelled(t("tournament.rounds"), rounds), ...setup.fields,
        labelled(t("tournament.no_show"), late), labelled(t("tournament.pause"), pause), labelled(t("tournament.days"), days),
        labelled(t("tournament.entry"), entry, "field words")),
      setup.rated, html("label", { class: "check" }, named, t("tournament.named_only")));
    name.focus();
  }
}

/** @param {[number, number, number]} results */
export const resultsText = ([wins, draws, losses]) => t("rooms.results", { wins, draws, losses });

/**
 * @param {string} title
 * @param {HTMLElement[]} items
 * @param {string} [kind] The class of the list.
 */
export function list(title, items, kind) {
  const entries = items.length > 0 ? html("ul", { class: kind }, ...items) : html("p", { class: "none" }, t("rooms.none"));
  return html("section", { class: "card", "aria-label": title }, html("h2", {}, title), entries);
}

/** @param {RoomSummary} room */
const playersText = ({ seats }) => seats.filter((seat) => seat !== null).map(playerText).join(" – ");

/**
 * One of the visitor's rooms.
 * @param {OwnRoom} room
 * @param {string} action
 */
function ownItem(room, action) {
  const { setup, stones } = room;
  return html("li", {},
    html("a", { href: `#${room.room}` }, `${action}: ${playersText(room)}`),
    html("span", {}, stones > 0 ? `${setupText(setup)} · ${t("game.moves_made", { count: stones })}` : setupText(setup)));
}

/**
 * A game to watch, with its board.
 * @param {RoomSummary} room
 */
function liveItem(room) {
  const { setup, stones, moves = "" } = room;
  return html("li", {}, html("a", { href: `#${room.room}`, title: setupText(setup) },
    smallBoardAfter(setup.size, moves),
    html("span", {}, playersText(room)),
    html("span", { class: "none" }, `${t(`rule.name.${setup.rule}`)} · ${t("game.moves_made", { count: stones })}`)));
}

/** @param {TournamentSummary} tournament */
export function stageText({ stage, system, round, rounds, entry_closed }) {
  if (stage === "running") return system.kind === "all_at_once" ? t("tournament.in_progress") : t("tournament.running", { round, rounds });
  return t(stage === "open" && entry_closed ? "tournament.entry_closed" : `tournament.${stage}`);
}

/**
 * The system, the number of players, and the number of rounds, which a round robin has only once it has
 * begun.
 * @param {TournamentSummary} tournament
 */
export function systemText({ system, stage, players, rounds }) {
  if (system.kind === "all_at_once") {
    return [t(`tournament.system.${system.double ? "double" : "round_robin"}`), t("tournament.at_once"), t("tournament.joined", { players })].join(" · ");
  }
  const kind = system.kind === "round_robin" && system.double ? "double" : system.kind;
  const planned = stage !== "open" ? rounds : system.kind === "swiss" ? system.rounds : undefined;
  const count = planned === undefined ? t("tournament.joined", { players })
    : t("tournament.count", { rounds: planned, players });
  return [t(`tournament.system.${kind}`), count].join(" · ");
}

/** @param {TournamentSummary} tournament */
export function tournamentItem(tournament) {
  return html("li", {},
    html("a", { href: `#${TOURNAMENT}${tournament.tournament}` }, nameText(tournament.name)),
    html("span", {}, `${stageText(tournament)} · ${systemText(tournament)}`));
}

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
