// The service worker. It stores the files of the folder, which files.js lists, for use offline, and
// makes the page cross-origin isolated, so that it can share memory with its workers.
//
// The weights of all rules are larger than everything else. They and the puzzles are stored when a page
// asks for them, after it has loaded its own files.

importScripts("files.js");

// Other folders on the same origin have caches of their own.
const OWN = `quincunx ${self.registration.scope} `;
const CACHE = OWN + self.VERSION;

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

self.oninstall = (event) => event.waitUntil(install());

async function install() {
  const cache = await caches.open(CACHE);
  // Files that are available offline stay so in a new version.
  const later = Object.values(self.LATER).flat();
  const kept = await Promise.all(later.map(async (path) => (await caches.match(path)) ? [path] : []));
  await cache.addAll([...self.FILES, ...kept.flat()].map(fresh));
}

// Revalidates the HTTP cache, which may hold a file of another version.
function fresh(path) {
  return new Request(path, { cache: "no-cache" });
}

// A new version waits until all pages of the old one are closed, or until a person asks for it.
self.onmessage = (event) => event.waitUntil(event.data === "use" ? self.skipWaiting() : keep(self.LATER[event.data] ?? []));

async function keep(paths) {
  const cache = await caches.open(CACHE);
  for (const path of paths) {
    if (!await cache.match(path)) await cache.add(fresh(path));
  }
}

self.onactivate = (event) => {
  const others = (names) => names.filter((name) => name.startsWith(OWN) && name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))));
};

// Other pages of the server may be below the folder: they are not intercepted.
const ADDRESSES = new Set([...self.FILES, ...Object.values(self.LATER).flat()].map(addressOf));

function addressOf(path) {
  const { origin, pathname } = new URL(path, self.registration.scope);
  return origin + pathname;
}

self.onfetch = (event) => {
  const { request } = event;
  if (request.method === "GET" && ADDRESSES.has(addressOf(request.url))) event.respondWith(answer(request));
};

async function answer(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request, { ignoreSearch: true }) ?? await fetch(request);
  const headers = new Headers(found.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
