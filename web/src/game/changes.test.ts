import { describe, expect, test } from "vitest";

import type { EditionMap, GameEvent, GameView, SeatView } from "../net/wire.ts";
import { difference, duration } from "./changes.ts";
import { reduce } from "./reduce.ts";

const none = (): number[] => Array.from({ length: 9 }, () => 0);
const cards = (counts: Record<number, number>): number[] => none().map((_, color) => counts[color] ?? 0);

const seat = (more: Partial<SeatView> = {}): SeatView => ({
  hand_size: 3,
  seen: none(),
  hand: null,
  tickets_held: 2,
  tickets: null,
  tickets_offered: 0,
  offer: null,
  trains: 45,
  score: 0,
  routes: [],
  marks: [],
  ...more,
});

const before: GameView = {
  seat: 0,
  phase: "turn",
  after: "turn",
  turn: 0,
  first: 0,
  choosing: [],
  passes: 0,
  last_turns: 0,
  drawn: 0,
  refreshed: 0,
  row: cards({ 1: 2, 7: 3 }),
  discards: none(),
  deck_size: 90,
  pool: none(),
  claiming: null,
  laid: none(),
  revealed: none(),
  extra: 0,
  ticket_stock: 20,
  tickets_bundled: 0,
  tickets_under: 0,
  known_tickets: {},
  alvin_captured: false,
  alvin_city: null,
  alvin_holder: null,
  seats: [seat({ hand: cards({ 2: 3 }) }), seat()],
  outcome: null,
  longest_paths: [],
};

const map = {
  routes: [{ a: 0, b: 1, length: 3, color: 2, kind: "track", locomotives: 0, lane: 0 }],
} as unknown as EditionMap;
const after = (event: GameEvent): ReturnType<typeof difference> =>
  difference(before, reduce(before, event, map));

describe("what differs after", () => {
  test("nothing", () => {
    expect(difference(before, { ...before, turn: 1 })).toEqual([]);
    expect(duration([])).toBe(0);
  });

  test("a card taken", () => {
    const taken = after({ type: "card-taken", seat: 1, color: 7 });
    expect(taken).toEqual([{ kind: "card", from: "row", to: { seat: 1 }, color: 7, count: 1 }]);
  });

  test("a card drawn, by me and by somebody else", () => {
    const mine = after({ type: "blind-drawn", seat: 0, color: 4 });
    expect(mine).toEqual([{ kind: "card", from: "deck", to: { seat: 0 }, color: 4, count: 1 }]);
    const theirs = after({ type: "blind-drawn", seat: 1, color: null });
    expect(theirs).toEqual([{ kind: "card", from: "deck", to: { seat: 1 }, color: null, count: 1 }]);
  });

  test("a route claimed", () => {
    const claimed = after({
      type: "route-claimed",
      seat: 0,
      route: 0,
      color: 2,
      cards: 3,
      locomotives: 0,
      points: [4, 0],
    });
    expect(claimed).toEqual([
      { kind: "card", from: { seat: 0 }, to: "discards", color: 2, count: 3 },
      { kind: "trains", seat: 0, route: 0 },
      { kind: "score", seat: 0, by: 4 },
    ]);
    expect(duration(claimed)).toBeGreaterThan(0);
  });

  test("a tunnel tried and given up", () => {
    const event: GameEvent = { type: "tunnel-tried", seat: 0, route: 0, color: 2, cards: 3, locomotives: 0 };
    const tried = reduce(before, event, map);
    expect(difference(before, tried)).toEqual([
      { kind: "card", from: { seat: 0 }, to: "tunnel", color: 2, count: 3 },
    ]);
    const declined = reduce(tried, { type: "tunnel-declined", seat: 0, route: 0 }, map);
    expect(difference(tried, declined)).toEqual([
      { kind: "card", from: "tunnel", to: { seat: 0 }, color: 2, count: 3 },
    ]);
    expect(declined.seats[0]?.hand).toEqual(before.seats[0]?.hand);
  });

  test("a station, Alvin, a shuffle", () => {
    const built = after({ type: "station-built", seat: 0, city: 5, color: 2, cards: 1, locomotives: 0 });
    expect(built).toContainEqual({ kind: "mark", seat: 0, city: 5 });
    expect(after({ type: "alvin-moved", seat: 0, city: 3 })).toEqual([
      { kind: "alvin", city: 3, holder: null },
    ]);
    expect(after({ type: "deck-shuffled", size: 99 })).toEqual([{ kind: "shuffle" }]);
  });
});
