// The order in which suggested moves are shown, and what it says of them.

import type { Suggestion } from "../net/wire.ts";

const HUNDRED = 100;
/** standard errors of the uncertainty that is shown: 19 of 20 times the figure lies within it */
export const SHOWN_ERRORS = 2;

/** Chance that is lost, in whole percent. */
export const lossShown = ({ loss }: Pick<Suggestion, "loss">): number => Math.round(loss * HUNDRED);

/** The moves by the figure that is shown, the best first; those with the same one stay as they stood before. */
export function steadyOrder(
  moves: readonly Suggestion[],
  before: readonly Pick<Suggestion, "action">[],
): Suggestion[] {
  const stood = ({ action }: Suggestion): number => {
    const at = before.findIndex((one) => one.action === action);
    return at < 0 ? before.length : at;
  };
  return [...moves].sort((a, b) => lossShown(a) - lossShown(b) || stood(a) - stood(b) || a.loss - b.loss);
}

/** How many moves, from the first on, cannot be told apart from the best one. */
export function alike(moves: readonly Pick<Suggestion, "loss" | "doubt">[]): number {
  const worse = moves.findIndex(({ loss, doubt }) => lossShown({ loss }) > 0 && loss > SHOWN_ERRORS * doubt);
  return worse < 0 ? moves.length : worse;
}
