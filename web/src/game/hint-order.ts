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

const CLOSE = 0.03; // chance; who surely loses less may be called as good
const PART = 0.25; // of the chance that there is: where it is small, only who loses less

/** How many moves, from the first on, are as good as the best one: as far as is known, none of them loses anything, and
 * at worst they lose little. Where nothing can be won, no move is good. */
export function alike(moves: readonly Pick<Suggestion, "chance" | "loss" | "doubt">[]): number {
  const best = Math.max(0, ...moves.map(({ chance }) => chance));
  if (Math.round(best * HUNDRED) === 0) return 0;
  const little = Math.min(CLOSE, PART * best);
  // The first one may be an equal of the best, and stands for it.
  const worse = moves.findIndex(({ loss, doubt }, at) => {
    const unsure = SHOWN_ERRORS * doubt;
    return at > 0 && (loss + unsure >= little || (lossShown({ loss }) > 0 && loss > unsure));
  });
  return worse < 0 ? moves.length : worse;
}
