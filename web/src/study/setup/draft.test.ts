import { expect, test } from "vitest";

import type { PositionData } from "../../local/position.ts";
import { giveTicket, layCity, layRoute, lies, moveCard, none, type Tool, withSeat } from "./draft.ts";

const trains = (seat: number): Tool => ({ what: "trains", seat });
const mark = (seat: number): Tool => ({ what: "mark", seat });
const NONE: Tool = { what: "none" };
const ALVIN: Tool = { what: "alvin" };
const HOME = 9;
const bare: PositionData = { seats: [{}, {}], row: none().with(3, 2) };

test("trains are laid, changed and taken away", () => {
  const laid = layRoute(layRoute(bare, 4, trains(0)), 2, trains(0));
  expect(laid.seats.map(({ routes }) => routes)).toEqual([[2, 4], []]);
  expect(lies(laid, { route: 4 }, NONE)).toBe(null);
  expect(lies(laid, { route: 4 }, trains(1))).toBe(0);
  const changed = layRoute(laid, 4, trains(1));
  expect(changed.seats.map(({ routes }) => routes)).toEqual([[2], [4]]);
  expect(layRoute(changed, 4, trains(1)).seats[1]?.routes).toEqual([]); // once more: taken away
  expect(layRoute(changed, 2, NONE).seats[0]?.routes).toEqual([]);
});

test("who has the marker in Alvin's city holds him, and at home nobody does", () => {
  const marked = layCity(bare, 5, mark(1), HOME);
  const held = layCity(marked, 5, ALVIN, HOME);
  expect([held.alvin_city, held.alvin_holder]).toEqual([5, 1]);
  expect(layCity(held, 5, mark(0), HOME).alvin_holder).toBe(0);
  expect(layCity(held, 7, mark(0), HOME).alvin_holder).toBe(1);
  for (const home of [layCity(held, HOME, ALVIN, HOME), layCity(held, 5, NONE, HOME)])
    expect(home.alvin_city).toBeUndefined();
  expect(layCity(held, 5, NONE, HOME).seats[1]?.marks).toEqual([]);
});

test("cards are moved between the row, the discards and hands, from the deck and back", () => {
  const given = moveCard(moveCard(bare, 3, "row", "hand 1"), 8, null, "hand 1");
  expect(given.row).toEqual(none().with(3, 1));
  expect(given.seats[1]?.hand).toEqual(none().with(3, 1).with(8, 1));
  const thrown = moveCard(given, 8, "hand 1", "discards");
  expect([thrown.discards?.[8], thrown.seats[1]?.hand?.[8]]).toEqual([1, 0]);
  expect(moveCard(thrown, 8, "discards", null).discards).toEqual(none());
  expect(moveCard(thrown, 8, "discards", "discards")).toBe(thrown);
  const seen = withSeat(given, 1, { seen: none().with(3, 1) });
  expect(moveCard(seen, 3, "hand 1", null).seats[1]?.seen?.[3]).toBe(0); // none is known that is not there
});

test("a ticket has one place", () => {
  const one = giveTicket({ ...bare, known_tickets: { 6: "under 0", 7: "under 1" } }, 6, 0);
  expect([one.seats[0]?.tickets, one.known_tickets]).toEqual([[6], { 7: "under 0" }]);
  const other = giveTicket(one, 6, 1);
  expect(other.seats.map(({ tickets }) => tickets)).toEqual([[], [6]]);
  expect(giveTicket(other, 6, null).seats[1]?.tickets).toEqual([]);
});
