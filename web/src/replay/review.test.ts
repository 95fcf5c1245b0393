import { expect, it } from "vitest";

import type { Review } from "../net/wire.ts";
import { chancesOf, mistakesOf } from "./review.ts";
import type { Frame } from "./story.ts";

// The game begins in entry 2; decisions are told by the entries 3, 4 and 6, and 5 is about the table.
const FRAMES = [2, 3, 4, 5, 6].map((version) => ({ version, turn: Math.max(0, version - 3) })) as Frame[];
const BLIND = { type: "blind", action: 1 };
const TAKE = { type: "take", action: 2, color: 5 };
const REVIEW = {
  curve: [
    [0.5, 0.5],
    [0.6, 0.5],
    [0.6, 0.3],
    [1, 0],
  ],
  versions: [3, 4, 6],
  judged: [
    { ply: 1, seat: 1, moves: [BLIND, TAKE] },
    { ply: 2, seat: 0, moves: [TAKE, BLIND] },
  ],
  mistakes: [2, 1],
} as unknown as Review;

it("each moment has the chances that were known before the next decision, the last the end", () => {
  expect(chancesOf(REVIEW, FRAMES)).toEqual([
    [0.5, 0.6, 0.6, 0.6, 1],
    [0.5, 0.5, 0.3, 0.3, 0],
  ]);
});

it("a mistake is found in the moment before it, the costliest first", () => {
  expect(mistakesOf(REVIEW, FRAMES)).toMatchObject([
    { judged: { ply: 2 }, index: 3, turn: 3, played: TAKE, best: BLIND },
    { judged: { ply: 1 }, index: 1, turn: 1, played: BLIND, best: TAKE },
  ]);
});

it("a review without decisions has no chances and no mistakes", () => {
  const nothing = { curve: [], versions: [], judged: [], mistakes: [] } as unknown as Review;
  expect([chancesOf(nothing, FRAMES), mistakesOf(nothing, FRAMES)]).toEqual([[], []]);
});

it("of a review that goes on, only what is known so far is shown", () => {
  const part = { ...REVIEW, curve: REVIEW.curve.slice(0, 2), judged: [], mistakes: [] };
  expect(chancesOf(part, FRAMES)).toEqual([
    [0.5, 0.6],
    [0.5, 0.5],
  ]);
});
