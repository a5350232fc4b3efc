// One WebSocket connection to the server of the page. Pages without a server replace this file by
// local/transport.js.
// @ts-check

/**
 * @typedef {object} Listener
 * @property {() => void} opened The connection is open.
 * @property {(message: any) => void} received A message of the program has arrived.
 * @property {() => void} closed The connection is closed, or could not be opened. It is not used again.
 */

/**
 * @typedef {object} Transport
 * @property {(text: string) => boolean} send Returns false if the connection is not open.
 * @property {() => void} close
 */

/** The maximum length of a message in bytes, without its type: the server reads one MiB. */
export const MAX_LENGTH = 2 ** 20 - 100;

/**
 * The interval of heartbeats in milliseconds. A connection that receives nothing in one is closed:
 * the browser does not notice every broken connection.
 */
const HEARTBEAT = 10000;

/**
 * Connects to a session of this kind.
 * @param {string} kind
 * @param {Listener} listener
 * @returns {Transport}
 */
export function open(kind, listener) {
  const url = new URL(kind === "board" ? "socket" : `${kind}/socket`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = url.search = "";
  const socket = new WebSocket(url);
  /** True if anything was received since the last heartbeat. */
  let isAlive = true;

  const send = (/** @type {string} */ text) => {
    const isOpen = socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(text);
    return isOpen;
  };
  const close = () => socket.close();
  const end = () => {
    clearInterval(heartbeat);
    listener.closed();
  };
  const heartbeat = setInterval(() => {
    if (isAlive) {
      isAlive = false;
      send('{"type":"ping"}');
      return;
    }
    // The browser would wait for the closing handshake.
    socket.onmessage = socket.onclose = null;
    close();
    end();
  }, HEARTBEAT);
  socket.onopen = listener.opened;
  socket.onmessage = (event) => {
    isAlive = true;
    const message = JSON.parse(event.data);
    if (message.type !== "pong") listener.received(message);
  };
  socket.onclose = end;
  return { send, close };
}
