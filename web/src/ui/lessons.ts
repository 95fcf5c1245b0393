// How far the player is in the lessons; it is kept in the browser. The lessons themselves are loaded when one is opened.

import { load, save } from "./storage.ts";

export const LESSON_COUNT = 5;

/** Where a lesson was left. */
interface Bookmark {
  step: number;
  /** the log of the table, where the step goes on from the one before */
  entries: unknown[];
}

interface Progress {
  /** the numbers of the lessons that were completed, from 1 on */
  done: number[];
  /** by the number of the lesson */
  left: Record<string, Bookmark>;
}

const KEY = "macaz-lessons";

/** What is stored may come from another version, or be edited by hand. */
function progress(): Progress {
  const { done, left } = (load(KEY) ?? {}) as Partial<Progress>;
  const isLesson = (n: unknown): boolean =>
    Number.isInteger(n) && Number(n) >= 1 && Number(n) <= LESSON_COUNT;
  const isBookmark = (one: Partial<Bookmark> | null): boolean =>
    Number.isInteger(one?.step) && Array.isArray(one?.entries);
  const kept = Object.entries(left ?? {}).filter(([, one]) => isBookmark(one));
  return { done: Array.isArray(done) ? done.filter(isLesson) : [], left: Object.fromEntries(kept) };
}

export const lessonsDone = (): readonly number[] => progress().done;

/** The first lesson that was not completed; null: all were. */
export function nextLesson(): number | null {
  const done = lessonsDone();
  return Array.from({ length: LESSON_COUNT }, (_, i) => i + 1).find((n) => !done.includes(n)) ?? null;
}

export const bookmarkOf = (lesson: number): Bookmark | null => progress().left[lesson] ?? null;

/** Remember where a lesson is; null: at its beginning. */
export function setBookmark(lesson: number, bookmark: Bookmark | null): void {
  const { done, left } = progress();
  const others = Object.entries(left).filter(([n]) => n !== String(lesson));
  save(KEY, { done, left: Object.fromEntries(bookmark ? [...others, [lesson, bookmark]] : others) });
}

export function setLessonDone(lesson: number): void {
  const { done, left } = progress();
  if (!done.includes(lesson)) save(KEY, { done: [...done, lesson], left });
}
