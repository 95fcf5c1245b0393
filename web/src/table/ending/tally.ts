// The final scores, counted step by step.

import type { Outcome, Rules, TicketResult } from "../../net/wire.ts";

const ROWS = ["routes", "tickets", "longest_path", "stations", "globetrotter", "alvin"] as const;
export type Row = (typeof ROWS)[number];

const SCORERS: Record<Row, string[]> = {
  routes: ["routes", "controllers"],
  tickets: ["tickets"],
  longest_path: ["longest-path"],
  stations: ["stations"],
  globetrotter: ["globetrotter"],
  alvin: ["alvin"],
};

/** The reasons for which this edition gives points. */
export const rowsOf = ({ scorers }: Rules): Row[] =>
  ROWS.filter((row) => SCORERS[row].some((name) => scorers.includes(name)));

/** One step of counting: a whole row, or one ticket. */
type CountStep = { row: Exclude<Row, "tickets"> } | { row: "tickets"; seat: number; result: TicketResult };

const sum = (points: readonly number[]): number => points.reduce((total, n) => total + n, 0);

/** The order of counting. Tickets come seat by seat, and the winners' last. */
export function countSteps({ seats, winners }: Outcome, rows: readonly Row[]): CountStep[] {
  const won = (seat: number): number => Number(winners.includes(seat));
  const order = seats.map((_, seat) => seat).sort((a, b) => won(a) - won(b));
  return rows.flatMap((row): CountStep[] =>
    row === "tickets"
      ? order.flatMap((seat) => (seats[seat]?.tickets ?? []).map((result) => ({ row, seat, result })))
      : [{ row }],
  );
}

export interface Tally {
  /** by reason; null: not counted yet */
  points: Record<Row, number | null>;
  total: number;
}

/** What each seat has after some steps. */
export function tally({ seats }: Outcome, steps: readonly CountStep[]): Tally[] {
  return seats.map((score, seat) => {
    const points: Tally["points"] = {
      routes: null,
      tickets: null,
      longest_path: null,
      stations: null,
      globetrotter: null,
      alvin: null,
    };
    for (const step of steps) {
      if (step.row !== "tickets") points[step.row] = score[step.row];
      else points.tickets = (points.tickets ?? 0) + (step.seat === seat ? step.result.points : 0);
    }
    return { points, total: sum(Object.values(points).map((n) => n ?? 0)) };
  });
}

const ROW_MS = 1100;
const TICKET_MS = 750;
const ALL_TICKETS_MS = 9000; // many tickets are counted faster

/** How long a step is shown at normal speed, in milliseconds. */
export function durationOf(step: CountStep, steps: readonly CountStep[]): number {
  if (step.row !== "tickets") return ROW_MS;
  return Math.min(TICKET_MS, ALL_TICKETS_MS / steps.filter(({ row }) => row === "tickets").length);
}
