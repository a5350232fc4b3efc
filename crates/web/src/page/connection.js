// The connection with the program, which is made anew when it is lost. The program is a server, or a
// session in the page: the one or the other is behind transport.js.
// @ts-check

import { LONGEST, open } from "./transport.js";

/** @typedef {Extract<import("./received.js").ClubMessage, {type: "refused"}>} Refusal */

/**
 * The fields of a message of this type.
 * @template {{type: string}} M
 * @template {M["type"]} T
 * @typedef {Omit<Extract<M, {type: T}>, "type">} Fields
 */

/**
 * The types of messages without fields.
 * @template {{type: string}} M
 * @typedef {{[T in M["type"]]: {} extends Fields<M, T> ? T : never}[M["type"]]} Plain
 */

/**
 * Sends a message of one of these types.
 * @template {{type: string}} M
 * @template R
 * @typedef {<T extends M["type"]>(type: T, ...fields: {} extends Fields<M, T> ? [fields?: Fields<M, T>] : [fields: Fields<M, T>]) => R} Send
 */

/**
 * @template M
 * @typedef {object} Listener
 * @property {() => void} opened The program is there. The first message may be sent.
 * @property {(message: M) => void} received A message of the program.
 * @property {(refusal: Refusal) => void} refused The program has no place for the page at present.
 * @property {() => void} ended The program says that it ends.
 * @property {() => void} lost The program is gone, or something was sent while it was. If it comes
 *   back `opened` is called.
 */

/** The times to wait before the next attempt, in milliseconds. */
const RETRY = [100, 300, 1000, 2000];

/** The time in milliseconds after which a connection counts as made. */
const MADE_AFTER = 5000;

/**
 * Returns true if the program reads a message with these fields: it hangs up on what is longer.
 * @param {unknown} fields
 */
export const fits = (fields) => new Blob([JSON.stringify(fields)]).size <= LONGEST;

/**
 * Connects with a session of this kind. Returns what sends a message, and says whether the program
 * is there. What is sent while it is gone is lost.
 * @template {{type: string}} M
 * @template R
 * @param {"board" | "gravity" | "training" | "rooms"} kind
 * @param {Listener<R>} listener
 * @returns {Send<M, boolean>}
 */
export function connect(kind, listener) {
  let attempts = 0;
  let openedAt = Infinity;
  /** How long a program that has no place asks to be left alone, in milliseconds. */
  let wait = 0;
  /** @type {import("./transport.js").Transport} */
  let transport;

  const opened = () => {
    openedAt = performance.now();
    listener.opened();
  };
  const received = (/** @type {any} */ message) => {
    if (message.type === "refused") {
      wait = message.retry_s * 1000;
      listener.refused(message);
    } else if (message.type === "goodbye") {
      listener.ended();
    } else {
      listener.received(message);
    }
  };
  const closed = () => {
    if (attempts === 0 || openedAt < Infinity) listener.lost();
    if (performance.now() - openedAt > MADE_AFTER) attempts = 0;
    openedAt = Infinity;
    setTimeout(begin, Math.max(wait, RETRY[Math.min(attempts, RETRY.length - 1)]));
    wait = 0;
    attempts += 1;
  };
  const begin = () => {
    transport = open(kind, { opened, received, closed });
  };
  begin();
  // A page that the browser keeps for the way back keeps no search going. It connects again when
  // it is shown.
  addEventListener("pagehide", () => transport.close());
  return (type, ...[fields]) => {
    const isThere = transport.send(JSON.stringify({ type, ...fields }));
    if (!isThere) listener.lost();
    return isThere;
  };
}
