import { expect, it } from "vitest";

import type { EditionMap, TicketAid } from "../net/wire.ts";
import { placesOf } from "./places.ts";

const MAP = {
  routes: [
    { a: 0, b: 1 },
    { a: 1, b: 2 },
  ],
  tickets: [
    { a: 0, b: 2 },
    { a: 1, b: 3 },
  ],
} as unknown as EditionMap;
const AIDS = [{ ticket: 0, way: [0, 1] }] as unknown as TicketAid[];
const flat = (move: Parameters<typeof placesOf>[0]): number[][] => {
  const { routes, cities } = placesOf(move, MAP, AIDS);
  return [[...routes], [...cities]];
};

it("a route is shown with its cities, and a city alone", () => {
  const paid = { action: 1, color: 0, cards: 1, locomotives: 0 };
  expect(flat({ type: "claim", route: 1, ...paid })).toEqual([[1], [1, 2]]);
  expect(flat({ type: "station", city: 2, ...paid })).toEqual([[], [2]]);
});

it("tickets are shown with their cities and the ways that are known", () => {
  expect(flat({ type: "keep", action: 1, tickets: [0, 1] })).toEqual([
    [0, 1],
    [0, 2, 1, 3],
  ]);
  expect(flat({ type: "return", action: 1, ticket: 1 })).toEqual([[], [1, 3]]);
});

it("cards are nowhere on the map", () => {
  expect(flat({ type: "blind", action: 1 })).toEqual([[], []]);
});
