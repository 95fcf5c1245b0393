import { expect, test } from "vitest";

import { MOVES } from "./codes.ts";
import { members, type TableData } from "./edition.ts";
import { decode, kindOf, moveData } from "./moves.ts";

// Kinds of different size: a kind without actions begins where the next one does.
const base = [0, 9, 10, 11, 12, 20, 23, 27, 28, 28, 60, 60, 60, 160, 210, 213];
const table = {
  base,
  actions: 213,
  setupDeal: 3,
  claimLane: [4, 4, 61],
  claimColor: [0, 8, 2],
  claimLocos: [1, 3, 0],
  routeOfLane: Object.assign(Array<number>(180).fill(0), { 4: 17, 61: 2 }),
} as unknown as TableData;
const price = { color: 2, cards: 3, locomotives: 1 };

test("a kind is found by its numbers", () => {
  expect(kindOf(table, 0)).toBe(0);
  expect(kindOf(table, 8)).toBe(0);
  expect(MOVES[kindOf(table, 28)]?.type).toBe("choose"); // no marker can be skipped here
  expect(MOVES[kindOf(table, 212)]?.type).toBe("claim");
  for (const action of [-1, 213, 1.5, NaN]) expect(kindOf(table, action)).toBe(-1);
  expect(() => decode(table, 213, [])).toThrow("213");
});

test("the fields of a move follow from its number", () => {
  expect(moveData(table, 4, [], price)).toEqual({ type: "take", action: 4, color: 4 });
  expect(moveData(table, 12 + 0b101, [7, 8, 9], price)).toMatchObject({ type: "keep", tickets: [7, 9] });
  expect(moveData(table, 28 + 8 + 0b110, [7, 8, 9], price)).toEqual({
    ...{ type: "choose", action: 42 },
    ...{ seat: 1, tickets: [8, 9] },
  });
  expect(moveData(table, 21, [7, 8, 9], price)).toEqual({ type: "return", action: 21, ticket: 8 });
});

test("a move that is paid for has its price", () => {
  expect(moveData(table, 212, [], price)).toEqual({ type: "claim", action: 212, route: 2, ...price });
  expect(moveData(table, 160 + 25, [], price)).toEqual({ type: "station", action: 185, city: 1, ...price });
  expect(moveData(table, 23, [], price)).toEqual({ type: "pay-tunnel", action: 23, ...price });
});

test("the number itself says how a station is paid", () => {
  expect(decode(table, 160 + 7, [])).toMatchObject({ city: 0, color: 2, locomotives: 1 });
  expect(decode(table, 160 + 24, [])).toMatchObject({ city: 0, color: 8, locomotives: 0 });
});

test("the members of a set of 60 bits a word", () => {
  expect(members([0n, 0n])).toEqual([]);
  expect(members([1n | (1n << 29n) | (1n << 30n) | (1n << 59n), 1n << 31n])).toEqual([0, 29, 30, 59, 91]);
});
