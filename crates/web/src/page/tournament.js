// A tournament: who takes part, how everybody stands, and who meets whom.
// @ts-check

import { confirmDialog } from "./dialogs.js";
import { button, byId, html, update } from "./dom.js";
import { t } from "./language.js";
import { TOURNAMENT, linkRow, setupText, stageText, systemText } from "./lobby.js";
import { nameText } from "./names.js";

/** @typedef {import("./types-rooms.js").Pairing} Pairing */
/** @typedef {import("./types-rooms.js").Place} Place */
/** @typedef {import("./types-rooms.js").Send} Send */
/** @typedef {import("./types-rooms.js").Tournament} Tournament */

const TABLES = ["standings", "pairings", "games"];

export class TournamentView {
  /**
   * @param {Send} send
   * @param {(text: string) => void} say
   */
  constructor(send, say) {
    this.send = send;
    this.say = say;
    /** The visitor's name. Names are unique. */
    this.you = "";
    /** @type {Tournament | undefined} */
    this.tournament = undefined;
    /** When the tournament was heard, for the time until the next round. */
    this.heardAt = 0;
    setInterval(() => this.#showNext(), 500);
  }

  /** @param {Tournament} next */
  hear(next) {
    this.tournament = next;
    this.heardAt = performance.now();
    this.show();
  }

  /** Shows everything that is known. */
  show() {
    const { tournament } = this;
    if (!tournament) return;
    update(byId("tournament"),
      this.#head(tournament), this.#standings(tournament),
      tournament.pairings.length > 0 && this.#pairings(tournament),
      tournament.stage !== "open" && files(tournament));
    this.#showNext();
  }

  /** @param {Tournament} tournament */
  #head(tournament) {
    const { name, maker, stage, setup, no_show_s, standings } = tournament;
    const place = standings.find((it) => it.name === this.you);
    const isOver = stage === "over";
    const confirmed = (/** @type {string} */ action, /** @type {string} */ message) => () =>
      confirmDialog(t(`tournament.${action}.confirm`), t(`tournament.${action}`), () => this.send(message));
    return html("section", { class: "card", "aria-label": name },
      html("h2", {}, nameText(name)),
      html("p", { role: "status" }, stageText(tournament)),
      // Not a part of the status: that would be read out every second.
      tournament.next_round_ms != null && html("p", { id: "next" }),
      html("p", {}, [systemText(tournament), setupText(setup)].join(" · ")),
      html("p", {}, [t("tournament.maker", { name: nameText(maker) }), t("tournament.late", { minutes: no_show_s / 60 })].join(" · ")),
      stage === "open" && html("p", {}, t("rooms.invite")),
      stage === "open" && linkRow(TOURNAMENT + tournament.tournament, this.say),
      html("div", { class: "row end" },
        stage === "open" && !place && button(t("tournament.join"), () => this.send("join_tournament"), { class: "main" }),
        !isOver && place && !place.withdrawn && button(t("tournament.withdraw"), confirmed("withdraw", "withdraw")),
        stage === "open" && maker === this.you && button(t("tournament.begin"), () => this.send("begin_tournament"),
          { class: "main", disabled: standings.length < 2 }),
        !isOver && maker === this.you && button(t("tournament.end"), confirmed("end", "end_tournament")),
        button(t("action.lobby"), () => (location.hash = ""), { class: "quiet" })));
  }

  /** @param {Tournament} tournament */
  #standings({ stage, standings }) {
    const columns = ["place", "points", "buchholz", "sonneborn_berger", "direct"];
    const heads = stage === "open" ? ["rooms.player"]
      : ["tournament.place", "rooms.player", "rooms.points", "tournament.buchholz", "tournament.sonneborn_berger", "tournament.direct"];
    const player = (/** @type {Place} */ { name, withdrawn }) => html("th", { scope: "row" },
      name === this.you ? html("strong", {}, nameText(name)) : nameText(name), withdrawn && ` (${t("tournament.withdrawn")})`);
    const row = (/** @type {Place} */ place) => {
      if (stage === "open") return html("tr", {}, player(place));
      const cells = columns.map((key) => html("td", {}, String(place[/** @type {keyof Place} */ (key)])));
      return html("tr", {}, cells[0], player(place), ...cells.slice(1));
    };
    return table(t(stage === "open" ? "tournament.players" : "tournament.standings"), heads.map((key) => t(key)), standings.map(row));
  }

  /** @param {Tournament} tournament */
  #pairings({ round, pairings }) {
    const heads = [t("rooms.seat.first"), t("rooms.seat.second"), t("tournament.result"), t("rooms.title")];
    const row = (/** @type {Pairing} */ { first, second, points, room }) => {
      const isYours = [first, second].includes(this.you);
      const action = isYours && !points ? "rooms.resume" : "rooms.watch";
      return html("tr", {}, html("td", {}, nameText(first)), html("td", {}, second ? nameText(second) : t("tournament.bye")),
        html("td", {}, points ? points.slice(0, second ? 2 : 1).join(" – ") : "–"),
        html("td", {}, room && html("a", { href: `#${room}` }, t(action))));
    };
    return table(t("tournament.pairings", { round }), heads, pairings.map(row));
  }

  #showNext() {
    const element = document.getElementById("next");
    const wait = this.tournament?.next_round_ms;
    if (!element || wait == null || this.tournament?.stage !== "running") return;
    const rest = Math.max(wait - (performance.now() - this.heardAt), 0);
    const text = t("tournament.next", { seconds: Math.ceil(rest / 1000) });
    if (element.textContent !== text) element.textContent = text;
  }
}

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 */
function table(title, heads, rows) {
  return html("section", { class: "card", "aria-label": title }, html("h2", {}, title),
    html("table", { "aria-label": title },
      html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...rows)));
}

/** @param {Tournament} tournament */
function files({ tournament }) {
  const titles = { standings: t("tournament.standings"), pairings: t("tournament.all_pairings"), games: t("rooms.games") };
  return html("section", { class: "card", "aria-label": t("tournament.files") }, html("h2", {}, t("tournament.files")),
    html("ul", {}, ...TABLES.map((file) => html("li", {},
      html("a", { href: `tournaments/${tournament}/${file}.csv`, download: `${file}.csv` },
        titles[/** @type {keyof typeof titles} */ (file)])))));
}
