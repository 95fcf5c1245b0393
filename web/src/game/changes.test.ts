import { describe, expect, test } from "vitest";

import type { EditionMap, GameEvent, Update } from "../net/wire.ts";
import { type Change, changesOf, duration, stepsOf } from "./changes.ts";
import { reduce } from "./reduce.ts";
import { cards, seat, view } from "./view.fixture.ts";

const before = view({
  row: cards({ 1: 2, 7: 3 }),
  seats: [seat({ hand_size: 3, hand: cards({ 2: 3 }) }), seat()],
});

const map = {
  routes: [{ a: 0, b: 1, length: 3, color: 2, kind: "track", locomotives: 0, lane: 0 }],
} as unknown as EditionMap;
const after = (event: GameEvent): Change[] => changesOf(event, before);

describe("what is seen of", () => {
  test("what moves nothing", () => {
    expect(after({ type: "turn-ended", seat: 0 })).toEqual([]);
    expect(duration([])).toBe(0);
  });

  test("a card taken, turned up, and drawn, by me and by another", () => {
    expect(after({ type: "card-taken", seat: 1, color: 7 })).toEqual([
      { kind: "card", from: "row", to: { seat: 1 }, color: 7, count: 1 },
    ]);
    expect(after({ type: "row-filled", color: 3 })).toEqual([
      { kind: "card", from: "deck", to: "row", color: 3, count: 1 },
    ]);
    expect(after({ type: "blind-drawn", seat: 0, color: 4 })).toEqual([
      { kind: "card", from: "deck", to: { seat: 0 }, color: 4, count: 1 },
    ]);
    expect(after({ type: "blind-drawn", seat: 1, color: null })).toEqual([
      { kind: "card", from: "deck", to: { seat: 1 }, color: null, count: 1 },
    ]);
  });

  test("a route claimed, and who scored", () => {
    const claimed = after({
      type: "route-claimed",
      seat: 0,
      route: 0,
      color: 2,
      cards: 2,
      locomotives: 1,
      points: [4, 7],
    });
    expect(claimed).toEqual([
      { kind: "card", from: { seat: 0 }, to: "discards", color: 2, count: 2 },
      { kind: "card", from: { seat: 0 }, to: "discards", color: 8, count: 1 },
      { kind: "trains", seat: 0, route: 0 },
      { kind: "score", seat: 0, by: 4 },
      { kind: "score", seat: 1, by: 7 },
    ]);
    expect(duration(claimed)).toBeGreaterThan(0);
  });

  test("a tunnel tried, then claimed or given up", () => {
    const event: GameEvent = { type: "tunnel-tried", seat: 0, route: 0, color: 2, cards: 3, locomotives: 0 };
    expect(after(event)).toEqual([{ kind: "card", from: { seat: 0 }, to: "tunnel", color: 2, count: 3 }]);
    const tried = reduce(before, event, map);
    expect(changesOf({ type: "tunnel-declined", seat: 0, route: 0 }, tried)).toEqual([
      { kind: "card", from: "tunnel", to: { seat: 0 }, color: 2, count: 3 },
    ]);
    const paid: GameEvent = { ...event, type: "route-claimed", points: [4, 0] };
    expect(changesOf(paid, tried)).toEqual([
      { kind: "trains", seat: 0, route: 0 },
      { kind: "score", seat: 0, by: 4 },
    ]);
  });

  test("tickets kept, a station, Alvin, a shuffle", () => {
    expect(after({ type: "tickets-kept", seat: 1, count: 2, tickets: null })).toEqual([
      { kind: "tickets", seat: 1, by: 2 },
    ]);
    const built = after({ type: "station-built", seat: 0, city: 5, color: 2, cards: 1, locomotives: 0 });
    expect(built).toContainEqual({ kind: "mark", seat: 0, city: 5 });
    expect(after({ type: "alvin-captured", seat: 1, city: 3, points: 10 })).toEqual([
      { kind: "score", seat: 1, by: 10 },
      { kind: "alvin", city: 3, holder: 1 },
    ]);
    expect(changesOf({ type: "alvin-moved", seat: 0, city: 3 }, { ...before, alvin_holder: 1 })).toEqual([
      { kind: "alvin", city: 3, holder: 1 },
    ]);
    expect(after({ type: "deck-shuffled", size: 99 })).toEqual([{ kind: "shuffle" }]);
  });
});

test("an update is shown event by event, each in the view that the one before led to", () => {
  const update: Update = {
    type: "update",
    version: 9,
    at: 0,
    by: null,
    events: [
      { type: "tunnel-tried", seat: 0, route: 0, color: 2, cards: 3, locomotives: 0 },
      { type: "route-claimed", seat: 0, route: 0, color: 2, cards: 3, locomotives: 0, points: [4, 0] },
    ],
    situation: null,
    deciding: [1],
    deadlines: [],
    legal: [],
    takeback: null,
    view: null,
  };
  const steps = stepsOf(before, update, map);
  expect(steps.map(({ changes }) => changes.map(({ kind }) => kind))).toEqual([
    ["card"],
    ["trains", "score"],
  ]);
  expect(steps.at(-1)?.view.seats[0]).toMatchObject({ routes: [0], hand_size: 0 });
  expect(stepsOf(before, { ...update, events: [] }, map)).toEqual([{ view: before, changes: [] }]);
});
