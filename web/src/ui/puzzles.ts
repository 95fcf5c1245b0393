// What the player did with the puzzles; it is kept in the browser. The puzzles themselves are loaded when they are shown.

import type { Grade } from "../net/wire.ts";
import { load, save } from "./storage.ts";

/** How a puzzle ended: it was solved, or the answer was shown; null: not yet. */
type Result = "solved" | "shown" | null;

interface Tried {
  grade: Grade;
  /** moves that were not the right one, until it ended */
  wrong: number;
  result: Result;
}

interface Progress {
  /** by the id of the puzzle */
  tried: Record<string, Tried>;
  /** the days on which the puzzle of that day was solved, ascending */
  days: number[];
}

/** A row of the statistics. */
interface Total {
  solved: number;
  /** of these, at the first try */
  first: number;
  tries: number;
}

interface Streak {
  now: number;
  best: number;
}

export const GRADES: readonly Grade[] = ["easy", "medium", "hard"];
const KEY = "macaz-puzzles";
const DAY_MS = 86_400_000;

/** The number of a day: of the date that a clock on the wall shows, so that a day begins at midnight. */
export const dayOf = (date: Date): number =>
  Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);

/** The puzzle of a day: the same for all who have the same puzzles, and another one each day. */
export function puzzleOfDay<One>(puzzles: readonly One[], day: number): One | undefined {
  return puzzles[((day % puzzles.length) + puzzles.length) % puzzles.length];
}

/** What is stored may come from another version, or be edited by hand. */
function progress(): Progress {
  const { tried, days } = (load(KEY) ?? {}) as Partial<Progress>;
  const isTried = (one: Partial<Tried> | null): boolean =>
    GRADES.includes(one?.grade as Grade) &&
    Number.isInteger(one?.wrong) &&
    ["solved", "shown", null].includes(one?.result as Result);
  return {
    tried: Object.fromEntries(Object.entries(tried ?? {}).filter(([, one]) => isTried(one))),
    days: Array.isArray(days) ? days.filter(Number.isInteger).sort((a, b) => a - b) : [],
  };
}

export const resultOf = (id: string): Result => progress().tried[id]?.result ?? null;

/** Whether the puzzle of a day was solved on that day. */
export const solvedOn = (day: number): boolean => progress().days.includes(day);

/** Note a wrong move, or how a puzzle ended; what comes after its end counts no more. */
function note(id: string, grade: Grade, result: Result): void {
  const { tried, days } = progress();
  const before = tried[id] ?? { grade, wrong: 0, result: null };
  if (before.result !== null) return;
  const wrong = before.wrong + (result === null ? 1 : 0);
  save(KEY, { tried: { ...tried, [id]: { grade, wrong, result } }, days });
}

export const noteWrong = (id: string, grade: Grade): void => note(id, grade, null);
export const noteShown = (id: string, grade: Grade): void => note(id, grade, "shown");
export const noteSolved = (id: string, grade: Grade): void => note(id, grade, "solved");

/** The puzzle of a day was solved, on that day and without the answer. */
export function noteDay(day: number): void {
  const { tried, days } = progress();
  if (!days.includes(day)) save(KEY, { tried, days: [...days, day] });
}

/** How many days in a row the puzzle of the day was solved, up to today or yesterday; and the most ever. */
export function streak(today: number): Streak {
  const { days } = progress();
  let [best, run, last] = [0, 0, NaN];
  for (const day of days) {
    run = day === last + 1 ? run + 1 : 1;
    best = Math.max(best, run);
    last = day;
  }
  return { now: last >= today - 1 ? run : 0, best };
}

/** The statistics: of each grade, and of all. */
export function totals(): Record<Grade | "all", Total> {
  const all = Object.values(progress().tried);
  const of = (some: readonly Tried[]): Total => {
    const solved = some.filter(({ result }) => result === "solved");
    return {
      solved: solved.length,
      first: solved.filter(({ wrong }) => wrong === 0).length,
      tries: some.reduce((sum, { wrong }) => sum + wrong, solved.length),
    };
  };
  const [easy, medium, hard] = GRADES.map((grade) => of(all.filter((one) => one.grade === grade)));
  return { easy: easy as Total, medium: medium as Total, hard: hard as Total, all: of(all) };
}
