import { expect, it } from "vitest";

import { PATTERNS } from "../art/seats.ts";
import { glowOf } from "./glow.ts";

it("what can be chosen glows strongly if it serves a ticket, else weakly; nothing else glows", () => {
  const choosable = { routes: new Set([1, 2]), cities: new Set([5]) };
  const notes = {
    routes: new Map([
      [2, "for Paris – Wien"],
      [3, "for Paris – Wien"],
    ]),
    cities: new Map(),
  };
  const { strong, weak } = glowOf(choosable, notes);
  expect(strong).toEqual({ routes: new Set([2]), cities: new Set() });
  expect(weak).toEqual({ routes: new Set([1]), cities: new Set([5]) });
});

it("every player's trains have a pattern of their own", () => {
  const drawn = Object.values(PATTERNS).map(({ d }) => d);
  expect(drawn.every(Boolean)).toBe(true);
  expect(new Set(drawn).size).toBe(drawn.length);
});
