import { expect, test } from "vitest";

import { statistics } from "./statistics.ts";
import type { TableRow } from "./store.ts";

/** A finished game on one screen that seat 2 won. */
const game = (more: Partial<TableRow> = {}): TableRow => ({
  id: "local-1",
  edition: "usa",
  title: "USA",
  fingerprint: "",
  terms: { seats: Array(3).fill({ bot: null, keptFor: null }), standIn: "", first: null, reactions: true },
  secret: "",
  host: "me",
  createdAt: 1,
  previous: null,
  seed: null,
  status: "finished",
  updatedAt: 2,
  finishedAt: 2,
  summary: {
    names: ["Conductor", "Bogdan", "Ana"],
    mine: [1, 2],
    scores: [10, 20, 30],
    winners: [2],
    tickets: null,
    longest: [],
  },
  ...more,
});

test("a game counts for the seat that was the person's own, whatever their name is now", () => {
  for (const name of ["Ana", "Bogdan", "Maria"])
    expect(statistics([game({ own: 2 })], name).latest).toMatchObject([{ seat: 2, place: 1 }]);
});

test("in games without an own seat it is the one under their name, or the first of this screen", () => {
  expect(statistics([game()], "Ana").total).toMatchObject({ games: 1, wins: 1, best_score: 30 });
  expect(statistics([game()], "Maria").total).toMatchObject({ games: 1, wins: 0, best_score: 20 });
});

test("those who resigned come behind all others", () => {
  const { summary } = game();
  const place = (own: number): number | undefined =>
    statistics([game({ own, summary: { ...summary, mine: [0, 1, 2], winners: [1], resigned: [2] } })], "Ana")
      .latest[0]?.place;
  expect([0, 1, 2].map(place)).toEqual([2, 1, 3]);
});

test("a seat that was given up is not the own one", () => {
  expect(statistics([game({ own: 0 })], "Ana").latest).toMatchObject([{ seat: 2 }]);
});
