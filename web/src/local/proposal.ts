// Entries that are proposed to the log of a local table.

import { Refusal } from "../net/refusal.ts";
import type { Entry } from "./entries.ts";
import { IllegalAction } from "./game.ts";
import { act, type Deal, statusOf, type Step, type TableState } from "./state.ts";

/** An entry to be committed, with its step in the game where that is known. */
export interface Proposal {
  entry: Entry;
  step?: Step;
  nonce?: string;
}

/** Throws `Refusal` if the entry is not allowed; null: the table is as it should be. */
export type Propose = (state: TableState) => Proposal | null;

/** A decision in a running game; `Refusal` unless the rules allow it. */
export function decision(
  deal: Deal,
  state: TableState,
  seat: number,
  action: number,
  { bot = "", nonce }: { bot?: string; nonce?: string } = {},
): Proposal {
  try {
    const made = act(deal, state, seat, action, bot);
    return nonce === undefined ? made : { ...made, nonce };
  } catch (problem) {
    if (!(problem instanceof IllegalAction)) throw problem;
    const reason = problem.reason ?? "";
    throw new Refusal("illegal", "The rules do not allow that now.", { reason });
  }
}

export function requireRunning(state: TableState): void {
  const status = statusOf(state);
  if (status !== "running") throw new Refusal("not-now", `The game is not running: the table is ${status}.`);
}
