// The review of a finished game. It is made in this browser; where that cannot be, the server is asked for its own.

import { get, Refusal } from "../net/api.ts";
import { inBrowser } from "../net/local.ts";
import type { GameLog, Review, Reviewing } from "../net/wire.ts";

const AGAIN_MS = 1000;
// Of another kernel than the page's, or without its files: a server can still review it.
const OTHERS: Refusal["code"][] = ["bad-value", "failed", "offline", "old-game", "old-page"];

export class GameReview {
  /** what is known so far */
  found: Review | null = $state.raw(null);
  /** by decision: the version of its update */
  versions: readonly number[] = $state.raw([]);
  /** decisions that were looked at, and all; 0 while that is not known */
  done: number = $state(0);
  total: number = $state(0);
  /** more tries would change little; of a server's review: all decisions were looked at */
  complete: boolean = $state(false);
  /** whether the server makes it */
  served: boolean = $state(false);
  /** decisions that could not be judged: they took a server too long, or the workers failed */
  skipped: number = $state(0);
  problem: Refusal | null = $state.raw(null);

  constructor(
    readonly table: string,
    readonly names: readonly string[],
  ) {}

  /** Go on with it. Returns a function that ends that. */
  ask = (): (() => void) => {
    let gone = false;
    let end = (): void => undefined;
    const fail = (problem: unknown): void => {
      if (!(problem instanceof Refusal)) throw problem;
      if (gone) return;
      if (!inBrowser(this.table) && !this.served && OTHERS.includes(problem.code)) end = this.#askServer();
      else this.problem = problem;
    };
    this.problem = null;
    if (this.served) end = this.#askServer();
    else
      this.#begin(fail).then((close) => {
        end = close;
        if (gone) close();
      }, fail);
    return () => {
      gone = true;
      end();
    };
  };

  async #begin(onproblem: (problem: Refusal) => void): Promise<() => void> {
    const [{ GameReviewer }, log] = await Promise.all([
      import("../analysis/review.ts"),
      get<GameLog>(`/tables/${this.table}/log`),
    ]);
    const reviewer = new GameReviewer(this.table, log, {
      names: this.names,
      onproblem,
      onreview: (review, versions, { done, total, skipped, improving }) => {
        if (review) this.found = review;
        this.versions = versions;
        [this.done, this.total, this.skipped, this.complete] = [done, total, skipped, !improving];
      },
    });
    return () => reviewer.close();
  }

  /** Request the server's review until it is complete: it is made while it is requested. */
  #askServer(): () => void {
    let gone = false;
    let timer = 0;
    this.served = true;
    const again = async (): Promise<void> => {
      try {
        const answer = await get<Reviewing>(`/tables/${this.table}/review`);
        if (gone) return;
        // Without anything new, the old list is kept, so that it is not rendered again.
        if (answer.complete || (answer.review?.curve.length ?? 0) > (this.found?.curve.length ?? 0)) {
          this.found = answer.review;
          this.versions = answer.versions;
        }
        [this.done, this.total, this.complete] = [answer.done, answer.total, answer.complete];
        this.skipped = answer.skipped.length;
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
  }
}
