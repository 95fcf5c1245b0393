import { expect, test } from "vitest";

import { workersFor } from "./cores.ts";

const machine = { cores: 8, memory: 8, savesData: false, handheld: false };

test("one core is left to the page, and there is at least one worker", () => {
  const many = (cores: number | undefined): number => workersFor({ ...machine, cores });
  expect([1, 2, 4, 64, undefined].map(many)).toEqual([1, 1, 3, 8, 1]);
});

test("small machines work less", () => {
  expect(workersFor({ ...machine, handheld: true })).toBe(3);
  expect(workersFor({ ...machine, memory: 2 })).toBe(1);
  expect(workersFor({ ...machine, memory: undefined })).toBe(7);
  expect(workersFor({ ...machine, savesData: true })).toBe(1);
});
