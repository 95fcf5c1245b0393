// Asks what can be worked out from what a seat sees. A game can be played without it.

import { get, Refusal } from "../net/api.ts";
import type { Aids } from "../net/wire.ts";

const SOON_MS = 30; // several things may happen at once; one question is enough for them
const LATER_MS = 1000;

export class TableAids {
  #newest: Aids | null = $state.raw(null);
  #before: Aids | null = $state.raw(null); // as long as the newest is ahead of what is shown
  #seat: number | null = null;
  #asking = false;

  constructor(
    readonly table: string,
    /** the version that is shown */
    readonly shown: () => number,
  ) {}

  /** The newest advice about what is shown already. */
  get aids(): Aids | null {
    return this.#ahead ? this.#before : this.#newest;
  }

  /** Whom to advise from now on; what was for another is forgotten. */
  setSeat(seat: number | null): void {
    this.#seat = seat;
    this.#newest = this.#before = null;
  }

  /** Something has happened. */
  ask(wait = SOON_MS): void {
    if (this.#seat === null || this.#asking) return;
    this.#asking = true;
    setTimeout(() => void this.#ask(), wait);
  }

  get #ahead(): boolean {
    return this.#newest !== null && this.#newest.version > this.shown();
  }

  async #ask(): Promise<void> {
    const seat = this.#seat;
    this.#asking = false;
    if (seat === null) return;
    try {
      const aids = await get<Aids>(`/tables/${this.table}/aids?seat=${seat}`);
      if (seat === this.#seat && aids.version >= (this.#newest?.version ?? 0)) this.#take(aids);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      if (problem.code === "too-fast") this.ask(LATER_MS);
    }
  }

  #take(aids: Aids): void {
    if (!this.#ahead) this.#before = this.#newest;
    this.#newest = aids;
  }
}
