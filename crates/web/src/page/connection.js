// The connection with the program, which is reopened when it is lost. The program is a server, or a
// session in the page: see the two files transport.js.
// @ts-check

import { MAX_LENGTH, open } from "./transport.js";

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
 * @property {() => void} opened The connection is open. The first message may be sent.
 * @property {(message: M) => void} received A message of the program has arrived.
 * @property {(refusal: Refusal) => void} refused The program accepts no more connections at present.
 * @property {() => void} ended The program has announced that it ends.
 * @property {() => void} lost The connection is lost, or a message was sent without one. When it is
 *   restored `opened` is called.
 */

/** The delays before the next attempts, in milliseconds. */
const RETRY = [100, 300, 1000, 2000];

/** The time in milliseconds after which a connection counts as stable. */
const STABLE_AFTER = 5000;

/**
 * Returns true if a message with these fields is short enough: longer ones close the connection.
 * @param {unknown} fields
 */
export const fits = (fields) => new Blob([JSON.stringify(fields)]).size <= MAX_LENGTH;

/**
 * Connects to a session of this kind. The function that is returned sends a message, and returns false
 * if the connection is lost, and the message with it.
 * @template {{type: string}} M
 * @template R
 * @param {"board" | "gravity" | "training" | "rooms"} kind
 * @param {Listener<R>} listener
 * @returns {Send<M, boolean>}
 */
export function connect(kind, listener) {
  let attempts = 0;
  let openedAt = Infinity;
  /** The delay that a program asks for when it refuses a connection, in milliseconds. */
  let retryAfter = 0;
  /** @type {import("./transport.js").Transport} */
  let transport;

  const opened = () => {
    openedAt = performance.now();
    listener.opened();
  };
  const received = (/** @type {any} */ message) => {
    if (message.type === "refused") {
      retryAfter = message.retry_s * 1000;
      listener.refused(message);
    } else if (message.type === "goodbye") {
      listener.ended();
    } else {
      listener.received(message);
    }
  };
  const closed = () => {
    if (attempts === 0 || openedAt < Infinity) listener.lost();
    if (performance.now() - openedAt > STABLE_AFTER) attempts = 0;
    openedAt = Infinity;
    setTimeout(reopen, Math.max(retryAfter, RETRY[Math.min(attempts, RETRY.length - 1)]));
    retryAfter = 0;
    attempts += 1;
  };
  const reopen = () => {
    transport = open(kind, { opened, received, closed });
  };
  reopen();
  // A page in the back-forward cache keeps no search running. It connects again when it is shown.
  addEventListener("pagehide", () => transport.close());
  return (type, ...[fields]) => {
    const isSent = transport.send(JSON.stringify({ type, ...fields }));
    if (!isSent) listener.lost();
    return isSent;
  };
}
