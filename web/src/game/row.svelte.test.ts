import { expect, test } from "vitest";

import type { GameEvent, Update } from "../net/wire.ts";
import { Row, slotsAfter } from "./row.svelte.ts";
import { arrange, type Slot } from "./slots.ts";
import { cards } from "./view.fixture.ts";

const filled = (color: number): GameEvent => ({ type: "row-filled", color });
const taken = (color: number): GameEvent => ({ type: "card-taken", seat: 0, color });
const replaced: GameEvent = { type: "row-replaced", cards: cards() };
const updates = (...events: GameEvent[][]): Update[] =>
  events.map((those, i) => ({ version: i + 1, events: those }) as Update);

const DEAL = [7, 1, 1, 8, 0].map(filled);
const GAME = updates(
  [],
  DEAL,
  [taken(1), filled(3)],
  [taken(8)],
  [filled(8), replaced, ...DEAL.toReversed()],
);

test("a new card lies where the taken one was; those of a new row lie in their order", () => {
  const row = new Row(5);
  row.add(GAME);
  expect([0, 2, 3, 4, 5, 6].map((version) => row.at(version))).toEqual([
    [null, null, null, null, null],
    [7, 1, 1, 8, 0],
    [7, 1, 3, 8, 0],
    [7, 1, 3, null, 0],
    [0, 8, 1, 1, 7],
    null,
  ]);
});

test("after a decision was taken back, the cards lie as before it", () => {
  const row = new Row(5);
  const back = { version: 5, events: [{ type: "taken-back", seat: 0, version: 4, decisions: 1 }] } as Update;
  row.add([...GAME.slice(0, 4), back]);
  expect(row.at(5)).toEqual([7, 1, 3, 8, 0]);
});

test("it is the same for those who watch and those who come later, in whatever order they hear", () => {
  const [watching, late] = [new Row(5), new Row(5)];
  for (const update of GAME) watching.add([update]);
  late.add(GAME.slice(3));
  expect(late.at(4)).toBeNull();
  late.add(GAME.slice(0, 4));
  late.add(GAME); // for another seat of a shared screen
  for (const version of [1, 2, 3, 4, 5]) expect(late.at(version)).toEqual(watching.at(version));
});

test("while an event is animated, before its version is shown, the cards lie as they do then", () => {
  const count = (slots: readonly Slot[]): number[] => {
    const row = cards();
    for (const color of slots) if (color !== null) row[color] = (row[color] ?? 0) + 1;
    return row;
  };
  let [slots, shown]: Slot[][] = [[], []];
  slots = shown = [7, 1, 1, 8, 0];
  for (const event of [taken(1), filled(3), taken(7), replaced, ...DEAL]) {
    slots = slotsAfter(slots, event);
    shown = arrange(shown, count(slots), 5);
    expect(shown).toEqual(slots);
  }
});
