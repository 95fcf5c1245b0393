import { beforeAll, expect, it } from "vitest";

import type { TableState } from "../game/table.svelte.ts";
import { GameTexts } from "../game/texts.ts";
import type { EditionMap } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { why } from "./why.ts";

beforeAll(() => setLanguage("en"));

const route = (a: number, b: number, color: number, length: number) => ({
  a,
  b,
  color,
  length,
  kind: "track",
  locomotives: 0,
  lane: 0,
});
const map = {
  cities: ["Roma", "Paris", "Wien"].map((label) => ({ name: label, label, lat: 0, lon: 0 })),
  routes: [route(0, 1, 7, 3), route(0, 1, 6, 3), route(1, 2, -1, 4), route(0, 2, 1, 6)],
  rules: { stations: 3, parallel_from: 4 },
} as unknown as EditionMap;

function table(routes: string[] = [], cities: string[] = [], more: object = {}): TableState {
  const texts = new GameTexts(map);
  texts.names = ["Ana", "Ben"];
  const seats = [
    { routes: [], marks: [2], trains: 5, hand: [0, 2, 0, 0, 0, 0, 0, 1, 1] },
    { routes: [0], marks: [1], trains: 40, hand: null },
  ];
  const view = { seats, alvin_city: null };
  const aids = { version: 7, routes, cities };
  return { view, map, texts, seat: 0, version: 7, aids, ...more } as unknown as TableState;
}

it("a route says who has it", () => {
  expect(why(table(), { route: 0 })).toBe("Roma – Paris · red · 3 spaces. It belongs to Ben.");
  expect(why(table([], [], { seat: 1 }), { route: 0 })).toContain("It is yours.");
  expect(why(table([], [], { seat: null, aids: null }), { route: 0 })).toContain("It belongs to Ben.");
});

it("a route says why the server refuses it", () => {
  const said = (reason: string, route = 1) => why(table(["", reason, reason, reason]), { route });
  expect(said("parallel-closed")).toContain("Another lane beside it is taken");
  expect(said("own-parallel-lane")).toContain("The other lane is yours");
  expect(said("no-cards")).toContain("You have 1 locomotive.");
  expect(said("no-cards", 2)).toContain("You have 2 blue and 1 locomotive.");
  expect(said("too-few-trains", 3)).toContain("You have 5 trains.");
});

it("a route of the Old West that does not touch my network says so, and nothing of cards", async () => {
  const said = why(table(["", "", "not-connected"]), { route: 2 });
  expect(said).toContain("It does not touch your network");
  expect(said).not.toContain("You have");
  await setLanguage("ro");
  expect(why(table(["", "", "not-connected"]), { route: 2 })).toContain("Nu atinge rețeaua ta");
  await setLanguage("en");
});

it("a route says only what it is when it is not my turn, or when the reasons are of another moment", () => {
  const only = "Paris – Wien · any colour · 4 spaces";
  expect(why(table(["", "", "not-your-turn"]), { route: 2 })).toBe(only);
  expect(why(table(["", "", "no-cards"], [], { version: 8 }), { route: 2 })).toBe(only);
  expect(why(table([], [], { aids: null }), { route: 2 })).toBe(only);
});

it("a city says whose station it has, or why there cannot be one", () => {
  expect(why(table(), { city: 1 })).toBe("Paris: Ben has a station here.");
  expect(why(table([], ["", "", "city-taken"]), { city: 2 })).toBe("Wien: you have a station here.");
  expect(why(table(), { city: 0 })).toBe("Roma");
  expect(why(table([], ["no-station-left"]), { city: 0 })).toBe("Roma. You have no station left.");
});
