import { beforeAll, expect, it } from "vitest";

import { GameTexts } from "../game/texts.ts";
import type { EditionMap, Move } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { entries, search } from "./move-list.ts";

const map = {
  cities: ["Zürich", "Paris", "Wien"].map((label) => ({ name: label, label, lat: 0, lon: 0 })),
  routes: [{ a: 0, b: 1, length: 3, color: 7, kind: "tunnel", locomotives: 0, lane: 0 }],
  tickets: [],
} as unknown as EditionMap;

const MOVES: Move[] = [
  { type: "blind", action: 1 },
  { type: "take", action: 2, color: 4 },
  { type: "claim", action: 3, route: 0, color: 7, cards: 2, locomotives: 1 },
  { type: "claim", action: 4, route: 0, color: 7, cards: 3, locomotives: 0 },
  { type: "station", action: 5, city: 2, color: 4, cards: 1, locomotives: 0 },
  { type: "pass", action: 6 },
];

beforeAll(() => setLanguage("en"));

const all = () => entries(MOVES, new GameTexts(map), [0, 0, 0, 0, 2, 0, 0, 3, 1]);

it("has one entry for each place, with its sensible price, and one for each other move", () => {
  expect(
    all().map(({ kind, choice }) => [kind, "place" in choice ? choice.place : choice.move.action]),
  ).toEqual([
    ["cards", 1],
    ["cards", 2],
    ["routes", { route: 0 }],
    ["cities", 5],
    ["others", 6],
  ]);
  expect(all()[2]?.text).toBe("Zürich – Paris · red · 3 spaces · tunnel: 3 red, or another way");
});

it("begins with what serves tickets, and says which", () => {
  const tickets = [{ a: 1, b: 2, points: 5, deck: "normal", status: "" }];
  const texts = new GameTexts({ ...map, tickets } as unknown as EditionMap);
  const serving = { routes: new Map(), cities: new Map([[2, [0]]]) };
  const found = entries(MOVES, texts, [0, 0, 0, 0, 2, 0, 0, 3, 1], serving);
  expect(found[0]?.text).toBe("Wien: 1 green · for Paris – Wien");
});

it("makes a move whose whole price it says, but asks about a tunnel and where there is a choice", () => {
  const claim = (action: number, route: number, color: number): Move => {
    return { type: "claim", action, route, color, cards: 2, locomotives: 0 };
  };
  const kinds = ["tunnel", "track", "track", "track"];
  const routes = kinds.map((kind, b) => ({ a: 3, b, length: 2, color: 9, kind, locomotives: 0, lane: 0 }));
  const lanes = [...routes, { ...routes[3], lane: 1 }];
  const cities = ["Bern", "Brno", "Pest", "Graz"].map((label) => ({ name: label, label, lat: 0, lon: 0 }));
  const moves = [
    claim(1, 0, 4),
    claim(2, 1, 4),
    claim(3, 2, 4),
    claim(4, 2, 7),
    claim(5, 3, 4),
    claim(6, 4, 4),
  ];
  const texts = new GameTexts({ cities, routes: lanes, tickets: [] } as unknown as EditionMap);
  const found = entries(moves, texts, [0, 0, 0, 0, 2, 0, 0, 2, 0]);
  expect(found.map(({ choice }) => ("place" in choice ? choice.place : choice.move.action))).toEqual([
    { route: 0 },
    2,
    { route: 2 },
    5,
  ]);
  expect(found[3]?.text).toContain("either lane");
  expect(found[1]?.text).not.toContain("either lane");
});

it("says what every move is, and never its name in the protocol", () => {
  for (const { text } of all()) expect(text).toMatch(/^[A-Z]/);
});

it("is searched by words in any order, accents or not", () => {
  expect(search(all(), "paris zurich").map(({ kind }) => kind)).toEqual(["routes"]);
  expect(search(all(), "GREEN").map(({ kind }) => kind)).toEqual(["cards", "cities"]);
  expect(search(all(), "  ")).toHaveLength(5);
  expect(search(all(), "london")).toEqual([]);
});
