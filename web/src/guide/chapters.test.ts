import { beforeAll, describe, expect, test } from "vitest";

import type { EditionMap, GameView, Move } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { type ChapterId, chaptersFor, numbersOf, rulesAddress, variant } from "./chapters.ts";

beforeAll(() => setLanguage("en"));

const route = (about: Partial<EditionMap["routes"][number]> = {}): EditionMap["routes"][number] => ({
  a: 0,
  b: 1,
  length: 3,
  color: 4,
  kind: "track",
  locomotives: 0,
  lane: 0,
  ...about,
});

const map = {
  routes: [
    route({ a: 0, b: 1 }),
    route({ a: 0, b: 1, lane: 1 }),
    route({ a: 1, b: 2, kind: "tunnel" }),
    route({ a: 2, b: 3, color: -1, kind: "ferry", locomotives: 1 }),
    route({ a: 3, b: 4, color: -1 }),
    route({ a: 4, b: 5 }),
  ],
  cities: [{ label: "Roswell" }],
  rules: { markers: 0, stations: 3, parallel_from: 4, route_points: [0, 1, 2, 4, 7, 10, 15], setup_keep: 2 },
} as EditionMap;

const view = (about: Partial<GameView> = {}): GameView =>
  ({
    phase: "turn",
    last_turns: 0,
    alvin_city: null,
    extra: 0,
    seats: [{ marks: [] }, { marks: [] }],
    ...about,
  }) as GameView;

const claim = (route: number): Move => ({
  type: "claim",
  action: 1,
  color: 4,
  cards: 3,
  locomotives: 0,
  route,
});
const blind: Move = { type: "blind", action: 2 };
const station: Move = { type: "station", action: 3, color: 4, cards: 1, locomotives: 0, city: 2 };
const chapterFor = (...about: Parameters<typeof chaptersFor>): ChapterId | null =>
  chaptersFor(...about)[0] ?? null;
const FIRST: ChapterId[] = ["tickets", "turn", "claim"];

test("nothing is told when there is nothing to decide", () => {
  expect(chapterFor(view(), [], map, [])).toBeNull();
});

test("the first things are told first, each once", () => {
  const choose: Move = { type: "choose", action: 1, seat: 0, tickets: [1, 2] };
  expect(chapterFor(view({ phase: "choose" }), [choose], map, [])).toBe("tickets");
  expect(chapterFor(view({ phase: "choose" }), [choose], map, ["tickets"])).toBeNull();
  expect(chaptersFor(view(), [blind, claim(5)], map, [])).toEqual(["turn", "claim"]);
  expect(chapterFor(view({ phase: "second" }), [blind], map, FIRST)).toBe("cards");
});

test.each<[string, Move[], ChapterId]>([
  ["a tunnel that can be paid", [claim(2)], "tunnel"],
  ["a ferry", [claim(3)], "ferry"],
  ["one lane of two", [claim(1)], "double"],
  ["a gray route", [claim(4)], "gray"],
  ["a station", [station], "station"],
])("what is special about %s", (_, moves, chapter) => {
  expect(chapterFor(view(), moves, map, FIRST)).toBe(chapter);
});

test("who builds a station or picks a route is told about that, and not about the turn", () => {
  expect(chaptersFor(view(), [station], map, [])).toEqual(["station"]);
  expect(chaptersFor(view(), [station], map, ["station"])).toEqual([]);
  expect(chaptersFor(view({ last_turns: 2 }), [claim(2)], map, [])).toEqual(["claim", "tunnel"]);
});

test("an ordinary route has nothing special", () => {
  expect(chapterFor(view(), [blind, claim(5)], map, FIRST)).toBeNull();
});

test("a tunnel's price is told when it is to be paid, whatever else was told", () => {
  const pay: Move[] = [
    { type: "pay-tunnel", action: 1, color: 4, cards: 1, locomotives: 0 },
    { type: "decline", action: 2 },
  ];
  expect(chapterFor(view({ phase: "tunnel", extra: 1 }), pay, map, [...FIRST, "tunnel"])).toBe("reveal");
});

describe("Old West", () => {
  const west = { ...map, rules: { ...map.rules, markers: 3, stations: 0 } };
  const marked = { seats: [{ marks: [4] }, { marks: [] }] } as Partial<GameView>;

  test("control is told at a route to a marked city, and only where there are markers", () => {
    expect(chapterFor(view(marked), [claim(5)], west, FIRST)).toBe("control");
    expect(chapterFor(view(marked), [claim(5)], map, FIRST)).toBeNull(); // there, marks are stations
    expect(chapterFor(view(), [claim(5)], west, FIRST)).toBeNull();
  });

  test("markers and Alvin are told when they are asked about", () => {
    const mark: Move = { type: "mark", action: 1, color: 4, cards: 2, locomotives: 0, city: 4 };
    expect(chapterFor(view({ phase: "mark" }), [mark], west, FIRST)).toBe("marker");
    expect(chapterFor(view({ phase: "start" }), [{ type: "start", action: 1, city: 1 }], west, [])).toBe(
      "start",
    );
    expect(chapterFor(view({ alvin_city: 0 }), [claim(5)], west, FIRST)).toBe("alvin");
    const move: Move = { type: "move-alvin", action: 1, city: 4 };
    expect(chapterFor(view({ phase: "alvin", alvin_city: 0 }), [move], west, FIRST)).toBe("alvin-move");
    expect(numbersOf(view({ alvin_city: 0 }), west).city).toBe("Roswell");
  });
});

test("the last round goes before everything else of a turn, and the end needs no move", () => {
  expect(chapterFor(view({ last_turns: 2 }), [blind, claim(2)], map, [])).toBe("last-round");
  expect(chapterFor(view({ phase: "over" }), [], map, [])).toBe("end");
});

test("some texts depend on the table", () => {
  const four = view({
    seats: Array.from({ length: 4 }, () => ({ marks: [] })) as unknown as GameView["seats"],
  });
  expect([variant("double", view(), [], map), variant("double", four, [], map)]).toEqual(["text", "text-2"]);
  expect(variant("turn", view(), [], map)).toBe("text-2"); // there are stations
  expect(variant("reveal", view(), [{ type: "decline", action: 1 }], map)).toBe("text-2"); // it cannot be paid
  expect(variant("gray", view(), [], map)).toBe("text");
});

test("the rules are those of the edition, without its options", () => {
  expect(rulesAddress("tunnel", "europe")).toBe("/rules/europe#tunnels");
  expect(rulesAddress("alvin", "old-west+alvin")).toBe("/rules/old-west#alvin");
});
