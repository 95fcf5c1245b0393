// Requests the aids for a seat: the state of its tickets, odds of tunnels, reasons. They are optional.

import { get, Refusal } from "../net/api.ts";
import type { Aids } from "../net/wire.ts";

const SOON_MS = 30; // several updates may come at once; one request is enough for them
const LATER_MS = 1000; // after the server refused a request as too fast

export class TableAids {
  #newest: Aids | null = $state.raw(null);
  #before: Aids | null = $state.raw(null); // shown while the newest is for a version that is not shown yet
  #seat: number | null = null;
  #asking = false;

  constructor(
    readonly table: string,
    /** the version that is shown */
    readonly shown: () => number,
  ) {}

  /** The newest aids for what is shown already. */
  get aids(): Aids | null {
    return this.#ahead ? this.#before : this.#newest;
  }

  /** Set the seat; the aids of the seat before are dropped. */
  setSeat(seat: number | null): void {
    this.#seat = seat;
    this.#newest = this.#before = null;
  }

  /** Request new aids, soon. */
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
