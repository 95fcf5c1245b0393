/* global VERSION, FILES */
// The service worker. The build puts VERSION and FILES, the URLs of all its files, before this text.

const PREFIX = "macaz-";
const SHELL = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(cacheFiles());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (address.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(networkFirst(request, SHELL));
  else if (address.pathname.startsWith("/assets/")) event.respondWith(cacheFirst(request));
  else if (FILES.includes(address.pathname)) event.respondWith(networkFirst(request, address.pathname));
});

async function cacheFiles() {
  const cache = await caches.open(PREFIX + VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: cacheMode(file) })));
  // An open page keeps working: its own files stay in the previous cache, which is not deleted below.
  await self.skipWaiting();
}

/** The names of assets contain a hash of their content, so the HTTP cache can be used for them. */
function cacheMode(file) {
  return file.startsWith("/assets/") ? "default" : "no-cache";
}

/** The cache of the previous version stays, for open pages of that version. */
async function deleteOldCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const others = names.filter((name) => name !== PREFIX + VERSION);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** For files whose name contains a hash of their content. */
async function cacheFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** The cache is used when the server cannot be reached or is restarting. */
async function networkFirst(request, address) {
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
