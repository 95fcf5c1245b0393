// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

import { setLocalHost } from "../net/local.ts";
import type { Results, Statistics, TableLine } from "../net/wire.ts";
import { merged, TablePages } from "./mine.ts";

const results = (games: number, average: number | null, best: number | null): Results => ({
  games,
  wins: games,
  resigned: 0,
  played_out: games,
  average_score: average,
  best_score: best,
  average_margin: average,
  tickets: 3,
  tickets_completed: 2,
  longest_paths: 1,
});
const one = (games: number, average: number | null, best: number | null): Statistics => ({
  total: results(games, average, best),
  editions: games ? [{ edition: "usa", title: "USA", seats: 2, results: results(games, average, best) }] : [],
  latest: [],
});

test("statistics of two places are added up", () => {
  const sum = merged(one(3, 100, 120), one(1, 60, 60));
  expect(sum.total).toMatchObject({ games: 4, wins: 4, average_score: 90, best_score: 120, tickets: 6 });
  expect(sum.editions).toHaveLength(1);
  expect(sum.editions[0]?.results.average_margin).toBe(90);
});

test("without games there is no average", () => {
  expect(merged(one(0, null, null), one(0, null, null)).total.average_score).toBeNull();
  expect(merged(one(0, null, null), one(2, 50, 70)).total).toMatchObject({
    average_score: 50,
    best_score: 70,
  });
});

const line = (id: string, created_at: number): TableLine => ({ id, created_at }) as TableLine;

beforeEach(() => {
  const server = [line("s9", 9), line("s5", 5), line("s1", 1)];
  vi.stubGlobal("fetch", (path: string) => {
    const before = /before=(\d+)/.exec(path)?.[1];
    if (path.endsWith("/whoami")) return Promise.resolve(new Response('{"me": {"name": "Ana"}}'));
    const [first, ...rest] = server.filter(({ created_at }) => !before || created_at < Number(before));
    const next = rest.length ? String(first?.created_at) : null;
    return Promise.resolve(new Response(JSON.stringify({ tables: first ? [first] : [], next })));
  });
  setLocalHost({
    request: () => Promise.resolve({ tables: [line("local-7", 7), line("local-0", 0)], next: null }),
    connect: () => expect.unreachable("no socket is opened"),
  });
});

test("the lists of two places are one, newest first", async () => {
  const { lines, more } = await TablePages.mine().next();
  expect(lines.map(({ id }) => id)).toEqual(["s9", "local-7", "s5", "s1", "local-0"]);
  expect(more).toBe(false);
});
