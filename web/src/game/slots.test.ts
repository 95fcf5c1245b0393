import { describe, expect, it } from "vitest";

import { arrange, filled, holds } from "./slots.ts";

const row = (...cards: number[]): number[] => {
  const counts = Array.from({ length: 9 }, () => 0);
  for (const card of cards) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
};

describe("the face-up cards", () => {
  it("are laid in order at first", () => {
    expect(arrange([], row(7, 1, 1, 8, 0), 5)).toEqual([0, 1, 1, 7, 8]);
  });

  it("stay where they are when one is taken, and the new one fills the gap", () => {
    const gap = arrange([4, 1, 7, 8, 0], row(4, 1, 8, 0), 5);
    expect(gap).toEqual([4, 1, null, 8, 0]);
    expect(arrange(gap, row(4, 1, 8, 0, 0), 5)).toEqual([4, 1, 0, 8, 0]);
  });

  it("leave from the last place, where several are alike: all see the same, whichever player took it", () => {
    expect(arrange([3, 3, 5, 3, 6], row(3, 3, 5, 6), 5)).toEqual([3, 3, 5, null, 6]);
  });

  it("are those of a row, or not", () => {
    expect(holds([3, null, 5, 3, 6], row(3, 3, 5, 6))).toBe(true);
    expect(holds([3, 4, 5, 3, 6], row(3, 3, 5, 6))).toBe(false);
    expect(holds([3, null, 5, null, 6], row(3, 3, 5, 6))).toBe(false);
  });

  it("are all new when the row is replaced, and gaps stay where nothing is left", () => {
    expect(arrange([8, 8, 8, 1, 2], row(), 5)).toEqual([null, null, null, null, null]);
    expect(arrange([null, null, null, null, null], row(6, 2), 5)).toEqual([2, 6, null, null, null]);
  });

  it("say which places were filled", () => {
    expect(filled([4, null, 7], [4, 2, 7])).toEqual(new Set([1]));
    expect(filled([4, 2, 7], [4, 2, null])).toEqual(new Set());
  });
});
