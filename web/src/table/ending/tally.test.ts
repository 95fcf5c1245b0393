import { expect, test } from "vitest";

import type { Outcome, Rules, SeatScore } from "../../net/wire.ts";
import { countSteps, durationOf, rowsOf, tally } from "./tally.ts";

const score = (about: Partial<SeatScore>): SeatScore => ({
  routes: 0,
  tickets: [],
  longest_path: 0,
  stations: 0,
  globetrotter: 0,
  alvin: 0,
  total: 0,
  path_length: 0,
  borrowed: [],
  ...about,
});

const ticket = (number: number, points: number) => ({ ticket: number, completed: points > 0, points });
const outcome: Outcome = {
  seats: [
    score({ routes: 30, tickets: [ticket(1, 10), ticket(2, -4)], longest_path: 10, stations: 8, total: 54 }),
    score({ routes: 40, tickets: [ticket(3, -9)], stations: 4, total: 35 }),
  ],
  winners: [0],
  tie_break: null,
  resigned: [],
  stopped: false,
};
const europe = rowsOf({ scorers: ["routes", "tickets", "longest-path", "stations"] } as Rules);

test("an edition has the rows that it gives points for", () => {
  expect(europe).toEqual(["routes", "tickets", "longest_path", "stations"]);
  const west = rowsOf({ scorers: ["controllers", "tickets", "globetrotter", "alvin"] } as Rules);
  expect(west).toEqual(["routes", "tickets", "globetrotter", "alvin"]);
});

test("all steps together are the total that the server says", () => {
  const steps = countSteps(outcome, europe);
  expect(tally(outcome, steps).map(({ total }) => total)).toEqual(outcome.seats.map(({ total }) => total));
  expect(tally(outcome, steps).map(({ points }) => points.tickets)).toEqual([6, -9]);
});

test("tickets are counted one by one, and the winner's last", () => {
  const steps = countSteps(outcome, europe);
  expect(steps.map((step) => (step.row === "tickets" ? step.result.ticket : step.row))).toEqual([
    "routes",
    3,
    1,
    2,
    "longest_path",
    "stations",
  ]);
  const [winner, other] = tally(outcome, steps.slice(0, 3));
  expect(winner).toMatchObject({ total: 40, points: { tickets: 10, longest_path: null } });
  expect(other).toMatchObject({ total: 31, points: { tickets: -9, stations: null } });
});

test("before the first step nothing is counted", () => {
  expect(tally(outcome, [])[0]).toMatchObject({ total: 0, points: { routes: null } });
});

test("many tickets are counted faster, so that it never durationOf long", () => {
  const tickets = Array.from({ length: 40 }, (_, i) => ticket(i, 5));
  const many = { ...outcome, seats: [score({ tickets })] };
  const steps = countSteps(many, ["tickets"]);
  expect(steps.reduce((ms, step) => ms + durationOf(step, steps), 0)).toBeLessThanOrEqual(9001);
});
