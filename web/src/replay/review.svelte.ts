// Asks for the review of a finished game until it is complete: the server works it out while somebody asks.

import { get, Refusal } from "../net/api.ts";
import type { Review, Reviewing } from "../net/wire.ts";

const AGAIN_MS = 1000;

export class GameReview {
  /** what is ready of it */
  found: Review | null = $state.raw(null);
  /** by decision: the entry of the log that told it */
  versions: readonly number[] = $state.raw([]);
  complete: boolean = $state(false);
  /** decisions that took too long, and were not judged */
  skipped: number = $state(0);
  problem: Refusal | null = $state.raw(null);
  /** decisions that were looked at, of so many; 0 while that is not known */
  done: number = $state(0);
  total: number = $state(0);

  constructor(readonly table: string) {}

  /** Ask, and go on asking. Returns how to give up. */
  ask = (): (() => void) => {
    let gone = false;
    let timer = 0;
    this.problem = null;
    const again = async (): Promise<void> => {
      try {
        const told = await get<Reviewing>(`/tables/${this.table}/review`);
        if (gone) return;
        // The list stays as it is while nothing is added to it.
        if (told.complete || (told.review?.curve.length ?? 0) > (this.found?.curve.length ?? 0)) {
          this.found = told.review;
          this.versions = told.versions;
        }
        this.done = told.done;
        this.total = told.total;
        this.skipped = told.skipped.length;
        this.complete = told.complete;
        if (!told.complete) timer = window.setTimeout(() => void again(), AGAIN_MS);
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
