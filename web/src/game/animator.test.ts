// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { GameView } from "../net/wire.ts";
import { settings } from "../ui/settings.svelte.ts";
import { Animator } from "./animator.svelte.ts";
import type { Step } from "./changes.ts";

const view = (alvin_city: number): GameView => ({ alvin_city }) as GameView;
const step = (city: number): Step => ({
  view: view(city),
  changes: [{ kind: "alvin", city, holder: null }],
});
const decision = (version: number) => ({ version, deciding: [version % 2], legal: [] });

let animator: Animator;

beforeEach(() => {
  vi.useFakeTimers();
  settings.speed = "normal";
  animator = new Animator();
  animator.set(view(0), decision(1));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("the game stands as with what is shown, and further only with the last view of an entry", () => {
  animator.play([step(1), step(2)], decision(2));
  animator.play([step(3)], decision(3));
  expect([animator.view?.alvin_city, animator.decision.version, animator.busy]).toEqual([1, 1, true]);
  vi.advanceTimersToNextTimer();
  expect([animator.view?.alvin_city, animator.decision.version]).toEqual([2, 2]);
  vi.advanceTimersToNextTimer();
  expect([animator.view?.alvin_city, animator.decision.version]).toEqual([3, 3]);
  vi.advanceTimersToNextTimer();
  expect([animator.decision.deciding, animator.busy]).toEqual([[1], false]);
});

test("skip shows the last view, with its decision", () => {
  animator.play([step(1), step(2)], decision(2));
  animator.skip();
  expect([animator.view?.alvin_city, animator.decision.version, animator.busy]).toEqual([2, 2, false]);
});

test("a new decision belongs to the last view, not to the one that is shown", () => {
  animator.play([step(1), step(2)], decision(2));
  animator.setDecision({ ...decision(2), deciding: [7] });
  expect(animator.decision).toEqual(decision(1));
  animator.skip();
  expect(animator.decision.deciding).toEqual([7]);
});

test("nothing is animated in a hidden page", () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  animator.play([step(1), step(2)], decision(2));
  expect([animator.view?.alvin_city, animator.decision.version, animator.busy]).toEqual([2, 2, false]);
});

test("a view that came whole is shown at once, after what led to it", () => {
  animator.play([step(1)], decision(2));
  animator.play([{ view: view(5), changes: [] }], decision(3));
  expect([animator.view?.alvin_city, animator.busy]).toEqual([1, true]);
  vi.advanceTimersToNextTimer();
  expect([animator.view?.alvin_city, animator.decision.version, animator.busy]).toEqual([5, 3, false]);
});

const CALM = { factor: 1, rest: 900, limit: 9000 };

test("a calm move is shown for a while after its animation", () => {
  animator.play([step(1)], decision(2), CALM);
  animator.play([step(2)], decision(3), CALM);
  vi.advanceTimersByTime(animator.ms + 10);
  expect([animator.view?.alvin_city, animator.busy]).toEqual([1, true]);
  vi.advanceTimersByTime(CALM.rest);
  expect(animator.view?.alvin_city).toBe(2);
});

test("what is still to be shown never takes longer than the last move allows", () => {
  for (let n = 1; n < 20; n++) animator.play([step(n)], decision(n), CALM);
  animator.play([step(20)], decision(20), { factor: 1, rest: 0, limit: 800 });
  vi.advanceTimersByTime(2 * 800 + 20); // what was shown then, and the rest
  expect([animator.view?.alvin_city, animator.busy]).toEqual([20, false]);
});

test("moves at once cut short what is shown", () => {
  animator.play([step(1)], decision(2), CALM);
  animator.play([step(2)], decision(3), { factor: 0, rest: 0, limit: 0 });
  vi.advanceTimersByTime(1);
  expect([animator.view?.alvin_city, animator.decision.version, animator.busy]).toEqual([2, 3, false]);
});

test("it is known whether the player decides after the animation", () => {
  animator.play([step(1)], decision(2));
  expect(animator.leadsToMoves).toBe(false);
  animator.setDecision({ ...decision(2), legal: [{ type: "pass", action: 1 }] });
  expect([animator.leadsToMoves, animator.justSkipped]).toEqual([true, false]);
  animator.skip();
  expect([animator.leadsToMoves, animator.justSkipped]).toEqual([true, true]);
});
