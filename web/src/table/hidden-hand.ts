// Several people on one screen: whether who looks at it may be the next person already.

import type { TableState } from "../game/table.svelte.ts";

/**
 * Another person here is to decide, and somebody else acted after the one whose cards are shown: they had time
 * to see what they did, and are covered. `since`: the version at which they said that they are here.
 */
export function handHidden(
  { next, log, seat }: Pick<TableState, "next" | "log" | "seat">,
  since: number,
): boolean {
  const last = log.at(-1);
  return next !== null && last !== undefined && last.version > since && last.seat !== seat;
}
