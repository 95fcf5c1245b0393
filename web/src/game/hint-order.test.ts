import { expect, it } from "vitest";

import type { Suggestion } from "../net/wire.ts";
import { alike, steadyOrder } from "./hint-order.ts";

const move = (action: number, loss: number, doubt = 0.01): Suggestion =>
  ({ action, loss, doubt }) as Suggestion;
const actions = (moves: readonly Suggestion[]): number[] => moves.map(({ action }) => action);

it("moves stand in the order of what is shown", () => {
  expect(actions(steadyOrder([move(1, 0), move(2, 0.02), move(3, 0.1)], []))).toEqual([1, 2, 3]);
});

it("what shows the same figure stays where it stood", () => {
  const before = [move(2, 0), move(1, 0.002), move(3, 0.05)];
  const now = [move(1, 0), move(2, 0.004), move(4, 0.051), move(3, 0.052)];
  expect(actions(steadyOrder(now, before))).toEqual([2, 1, 3, 4]);
});

it("what shows another figure moves", () => {
  const before = [move(2, 0), move(1, 0.004)];
  expect(actions(steadyOrder([move(1, 0), move(2, 0.006)], before))).toEqual([1, 2]);
});

it("moves are as good as the best one while nothing above them is worse", () => {
  expect(alike([move(1, 0), move(2, 0.015), move(3, 0.03), move(4, 0.031, 0.02)])).toBe(2);
  expect(alike([move(1, 0), move(2, 0.004, 0)])).toBe(2); // it shows no loss
  expect(alike([])).toBe(0);
});
