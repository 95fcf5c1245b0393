// Shows one view after the other, so that people can see what happened between them.

import type { GameView, Move } from "../net/wire.ts";
import { pace } from "../ui/settings.svelte.ts";
import { type Change, duration, type Scene } from "./changes.ts";

const LONGEST_MS = 2000; // of all that waits to be shown, however much it is

/** How the game stands with a view. */
export interface Standing {
  version: number;
  deciding: readonly number[];
  legal: readonly Move[];
}

interface Step extends Scene {
  standing: Standing;
}

const NOTHING: Standing = { version: 0, deciding: [], legal: [] };

export class Stage {
  /** what is shown now, and how the game stands with it */
  view: GameView | null = $state.raw(null);
  standing: Standing = $state.raw(NOTHING);
  /** what led to it, and for how long that is shown */
  changes: readonly Change[] = $state.raw([]);
  ms: number = $state(0);
  /** counts the views shown, to start an animation anew */
  shown: number = $state(0);
  busy: boolean = $state(false);

  #waiting: Step[] = [];
  #timer = 0;
  #quicker = 1;

  /** Show a view at once, and forget what was still to be shown. */
  set(view: GameView | null, standing: Standing = NOTHING): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.view = view;
    this.standing = standing;
    this.changes = [];
    this.ms = 0;
    this.busy = false;
  }

  /** Show the scenes of one entry when what waits already has been shown. It stands so with the last of them. */
  play(scenes: readonly Scene[], standing: Standing): void {
    const { standing: before }: { standing: Standing } = this.#waiting.at(-1) ?? this;
    scenes.forEach((scene, i) => {
      const whole = i === scenes.length - 1;
      this.#waiting.push({ ...scene, standing: whole ? standing : before });
    });
    const total = pace() * this.#waiting.reduce((sum, { changes }) => sum + duration(changes), 0);
    this.#quicker = Math.min(1, LONGEST_MS / (total || 1));
    if (!this.busy) this.#next();
  }

  /** The last view stays, and the game stands so with it. */
  know(standing: Standing): void {
    const last = this.#waiting.at(-1);
    if (last) last.standing = standing;
    else this.standing = standing;
  }

  /** Enough seen: show the last of it. */
  skip(): void {
    const last = this.#waiting.at(-1);
    if (last) this.set(last.view, last.standing);
    else if (this.busy) this.set(this.view, this.standing);
  }

  #next(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.view = next.view;
      this.standing = next.standing;
      this.changes = next.changes;
      // Where nobody looks a timer may take a minute, and it would be my turn long before it is said.
      this.ms = document.hidden ? 0 : duration(next.changes) * pace() * this.#quicker;
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
