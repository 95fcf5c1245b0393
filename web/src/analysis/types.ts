// What an analysis is asked, and what it tells. `analyse.ts` starts one.

import type { Refusal } from "../net/refusal.ts";
import type { Advice } from "../net/wire.ts";

/** What is analysed: what a seat, or a spectator, may know. */
export interface Position {
  /** the qualified id of the edition, such as "old-west+alvin" */
  readonly edition: string;
  /** of the map; a position of another map of this name is refused with `old-game` */
  readonly fingerprint: string;
  readonly seats: number;
  /** the record of the view (`Game.viewRecord`), which also says whose view it is */
  readonly view: Uint8Array;
}

/** When an analysis is precise enough: all doubts are below `doubt`, or there were so many tries. */
export interface Enough {
  readonly tries: number;
  readonly doubt: number;
}

/** All that was found so far: structured data that can be stored, and from which an analysis goes on. */
export interface Progress {
  /** of each compared move */
  readonly tries: readonly number[];
  /** records "line" of the compared moves */
  readonly lines: Uint8Array;
  /** final points by move, try and seat, as many tries of each move as the most tried one has */
  readonly outcomes: Float32Array;
}

export interface Wanted {
  /** worlds and luck follow from it: the same seed gives the same figures after equally many tries; default 0 */
  readonly seed?: number;
  /** actions that are compared in any case and never dropped, such as the move that was played */
  readonly kept?: readonly number[];
  /** the actions that are compared in the place of those worth a thought; none is dropped, and their order stays */
  readonly only?: readonly number[];
  /** how many of the best moves the advice has, beside the kept ones */
  readonly most?: number;
  readonly enough?: Partial<Enough>;
  /** what is worked on first: the lowest number; among equals, the analysis with the fewest tries */
  readonly priority?: number;
  /** what an earlier analysis of the same position, seed and kept moves found */
  readonly from?: Progress;
  /** Called after the first chunk of tries, then a few times a second, and a last time when it is `enough`. */
  readonly onadvice: (advice: Advice, progress: Progress, enough: boolean) => void;
  /** It cannot go on: no data files, an older page, workers that fail. It is closed then. */
  readonly onproblem?: (problem: Refusal) => void;
}

/** An analysis under way. */
export interface Analysis {
  /** may be changed at any time, as in `Wanted` */
  priority: number;
  /** End it at once. Nothing is told afterwards; may be called again. */
  close(): void;
}
