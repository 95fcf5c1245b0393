// The visible changes of an event. Animations and sounds use nothing else.

import type { EditionMap, GameEvent, GameView, TableEvent, Update } from "../net/wire.ts";
import { priceCards, viewsAfter } from "./reduce.ts";

/** Where a card can lie. */
export type Pile = "row" | "deck" | "discards" | "tunnel" | { seat: number };

export type Change =
  | { kind: "card"; from: Pile; to: Pile; color: number | null; count: number }
  | { kind: "trains"; seat: number; route: number }
  | { kind: "mark"; seat: number; city: number }
  | { kind: "score"; seat: number; by: number }
  | { kind: "tickets"; seat: number; by: number }
  | { kind: "alvin"; city: number | null; holder: number | null }
  | { kind: "shuffle" };

/** A view to show, and what led to it. */
export interface Step {
  view: GameView;
  changes: readonly Change[];
}

/** Cards that go from one pile to another, colour by colour. */
const cards = (from: Pile, to: Pile, counts: readonly number[]): Change[] =>
  counts.flatMap((count, color) => (count > 0 ? [{ kind: "card", from, to, color, count }] : []));

const card = (from: Pile, to: Pile, color: number | null): Change => ({
  kind: "card",
  from,
  to,
  color,
  count: 1,
});

/** The visible changes of an event; the view is the one before it. */
export function changesOf(event: GameEvent | TableEvent, { laid, alvin_holder }: GameView): Change[] {
  switch (event.type) {
    case "card-dealt":
    case "blind-drawn":
      return [card("deck", { seat: event.seat }, event.color)];
    case "card-taken":
      return [card("row", { seat: event.seat }, event.color)];
    case "row-filled":
      return [card("deck", "row", event.color)];
    case "deck-shuffled":
      return [{ kind: "shuffle" }];
    case "tickets-kept":
      return [{ kind: "tickets", seat: event.seat, by: event.count }];
    case "tunnel-tried":
      return cards({ seat: event.seat }, "tunnel", priceCards(event));
    case "tunnel-revealed":
      return [card("deck", "tunnel", event.color)];
    case "tunnel-paid":
      return cards({ seat: event.seat }, "discards", priceCards(event));
    case "tunnel-declined":
      return cards("tunnel", { seat: event.seat }, laid);
    case "route-claimed": {
      const open = !laid.some((n) => n > 0); // a tunnel's cards have left the hand already
      return [
        ...(open ? cards({ seat: event.seat }, "discards", priceCards(event)) : []),
        { kind: "trains", seat: event.seat, route: event.route },
        ...event.points.flatMap((by, seat): Change[] => (by ? [{ kind: "score", seat, by }] : [])),
      ];
    }
    case "station-built":
    case "marker-placed":
      return [
        ...cards({ seat: event.seat }, "discards", priceCards(event)),
        { kind: "mark", seat: event.seat, city: event.city },
      ];
    case "city-started":
      return [{ kind: "mark", seat: event.seat, city: event.city }];
    case "alvin-captured":
      return [
        { kind: "score", seat: event.seat, by: event.points },
        { kind: "alvin", city: event.city, holder: event.seat },
      ];
    case "alvin-moved":
      return [{ kind: "alvin", city: event.city, holder: alvin_holder }];
    default:
      return []; // nothing moves
  }
}

/** The views and changes of an update, one for each event. */
export function stepsOf(before: GameView, update: Update, map: EditionMap): Step[] {
  const views = viewsAfter(before, update, map);
  return views.map((view, i) => {
    const event = update.events[i];
    return { view, changes: event ? changesOf(event, views[i - 1] ?? before) : [] };
  });
}

const MS: Record<Change["kind"], number> = {
  card: 380,
  trains: 800,
  mark: 500,
  score: 0,
  tickets: 380,
  alvin: 600,
  shuffle: 300,
};

/** How long it takes to show some changes that happen together, at the normal pace. */
export const duration = (changes: readonly Change[]): number =>
  Math.max(0, ...changes.map((change) => MS[change.kind]));
