// The review of a game beside its moments: where in them a decision is, and how the chances stood.

import type { Judged, Review } from "../net/wire.ts";
import { frameIndex, type Frame } from "./frames.ts";

/** A decision that cost something, and the moment in which it was to be made. */
export interface Mistake {
  judged: Judged;
  /** the frame before it */
  index: number;
  /** the turn it was made in, as the page counts them */
  turn: number;
}

/**
 * Each seat's chance to win, frame by frame, as far as it is known: as it was when the seat last decided.
 * `versions` are the entries of the log that told the decisions.
 */
export function chancesOf(review: Review, versions: readonly number[], frames: readonly Frame[]): number[][] {
  const seats = review.curve[0]?.length ?? 0;
  let made = 0; // decisions that a frame has seen
  const rows = frames.flatMap(({ version }) => {
    while ((versions[made] ?? Infinity) <= version) made += 1;
    const row = review.curve[made];
    return row ? [row] : []; // later ones are not known yet
  });
  return Array.from({ length: seats }, (_, seat) => rows.map((row) => row[seat] ?? 0));
}

/** The decisions that clearly cost something, the costliest first. */
export function mistakesOf(review: Review, versions: readonly number[], frames: readonly Frame[]): Mistake[] {
  const clear = review.judged.filter((judged) => judged.clear).sort((one, other) => other.cost - one.cost);
  return clear.flatMap((judged) => {
    const version = versions[judged.ply];
    if (version === undefined) return [];
    const index = frameIndex(frames, version - 1);
    return [{ judged, index, turn: frames[frameIndex(frames, version)]?.turn ?? 0 }];
  });
}
