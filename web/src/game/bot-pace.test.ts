// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";

import { settings } from "../ui/settings.svelte.ts";
import { paceOf } from "./bot-pace.ts";

const moved = { bot: true, mine: false, clock: false };

beforeEach(() => {
  settings.speed = "normal";
  settings.bots = "quick";
});

test("bots that move at once are not animated, people are", () => {
  settings.bots = "at-once";
  expect(paceOf(moved)).toEqual({ factor: 0, rest: 0, limit: 0 });
  expect(paceOf({ ...moved, bot: false }).factor).toBe(1);
});

test("calm bots rest after a move, without movement too", () => {
  settings.bots = "calm";
  expect(paceOf(moved).rest).toBeGreaterThan(0);
  settings.speed = "off";
  expect(paceOf(moved)).toMatchObject({ factor: 0 });
  expect(paceOf(moved).rest).toBeGreaterThan(0);
  expect(paceOf({ ...moved, bot: false }).rest).toBe(0);
});

test("the player's turn is reached sooner, soonest while the clock runs", () => {
  for (const bots of ["quick", "calm"] as const) {
    settings.bots = bots;
    const [other, mine, hurry] = [
      paceOf(moved).limit,
      paceOf({ ...moved, mine: true }).limit,
      paceOf({ ...moved, mine: true, clock: true }).limit,
    ];
    expect(other >= mine && mine > hurry).toBe(true);
    expect(hurry).toBeLessThanOrEqual(1000);
  }
});
