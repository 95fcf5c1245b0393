// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { LinkInfo, TableInfo } from "../net/wire.ts";
import { notices } from "../ui/notices.svelte.ts";
import { setLanguage, t } from "../words/words.ts";
import { shareAddress } from "./share.ts";

const table = (more: Partial<TableInfo>): TableInfo =>
  ({ id: "t1", host: false, listed: false, ...more }) as TableInfo;

/** A server that knows some links, and counts those that are made. */
function server(): { made: LinkInfo[] } {
  const made: LinkInfo[] = [];
  vi.stubGlobal("fetch", (_: string, { method }: { method: string }) => {
    if (method === "GET") return Promise.resolve(Response.json(made.map((link) => ({ ...link, url: null }))));
    const id = `w${made.length + 1}`;
    const link = {
      id,
      kind: "watch",
      used: false,
      revoked: false,
      url: `http://macaz.test/join#${id}`,
    } as LinkInfo;
    made.push(link);
    return Promise.resolve(Response.json(link));
  });
  return { made };
}

beforeEach(() => setLanguage("en"));
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test("the host gives away a link to watch, which leads to the moment", async () => {
  const { made } = server();
  expect(await shareAddress(table({ host: true }), "?v=12&eyes=all")).toBe(
    "http://macaz.test/join?v=12&eyes=all#w1",
  );
  expect(made).toHaveLength(1);
});

test("one such link is enough for a visit, however often it is asked for", async () => {
  const { made } = server();
  const info = table({ host: true });
  await Promise.all([shareAddress(info, "?v=1"), shareAddress(info, "?v=2")]);
  expect(await shareAddress(info, "?v=3")).toBe("http://macaz.test/join?v=3#w1");
  expect(made).toHaveLength(1);
});

test("a link that was taken back is not given away again", async () => {
  const { made } = server();
  await shareAddress(table({ host: true }), "");
  if (made[0]) made[0].revoked = true;
  expect(await shareAddress(table({ host: true }), "?v=1")).toBe("http://macaz.test/join?v=1#w2");
});

test("the others give away the address itself, and are told for whom it opens", async () => {
  const { made } = server();
  expect(await shareAddress(table({}), "?v=12")).toBe(`${location.origin}/tables/t1?v=12`);
  expect(notices().map(({ text }) => text)).toContain(t("share.members"));
  expect(made).toEqual([]);
});

test("a table that is open to everybody needs no link", async () => {
  const { made } = server();
  expect(await shareAddress(table({ host: true, listed: true }), "?v=2")).toBe(
    `${location.origin}/tables/t1?v=2`,
  );
  expect(made).toEqual([]);
});

test("a page that was opened as localhost gives away the address in the network", async () => {
  const address = { url: "http://laptop.local:8124/", qr: { size: 0, path: "" }, lan: true };
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(Response.json(path.endsWith("/address") ? address : [])),
  );
  expect(await shareAddress(table({ listed: true }), "")).toBe("http://laptop.local:8124/tables/t1");
});
