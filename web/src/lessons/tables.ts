// The tables of lessons.

import { LOCAL } from "../local/host.ts";
import type { Library } from "../local/library.ts";
import { type Placed, PlacedTables } from "../local/placed.ts";
import type { Move } from "../net/wire.ts";
import { fits, type Scene, type Wanted } from "./lessons.ts";
import { type Position, POSITIONS } from "./states.ts";

/** The ids of the tables of lessons begin with it. */
export const PREFIX = `${LOCAL}lesson-`;
export const SEAT = 0; // of the player

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The position of a scene, as a table takes it. */
export function placedIn({ position, seed }: Scene): Placed {
  const { state, ...about }: Position = POSITIONS[position];
  return { ...about, seat: SEAT, state: bytesOf(state), seed };
}

export class LessonTables extends PlacedTables {
  constructor(library: Library) {
    super(library, PREFIX);
  }

  /** The legal moves of the player that lead to what is wanted: each is tried, in a copy of the game. */
  async answers(id: string, wanted: Wanted): Promise<Move[]> {
    const { deal, state } = await this.host.table(id);
    const { game } = state;
    if (!game) return [];
    return game.legal(SEAT).filter(({ action }) => {
      const copy = game.clone();
      copy.push(SEAT, action);
      copy.deal(deal.dealerOf(state));
      const events = copy.takeEvents().map((event) => copy.narrowed(event, SEAT));
      return events.some((event) => fits(event, wanted, deal.edition.map));
    });
  }
}
