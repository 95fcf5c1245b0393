// A queue of views: each is shown for as long as the animation of its changes takes.

import type { GameView, Move } from "../net/wire.ts";
import { type Pace, paceOf } from "./bot-pace.ts";
import { type Change, duration, type Step } from "./changes.ts";

const MOMENT = 500; // milliseconds from pressing to the end of a click

/** Who decides with a view, and what they may do. */
export interface DecisionState {
  version: number;
  deciding: readonly number[];
  legal: readonly Move[];
}

interface QueuedStep extends Step {
  decision: DecisionState;
  /** milliseconds of its animation, and for which its result is shown then */
  ms: number;
  rest: number;
}

const NO_DECISION: DecisionState = { version: 0, deciding: [], legal: [] };

export class Animator {
  /** what is shown now */
  view: GameView | null = $state.raw(null);
  decision: DecisionState = $state.raw(NO_DECISION);
  /** what led to it, and for how many milliseconds that is animated */
  changes: readonly Change[] = $state.raw([]);
  ms: number = $state(0);
  /** counts the views shown, to restart an animation */
  shown: number = $state(0);
  busy: boolean = $state(false);

  #queue: QueuedStep[] = [];
  #timer = 0;
  #ends = 0; // when the next view is shown
  #speedup = 1;
  #skippedAt = -Infinity;

  /** Show a view at once, and empty the queue. */
  set(view: GameView | null, decision: DecisionState = NO_DECISION): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.view = view;
    this.decision = decision;
    this.changes = [];
    this.ms = 0;
    this.busy = false;
  }

  /** Append the steps of one entry of the log; the decision belongs to the last of them. */
  play(
    steps: readonly Step[],
    decision: DecisionState,
    { factor, rest, limit }: Pace = paceOf({ bot: false, mine: false, clock: false }),
  ): void {
    const { decision: before }: { decision: DecisionState } = this.#queue.at(-1) ?? this;
    const visible = steps.some(({ changes }) => changes.length > 0);
    steps.forEach((step, i) => {
      const whole = i === steps.length - 1;
      this.#queue.push({
        ...step,
        decision: whole ? decision : before,
        ms: duration(step.changes) * factor,
        rest: whole && visible ? rest : 0,
      });
    });
    const total = this.#queue.reduce((sum, step) => sum + step.ms + step.rest, 0);
    this.#speedup = Math.min(1, limit / (total || 1));
    if (!this.busy) this.#next();
    else if (this.#ends - performance.now() > limit) this.#wait(limit); // what is shown now is not to delay it
  }

  /** Change the decision that belongs to the last view. */
  setDecision(decision: DecisionState): void {
    const last = this.#queue.at(-1);
    if (last) last.decision = decision;
    else this.decision = decision;
  }

  /** Whether the player cut an animation short a moment ago. */
  get justSkipped(): boolean {
    return performance.now() - this.#skippedAt < MOMENT;
  }

  /** Show the last view of the queue at once. */
  skip(): void {
    this.#skippedAt = performance.now();
    const last = this.#queue.at(-1);
    if (last) this.set(last.view, last.decision);
    else if (this.busy) this.set(this.view, this.decision);
  }

  /** Whether the player may decide when all is shown. */
  get leadsToMoves(): boolean {
    return (this.#queue.at(-1) ?? this).decision.legal.length > 0;
  }

  #next(): void {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      this.view = next.view;
      this.decision = next.decision;
      this.changes = next.changes;
      // In a hidden page a timer may take a minute, and the player would hear of their turn late.
      const speed = document.hidden ? 0 : this.#speedup;
      this.ms = next.ms * speed;
      this.shown += 1;
      const wait = (next.ms + next.rest) * speed;
      if (wait > 0) {
        this.busy = true;
        this.#wait(wait);
        return;
      }
    }
    this.busy = false;
    this.changes = [];
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#ends = performance.now() + ms;
    this.#timer = window.setTimeout(() => this.#next(), ms);
  }
}
