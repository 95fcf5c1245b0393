// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

const KEY = "macaz-settings";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

/** The settings of a page that is opened in a browser that kept this. */
async function opened(kept: string): Promise<typeof import("./settings.svelte.ts")> {
  localStorage.setItem(KEY, kept);
  return import("./settings.svelte.ts");
}

test("what was chosen is there again", async () => {
  const chosen = { language: "ro", theme: "dark", sound: "soft", told: ["turn"] };
  expect((await opened(JSON.stringify(chosen))).settings).toMatchObject(chosen);
});

test.each([
  ["language", "xx"],
  ["language", "toString"],
  ["theme", 3],
  ["speed", "warp"],
  ["confirm", null],
  ["palette", ["plain"]],
  ["sound", true],
  ["bots", "slow"],
  ["told", "turn"],
  ["told", [1]],
])("%s cannot be %j", async (name, value) => {
  const usual = { ...(await opened("{}")).settings };
  vi.resetModules();
  expect((await opened(JSON.stringify({ [name]: value, keys: false }))).settings).toEqual({
    ...usual,
    keys: false,
  });
});

test.each(["", "{", "[1]", "7", "null", '{"unheard": true}'])("%j is as good as nothing", async (kept) => {
  const usual = { ...(await opened("{}")).settings };
  vi.resetModules();
  expect((await opened(kept)).settings).toEqual(usual);
});

test("a browser that keeps nothing can still be told something", async () => {
  const { set, settings } = await opened("{}");
  vi.stubGlobal("localStorage", {
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  set("theme", "dark");
  vi.unstubAllGlobals();
  expect(settings.theme).toBe("dark");
  expect(localStorage.getItem(KEY)).toBe("{}");
});
