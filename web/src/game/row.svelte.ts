// Where the face-up cards lie. The server only counts them: their slots follow from what happened since the
// first card, so that all see them alike, also after a reload.

import type { GameEvent, TableEvent, Update } from "../net/wire.ts";
import type { Slot } from "./slots.ts";

/** The slots after an event, as `arrange` would change them. */
export function slotsAfter(slots: readonly Slot[], event: GameEvent | TableEvent): Slot[] {
  const after = [...slots];
  if (event.type === "row-replaced") return after.fill(null);
  if (event.type === "card-taken") after[after.lastIndexOf(event.color)] = null;
  if (event.type === "row-filled") after[after.indexOf(null)] = event.color;
  return after;
}

export class Row {
  /** the slots after each version; before the first there are no cards */
  #slots: readonly (readonly Slot[])[] = $state.raw([]);
  readonly #waiting = new Map<number, Update>(); // until those before them are known

  constructor(size: number) {
    this.#slots = [Array.from({ length: size }, () => null)];
  }

  /** The slots after a version; null if it is not known yet what happened up to then. */
  at(version: number): readonly Slot[] | null {
    return this.#slots[version] ?? null;
  }

  /** Add what happened, in any order; what is known already changes nothing. */
  add(updates: readonly Update[]): void {
    for (const update of updates) this.#waiting.set(update.version, update);
    const slots = [...this.#slots];
    for (;;) {
      const next = this.#waiting.get(slots.length);
      if (!next) break;
      this.#waiting.delete(slots.length);
      const back = next.events.find((event) => event.type === "taken-back");
      const before = (back ? slots[back.version - 1] : slots.at(-1)) ?? [];
      slots.push(next.events.reduce<readonly Slot[]>(slotsAfter, before));
    }
    this.#slots = slots;
  }
}
