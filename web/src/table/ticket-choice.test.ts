import { expect, it } from "vitest";

import { fewest, keeping, type Keeping, offeredTickets } from "./ticket-choice.ts";

const moves: Keeping[] = [
  [3, 7],
  [3, 9],
  [7, 9],
  [3, 7, 9],
].map((tickets, action) => ({ type: "keep", action, tickets }));

it("finds the move that keeps exactly the chosen tickets", () => {
  expect(keeping(moves, new Set([9, 3]))?.action).toBe(1);
  expect(keeping(moves, new Set([9, 3, 7]))?.action).toBe(3);
});

it("finds none for fewer than allowed, or for others", () => {
  expect(keeping(moves, new Set([9]))).toBeUndefined();
  expect(keeping(moves, new Set([9, 4]))).toBeUndefined();
  expect(keeping(moves, new Set())).toBeUndefined();
});

it("knows what is offered and how many must be kept", () => {
  expect(offeredTickets(moves)).toEqual([3, 7, 9]);
  expect(fewest(moves)).toBe(2);
});
