import { describe, expect, it } from "vitest";

import type { Change } from "../game/changes.ts";
import { type Box, cardAnimations } from "./card-animations.ts";

const box = (x: number): Box => ({ x, y: 0, width: 10, height: 10 });
const screen = (places: Record<string, Box>) => (selectors: readonly string[]) =>
  selectors.map((one) => places[one]).find(Boolean) ?? null;
const card = (more: Partial<Extract<Change, { kind: "card" }>>): Change => ({
  kind: "card",
  from: "deck",
  to: { seat: 1 },
  color: null,
  count: 1,
  ...more,
});

describe("cardAnimations", () => {
  it("lead from pile to pile", () => {
    const find = screen({ '[data-pile="deck"]': box(1), '[data-pile="seat-1"]': box(2) });
    expect(cardAnimations([card({})], find, 400, 7)).toEqual([
      { id: 7, color: null, from: box(1), to: box(2), delay: 0 },
    ]);
  });

  it("end at the pile of that colour in my hand, if there is one", () => {
    const find = screen({
      '[data-pile="deck"]': box(1),
      '[data-hand][data-pile="seat-1"]': box(2),
      '[data-hand][data-pile="seat-1"] [data-color="7"]': box(3),
    });
    expect(cardAnimations([card({ color: 7 })], find, 400, 0)[0]?.to).toEqual(box(3));
    expect(cardAnimations([card({ color: 6 })], find, 400, 0)[0]?.to).toEqual(box(2));
  });

  it("begin at the gap a card left in the row, and end at the place it filled", () => {
    const find = screen({
      '[data-pile="row"] [data-gap]': box(1),
      '[data-pile="row"] [data-fresh]': box(2),
      '[data-pile="deck"]': box(3),
      '[data-pile="seat-1"]': box(4),
    });
    const [taken, filled] = cardAnimations(
      [card({ from: "row" }), card({ to: "row", color: 2 })],
      find,
      400,
      0,
    );
    expect(taken?.from).toEqual(box(1));
    expect(filled?.to).toEqual(box(2));
  });

  it("follow each other within the time there is, and are not too many", () => {
    const find = screen({ '[data-pile="seat-1"]': box(1), '[data-pile="discards"]': box(2) });
    const many = cardAnimations(
      [card({ from: { seat: 1 }, to: "discards", color: 3, count: 9 })],
      find,
      1000,
      0,
    );
    expect(many).toHaveLength(6);
    expect(many[0]?.delay).toBe(0);
    expect(many.at(-1)?.delay).toBeLessThan(500);
    expect(new Set(many.map(({ id }) => id)).size).toBe(6);
  });

  it("are none where a pile is not in sight, or nothing flies", () => {
    expect(cardAnimations([card({})], () => null, 400, 0)).toEqual([]);
    expect(cardAnimations([{ kind: "score", seat: 0, by: 3 }], () => box(0), 400, 0)).toEqual([]);
  });
});
