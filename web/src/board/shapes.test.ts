import { expect, it } from "vitest";

import { symbolAt } from "../art/cards.ts";
import { knots, placed, through } from "../art/paths.ts";
import type { EditionMap, Plate } from "../net/wire.ts";
import { dark } from "./frame.ts";
import { trailCities } from "./geometry.ts";
import { fromCityToCity, wheelSpaces } from "./shapes.ts";

it("spreads the wheels of a ferry over its spaces", () => {
  expect(wheelSpaces(2, 2)).toEqual([0, 1]);
  expect(wheelSpaces(3, 1)).toEqual([1]);
  expect(wheelSpaces(8, 2)).toEqual([2, 6]);
  expect(wheelSpaces(4, 0)).toEqual([]);
});

it("leads a lane that begins beside its cities to their middles", () => {
  const map = { routes: [{ a: 1, b: 0 }] } as unknown as EditionMap;
  const cities = [
    { x: 9, y: 0 },
    { x: 0, y: 0 },
  ];
  const plate = { cities, tracks: [{ path: "M0 5L9 5", spaces: [] }] } as unknown as Plate;
  expect(fromCityToCity(map, plate, 0)).toBe("M0 0L0 5L9 5L9 0");
});

it("turns a drawing clockwise, scales it and moves it", () => {
  expect(placed("M1 0L0 1Z", 10, 20, 2, 90)).toBe("M10.00 22.00L8.00 20.00Z");
});

it("reads lines and curves with absolute and relative coordinates", () => {
  expect(knots("M1 2L3-4 5 6ZM7 8l1-.5")).toEqual([
    [
      { x: 1, y: 2 },
      { x: 3, y: -4 },
      { x: 5, y: 6 },
    ],
    [
      { x: 7, y: 8 },
      { x: 8, y: 7.5 },
    ],
  ]);
});

it("writes the curves it has read", () => {
  const [ring = []] = knots("M10 10q5-5 10 0t10 0z");
  expect(through(ring)).toBe("M10 10Q15 5 20 10Q25 15 30 10");
});

it("draws nine different signs, each within its space", () => {
  const signs = Array.from({ length: 9 }, (_, color) => symbolAt(color, 100, 50, 10));
  expect(new Set(signs).size).toBe(9);
  const points = signs.join(" ").match(/[\d.]+ [\d.]+/g) ?? [];
  for (const [x = 0, y = 0] of points.map((pair) => pair.split(" ").map(Number))) {
    expect(Math.hypot(x - 100, y - 50)).toBeLessThan(5.5); // a sign is never larger than the circle its size allows
  }
});

it("marks every other piece of the frame", () => {
  expect(dark([10, 30, 60], 100)).toEqual([
    [0, 10],
    [30, 60],
  ]);
});

it("follows a trail from the end that the next route does not touch", () => {
  const routes = [
    { a: 1, b: 2 },
    { a: 0, b: 1 },
    { a: 0, b: 5 },
  ];
  expect(trailCities({ routes } as EditionMap, [0, 1, 2])).toEqual([2, 1, 0, 5]);
  expect(trailCities({ routes } as EditionMap, [2])).toEqual([0, 5]);
  expect(trailCities({ routes } as EditionMap, [])).toEqual([]);
});
