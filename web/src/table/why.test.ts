import { beforeAll, expect, it } from "vitest";

import { Speaker } from "../game/say.ts";
import type { TableState } from "../game/table.svelte.ts";
import type { EditionMap } from "../net/wire.ts";
import { speak } from "../words/words.ts";
import { why } from "./why.ts";

beforeAll(() => speak("en"));

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
  cities: ["Roma", "Paris", "Wien"].map((name) => ({ name, lat: 0, lon: 0 })),
  routes: [route(0, 1, 7, 3), route(0, 1, 6, 3), route(1, 2, -1, 4), route(0, 2, 1, 6)],
  rules: { stations: 3, parallel_from: 4 },
} as unknown as EditionMap;

function table(more: object = {}): TableState {
  const speaker = new Speaker(map);
  speaker.names = ["Ana", "Ben"];
  const seats = [
    { routes: [], marks: [2], trains: 5, hand: [0, 2, 0, 0, 0, 0, 0, 1, 1] },
    { routes: [0], marks: [1], trains: 40, hand: null },
  ];
  const view = { phase: "turn", turn: 0, seats, alvin_city: null };
  return { view, map, speaker, seat: 0, stage: { busy: false }, ...more } as unknown as TableState;
}

it("a route says who has it, or who has the lane beside it", () => {
  expect(why(table(), { route: 0 })).toBe("Roma – Paris · red · 3 spaces. It belongs to Ben.");
  expect(why(table(), { route: 1 })).toContain("Ben has the other lane");
  expect(why(table({ seat: 1 }), { route: 0 })).toContain("It is yours.");
});

it("a lane beside another's is open where there are many players, and only the cards are missing", () => {
  const many = table();
  const others = [2, 3].map(() => ({ routes: [], marks: [], trains: 40, hand: null }));
  const view = { ...many.view, seats: [...(many.view?.seats ?? []), ...others] };
  expect(why(table({ view }), { route: 1 })).toContain("You have 1 locomotive.");
  const own = view.seats.map((known, seat) => (seat ? known : { ...known, routes: [0] }));
  expect(why(table({ view: { ...view, seats: own } }), { route: 1 })).toContain("The other lane is yours");
});

it("a route says what I have of what it needs", () => {
  expect(why(table(), { route: 2 })).toContain("You have 2 blue and 1 locomotive.");
  expect(why(table(), { route: 3 })).toContain("You have 5 trains.");
});

it("a route says only what it is when it is not my turn", () => {
  expect(why(table({ stage: { busy: true } }), { route: 2 })).toBe("Paris – Wien · any colour · 4 spaces");
  expect(why(table({ seat: null }), { route: 3 })).toBe("Roma – Wien · blue · 6 spaces");
});

it("a city says whose station it has", () => {
  expect(why(table(), { city: 1 })).toBe("Paris: Ben has a station here.");
  expect(why(table(), { city: 2 })).toBe("Wien: you have a station here.");
  expect(why(table(), { city: 0 })).toBe("Roma");
});
