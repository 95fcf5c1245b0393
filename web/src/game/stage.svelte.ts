// Shows one view after the other, so that people can see what happened between them.

import type { GameView } from "../net/wire.ts";
import { pace } from "../settings.svelte.ts";
import { type Change, difference, duration } from "./changes.ts";

const LONGEST_MS = 2000; // of all that waits to be shown, however much it is

export class Stage {
  /** what is shown now */
  view: GameView | null = $state.raw(null);
  /** how it differs from what was shown before, and for how long that is shown */
  changes: readonly Change[] = $state.raw([]);
  ms: number = $state(0);
  /** counts the views shown, to start an animation anew */
  shown: number = $state(0);
  busy: boolean = $state(false);

  #waiting: { view: GameView; changes: Change[] }[] = [];
  #timer = 0;
  #quicker = 1;

  /** Show a view at once, and forget what was still to be shown. */
  set(view: GameView | null): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.view = view;
    this.changes = [];
    this.ms = 0;
    this.busy = false;
  }

  /** Show these views, one after the other, when what waits already has been shown. */
  play(views: readonly GameView[]): void {
    let last = this.#waiting.at(-1)?.view ?? this.view;
    for (const view of views) {
      this.#waiting.push({ view, changes: last ? difference(last, view) : [] });
      last = view;
    }
    const total = pace() * this.#waiting.reduce((sum, { changes }) => sum + duration(changes), 0);
    this.#quicker = Math.min(1, LONGEST_MS / (total || 1));
    if (!this.busy) this.#next();
  }

  /** Enough seen: show the last of it. */
  skip(): void {
    const last = this.#waiting.at(-1);
    if (last) this.set(last.view);
    else if (this.busy) this.set(this.view);
  }

  #next(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.view = next.view;
      this.changes = next.changes;
      this.ms = duration(next.changes) * pace() * this.#quicker;
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
