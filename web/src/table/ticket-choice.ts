// Which tickets may be kept together, according to the legal moves.

import type { Choose, Keep } from "../net/wire.ts";

export type Keeping = Choose | Keep;

/** All tickets that are offered, in the order of the edition. */
export const offeredTickets = (moves: readonly Keeping[]): number[] =>
  [...new Set(moves.flatMap((move) => move.tickets))].sort((a, b) => a - b);

/** The fewest that may be kept. */
export const fewest = (moves: readonly Keeping[]): number =>
  Math.min(...moves.map((move) => move.tickets.length));

/** The move that keeps exactly these, if there is one. */
export function keeping(moves: readonly Keeping[], tickets: ReadonlySet<number>): Keeping | undefined {
  return moves.find(
    (move) => move.tickets.length === tickets.size && move.tickets.every((one) => tickets.has(one)),
  );
}
