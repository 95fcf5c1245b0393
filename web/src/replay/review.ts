// The review of a game by frames: the frame of each mistake, and the chances to win in each frame.

import type { Judged, Review } from "../net/wire.ts";
import { type Frame, frameIndex } from "./frames.ts";

/** A decision that cost something, and its frame. */
export interface Mistake {
  judged: Judged;
  /** the frame before it */
  index: number;
  /** the turn it was made in, as the page counts them */
  turn: number;
}

/**
 * Each seat's chance to win, frame by frame, as far as it is known: as of the last decision.
 * `versions` are those of the decisions' updates.
 */
export function chancesOf(review: Review, versions: readonly number[], frames: readonly Frame[]): number[][] {
  const seats = review.curve[0]?.length ?? 0;
  let made = 0; // decisions up to the frame
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
