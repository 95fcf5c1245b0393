// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { GameView } from "../net/wire.ts";
import { settings } from "../ui/settings.svelte.ts";
import type { Scene } from "./changes.ts";
import { Stage } from "./animator.svelte.ts";

const view = (alvin_city: number): GameView => ({ alvin_city }) as GameView;
const scene = (city: number): Scene => ({
  view: view(city),
  changes: [{ kind: "alvin", city, holder: null }],
});
const standing = (version: number) => ({ version, deciding: [version % 2], legal: [] });

let stage: Stage;

beforeEach(() => {
  vi.useFakeTimers();
  settings.speed = "normal";
  stage = new Stage();
  stage.set(view(0), standing(1));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("the game stands as with what is shown, and further only with the last view of an entry", () => {
  stage.play([scene(1), scene(2)], standing(2));
  stage.play([scene(3)], standing(3));
  expect([stage.view?.alvin_city, stage.standing.version, stage.busy]).toEqual([1, 1, true]);
  vi.advanceTimersToNextTimer();
  expect([stage.view?.alvin_city, stage.standing.version]).toEqual([2, 2]);
  vi.advanceTimersToNextTimer();
  expect([stage.view?.alvin_city, stage.standing.version]).toEqual([3, 3]);
  vi.advanceTimersToNextTimer();
  expect([stage.standing.deciding, stage.busy]).toEqual([[1], false]);
});

test("whoever skips sees the last of it, with all that goes with it", () => {
  stage.play([scene(1), scene(2)], standing(2));
  stage.skip();
  expect([stage.view?.alvin_city, stage.standing.version, stage.busy]).toEqual([2, 2, false]);
});

test("what is known anew is known of the last view, not of the one that is shown", () => {
  stage.play([scene(1), scene(2)], standing(2));
  stage.know({ ...standing(2), deciding: [7] });
  expect(stage.standing).toEqual(standing(1));
  stage.skip();
  expect(stage.standing.deciding).toEqual([7]);
});

test("nothing is animated where nobody looks", () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  stage.play([scene(1), scene(2)], standing(2));
  expect([stage.view?.alvin_city, stage.standing.version, stage.busy]).toEqual([2, 2, false]);
});

test("a view that came whole is shown at once, after what led to it", () => {
  stage.play([scene(1)], standing(2));
  stage.play([{ view: view(5), changes: [] }], standing(3));
  expect([stage.view?.alvin_city, stage.busy]).toEqual([1, true]);
  vi.advanceTimersToNextTimer();
  expect([stage.view?.alvin_city, stage.standing.version, stage.busy]).toEqual([5, 3, false]);
});
