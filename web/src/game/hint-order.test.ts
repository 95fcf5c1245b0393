import { expect, it } from "vitest";

import type { Suggestion } from "../net/wire.ts";
import { alike, steadyOrder } from "./hint-order.ts";

const move = (action: number, loss: number, doubt = 0.01, best = 0.5): Suggestion =>
  ({ action, loss, doubt, chance: best - loss }) as Suggestion;
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

it("moves are as good as the best one if they surely lose little, and nothing is known to be lost", () => {
  expect(alike([move(1, 0), move(2, 0.004, 0)])).toBe(2); // it shows no loss
  expect(alike([move(1, 0), move(2, 0.009, 0.01)])).toBe(2); // at worst it loses 2.9 %
  expect(alike([move(1, 0), move(2, 0.011, 0.01)])).toBe(1);
  expect(alike([move(1, 0), move(2, 0, 0.02)])).toBe(1); // it may lose 4 %
  expect(alike([move(1, 0), move(2, 0.02, 0.004)])).toBe(1); // it loses 2 %, however little that is
  expect(alike([move(1, 0), move(2, 0.01, 0.02), move(3, 0.011, 0.006)])).toBe(1); // behind one that is not
  expect(alike([move(2, 0.004, 0.02), move(1, 0, 0), move(3, 0.009)])).toBe(3); // the first stands for the best
  expect(alike([])).toBe(0);
});

it("no move is good that loses much of a small chance, nor where all is lost", () => {
  expect(alike([move(1, 0, 0, 0.02), move(2, 0.004, 0, 0.02), move(3, 0.02, 0, 0.02)])).toBe(2);
  expect(alike([move(1, 0, 0, 0.02), move(2, 0.004, 0.001, 0.02)])).toBe(1);
  expect(alike([move(1, 0, 0.001, 0.002), move(2, 0.001, 0, 0.002)])).toBe(0);
});
