import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  dayOf,
  noteDay,
  noteShown,
  noteSolved,
  noteWrong,
  puzzleOfDay,
  resultOf,
  solvedOn,
  streak,
  totals,
} from "./puzzles.ts";

const ZONE = process.env["TZ"];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});
afterEach(() => {
  process.env["TZ"] = ZONE;
});

test.each(["UTC", "Europe/Bucharest", "America/Los_Angeles", "Pacific/Kiritimati"])(
  "a day begins and ends at midnight in %s, also when clocks change",
  (zone) => {
    process.env["TZ"] = zone;
    const days = Array.from({ length: 366 }, (_, i) => dayOf(new Date(2026, 0, 1 + i, 0, 0, 1)));
    expect(days).toEqual(Array.from({ length: 366 }, (_, i) => (days[0] as number) + i));
    expect(dayOf(new Date(2026, 2, 29, 23, 59))).toBe(dayOf(new Date(2026, 2, 29, 0, 1)));
    expect(dayOf(new Date(2026, 0, 1))).toBe(20454);
  },
);

test("each day has its puzzle, until all were there", () => {
  const puzzles = ["a", "b", "c"];
  expect([0, 1, 2, 3].map((day) => puzzleOfDay(puzzles, day))).toEqual(["a", "b", "c", "a"]);
  expect(puzzleOfDay(puzzles, -1)).toBe("c");
  expect(puzzleOfDay([], 5)).toBeUndefined();
});

test("a streak lasts over yesterday, and ends with a missed day", () => {
  expect(streak(10)).toEqual({ now: 0, best: 0 });
  for (const day of [5, 6, 7]) noteDay(day);
  noteDay(7);
  expect(streak(7)).toEqual({ now: 3, best: 3 });
  expect(streak(8)).toEqual({ now: 3, best: 3 }); // there is time today
  expect(streak(9)).toEqual({ now: 0, best: 3 });
  noteDay(9);
  expect(streak(9)).toEqual({ now: 1, best: 3 });
  expect([solvedOn(8), solvedOn(9)]).toEqual([false, true]);
});

test("tries are counted until a puzzle ends", () => {
  noteWrong("x", "hard");
  noteWrong("x", "hard");
  expect(resultOf("x")).toBeNull();
  noteSolved("x", "hard");
  noteWrong("x", "hard");
  noteShown("x", "hard");
  expect(resultOf("x")).toBe("solved");
  noteSolved("y", "easy");
  noteWrong("z", "easy");
  noteShown("z", "easy");
  noteSolved("z", "easy");
  expect(resultOf("z")).toBe("shown");
  expect(totals()).toEqual({
    easy: { solved: 1, first: 1, tries: 2 },
    medium: { solved: 0, first: 0, tries: 0 },
    hard: { solved: 1, first: 0, tries: 3 },
    all: { solved: 2, first: 1, tries: 5 },
  });
});

test("what was stored by another version is not believed", () => {
  const kept = { tried: { a: { grade: "odd", wrong: 1, result: null }, b: null }, days: ["x", 4, 3] };
  localStorage.setItem("macaz-puzzles", JSON.stringify(kept));
  expect(totals().all).toEqual({ solved: 0, first: 0, tries: 0 });
  expect(streak(4)).toEqual({ now: 2, best: 2 });
});
