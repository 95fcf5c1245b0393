/* global VERSION, FILES */
// The service worker. The build puts VERSION and FILES before it, the addresses of all it has made.

const PREFIX = "macaz-";
const SHELL = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOldFiles());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (address.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(freshOrKept(request, SHELL));
  else if (address.pathname.startsWith("/assets/")) event.respondWith(keptOrFresh(request));
  else if (FILES.includes(address.pathname)) event.respondWith(freshOrKept(request, address.pathname));
});

async function keepFiles() {
  const cache = await caches.open(PREFIX + VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: cacheOf(file) })));
  // A page that is open already may go on: it finds its own files in the cache that is kept below.
  await self.skipWaiting();
}

/** What the browser has by a name that tells its content need not be asked for again. */
function cacheOf(file) {
  return file.startsWith("/assets/") ? "default" : "no-cache";
}

/** The files of the version before stay, for the pages that still show it. */
async function dropOldFiles() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const others = names.filter((name) => name !== PREFIX + VERSION);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** A file whose name changes with its content is the same for ever. */
async function keptOrFresh(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** What is kept steps in when the server is away, or about to come back. */
async function freshOrKept(request, address) {
  let answer;
  try {
    answer = await fetch(request);
    if (answer.status < 500) return answer;
  } catch {
    answer = Response.error();
  }
  const cache = await caches.open(PREFIX + VERSION);
  return (await cache.match(address)) ?? answer;
}
