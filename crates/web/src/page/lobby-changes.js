// The lobby arrives as a whole once, and then as changes of its lists.
// @ts-check

/** @typedef {import("./received.js").LobbyView} Lobby */
/** @typedef {import("./received.js").LobbyChanges} LobbyChanges */

/**
 * The list after a change: items that are gone or put in again are taken out, then items are put in at
 * their places.
 * @template K, T
 * @param {T[]} items
 * @param {{gone: K[], put: [number, T][]} | undefined} change
 * @param {(item: T) => K} key
 */
function changed(items, change, key) {
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
export function changeLobby(lobby, changes) {
  const stones = new Map(changes.stones);
  lobby.open = changed(lobby.open, changes.open, ({ room }) => room);
  lobby.live = changed(lobby.live, changes.live, ({ room }) => room)
    .map((it) => ({ ...it, stones: stones.get(it.room) ?? it.stones }));
  lobby.finished = changed(lobby.finished, changes.finished, ({ number }) => number);
  lobby.tournaments = changed(lobby.tournaments, changes.tournaments, ({ tournament }) => tournament);
  lobby.here = changed(lobby.here, changes.here, ({ name }) => name);
  lobby.visitors = changes.visitors ?? lobby.visitors;
}
