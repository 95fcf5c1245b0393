// A player who is quicker than the animations: a click or a key ends them, and then does what it does.

import { flushSync } from "svelte";

import type { Animator } from "../game/animator.svelte.ts";

export class CutShort {
  #changed: Element | null = null; // a card that is another one than when it was pressed

  constructor(readonly animator: () => Animator) {}

  /** Before a press takes effect. Where no move can follow, the animation goes on: the player may only look. */
  press = ({ target }: Event): void => {
    this.#changed = null;
    const animator = this.animator();
    if (!animator.busy || !animator.leadsToMoves || !within(target, "[data-offers]")) return;
    this.#skip(target, animator);
  };

  /** Before a click takes effect: one without a press, or where no move follows. */
  click = (event: Event): void => {
    const animator = this.animator();
    if (animator.busy) this.#skip(event.target, animator);
    // The face-up card has changed under the pointer: it is not the one that the player meant.
    if (this.#changed && this.#changed === within(event.target, "[data-take]")) event.stopPropagation();
    this.#changed = null;
  };

  /** Before a key takes effect; `card` reads what it would take. False: that is another card now. */
  key(card: () => unknown): boolean {
    const animator = this.animator();
    if (!animator.busy) return true;
    const before = card();
    animator.skip();
    flushSync();
    return before === card();
  }

  #skip(target: EventTarget | null, animator: Animator): void {
    const slot = within(target, "[data-take]");
    const before = slot?.getAttribute("data-take");
    animator.skip();
    flushSync(); // what is offered now is on the screen before the click is handled
    if (slot?.getAttribute("data-take") !== before) this.#changed = slot;
  }
}

const within = (target: EventTarget | null, selector: string): Element | null =>
  target instanceof Element ? target.closest(selector) : null;
