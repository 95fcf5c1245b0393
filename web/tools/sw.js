/* global VERSION, FILES, WORDS */
// The service worker. The build puts VERSION, FILES, the names of all its files, and WORDS, the texts of notices
// by language, before this text.

const ROOT = new URL("./", self.location.href); // the folder of the page; a static site may lie in any
const PREFIX = ROOT.pathname === "/" ? "macaz-" : `macaz-${ROOT.pathname}-`; // all sites of a host share caches
const PAGE = PREFIX + VERSION;
const DATA = `${PREFIX}data`;
const SHELL = ""; // the page itself, by its name below ROOT
const INDEX = "data/index.json"; // names the other files of data/, which contain a hash of their content

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const here = address.origin === ROOT.origin && address.pathname.startsWith(ROOT.pathname);
  if (request.method !== "GET" || !here) return;
  const name = address.pathname.slice(ROOT.pathname.length);
  if (name.startsWith("api/")) return;
  if (name.startsWith("assets/")) event.respondWith(cacheFirst(request));
  else if (name === INDEX) event.respondWith(newestIndex(event));
  else if (name.startsWith("data/")) event.respondWith(cachedOnUse(event));
  else if (FILES.includes(name)) event.respondWith(networkFirst(request, name));
  else if (request.mode === "navigate") event.respondWith(networkFirst(request, SHELL));
});

self.addEventListener("push", (event) => {
  event.waitUntil(tell(event.data.json()));
});

// A page that is open but hidden asks for the same.
self.addEventListener("message", (event) => {
  if (event.data?.type === "notice") event.waitUntil(tell(event.data.notice));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data.table));
});

const urlOf = (name) => new URL(name, ROOT).href;

async function install() {
  const cache = await caches.open(PAGE);
  await cache.addAll(FILES.map((name) => new Request(urlOf(name), { cache: cacheMode(name) })));
  const index = await fetch(urlOf(INDEX), { cache: "no-cache" });
  if (!index.ok) throw new Error(`${INDEX}: ${index.status}`);
  await cacheData(index);
  // An open page keeps working: its own files stay in the previous cache, which is not deleted below.
  await self.skipWaiting();
}

/** The names of assets contain a hash of their content, so the HTTP cache can be used for them. */
function cacheMode(name) {
  return name.startsWith("assets/") ? "default" : "no-cache";
}

/** The cache of the previous version stays, for open pages of that version. */
async function deleteOldCaches() {
  const own = (name) => name.startsWith(PREFIX) && !name.slice(PREFIX.length).includes("/");
  const others = (await caches.keys()).filter((name) => own(name) && name !== PAGE && name !== DATA);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** For files whose name contains a hash of their content. */
async function cacheFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** The cache is used when the server cannot be reached or is restarting. */
async function networkFirst(request, name) {
  let answer;
  try {
    answer = await fetch(request);
    if (answer.status < 500) return answer;
  } catch {
    answer = Response.error();
  }
  const cache = await caches.open(PAGE);
  return (await cache.match(urlOf(name))) ?? answer;
}

/** The index of the data files as the host has it now, or else the cached one. */
async function newestIndex(event) {
  let answer;
  try {
    answer = await fetch(event.request, { cache: "no-cache" });
    if (answer.ok) {
      event.waitUntil(cacheData(answer.clone()).catch(() => undefined)); // tried again the next time
      return answer;
    }
  } catch {
    answer = Response.error();
  }
  const cache = await caches.open(DATA);
  return (await cache.match(urlOf(INDEX))) ?? answer;
}

/** For data files. Networks are large, so they are cached only when a bot needs one. */
async function cachedOnUse(event) {
  const { request } = event;
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) event.waitUntil(putData(request, answer.clone()));
  return answer;
}

async function putData(request, answer) {
  const cache = await caches.open(DATA);
  await cache.put(request, answer).catch(() => undefined); // no space: it is downloaded again the next time
}

/**
 * Cache all data files that an index names, but the networks, and then the index itself: it never names a
 * file that is missing. The files of the index before it stay, for pages that are open.
 */
async function cacheData(answer) {
  const cache = await caches.open(DATA);
  const old = await (await cache.match(urlOf(INDEX)))?.text();
  const text = await answer.clone().text();
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const { needed, networks } = filesOf(text);
  await cache.addAll(needed.filter((url) => !known.has(url)));
  if (text === old) return;
  await cache.put(urlOf(INDEX), answer);
  if (old === undefined) return;
  const before = filesOf(old);
  const useful = [...needed, ...networks, ...before.needed, ...before.networks, urlOf(INDEX)];
  await Promise.all([...known].filter((url) => !useful.includes(url)).map((url) => cache.delete(url)));
}

/** The addresses of the files that an index names. */
function filesOf(index) {
  const { kernel, maps, tables, networks, puzzles } = JSON.parse(index);
  const url = (name) => urlOf(`data/${name}`);
  const seats = Object.values(tables).flatMap((files) => Object.values(files));
  return {
    needed: [kernel, puzzles, ...Object.values(maps), ...seats].map(url),
    networks: Object.values(networks).map(({ file }) => url(file)),
  };
}

// -- notices

const windows = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const tableUrl = (table) => urlOf(`tables/${table}`);
const showsTable = ({ url }, table) => url.split(/[?#]/)[0] === tableUrl(table);

/** Show a notice, unless its table is in view. A newer notice of a table replaces the one before. */
async function tell(notice) {
  const open = await windows();
  for (const page of open) page.postMessage({ type: "turns" });
  if (open.some((page) => page.visibilityState === "visible" && showsTable(page, notice.table))) return;
  const words = WORDS[notice.language] ?? WORDS.en;
  const fill = (text, parts) => text.replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
  const game = gameName(notice, words);
  const names = new Intl.ListFormat(notice.language).format(
    notice.names.map((name) => playerName(name, words)),
  );
  await self.registration.showNotification(words[`notice.${notice.kind}`] ?? words["notice.turn"], {
    body: names ? fill(words["notice.with"], { game, names }) : game,
    tag: notice.table,
    lang: notice.language,
    icon: urlOf("icons/icon-192.png"),
    data: { table: notice.table },
  });
  await markIcon();
}

/** As in src/words/names.ts: the name of an edition with its options. */
function gameName({ edition, title }, words) {
  const [base, ...options] = edition.split("+");
  const name = words[`edition-name.${base}`];
  return name
    ? [name, ...options.map((option) => words[`option-name.${option}`] ?? option)].join(" + ")
    : title;
}

/** As there: a name that is a bot's is translated. */
function playerName(name, words) {
  const [given, number = ""] = name.split(/(?= \d+$)/);
  const own = words[`bot-name.${given.toLowerCase()}`];
  return own && given[0] === given[0].toUpperCase() ? own + number : name;
}

/** The number of tables that wait, on the icon of an installed page. */
async function markIcon() {
  if (!("setAppBadge" in self.navigator)) return;
  const answer = await fetch(urlOf("api/v1/me/turns")).catch(() => null);
  if (answer?.ok) await self.navigator.setAppBadge((await answer.json()).length).catch(() => undefined);
}

/** Show a table: in the page that has it open, in another page without a game, or in a new one. */
async function openTable(table) {
  const open = await windows();
  const there = open.find((page) => showsTable(page, table));
  if (there) return there.focus();
  const idle = open.find(({ url }) => !url.startsWith(urlOf("tables/")));
  if (!idle) return self.clients.openWindow(tableUrl(table));
  idle.postMessage({ type: "open", table });
  return idle.focus();
}
