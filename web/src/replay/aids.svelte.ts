// Requests the state of a seat's tickets at a past moment. It is optional.

import { get, Refusal } from "../net/api.ts";
import type { Aids, TicketAid } from "../net/wire.ts";
import type { Eyes } from "./frames.ts";

const REST_MS = 250; // no request while the player moves through the game

export class PastAids {
  #found: Aids | null = $state.raw(null);

  constructor(readonly table: string) {}

  /** Request the aids for a moment after a short rest. Returns a function that cancels the request. */
  look(eyes: Eyes, version: number): () => void {
    if (typeof eyes !== "number") return () => undefined;
    const timer = setTimeout(() => void this.#ask(eyes, version), REST_MS);
    return () => clearTimeout(timer);
  }

  at(eyes: Eyes, version: number): readonly TicketAid[] {
    const found = this.#found;
    return found?.seat === eyes && found.version === version ? found.tickets : [];
  }

  async #ask(seat: number, version: number): Promise<void> {
    try {
      this.#found = await get<Aids>(`/tables/${this.table}/aids?seat=${seat}&version=${version}`);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
    }
  }
}
