// Lanes side by side of one colour, which cost the same: whoever takes one could as well take another.

import type { Lane } from "../game/plan.svelte.ts";
import type { EditionMap } from "../net/wire.ts";

/** A lane that stands for all that are like it. */
export interface LaneChoice extends Lane {
  either: boolean;
}

/** Lanes between the same two cities, each that is like an earlier one left out. */
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
