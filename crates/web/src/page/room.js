// A room: the board, the players with their clocks, and the actions of a player.
// @ts-check

import { BoardView } from "./board.js";
import { ConditionalMoves, answered } from "./conditional.js";
import { confirmDialog } from "./dialogs.js";
import { button, byId, html, update } from "./dom.js";
import { linkRow } from "./invite.js";
import { t } from "./language.js";
import { TOURNAMENT, confirmSeat, reviewLink } from "./lobby.js";
import { nameText, playerText } from "./names.js";
import { choiceText, namedOpeningText, openingQuestion, openingStatus } from "./opening.js";
import { preferences } from "./preferences.js";
import { durationText, isCorrespondence, setupText, vacationText } from "./room-setup.js";
import { clockSound, endSound, refusalSound, stoneSound } from "./sound.js";

/** @typedef {import("./received.js").RoomView} Room */
/** @typedef {import("./received.js").Seat} Seat */
/** @typedef {import("./rooms.js").Send} Send */
/** @typedef {import("./connection.js").Plain<import("./sent.js").VisitorMessage>} Plain */
/** @typedef {import("./received.js").TimeView} TimeLeft */
/** @typedef {[name: string, content: (Node | false)[]]} Question */

/** @type {Seat[]} */
const SEATS = ["first", "second"];

/** The time from which a clock is shown in words, in milliseconds. */
const HOUR = 3600000;

/** The absence after which the opponent may claim the win, in milliseconds. */
const CLAIM_AFTER = 60000;

/**
 * The state of the board in a room.
 * @param {Pick<Room, "games" | "setup" | "width" | "height" | "stars" | "stones" | "turn" | "phase" | "winning" | "forbidden" | "allowed" | "offers">} room
 * @param {boolean} isOwn True if the visitor acts next.
 * @returns {import("./board.js").State}
 */
export const boardState = ({ games, setup, width, height, stars, stones, turn, phase, winning, forbidden, allowed, offers }, isOwn) => ({
  game: 0, node: games * 1000 + stones.length,
  width, height, stars, stones, turn, phase, winning, forbidden, allowed, offers,
  actor: isOwn ? "person" : "engine", threats: [], waiting: false, analysis: null, can: { go_on: false },
});

/** @type {import("./received.js").Phrase[]} */
const PHRASES = ["hello", "good_luck", "well_played", "thanks", "one_moment", "sorry", "goodbye"];

/** The time for which a phrase is shown, in milliseconds. */
const PHRASE_TIME = 10000;

export class RoomView {
  /**
   * @param {Send} send
   * @param {(text: string) => void} showAlert
   * @param {import("./own-rooms.js").OwnRooms} own
   * @param {import("./contacts.js").Contacts} contacts
   */
  constructor(send, showAlert, own, contacts) {
    this.send = send;
    this.showAlert = showAlert;
    this.own = own;
    this.contacts = contacts;
    /** @type {Room | undefined} */
    this.room = undefined;
    /** The time of the last message about the room, for the clocks. */
    this.receivedAt = 0;
    /** The time when the visitor saw the end of a game here. */
    this.endedAt = -Infinity;
    /** The seconds left at the last warning sound. */
    this.warnedAt = 0;
    /** @type {Seat | null} */
    this.seat = null;
    /** @type {string[]} The names of the open questions, oldest first. */
    this.questions = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.claimTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.phraseTimer = undefined;
    this.conditional = new ConditionalMoves(send, () => this.show());
    this.board = new BoardView(byId("board"), (point) => this.#play(point), (point) => showAlert(t("alert.tap", { point })),
      () => this.#refuse());
    setInterval(() => this.#showClocks(), 100);
  }

  leave() {
    this.room = undefined;
    this.seat = null;
    this.conditional.leave();
    byId("talk").hidden = true;
    byId("talk").replaceChildren();
  }

  /** @param {Room} next */
  receive(next) {
    const before = this.room?.room === next.room ? this.room : undefined;
    this.room = next;
    this.receivedAt = performance.now();
    this.show();
    if (!before) return;
    const isSame = before.games === next.games;
    const spoken = isSame ? chosenTexts(next).slice(before.chosen.length) : [];
    const offered = next.offers.slice(isSame ? before.offers.length : 0);
    spoken.push(...offered.map((point) => t("point.offered", { point })));
    const stone = next.stones.at(-1);
    if (stone && next.stones.length > before.stones.length) {
      stoneSound();
      const prepared = answered(next);
      for (const { color, point } of next.stones.slice(-1 - prepared.length)) spoken.push(t("spoken.move", { color: t(color), point }));
      if (prepared.length > 0) spoken.push(t("conditional.played", { points: prepared.join(" ") }));
    }
    if (spoken.length > 0) byId("spoken").textContent = spoken.join(". ");
    if (next.stage === "over" && before.stage !== "over") {
      this.endedAt = performance.now();
      endSound(next.outcome?.winner !== null);
    }
  }

  /** Shows the room again. */
  show() {
    this.board.keepFocus(() => this.#show());
  }

  #show() {
    const { room } = this;
    if (!room) return;
    const isOwn = room.actor !== null && room.actor === this.seat;
    const plays = this.seat !== null && room.stage === "playing";
    this.conditional.showPanel(room, isOwn, plays);
    const state = boardState(room, isOwn);
    this.board.show(this.conditional.isOpen ? this.conditional.on(state) : state);
    this.#showPlayers(room);
    this.#showStatus(room, isOwn);
    this.#showQuestion(room, isOwn);
    this.#showInvite(room);
    this.#showActions(room);
    this.#showPhrases(room);
  }

  /**
   * Shows the phrases to send, and the last one received.
   * @param {Room} room
   */
  #showPhrases(room) {
    const talk = byId("talk");
    const other = room.seats[this.seat === "first" ? 1 : 0];
    talk.hidden = this.seat === null || !other || other.name === null;
    if (talk.hidden || !other?.name) return;
    const phrases = html("div", { class: "phrases", role: "group", "aria-label": t("phrase") },
      ...PHRASES.map((phrase) => button(t(`phrase.${phrase}`), () => this.send("say", { phrase }), { class: "quiet" })));
    update(talk, preferences.phrases && phrases, html("section", { class: "row" }, this.contacts.button(other.name)),
      document.getElementById("said") ?? html("span", { id: "said", "aria-live": "polite" }));
  }

  /**
   * @param {{room: string, seat: Seat, phrase: string}} message
   */
  receivePhrase({ room, seat, phrase }) {
    if (this.room?.room !== room || !preferences.phrases) return;
    const name = this.room.seats[seat === "first" ? 0 : 1]?.name ?? "";
    const text = t("phrase.said", { name: nameText(name), text: t(`phrase.${phrase}`) });
    const said = document.getElementById("said");
    if (!said || byId("talk").hidden) {
      this.showAlert(text);
      return;
    }
    said.textContent = text;
    clearTimeout(this.phraseTimer);
    this.phraseTimer = setTimeout(() => (said.textContent = ""), PHRASE_TIME);
  }

  /** Shows why no move can be made. */
  #refuse() {
    const { room, seat } = this;
    if (!room) return;
    const { stage, phase, actor } = room;
    const reason = stage === "over" ? "error.over" : seat === null ? "rooms.error.watching"
      : stage === "waiting" ? "rooms.error.not_begun"
      : actor === seat && phase.kind === "choose" ? "error.opens" : "rooms.error.not_your_turn";
    refusalSound();
    this.showAlert(t(reason));
  }

  /** @param {string} point */
  #play(point) {
    const { room } = this;
    if (!room) return;
    if (this.conditional.isOpen) {
      this.conditional.add(point);
      return;
    }
    const forbidden = room.forbidden.find((entry) => entry.point === point);
    if (forbidden) {
      refusalSound();
      this.showAlert(t("point.forbidden", { point, kind: t(`forbidden.${forbidden.kind}`) }));
      return;
    }
    this.send("play", { point, ply: room.stones.length });
  }

  /**
   * The colour of a seat; empty before colours are chosen.
   * @param {Room} room
   * @param {Seat} seat
   */
  #color({ black }, seat) {
    if (!black) return "";
    return black === seat ? "black" : "white";
  }

  /** @param {Room} room */
  #showPlayers(room) {
    const rows = SEATS.map((seat, i) => {
      const player = room.seats[i];
      const change = room.rating_changes[i];
      const color = this.#color(room, seat);
      const name = player ? playerText(player) : t("rooms.waiting");
      return html("div", { class: `player ${room.actor === seat ? "active" : ""}` },
        color && html("span", { class: `dot ${color}` }),
        html("span", { class: "name" }, color ? `${t(color)}: ${name}` : name,
          change !== null && html("span", { class: "change", title: t("rooms.rating_change") }, ` ${signed(change)}`),
          player && !player.here && html("em", {}, ` ${player.vacation ? vacationText(player.vacation) : t("rooms.away")}`)),
        html("time", { "data-seat": seat }));
    });
    byId("players").replaceChildren(...rows);
    this.#showClocks();
  }

  #showClocks() {
    const { room } = this;
    if (!room) return;
    for (const [i, seat] of SEATS.entries()) {
      const element = document.querySelector(`time[data-seat=${seat}]`);
      if (!element) continue;
      const runs = room.runs && room.actor === seat;
      const used = runs ? performance.now() - this.receivedAt : 0;
      const { text, seconds } = clockFace(room.clock[i], room, used);
      element.textContent = text;
      element.classList.toggle("short", seconds < 10);
      if (runs && seat === this.seat && seconds < 10 && Math.ceil(seconds) !== this.warnedAt) {
        this.warnedAt = Math.ceil(seconds);
        clockSound();
      }
    }
  }

  /**
   * @param {Room} room
   * @param {boolean} isOwn
   */
  #showStatus(room, isOwn) {
    const { phase, outcome, stage, actor } = room;
    const name = (/** @type {Seat | null} */ seat) => playerName(room, seat);
    let status = t("rooms.waiting");
    if (stage === "playing") {
      status = t("rooms.turn", { name: name(actor) });
      if (isOwn) status = openingStatus(phase) || t("rooms.your_turn");
    }
    const reason = outcome ? t(`reason.${outcome.reason}`) : "";
    // Aborted games, and games without both players, are no draws.
    const isDraw = !["ended", "no_show"].includes(outcome?.reason ?? "");
    if (outcome) status = outcome.winner ? t("rooms.wins", { name: name(outcome.winner) }) : isDraw ? t("status.draw") : reason;
    const color = this.seat && this.#color(room, this.seat);
    let detail = this.seat
      ? color ? t("rooms.play_as", { color: t(`color.${color}`) }) : ""
      : t("rooms.watching", { count: room.watchers });
    if (outcome) detail = reason === status ? "" : reason;
    else if (stage === "playing" && !room.runs) detail = t("rooms.stands");
    const element = byId("status");
    if (element.textContent !== status) element.textContent = status;
    byId("chosen").textContent = chosenTexts(room).join(" · ");
    const opening = room.named_opening ? namedOpeningText(room.named_opening) : "";
    const prepared = answered(room);
    const played = prepared.length > 0 ? t("conditional.played", { points: prepared.join(" ") }) : "";
    const comeBack = this.seat && stage !== "over" && isCorrespondence(room) ? t("rooms.come_back") : "";
    byId("detail").textContent = [detail, played, setupText(room.setup), opening, comeBack].filter(Boolean).join(" · ");
  }

  /**
   * Shows the question of the opening rule and the offers of both players. New ones are added below, so
   * that no button moves under the pointer.
   * @param {Room} room
   * @param {boolean} isOwn
   */
  #showQuestion(room, isOwn) {
    const parts = new Map([
      ...(isOwn ? this.#opening(room) : []), ...(this.seat ? this.#offers(room, this.seat) : [])]);
    this.questions = [...new Set([...this.questions, ...parts.keys()])].filter((name) => parts.has(name));
    const question = byId("question");
    question.hidden = parts.size === 0;
    update(question, ...this.questions.flatMap((name) => parts.get(name) ?? []));
  }

  /**
   * The question of the opening rule to the visitor, who acts next.
   * @param {Room} room
   * @returns {Question[]}
   */
  #opening(room) {
    const question = openingQuestion(room, (choice) => this.send("choose", { choice, ply: this.room?.stones.length ?? 0 }));
    return question.length > 0 ? [["opening", question]] : [];
  }

  /**
   * The pending offers and requests of both players.
   * @param {Room} room
   * @param {Seat} own
   * @returns {Question[]}
   */
  #offers({ draw_offer, undo_wish, rematch_wish }, own) {
    /** @type {[string, Seat | null, Plain, Plain | ""][]} */
    const offers = [
      ["draw", draw_offer, "offer_draw", "decline_draw"],
      ["undo", undo_wish, "ask_undo", "decline_undo"],
      ["rematch", rematch_wish, "rematch", ""],
    ];
    return offers.filter(([, seat]) => seat !== null).map(([name, seat, yes, no]) => [name, [
      html("p", {}, t(`rooms.${name}_${seat === own ? "waits" : "wished"}`)),
      (seat !== own || no !== "") && html("div", { class: "row" },
        seat !== own && button(t("action.accept"), () => this.send(yes), { class: "main", "data-answer": yes }),
        no && button(t(seat === own ? "action.withdraw_offer" : "action.decline"), () => this.send(no), { "data-answer": no }))]]);
  }

  /** @param {Room} room */
  #showInvite(room) {
    const invite = byId("invite");
    invite.hidden = room.stage !== "waiting";
    if (invite.hidden) return;
    if (this.seat === null) {
      const isChallenged = this.own.hasChallenge(room.room);
      update(invite,
        button(t(isChallenged ? "action.accept" : "rooms.sit"), () => this.#sit(), { class: "main" }),
        isChallenged && button(t("action.decline"), () => this.send("decline", { room: room.room })));
      return;
    }
    update(invite, html("p", {}, t("rooms.invite")), linkRow(room.room, this.showAlert));
  }

  /** Takes the free seat. */
  #sit() {
    if (this.room) confirmSeat(this.room, this.own, () => this.send("sit"));
  }

  /**
   * Returns true if the opponent has been absent for so long that the win may be claimed, or else shows
   * the room again then.
   * @param {Room} room
   */
  #mayClaim(room) {
    clearTimeout(this.claimTimer);
    const absent = room.gone_ms[this.seat === "first" ? 1 : 0];
    if (absent === null) return false;
    const wait = CLAIM_AFTER - absent - (performance.now() - this.receivedAt);
    if (wait > 0) this.claimTimer = setTimeout(() => this.show(), wait);
    return wait <= 0;
  }

  /** @param {Room} room */
  #showActions(room) {
    const isSeated = this.seat !== null;
    const plays = isSeated && room.stage === "playing";
    /** @type {[string, () => void, boolean, object?][]} */
    const actions = [];
    // No button replaces another when the room changes: first those of the game, which always stay,
    // then the links, then temporary ones. Those after a game have a row of their own.
    if (isSeated) {
      actions.push(
        ["resign", () => confirmDialog(t("resign.confirm"), t("action.resign"), () => this.send("resign")), plays],
        ["draw", () => this.send("offer_draw"), plays && room.draw_offer === null],
        ["ask_undo", () => this.send("ask_undo"), plays && !room.setup.rated && !room.tournament && room.undo_wish === null]);
    }
    actions.push(["lobby", () => (location.hash = ""), true]);
    if (room.tournament) actions.push(["tournament", () => (location.hash = TOURNAMENT + this.room?.tournament), true]);
    if (isSeated && isCorrespondence(room)) {
      const { next } = this.own.turns;
      const hasNext = next !== null && next !== room.room;
      actions.push(["next_game", () => (location.hash = this.own.turns.next ?? ""), hasNext, { class: hasNext && room.actor !== this.seat && "main" }]);
    }
    if (plays && room.can_abort) actions.push(["abort", () => this.send("abort"), true]);
    if (plays && !room.tournament && this.#mayClaim(room)) actions.push(["claim", () => this.send("claim"), true]);
    if (room.stage === "waiting" && isSeated) actions.push(["close_room", () => this.send("close"), true]);
    const hasRematch = room.stage === "over" && isSeated && !room.tournament;
    if (hasRematch) {
      actions.push(["rematch", () => this.send("rematch"), room.rematch_wish !== this.seat, { class: "half" }]);
    }
    if (room.stage === "over") {
      actions.push(["review", () => {
        if (!this.room) return;
        const moves = this.room.stones.map(({ point }) => point).join("");
        location.assign(reviewLink(this.room.setup, moves));
      }, true, { class: hasRematch ? "half" : "wide" }]);
    }
    // Equal buttons keep their first listeners, which may only depend on the current room.
    update(byId("actions"), ...actions.map(([name, act, enabled, attributes]) =>
      button(t(`action.${name}`), act, { disabled: !enabled, "data-name": name, ...attributes })), this.conditional.button(room, plays));
  }
}

/**
 * The name of the player of a seat; empty if it is free.
 * @param {Pick<Room, "seats">} room
 * @param {Seat | null} seat
 */
function playerName({ seats }, seat) {
  const player = seats[seat === "second" ? 1 : 0];
  return player ? player.name === null ? t("engine") : nameText(player.name) : "";
}

/**
 * The choices of the opening as texts.
 * @param {Room} room
 */
const chosenTexts = (room) => room.chosen.map(([seat, choice]) => choiceText(playerName(room, seat), choice));

/**
 * A number with its sign.
 * @param {number} number
 */
const signed = (number) => number < 0 ? `−${-number}` : number > 0 ? `+${number}` : "±0";

/**
 * The text of a clock, and the seconds left in the main time or the period.
 * @param {TimeLeft} left
 * @param {Room} room
 * @param {number} used The milliseconds since the message.
 */
function clockFace({ main, periods, period }, room, used) {
  const { clock } = room.setup;
  const length = clock.kind === "byoyomi" ? clock.period_ms : 0;
  let rest = main - used;
  let more = periods;
  if (rest <= 0 && more > 0) {
    // A part of the first period may be used.
    rest += main > 0 ? length : period;
    while (rest <= 0 && more > 1) {
      rest += length;
      more -= 1;
    }
  }
  const seconds = Math.max(rest, 0) / 1000;
  if (isCorrespondence(room) && rest >= HOUR) return { text: durationText(rest), seconds };
  const minutes = Math.floor(seconds / 60);
  const end = seconds < 20 ? (seconds % 60).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  const suffix = more > 0 ? (main - used > 0 ? ` + ${more} × ${length / 1000} s` : ` × ${more}`) : "";
  return { text: `${minutes}:${end}${suffix}`, seconds };
}
