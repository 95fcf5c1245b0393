// Parallel lanes of one colour that cost the same, offered as one choice.

import type { EditionMap } from "../net/wire.ts";
import type { PaidMove } from "./moves.ts";

/** A lane, and the ways to pay for it, the cheapest first. */
export interface Lane {
  route: number;
  ways: PaidMove[];
}

/** A lane that represents all equal ones; `either`: there are several. */
export interface LaneChoice extends Lane {
  either: boolean;
}

/** Lanes between the same two cities, without those that equal an earlier one. */
export function laneChoices({ routes }: EditionMap, lanes: readonly Lane[]): LaneChoice[] {
  const found: LaneChoice[] = [];
  for (const lane of lanes) {
    const like = found.find(
      (one) => routes[one.route]?.color === routes[lane.route]?.color && price(one) === price(lane),
    );
    if (like) like.either = true;
    else found.push({ ...lane, either: false });
  }
  return found;
}

const price = ({ ways }: Lane): string =>
  ways
    .map(({ color, cards, locomotives }) => `${color}.${cards}.${locomotives}`)
    .sort()
    .join(" ");
