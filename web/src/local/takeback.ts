// Which decision of a local table can be taken back now: as src/macaz/server/takeback.py says it.

import type { Takeback } from "../net/wire.ts";
import { EVENTS } from "./codes.ts";
import type { Acted, Dealt } from "./entries.ts";
import { kindIn } from "./events.ts";
import type { Game } from "./game.ts";
import { statusOf, type Step, type TableState } from "./state.ts";

/** A decision that revealed nothing, and the game before it. */
export interface Made {
  version: number;
  seat: number;
  bot: string;
  game: Game;
}

const TICKETS_DEALT = 1 + EVENTS.findIndex(({ type }) => type === "tickets-dealt");

/** Whether a card or a ticket was shown that was hidden before, or all of them at the end. Tickets that lie under
 * the deck in order are dealt without chance. */
function reveals({ chances }: Acted, { game, events }: Step): boolean {
  const dealt = events.some(
    ({ bytes }) => kindIn(new DataView(bytes.buffer, bytes.byteOffset)) === TICKETS_DEALT,
  );
  return chances.length > 0 || dealt || game.over;
}

/** What can be taken back after a decision. */
export function undoableAfter(state: TableState, entry: Acted | Dealt, step: Step): readonly Made[] {
  if (entry.kind === "dealt" || !state.game || reveals(entry, step)) return [];
  const { seat, bot } = entry;
  return [...state.undoable, { version: state.version + 1, seat, bot, game: state.game }];
}

/** The decision that its player can take back now, with the answers of bots; null if there is none. All people of a
 * local table are at one screen: no one has to be asked. */
export function takebackOf(state: TableState): Takeback | null {
  if (statusOf(state) !== "running") return null;
  const count = state.undoable.length;
  for (let back = 1; back <= count; back += 1) {
    const made = state.undoable[count - back];
    const chair = made && state.chairs[made.seat];
    if (!made || !chair) return null;
    if (made.bot) {
      if (chair.person !== null && chair.reason !== "resigned") return null; // a stand-in decided
      continue;
    }
    if (chair.person === null || chair.bot !== null) return null;
    return { seat: made.seat, version: made.version, decisions: back, asked: false, waiting: [] };
  }
  return null;
}

/** Whether the game ends if a seat resigns: if fewer than two people are left in it. */
export const endsWithout = ({ chairs }: TableState, seat: number): boolean =>
  chairs.filter(({ person, reason }, i) => person !== null && reason !== "resigned" && i !== seat).length < 2;
