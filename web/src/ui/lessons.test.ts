import { beforeEach, expect, test, vi } from "vitest";

import { bookmarkOf, lessonsDone, nextLesson, setBookmark, setLessonDone } from "./lessons.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

test("lessons are done one after the other, and a bookmark is where one was left", () => {
  expect(nextLesson()).toBe(1);
  setBookmark(2, { step: 1, entries: [{ kind: "closed" }] });
  setLessonDone(1);
  setLessonDone(1);
  expect(lessonsDone()).toEqual([1]);
  expect(nextLesson()).toBe(2);
  expect(bookmarkOf(2)).toEqual({ step: 1, entries: [{ kind: "closed" }] });
  setBookmark(2, null);
  expect(bookmarkOf(2)).toBeNull();
  for (const lesson of [5, 4, 3, 2]) setLessonDone(lesson);
  expect(nextLesson()).toBeNull();
});

test("what was stored by another version is not believed", () => {
  localStorage.setItem(
    "macaz-lessons",
    JSON.stringify({ done: [0, "1", 9, 3], left: { 1: { step: "x" }, 2: null } }),
  );
  expect(lessonsDone()).toEqual([3]);
  expect(bookmarkOf(1)).toBeNull();
  expect(bookmarkOf(2)).toBeNull();
  localStorage.setItem("macaz-lessons", "[]");
  expect(nextLesson()).toBe(1);
});
