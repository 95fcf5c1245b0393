// A list that changes by itself stays as it is while a person reaches for a row of it, so that no other one is chosen.

const STILL = 1000; // ms after the last movement over the list

export class SteadyList {
  #until = 0;
  #timer = 0;
  #change: (() => void) | null = null;

  /** A pointer moves over the list, or the focus does. */
  reach = (): void => {
    this.#until = performance.now() + STILL;
  };

  /** Change the list, now or when it is no longer reached for; only the last change counts. */
  change(change: () => void): void {
    this.#change = change;
    this.#settle();
  }

  /** Make a change that waits at once. */
  release(): void {
    this.#until = 0;
    this.#settle();
  }

  /** Forget a change that waits. */
  forget(): void {
    this.#change = null;
    this.release();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const change = this.#change;
    if (!change) return;
    const rest = this.#until - performance.now();
    if (rest > 0) {
      this.#timer = window.setTimeout(() => this.#settle(), rest);
      return;
    }
    this.#change = null;
    change();
  }
}
