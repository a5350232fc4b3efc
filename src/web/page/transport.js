// How the page speaks with the program. Everything else in the page knows only
// the type Transport, so that the engine may as well run in a worker.
// @ts-check

/** @typedef {import("./types.js").ClientMessage} ClientMessage */

/**
 * @typedef {object} Listener
 * @property {() => void} opened The program is there. The first message may be sent.
 * @property {(message: any) => void} heard A message of the program.
 * @property {() => void} lost The program is gone. If it comes back `opened` is called.
 */

/**
 * @typedef {object} Transport
 * @property {(message: ClientMessage) => void} send What is sent while the program
 *   is gone is lost.
 * @property {() => void} close
 */

/** How long to wait before the next attempt, in milliseconds. */
const RETRY = [100, 300, 1000, 2000];

/**
 * Speaks through the WebSocket of the server that the page came from.
 * @param {Listener} listener
 * @param {string} [path] Where the socket is.
 * @returns {Transport}
 */
export function webSocket(listener, path = "socket") {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  let attempts = 0;
  let closed = false;
  /** @type {WebSocket} */
  let socket;

  const connect = () => {
    socket = new WebSocket(url);
    socket.onopen = () => {
      attempts = 0;
      listener.opened();
    };
    socket.onmessage = (event) => listener.heard(JSON.parse(event.data));
    socket.onclose = () => {
      if (closed) return;
      if (attempts === 0) listener.lost();
      setTimeout(connect, RETRY[Math.min(attempts, RETRY.length - 1)]);
      attempts += 1;
    };
  };
  connect();
  // A page that the browser keeps for the way back keeps no search going. It connects
  // again when it is shown.
  addEventListener("pagehide", () => socket.close());
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => {
      closed = true;
      socket.close();
    },
  };
}
