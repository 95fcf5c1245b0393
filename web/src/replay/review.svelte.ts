// Asks for the review of a finished game until it is there: the server works it out for whoever asks first.

import { get, Refusal } from "../net/api.ts";
import type { Review, Reviewing } from "../net/wire.ts";

const AGAIN_MS = 1000;

export class ReviewOf {
  found: Review | null = $state.raw(null);
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
        this.done = told.done;
        this.total = told.total;
        this.found = told.review;
        if (!told.review) timer = window.setTimeout(() => void again(), AGAIN_MS);
      } catch (problem) {
        if (!(problem instanceof Refusal)) throw problem;
        if (!gone) this.problem = problem;
      }
    };
    if (!this.found) void again();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  };
}
