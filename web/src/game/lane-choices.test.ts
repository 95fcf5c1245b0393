import { expect, it } from "vitest";

import type { EditionMap } from "../net/wire.ts";
import { type Lane, laneChoices } from "./lane-choices.ts";

const GRAY = 9;
const lanes = (...colors: number[]): EditionMap =>
  ({
    routes: colors.map((color, lane) => ({ a: 0, b: 1, length: 2, color, lane })),
  }) as unknown as EditionMap;
const lane = (route: number, ...colors: number[]): Lane => ({
  route,
  ways: colors.map((color) => {
    return { type: "claim" as const, action: 10 * route + color, route, color, cards: 2, locomotives: 0 };
  }),
});

it("names lanes once that have one colour and cost the same", () => {
  const found = laneChoices(lanes(GRAY, GRAY, GRAY), [lane(1, 4, 7), lane(0, 4, 7), lane(2, 7, 4)]);
  expect(found).toEqual([{ ...lane(1, 4, 7), either: true }]);
});

it("keeps apart what differs in colour or in price", () => {
  const byColor = [lane(0, 4), lane(1, 4)];
  expect(laneChoices(lanes(4, GRAY), byColor).map(({ either }) => either)).toEqual([false, false]);
  const byPrice = [lane(0, 4), lane(1, 4, 7)];
  expect(laneChoices(lanes(GRAY, GRAY), byPrice).map(({ route }) => route)).toEqual([0, 1]);
});
