// A queue of views: each is shown for as long as the animation of its changes takes.

import type { GameView, Move } from "../net/wire.ts";
import { pace } from "../ui/settings.svelte.ts";
import { type Change, duration, type Step } from "./changes.ts";

const LONGEST_MS = 2000; // for the whole queue, whatever its length

/** Who decides with a view, and what they may do. */
export interface DecisionState {
  version: number;
  deciding: readonly number[];
  legal: readonly Move[];
}

interface QueuedStep extends Step {
  decision: DecisionState;
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
  #speedup = 1;

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
  play(steps: readonly Step[], decision: DecisionState): void {
    const { decision: before }: { decision: DecisionState } = this.#queue.at(-1) ?? this;
    steps.forEach((step, i) => {
      const whole = i === steps.length - 1;
      this.#queue.push({ ...step, decision: whole ? decision : before });
    });
    const total = pace() * this.#queue.reduce((sum, { changes }) => sum + duration(changes), 0);
    this.#speedup = Math.min(1, LONGEST_MS / (total || 1));
    if (!this.busy) this.#next();
  }

  /** Change the decision that belongs to the last view. */
  setDecision(decision: DecisionState): void {
    const last = this.#queue.at(-1);
    if (last) last.decision = decision;
    else this.decision = decision;
  }

  /** Show the last view of the queue at once. */
  skip(): void {
    const last = this.#queue.at(-1);
    if (last) this.set(last.view, last.decision);
    else if (this.busy) this.set(this.view, this.decision);
  }

  #next(): void {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      this.view = next.view;
      this.decision = next.decision;
      this.changes = next.changes;
      // In a hidden page a timer may take a minute, and the player would hear of their turn late.
      this.ms = document.hidden ? 0 : duration(next.changes) * pace() * this.#speedup;
      this.shown += 1;
      if (this.ms > 0) {
        this.busy = true;
        this.#timer = window.setTimeout(() => this.#next(), this.ms);
        return;
      }
    }
    this.busy = false;
    this.changes = [];
  }
}
