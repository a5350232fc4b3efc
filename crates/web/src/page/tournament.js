// A tournament: players, standings, pairings, and the controls of organisers.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { button, byId, html, labelled, select, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { t } from "./language.js";
import { TOURNAMENT, stageText, systemText } from "./lobby.js";
import { nameText } from "./names.js";
import { dateText, setupText } from "./room-setup.js";
import { Tabs } from "./tabs.js";
import { Form } from "./window.js";

/** @typedef {import("./received.js").CorrectionView} Correction */
/** @typedef {import("./received.js").PairingView} Pairing */
/** @typedef {import("./received.js").PlaceView} Place */
/** @typedef {Extract<import("./received.js").ClubMessage, {type: "rounds"}>} Rounds */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./connection.js").Plain<import("./sent.js").VisitorMessage>} Plain */
/** @typedef {import("./received.js").TournamentView} Tournament */

/** @typedef {"round" | "standings" | "crosstable" | "games"} Tab */

/**
 * The tabs, each with the key of its label and the id of its panel.
 * @type {[Tab, word: string, panel: string][]}
 */
const TABS = [
  ["round", "tournament.round", "round"], ["standings", "tournament.standings", "standings"],
  ["crosstable", "tournament.crosstable", "crosstable"], ["games", "rooms.games", "rounds"],
];

/**
 * The tournament and the tab of an address.
 * @param {string} route
 * @returns {[id: string, tab: Tab | undefined]}
 */
export function tournamentOf(route) {
  const [id, tab] = route.startsWith(TOURNAMENT) ? route.slice(TOURNAMENT.length).split("/") : [""];
  return [id, TABS.find(([name]) => name === tab)?.[0]];
}

const TABLES = ["standings", "crosstable", "pairings", "games", "corrections"];

/** The results of pairings: names, values in messages, and texts. */
const RESULTS = /** @type {[string, import("./received.js").PairingResult, string][]} */ ([
  ["win", { played: "win" }, "1 – 0"], ["draw", { played: "draw" }, "½ – ½"], ["loss", { played: "loss" }, "0 – 1"],
  ["second_absent", "second_absent", "+ – −"], ["first_absent", "first_absent", "− – +"], ["neither", "neither", "− – −"]]);

/**
 * A result as text.
 * @param {unknown} result
 */
const resultLabel = (result) => RESULTS.find(([, it]) => JSON.stringify(it) === JSON.stringify(result))?.[2] ?? "–";

export class TournamentView {
  /**
   * @param {Send} send
   * @param {(text: string) => void} showAlert
   */
  constructor(send, showAlert) {
    this.send = send;
    this.showAlert = showAlert;
    /** The visitor's name, which is unique. */
    this.you = "";
    /** @type {Tournament | undefined} */
    this.tournament = undefined;
    /** The time of the last message about the tournament, for the countdown to the next round. */
    this.receivedAt = 0;
    /** The tab in the address. @type {Tab | undefined} */
    this.tab = undefined;
    /** The crosstable and all rounds, if they have arrived. @type {Rounds | undefined} */
    this.rounds = undefined;
    /** True if the page is printed once all rounds have arrived. */
    this.isPrinting = false;
    const row = html("div");
    /** @type {Tabs<Tab>} */
    this.tabs = new Tabs(row, (name) => (location.hash = `${TOURNAMENT}${this.tournament?.tournament}/${name}`));
    this.head = html("section");
    this.foot = html("section");
    byId("tournament").append(this.head, row,
      ...TABS.map(([, , panel]) => html("div", { id: panel, role: "tabpanel" })), this.foot);
    setInterval(() => this.#showNext(), 500);
  }

  /** @param {Tournament} next */
  receive(next) {
    if (next.tournament !== this.tournament?.tournament) this.rounds = undefined;
    this.tournament = next;
    this.receivedAt = performance.now();
    this.show();
    if (["crosstable", "games"].includes(this.#shown(next))) this.send("rounds");
  }

  /**
   * The open tab: without one in the address the present round, or the result.
   * @param {Tournament} tournament
   */
  #shown = ({ stage }) => this.tab ?? (stage === "running" ? "round" : "standings");

  /** Shows the tournament again. */
  show() {
    const { tournament } = this;
    if (!tournament) return;
    const { stage, round, pairings, corrections: corrected } = tournament;
    const hasBegun = stage !== "open";
    const shown = hasBegun ? this.#shown(tournament) : "standings";
    update(this.head, this.#head(tournament), this.#applicants(tournament));
    this.tabs.show(TABS, shown);
    this.tabs.row.hidden = !hasBegun;
    for (const [name, , panel] of TABS) byId(panel).hidden = name !== shown;
    update(byId("round"), pairings.length > 0 && this.#round(round, pairings));
    update(byId("standings"), this.#standings(tournament));
    this.#showRounds();
    update(this.foot, this.#organise(tournament), corrected.length > 0 && corrections(corrected), hasBegun && files(tournament));
    this.#showNext();
  }

  /** @param {Tournament} tournament */
  #head(tournament) {
    const { name, maker, stage, setup, no_show_s, standings, system, round, rounds, held, entry_closed } = tournament;
    const isMaker = this.#organises(tournament);
    const place = standings.find((it) => it.name === this.you);
    const isOver = stage === "over";
    const isRunning = stage === "running";
    const hasRounds = isRunning && system.kind !== "all_at_once";
    const finished = tournament.pairings.filter(({ points }) => points).length;
    // Late entries can add rounds, up to the number in the setup.
    const mayEnter = stage === "open" || (isRunning && system.kind === "swiss" && round < system.rounds);
    const hasAsked = tournament.asking.includes(this.you);
    const canJoin = place ? isRunning && place.withdrawn && round < rounds : mayEnter && !entry_closed && !hasAsked;
    const mustAsk = tournament.entry === "approval" && !place && !isMaker;
    const confirmed = (/** @type {string} */ action, /** @type {Plain} */ message) => () =>
      confirmDialog(t(`tournament.${action}.confirm`), t(`tournament.${action}`), () => this.send(message));
    // The main button of the organiser is the next step.
    const canBegin = stage === "open" && standings.length > 1;
    const isBetween = isRunning && tournament.next_round_ms != null;
    const needsPlayers = stage === "open" && !canBegin;
    const main = (/** @type {unknown} */ isNext) => ({ class: isMaker && isNext ? "main" : "" });
    const own = tournament.pairings.find(({ first, second, points }) => [first, second].includes(this.you) && !points)?.room;
    return html("section", { class: "card", "aria-label": name },
      html("h2", {}, nameText(name)),
      // Screen readers would read the countdown every second if it were part of the status.
      html("p", {}, html("span", { role: "status" }, stageText(tournament)), " ",
        hasRounds && (!held || tournament.next_round_ms == null) && html("span", { id: "next" }),
        hasAsked && t("tournament.asked")),
      // A section, unlike a div, is updated button by button.
      html("section", { class: "row end" },
        isRunning && place && !place.withdrawn && button(t("rooms.resume"), () => (location.hash = own ?? ""),
          { class: own ? "main" : "", disabled: !own, "data-room": own }),
        canJoin && button(t(mustAsk ? "tournament.ask" : "tournament.join"), () => this.send("join_tournament"),
          { class: isMaker && !needsPlayers ? "" : "main" }),
        !isOver && (hasAsked || place && !place.withdrawn) && button(t("tournament.withdraw"), confirmed("withdraw", "withdraw")),
        !isOver && isMaker && button(t("tournament.add"), () => this.#add(), main(needsPlayers && !canJoin)),
        mayEnter && isMaker && !entry_closed && button(t("tournament.close_entry"), () => this.send("close_entry", { closed: true })),
        mayEnter && isMaker && entry_closed && button(t("tournament.open_entry"), () => this.send("close_entry", { closed: false })),
        mayEnter && isMaker && !tournament.named_only && button(t("tournament.remove_guests"), confirmed("remove_guests", "remove_guests")),
        hasRounds && isMaker && !held && button(t("tournament.hold"), () => this.send("hold_round", { held: true })),
        hasRounds && isMaker && held && button(t("tournament.release"), () => this.send("hold_round", { held: false })),
        hasRounds && isMaker && button(t("tournament.next_now"), () => this.send("next_round"),
          { ...main(isBetween), disabled: !isBetween }),
        stage === "open" && isMaker && button(t("tournament.begin"), () => this.send("begin_tournament"),
          { ...main(canBegin), disabled: !canBegin }),
        !isOver && isMaker && button(t("tournament.end"), confirmed("end", "end_tournament")),
        stage !== "open" && button(t("tournament.print"), () => this.#print(), main(isOver)),
        button(t("action.lobby"), () => (location.hash = "tournaments"), { class: "quiet" })),
      html("p", {}, [systemText(tournament), setupText(setup)].join(" · ")),
      html("p", {}, [t("tournament.maker", { name: nameText(maker) }),
        system.kind !== "all_at_once" && t("tournament.late", { minutes: no_show_s / 60 })].filter(Boolean).join(" · ")),
      isRunning && tournament.deadline !== undefined && html("p", {}, t("tournament.deadline",
        { over: finished, games: tournament.pairings.length, date: dateText(tournament.deadline) })),
      stage === "open" && html("p", {}, t("rooms.invite")),
      stage === "open" && linkRow(TOURNAMENT + tournament.tournament, this.showAlert));
  }

  /**
   * The applicants for the organiser's approval.
   * @param {Tournament} tournament
   */
  #applicants(tournament) {
    const { asking } = tournament;
    if (asking.length === 0) return false;
    const answers = (/** @type {string} */ name) => this.#organises(tournament) && html("td", {},
      button(t("tournament.admit"), () => this.send("add_player", { name }), { "data-admit": name }),
      button(t("tournament.refuse"), () => this.send("remove_player", { name }), { class: "quiet" }));
    return table(t("tournament.asking"), [t("rooms.player")],
      asking.map((name) => html("tr", {}, html("th", { scope: "row" }, nameText(name)), answers(name))));
  }

  /** @param {Tournament} tournament */
  #standings(tournament) {
    const { stage, standings } = tournament;
    const mayRemove = this.#organises(tournament) && stage !== "over";
    const remove = (/** @type {string} */ name) => confirmDialog(
      t("tournament.remove.confirm", { name: nameText(name) }), t("tournament.remove"), () => this.send("remove_player", { name }));
    const ties = ["buchholz", "sonneborn_berger", "direct"];
    const columns = ["place", "points", ...ties];
    const heads = stage === "open" ? ["rooms.player"]
      : ["tournament.place", "rooms.player", "rooms.points", "tournament.buchholz", "tournament.sonneborn_berger", "tournament.direct"];
    const player = (/** @type {Place} */ { name, withdrawn }) => html("th", { scope: "row" },
      name === this.you ? html("strong", {}, nameText(name)) : nameText(name), withdrawn && ` (${t("tournament.withdrawn")})`,
      mayRemove && !withdrawn && button(t("tournament.remove"), () => remove(name), { class: "quiet", "data-player": name }));
    const row = (/** @type {Place} */ place) => {
      if (stage === "open") return html("tr", {}, player(place));
      const cells = columns.map((key) => html("td", { "data-head": ties.includes(key) && t(`tournament.${key}`) }, String(place[/** @type {keyof Place} */ (key)])));
      return html("tr", {}, cells[0], player(place), ...cells.slice(1));
    };
    return table(t(stage === "open" ? "tournament.players" : "tournament.standings"), heads.map((key) => t(key)), standings.map(row), stage === "open" ? undefined : "places");
  }

  /**
   * The pairings of a round. Organisers can correct results.
   * @param {number} round
   * @param {Pairing[]} pairings
   */
  #round(round, pairings) {
    const heads = [t("seat.begins"), t("seat.answers"), t("tournament.result"), t("rooms.title")];
    const isMaker = this.tournament && this.#organises(this.tournament);
    // Results of games on other boards can be entered in the last round.
    const isLast = this.tournament?.stage === "running" && round === this.tournament.round;
    const corrected = (this.tournament?.corrections ?? []).filter((it) => it.round === round).map((it) => it.table);
    const row = (/** @type {Pairing} */ { first, second, points, room }, /** @type {number} */ i) => {
      const isYours = [first, second].includes(this.you);
      const action = isYours && !points ? "rooms.resume" : "rooms.watch";
      return html("tr", {}, html("td", {}, nameText(first)), html("td", {}, second ? nameText(second) : t("tournament.bye")),
        html("td", {}, points ? points.slice(0, second ? 2 : 1).join(" – ") : "–",
          corrected.includes(i + 1) && html("span", { class: "change" }, ` ${t("tournament.corrected")}`),
          isMaker && second && button(t(points ? "tournament.correct" : "tournament.enter_result"), () => this.#correct(round, i + 1),
            { class: "quiet", "data-table": `${round}/${i + 1}`, disabled: !points && !isLast })),
        html("td", {}, room && html("a", { href: `#${room}` }, t(action))));
    };
    const isOnly = this.tournament?.system.kind === "all_at_once";
    return table(t(isOnly ? "tournament.all_pairings" : "tournament.pairings", { round }), heads, pairings.map(row));
  }

  /** @param {Tournament} tournament */
  #organises({ maker, organisers }) {
    return maker === this.you || organisers.includes(this.you);
  }

  /**
   * The settings of organisers for rounds.
   * @param {Tournament} tournament
   */
  #organise(tournament) {
    const { maker, stage, system, organisers, half_byes, fixed, forbidden } = tournament;
    if (!this.#organises(tournament) || stage === "over") return false;
    // Equal buttons keep their first listeners: each reads the players when it is pressed.
    const players = () => (this.tournament?.standings ?? []).filter(({ withdrawn }) => !withdrawn).map(({ name }) => name);
    const isSwiss = system.kind === "swiss" && players().length > 1;
    const item = (/** @type {string} */ title, /** @type {string[]} */ names, /** @type {() => void} */ takeBack) =>
      html("li", {}, `${title}: ${names.map(nameText).join(" – ")} `, button(t("tournament.take_back"), takeBack, { class: "quiet", "data-back": `${title} ${names.join(" ")}` }));
    const pairs = (/** @type {[string, string][]} */ list, /** @type {string} */ title, /** @type {"fix_pairing" | "forbid_pairing"} */ message) =>
      list.map(([first, second]) => item(t(title), [first, second], () => this.send(message, { first, second, wanted: false })));
    return html("section", { class: "card", "aria-label": t("tournament.organise") }, html("h2", {}, t("tournament.organise")),
      html("section", { class: "row" },
        maker === this.you && button(t("tournament.organiser"), () => this.#ask("tournament.organiser", "organiser"), { class: "quiet" }),
        isSwiss && button(t("tournament.half_bye"), () => this.#ask("tournament.half_bye", "half_bye", players()), { class: "quiet" }),
        isSwiss && button(t("tournament.fix"), () => this.#askPair("tournament.fix", "fix_pairing", players()), { class: "quiet" }),
        isSwiss && button(t("tournament.forbid"), () => this.#askPair("tournament.forbid", "forbid_pairing", players()), { class: "quiet" })),
      html("ul", {},
        ...organisers.map((name) => item(t("tournament.organiser"), [name], () => this.send("organiser", { name, wanted: false }))),
        ...half_byes.map((name) => item(t("tournament.half_bye"), [name], () => this.send("half_bye", { name, wanted: false }))),
        ...pairs(fixed, "tournament.fix", "fix_pairing"), ...pairs(forbidden, "tournament.forbid", "forbid_pairing")));
  }

  /**
   * Opens a form for a person.
   * @param {string} title
   * @param {"organiser" | "half_bye"} message
   * @param {string[]} [players] The options; without them the name is typed.
   */
  #ask(title, message, players) {
    const name = players ? playerSelect(players) : html("input", { maxlength: 20, required: true, autocomplete: "off" });
    const form = new Form(t(title), t("action.save"), () => {
      this.send(message, { name: name.value.normalize("NFKC"), wanted: true });
      form.close();
    }, labelled(t("rooms.name"), name));
  }

  /**
   * Opens a form for two players.
   * @param {string} title
   * @param {"fix_pairing" | "forbid_pairing"} message
   * @param {string[]} players
   */
  #askPair(title, message, players) {
    const [first, second] = [playerSelect(players), playerSelect([...players.slice(1), players[0]])];
    const form = new Form(t(title), t("action.save"), () => {
      this.send(message, { first: first.value, second: second.value, wanted: true });
      form.close();
    }, html("div", { class: "fields" }, labelled(t("rooms.player"), first), labelled(t("rooms.opponent"), second)));
  }

  /** Opens a form to add a player. */
  #add() {
    const name = html("input", { maxlength: 20, required: true, autocomplete: "off" });
    const form = new Form(t("tournament.add"), t("tournament.add"), () => {
      this.send("add_player", { name: name.value.normalize("NFKC") });
      form.close();
    }, labelled(t("rooms.name"), name));
    name.focus();
  }

  /**
   * Opens a form to correct a result.
   * @param {number} round
   * @param {number} table
   */
  #correct(round, table) {
    const result = select(RESULTS.map(([key, , text]) => [key, text]), "win");
    const form = new Form(t("tournament.correct"), t("action.save"), () => {
      const right = RESULTS.find(([key]) => key === result.value)?.[1];
      if (right) this.send("correct_result", { round, table, result: right });
      form.close();
    }, labelled(t("tournament.result"), result));
  }

  /**
   * Shows the crosstable and all rounds.
   * @param {Rounds} rounds
   */
  receiveRounds(rounds) {
    this.rounds = rounds;
    this.#showRounds();
    if (this.isPrinting) print();
    this.isPrinting = false;
  }

  #showRounds() {
    const { rounds = [], crosstable = [] } = this.rounds ?? {};
    const heads = [t("rooms.player"), ...crosstable.map((_, i) => String(i + 1))];
    const rows = crosstable.map(({ name, cells }, i) => html("tr", {},
      html("th", { scope: "row" }, `${i + 1} ${nameText(name)}`),
      ...cells.map((cell, j) => html("td", {}, i === j ? "×" : cell))));
    const hasCorrections = (this.tournament?.corrections ?? []).length > 0;
    update(byId("crosstable"), rows.length > 0 && table(t("tournament.crosstable"), heads, rows),
      hasCorrections && html("p", { class: "none" }, `c: ${t("tournament.corrected")}`));
    update(byId("rounds"), ...rounds.map((pairings, i) => this.#round(i + 1, pairings)).reverse());
  }

  /** Prints all tables. */
  #print() {
    this.isPrinting = true;
    this.send("rounds");
  }

  #showNext() {
    const element = document.getElementById("next");
    const { next_round_ms: wait, round_ms, stage, held } = this.tournament ?? {};
    if (!element || stage !== "running") return;
    const since = performance.now() - this.receivedAt;
    const text = wait == null ? t("tournament.round_clock", { minutes: Math.floor(((round_ms ?? 0) + since) / 60000) })
      : held ? "" : t("tournament.next", { seconds: Math.ceil(Math.max(wait - since, 0) / 1000) });
    if (element.textContent !== text) element.textContent = text;
  }
}

/** @param {string[]} players */
const playerSelect = (players) => select(players.map((name) => /** @type {[string, string]} */ ([name, nameText(name)])), players[0]);

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 * @param {string} [kind] The class of the table.
 */
function table(title, heads, rows, kind) {
  return html("section", { class: "card", "aria-label": title }, html("h2", {}, title),
    html("table", { "aria-label": title, class: kind },
      html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...rows)));
}

/**
 * The corrections of results, with their authors.
 * @param {Correction[]} list
 */
export const corrections = (list) => html("section", { class: "card", "aria-label": t("tournament.corrections") },
  html("h2", {}, t("tournament.corrections")),
  html("ul", {}, ...list.map(({ round, table, by, at, from, to }) => html("li", {},
    t("tournament.correction", { round, table, from: from ? resultLabel(from) : "–", to: resultLabel(to) }),
    html("span", {}, `${nameText(by)} · ${dateText(at)}`)))));

/** @param {Tournament} tournament */
function files({ tournament, corrections }) {
  const titles = { standings: t("tournament.standings"), crosstable: t("tournament.crosstable"), pairings: t("tournament.all_pairings"), games: t("rooms.games"), corrections: t("tournament.corrections") };
  return html("section", { class: "card", "aria-label": t("tournament.files") }, html("h2", {}, t("tournament.files")),
    html("ul", {}, ...TABLES.filter((file) => file !== "corrections" || corrections.length > 0).map((file) => html("li", {},
      html("a", { href: `tournaments/${tournament}/${file}.csv`, download: `${file}.csv` },
        titles[/** @type {keyof typeof titles} */ (file)])))));
}
