// One connection with the server that the page came from, by a WebSocket. A page without a server
// has local/transport.js in the place of this file.
// @ts-check

/**
 * @typedef {object} Listener
 * @property {() => void} opened The program is there.
 * @property {(message: any) => void} received A message of the program.
 * @property {() => void} closed The program is gone, or was never there. This is the end.
 */

/**
 * @typedef {object} Transport
 * @property {(text: string) => boolean} send Returns true if the program is there.
 * @property {() => void} close
 */

/** The most bytes of a message without its type: a whole one has at most one MiB. */
export const LONGEST = 2 ** 20 - 100;

/**
 * How often the program is asked whether it is there, in milliseconds. If nothing is received until
 * the next time it is gone: a connection can be dead without the browser knowing.
 */
const ASK_EVERY = 10000;

/**
 * Opens a connection with a session of this kind.
 * @param {string} kind
 * @param {Listener} listener
 * @returns {Transport}
 */
export function open(kind, listener) {
  const url = new URL(kind === "board" ? "socket" : `${kind}/socket`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  const socket = new WebSocket(url);
  /** True if anything was received since the program was asked last. */
  let isAlive = true;

  const send = (/** @type {string} */ text) => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(text);
    return isOpen;
  };
  const close = () => socket.close();
  const end = () => {
    clearInterval(asking);
    listener.closed();
  };
  const asking = setInterval(() => {
    if (isAlive) {
      isAlive = false;
      send('{"type":"ping"}');
      return;
    }
    // The browser would wait for the other side to close it too.
    socket.onmessage = socket.onclose = null;
    close();
    end();
  }, ASK_EVERY);
  socket.onopen = listener.opened;
  socket.onmessage = (event) => {
    isAlive = true;
    const message = JSON.parse(event.data);
    if (message.type !== "pong") listener.received(message);
  };
  socket.onclose = end;
  return { send, close };
}
