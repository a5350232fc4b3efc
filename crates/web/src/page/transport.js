// The connection with the program. Everything else in the page knows only
// the type Transport. A page without a server has local/transport.js in the place of this file.
// @ts-check

/** @typedef {{type: string, [field: string]: unknown}} ClientMessage */

/**
 * @typedef {object} Listener
 * @property {() => void} opened The program is there. The first message may be sent.
 * @property {(message: any) => void} heard A message of the program.
 * @property {() => void} lost The program is gone. If it comes back `opened` is called.
 */

/**
 * @typedef {object} Transport
 * @property {(message: ClientMessage) => boolean} send Whether the program is there. What is
 *   sent while it is gone is lost.
 * @property {number} longest The most bytes of a message, without its type.
 */

/** The most bytes of a message without its type: a whole one has at most one MiB. */
const LONGEST = 2 ** 20 - 100;

/** The times to wait before the next attempt, in milliseconds. */
const RETRY = [100, 300, 1000, 2000];

/**
 * How often the program is asked whether it is there, in milliseconds. If nothing is heard
 * of it until the next time it is gone: a connection can be dead without the browser knowing.
 */
const ASK_EVERY = 10000;

/**
 * Speaks through the WebSocket of the server that the page came from.
 * @param {Listener} listener
 * @param {string} [path] Where the socket is.
 * @returns {Transport}
 */
export function connect(listener, path = "socket") {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  let attempts = 0;
  /** True if anything was heard since the program was asked last. */
  let heard = true;
  /** How long a program that has no place asks to be left alone, in milliseconds. */
  let wait = 0;
  /** @type {WebSocket} */
  let socket;

  const send = (/** @type {ClientMessage} */ message) => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(JSON.stringify(message));
    return isOpen;
  };
  const lost = () => {
    if (attempts === 0) listener.lost();
    setTimeout(connect, Math.max(wait, RETRY[Math.min(attempts, RETRY.length - 1)]));
    wait = 0;
    attempts += 1;
  };
  const connect = () => {
    heard = true;
    socket = new WebSocket(url);
    socket.onopen = () => {
      attempts = 0;
      listener.opened();
    };
    socket.onmessage = (event) => {
      heard = true;
      const message = JSON.parse(event.data);
      if (message.type === "refused") wait = message.retry_s * 1000;
      if (message.type !== "pong") listener.heard(message);
    };
    socket.onclose = lost;
  };
  connect();
  setInterval(() => {
    // What is closed already is replaced soon.
    if (socket.readyState > WebSocket.OPEN) return;
    if (heard) {
      heard = false;
      send({ type: "ping" });
      return;
    }
    // The browser would wait for the other side to close it too.
    socket.onmessage = socket.onclose = null;
    socket.close();
    lost();
  }, ASK_EVERY);
  // A page that the browser keeps for the way back keeps no search going. It connects
  // again when it is shown.
  addEventListener("pagehide", () => socket.close());
  return { send, longest: LONGEST };
}
