// What the service worker does with a notice, and with a click on it.

import { readFileSync } from "node:fs";

import { beforeEach, expect, test, vi } from "vitest";

import en from "../src/words/en.ts";
import ro from "../src/words/ro.ts";

const SOURCE = readFileSync(new URL("../tools/sw.js", import.meta.url), "utf8");
const NOTICE = {
  kind: "turn",
  table: "T1",
  edition: "old-west+alvin",
  title: "Old West with Alvin",
  names: ["Ana", "Greedy 2"],
  language: "ro",
};

const page = (path: string, visibilityState = "hidden") => ({
  url: `https://play.test${path}`,
  visibilityState,
  postMessage: vi.fn(),
  focus: vi.fn(),
});

let pages: ReturnType<typeof page>[];
const showNotification = vi.fn();
const openWindow = vi.fn();
const handlers: Record<string, (event: object) => void> = {};

/** Have the worker handle an event, to its end. */
async function handle(kind: string, event: object): Promise<void> {
  let done: unknown;
  handlers[kind]?.({ ...event, waitUntil: (work: unknown) => (done = work) });
  await done;
}
const push = (notice: object) => handle("push", { data: { json: () => notice } });
const click = () => handle("notificationclick", { notification: { data: { table: "T1" }, close: vi.fn() } });

beforeEach(() => {
  vi.clearAllMocks();
  pages = [];
  const self = {
    location: { href: "https://play.test/sw.js" },
    navigator: {},
    addEventListener: (kind: string, handler: (event: object) => void) => (handlers[kind] = handler),
    clients: { matchAll: () => Promise.resolve(pages), openWindow },
    registration: { showNotification },
  };
  // The worker is a script, not a module.
  new Function("self", "VERSION", "FILES", "WORDS", SOURCE)(self, "v", [], { en, ro });
});

test("a notice has the words of its language, and the names in it", async () => {
  pages = [page("/tables/T1"), page("/", "visible")];
  await push(NOTICE);
  const [title, options] = showNotification.mock.calls[0] as [string, { body: string; tag: string }];
  expect(title).toBe("E rândul tău");
  expect(options.body).toBe(
    `${ro["edition-name.old-west"]} + ${ro["option-name.alvin"]} cu Ana și ${ro["bot-name.greedy"]} 2`,
  );
  expect(options.tag).toBe("T1");
  for (const each of pages) expect(each.postMessage).toHaveBeenCalledWith({ type: "turns" });
  await push({ ...NOTICE, edition: "mine", title: "My map", names: [], language: "en" });
  expect(showNotification).toHaveBeenLastCalledWith("Your turn", expect.objectContaining({ body: "My map" }));
});

test("who sees the table is not told; a page that is hidden has the same shown", async () => {
  pages = [page("/tables/T1?v=3", "visible")];
  await push(NOTICE);
  expect(showNotification).not.toHaveBeenCalled();
  pages = [page("/tables/T1")];
  await handle("message", { data: { type: "notice", notice: NOTICE } });
  expect(showNotification).toHaveBeenCalledOnce();
});

test("a click shows the table, and disturbs no other game", async () => {
  const [here, other, home] = [page("/tables/T1"), page("/tables/T2"), page("/rules")];
  pages = [other, home, here];
  await click();
  expect(here.focus).toHaveBeenCalledOnce();
  pages = [other, home];
  await click();
  expect(home.postMessage).toHaveBeenCalledWith({ type: "open", table: "T1" });
  expect(home.focus).toHaveBeenCalledOnce();
  pages = [other];
  await click();
  expect(openWindow).toHaveBeenCalledWith("https://play.test/tables/T1");
  expect(other.focus).not.toHaveBeenCalled();
});
