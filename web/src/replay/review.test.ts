import { expect, it } from "vitest";

import type { GameEvent, Review, TurningPoint } from "../net/wire.ts";
import type { Frame } from "./frames.ts";
import { chancesOf, mistakesOf, pointsOf } from "./review.ts";

// The game begins in entry 2; decisions are told by the entries 3, 4 and 6, and 5 is about the table.
const events: Record<number, Partial<GameEvent>[]> = {
  3: [{ type: "blind-drawn", seat: 0 }],
  4: [
    { type: "route-claimed", seat: 1 },
    { type: "blind-drawn", seat: 1 },
  ],
  6: [{ type: "game-ended" }],
};
const FRAMES = [2, 3, 4, 5, 6].map((version) => {
  return { version, turn: Math.max(0, version - 3), events: events[version] ?? [] };
}) as unknown as Frame[];
const BLIND = { type: "blind", action: 1 };
const TAKE = { type: "take", action: 2, color: 5 };
const REVIEW = {
  curve: [
    [0.5, 0.5],
    [0.6, 0.5],
    [0.6, 0.3],
    [1, 0],
  ],
  judged: [
    { ply: 0, seat: 0, played: BLIND, best: TAKE, cost: 0.5, clear: false },
    { ply: 1, seat: 1, played: BLIND, best: TAKE, cost: 0.1, clear: true },
    { ply: 2, seat: 0, played: TAKE, best: BLIND, cost: 0.2, clear: true },
  ],
} as unknown as Review;
const VERSIONS = [3, 4, 6];

it("each moment has the chances that were known before the next decision, the last the end", () => {
  expect(chancesOf(REVIEW, VERSIONS, FRAMES)).toEqual([
    [0.5, 0.6, 0.6, 0.6, 1],
    [0.5, 0.5, 0.3, 0.3, 0],
  ]);
});

it("a mistake is found in the moment before it, the costliest first", () => {
  expect(mistakesOf(REVIEW, VERSIONS, FRAMES)).toMatchObject([
    { judged: { ply: 2 }, index: 3, turn: 3 },
    { judged: { ply: 1 }, index: 1, turn: 1 },
  ]);
});

it("a review without decisions has no chances and no mistakes", () => {
  const nothing = { curve: [], judged: [] } as unknown as Review;
  expect([chancesOf(nothing, [], FRAMES), mistakesOf(nothing, [], FRAMES)]).toEqual([[], []]);
});

it("of a review that goes on, only what is known so far is shown", () => {
  const part = { ...REVIEW, curve: REVIEW.curve.slice(0, 2), judged: [] };
  expect(chancesOf(part, VERSIONS, FRAMES)).toEqual([
    [0.5, 0.6],
    [0.5, 0.5],
  ]);
});

it("turning points come in the order of the game: mistakes before them, swings with what happened", () => {
  const points = [
    { kind: "swing", ply: 0, until: 2, turn: 0, seat: 0, change: -0.3 },
    { kind: "mistake", ply: 2, until: 2, turn: 3, seat: 0, change: -0.2 },
    { kind: "swing", ply: 1, until: 3, turn: 1, seat: 1, change: -0.1 },
  ] as TurningPoint[];
  const [first, second, third] = pointsOf(REVIEW, points, VERSIONS, FRAMES);
  // A swing of seat 0 from its first to its second decision: its own card, and what seat 1 claimed.
  expect(first).toMatchObject({ number: 1, index: 3, judged: null, turn: 0 });
  expect(first?.events.map(({ type }) => type)).toEqual(["blind-drawn", "route-claimed"]);
  expect(second).toMatchObject({ number: 2, index: 4, point: { ply: 1 } });
  expect(second?.events.map(({ type }) => type)).toEqual(["blind-drawn", "game-ended"]);
  expect(third).toMatchObject({ number: 3, index: 3, judged: { ply: 2 }, turn: 3, events: [] });
});
