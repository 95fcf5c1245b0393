// On a shared screen: whether the next player may already be looking.

import type { TableState } from "../game/table.svelte.ts";

/**
 * Another player here is to decide, and another seat has moved since the player whose cards are shown: they had
 * time to see their own move, so their cards are hidden. `since`: the version at which they came to the screen.
 */
export function handHidden(
  { next, log, seat }: Pick<TableState, "next" | "log" | "seat">,
  since: number,
): boolean {
  const last = log.at(-1);
  return next !== null && last !== undefined && last.version > since && last.seat !== seat;
}
