// Shows one view after the other, so that people can see what happened between them.

import type { GameView, Move } from "../net/wire.ts";
import { pace } from "../ui/settings.svelte.ts";
import { type Change, duration, type Step } from "./changes.ts";

const LONGEST_MS = 2000; // of all that waits to be shown, however much it is

/** How the game stands with a view. */
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
  /** what is shown now, and how the game stands with it */
  view: GameView | null = $state.raw(null);
  decision: DecisionState = $state.raw(NO_DECISION);
  /** what led to it, and for how long that is shown */
  changes: readonly Change[] = $state.raw([]);
  ms: number = $state(0);
  /** counts the views shown, to start an animation anew */
  shown: number = $state(0);
  busy: boolean = $state(false);

  #queue: QueuedStep[] = [];
  #timer = 0;
  #speedup = 1;

  /** Show a view at once, and forget what was still to be shown. */
  set(view: GameView | null, decision: DecisionState = NO_DECISION): void {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.view = view;
    this.decision = decision;
    this.changes = [];
    this.ms = 0;
    this.busy = false;
  }

  /** Show the steps of one entry when what waits already has been shown. It stands so with the last of them. */
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

  /** The last view stays, and the game stands so with it. */
  setDecision(decision: DecisionState): void {
    const last = this.#queue.at(-1);
    if (last) last.decision = decision;
    else this.decision = decision;
  }

  /** Enough seen: show the last of it. */
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
      // Where nobody looks a timer may take a minute, and it would be my turn long before it is said.
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
