import { expect, test } from "vitest";

import { arranged, fitted, lined, MARGIN, WIDTH } from "./layout.ts";

const measure = (text: string): number => text.length / 2; // each letter is half as wide as high

test.each([
  [1710, 1056, 5],
  [1710, 1056, 2],
  [1312, 1163, 5],
  [400, 390, 2],
])("a board of %i by %i and %i seats are inside the picture, and apart", (width, height, seats) => {
  const { board, seats: boxes, height: whole } = arranged({ width, height }, seats, 22);
  const all = [board, ...boxes];
  expect(boxes).toHaveLength(seats);
  for (const box of all) {
    expect(box.x).toBeGreaterThanOrEqual(MARGIN - 0.001);
    expect(box.x + box.width).toBeLessThanOrEqual(WIDTH - MARGIN + 0.001);
    expect(box.y + box.height).toBeLessThanOrEqual(whole - MARGIN + 1);
  }
  all.forEach((one, i) =>
    all.slice(i + 1).forEach((other) => {
      const apart =
        Math.max(other.x - one.x - one.width, one.x - other.x - other.width) >= 0 ||
        Math.max(other.y - one.y - one.height, one.y - other.y - other.height) >= 0;
      expect(apart).toBe(true);
    }),
  );
  expect(board.width / board.height).toBeCloseTo((width + 44) / (height + 44));
});

test("a long name gets smaller, then is cut", () => {
  expect(fitted("Ana", 40, 200, measure)).toEqual({ text: "Ana", size: 40 });
  expect(fitted("Ștefania-Ana", 40, 200, measure).text).toBe("Ștefania-Ana");
  const cut = fitted("Ștefania-Alexandra Constantinescu", 40, 200, measure);
  expect(cut.text).toMatch(/^Ștefania.*…$/);
  expect(measure(cut.text) * cut.size).toBeLessThanOrEqual(200);
});

test("reasons share a line where they fit", () => {
  expect(lined(["a +1", "b +2", "c +3"], 10, 60, measure)).toEqual(["a +1 · b +2", "c +3"]);
  expect(lined([], 10, 60, measure)).toEqual([]);
});
