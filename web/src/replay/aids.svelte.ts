// How the tickets of one seat stood in a moment of the past. It is a help: without it, nothing is missing.

import { get, Refusal } from "../net/api.ts";
import type { Aids, TicketAid } from "../net/wire.ts";
import type { Eyes } from "./frames.ts";

const REST_MS = 250; // whoever only passes by does not ask

export class PastAids {
  #found: Aids | null = $state.raw(null);

  constructor(readonly table: string) {}

  /** Ask about a moment, once somebody rests there. Returns how to give up. */
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
