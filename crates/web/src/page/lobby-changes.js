// Updates of the lobby. The server sends it once, and then changes of its lists.
// @ts-check

/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./received.js").LobbyChanges} LobbyChanges */

/**
 * A list after a change: removed and updated items are taken out, then new and updated ones are
 * inserted at their indices.
 * @template K, T
 * @param {T[]} items
 * @param {{gone: K[], put: [number, T][]} | undefined} change
 * @param {(item: T) => K} key
 */
function applied(items, change, key) {
  if (!change) return items;
  const out = new Set([...change.gone, ...change.put.map(([, item]) => key(item))]);
  const list = items.filter((item) => !out.has(key(item)));
  for (const [place, item] of change.put) list.splice(place, 0, item);
  return list;
}

/**
 * @param {Lobby} lobby
 * @param {LobbyChanges} changes
 */
export function applyChanges(lobby, changes) {
  lobby.open = applied(lobby.open, changes.open, ({ room }) => room);
  lobby.live = applied(lobby.live, changes.live, ({ room }) => room)
    .map((it) => {
      const [, stones, moves] = changes.stones?.find(([room]) => room === it.room) ?? ["", it.stones, it.moves];
      return { ...it, stones, moves };
    });
  lobby.tournaments = applied(lobby.tournaments, changes.tournaments, ({ tournament }) => tournament);
  lobby.here = applied(lobby.here, changes.here, ({ name }) => name);
  lobby.visitors = changes.visitors ?? lobby.visitors;
}
