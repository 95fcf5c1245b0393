// @vitest-environment happy-dom
// The view becomes smaller when a sheet opens: the highlighted places are brought into it again.

import { flushSync, untrack } from "svelte";
import { expect, it } from "vitest";

import type { Plate } from "../net/wire.ts";
import { BoardState } from "./board.svelte.ts";
import { Geometry } from "./geometry.ts";

const plate = {
  width: 1600,
  height: 1000,
  lane_step: 17,
  cities: [
    { x: 760, y: 900 },
    { x: 880, y: 900 },
  ],
  tracks: [],
} as unknown as Plate;

it("tells who looks at something that the view has another size", () => {
  const board = new BoardState(new Geometry(plate));
  const seen = ({ city }: { city: number }): boolean => {
    const { x, y } = board.toView(board.geometry.at({ city }));
    return x >= 0 && x <= board.size[0] && y >= 0 && y <= board.size[1];
  };
  const look = (): void => board.show([{ city: 0 }, { city: 1 }]);
  board.resize(390, 700);
  const stop = $effect.root(() => {
    $effect(() => {
      void board.size;
      untrack(look);
    });
  });
  flushSync();
  expect([seen({ city: 0 }), seen({ city: 1 })]).toEqual([true, true]);
  board.resize(390, 300);
  flushSync();
  expect([seen({ city: 0 }), seen({ city: 1 })]).toEqual([true, true]);
  stop();
});
