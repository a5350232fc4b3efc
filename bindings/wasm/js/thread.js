// A worker that searches for the engine's, on its memory.
// @ts-check

import { findPort, isPage } from "./host.js";
import { initSync, joinPool } from "./threads/quincunx.js";

/** The stack of a search in bytes, as that of the engine's worker. */
const STACK_SIZE = 8 << 20;

const port = findPort();

const receive = (/** @type {any} */ { module, memory, failures }) => {
  initSync({ module, memory, thread_stack_size: STACK_SIZE });
  port.postMessage("ready");
  try {
    joinPool();
  } catch (error) {
    // The engine's worker waits for this one and hears nothing.
    new BroadcastChannel(failures).postMessage(`a thread of the engine has failed: ${error}`);
  }
};

if (isPage) port.onmessage = (/** @type {MessageEvent} */ event) => receive(event.data);
else port.on("message", receive);
