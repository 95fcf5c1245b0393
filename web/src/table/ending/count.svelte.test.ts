// @vitest-environment happy-dom
import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import type { TableState } from "../../game/table.svelte.ts";
import type { Outcome } from "../../net/wire.ts";
import { settings } from "../../ui/settings.svelte.ts";
import { setLanguage } from "../../words/words.ts";
import Count from "./Count.svelte";

const score = {
  routes: 30,
  tickets: [],
  longest_path: 0,
  stations: 0,
  globetrotter: 0,
  alvin: 0,
  total: 30,
  path_length: 0,
  borrowed: [],
};
const outcome: Outcome = {
  seats: [score, { ...score, total: 20, routes: 20 }],
  winners: [0],
  tie_break: null,
  resigned: [],
  stopped: false,
};
const NAMES = ["Ana", "Ben"];

let table: TableState;
let shown: ReturnType<typeof mount>;

const show = (): void => {
  shown = mount(Count, { target: document.body, props: { table, outcome } });
  flushSync();
};
const heading = (): HTMLElement | null => document.querySelector("h2");

beforeAll(() => setLanguage("en"));

beforeEach(() => {
  vi.useFakeTimers();
  settings.speed = "normal";
  const state = $state({
    counted: 0,
    map: { rules: { scorers: ["routes", "tickets"] }, tickets: [] },
    info: { id: "t", title: "USA", host: false, seats: [{ color: "blue" }, { color: "red" }] },
    texts: { name: (seat: number) => NAMES[seat], ticket: () => "" },
    view: { seats: [], longest_paths: [[], []] },
    mine: [0],
    rematchTable: null,
  });
  table = state as unknown as TableState;
  show();
});

afterEach(async () => {
  await unmount(shown);
  vi.useRealTimers();
});

test("the scores are counted to the end, and who won is said then", () => {
  expect(heading()?.textContent.trim()).toBe("The game is over");
  while (vi.getTimerCount()) {
    vi.advanceTimersToNextTimer();
    flushSync();
  }
  expect([table.counted, heading()?.textContent.trim()]).toEqual([Infinity, "Ana wins"]);
});

test("skipping the count focuses the result", async () => {
  const skip = document.querySelector("button");
  skip?.focus();
  skip?.click();
  flushSync();
  await tick();
  expect(document.activeElement).toBe(heading());
  expect(heading()?.textContent.trim()).toBe("Ana wins");
});

test("a count that was left goes on where it was", async () => {
  vi.advanceTimersToNextTimer();
  flushSync();
  const { counted } = table;
  expect(counted).toBeGreaterThan(0);
  await unmount(shown);
  show();
  expect(table.counted).toBe(counted);
});
