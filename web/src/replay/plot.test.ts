import { expect, it } from "vitest";

import { spread } from "./plot.ts";

it("marks that are close are moved apart, and stay inside", () => {
  expect(spread([50, 100], 20, 300, 10)).toEqual([50, 100]);
  expect(spread([50, 55, 60], 20, 300, 10)).toEqual([50, 70, 90]);
  expect(spread([0, 0], 20, 300, 10)).toEqual([10, 30]);
  expect(spread([280, 300, 300], 20, 300, 10)).toEqual([250, 270, 290]);
  expect(spread([], 20, 300, 10)).toEqual([]);
});
