// Requests the review of a finished game until it is complete: the server computes it while it is requested.

import { get, Refusal } from "../net/api.ts";
import type { Review, Reviewing } from "../net/wire.ts";

const AGAIN_MS = 1000;

export class GameReview {
  /** the part that is ready */
  found: Review | null = $state.raw(null);
  /** by decision: the version of its update */
  versions: readonly number[] = $state.raw([]);
  complete: boolean = $state(false);
  /** decisions that took too long, and were not judged */
  skipped: number = $state(0);
  problem: Refusal | null = $state.raw(null);
  /** number of decisions that were judged, and of all; 0 while that is not known */
  done: number = $state(0);
  total: number = $state(0);

  constructor(readonly table: string) {}

  /** Request the review repeatedly. Returns a function that stops the requests. */
  ask = (): (() => void) => {
    let gone = false;
    let timer = 0;
    this.problem = null;
    const again = async (): Promise<void> => {
      try {
        const answer = await get<Reviewing>(`/tables/${this.table}/review`);
        if (gone) return;
        // Without anything new, the old list is kept, so that it is not rendered again.
        if (answer.complete || (answer.review?.curve.length ?? 0) > (this.found?.curve.length ?? 0)) {
          this.found = answer.review;
          this.versions = answer.versions;
        }
        this.done = answer.done;
        this.total = answer.total;
        this.skipped = answer.skipped.length;
        this.complete = answer.complete;
        if (!answer.complete) timer = window.setTimeout(() => void again(), AGAIN_MS);
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        if (!gone) this.problem = problem;
      }
    };
    if (!this.complete) void again();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  };
}
