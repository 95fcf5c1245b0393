// A view to start from, for the tests of this folder.

import { LOCOMOTIVE } from "../net/cards.ts";
import type { GameView, SeatView, Situation } from "../net/wire.ts";

/** Nine counts, by colour. */
export const cards = (counts: Record<number, number> = {}): number[] =>
  Array.from({ length: LOCOMOTIVE + 1 }, (_, color) => counts[color] ?? 0);

/** A seat of another player. */
export const seat = (about: Partial<SeatView> = {}): SeatView => ({
  hand_size: 4,
  seen: cards(),
  hand: null,
  tickets_held: 2,
  tickets: null,
  tickets_offered: 0,
  offer: null,
  trains: 45,
  score: 0,
  routes: [],
  marks: [],
  ...about,
});

export const situation: Situation = {
  phase: "turn",
  after: "turn",
  turn: 0,
  choosing: [],
  passes: 0,
  last_turns: 0,
  drawn: 0,
  refreshed: 0,
  pool: cards(),
  claiming: null,
  laid: cards(),
  revealed: cards(),
  extra: 0,
  ticket_stock: 20,
  tickets_bundled: 0,
  tickets_under: 0,
  known_tickets: {},
  alvin_captured: false,
};

/** The view of seat 0 of 2, in their turn. */
export const view = (about: Partial<GameView> = {}): GameView => ({
  ...situation,
  seat: 0,
  first: 0,
  row: cards({ 0: 2, 1: 3 }),
  discards: cards(),
  deck_size: 60,
  alvin_city: null,
  alvin_holder: null,
  seats: [seat({ hand: cards({ 0: 3, 8: 1 }), tickets: [4, 9], offer: [] }), seat()],
  outcome: null,
  longest_paths: [],
  ...about,
});
