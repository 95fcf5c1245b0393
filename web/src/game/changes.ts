// What differs between two views: the animations are made of this, and of nothing else.

import type { GameView } from "../net/wire.ts";

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

type Cards = readonly number[];

/** The colours of which there are more now, with how many more. */
const more = (before: Cards, after: Cards): [number, number][] =>
  after.flatMap((n, color): [number, number][] =>
    n > (before[color] ?? 0) ? [[color, n - (before[color] ?? 0)]] : [],
  );

/** What has happened between two views of one game that follow each other event by event. */
export function difference(before: GameView, after: GameView): Change[] {
  const changes: Change[] = [];
  const discarded = more(before.discards, after.discards);
  if (after.deck_size > before.deck_size) changes.push({ kind: "shuffle" });
  for (const [color, count] of more(before.row, after.row))
    changes.push({ kind: "card", from: "deck", to: "row", color, count });
  for (const [color, count] of more(before.revealed, after.revealed)) {
    changes.push({ kind: "card", from: "deck", to: "tunnel", color, count });
  }
  const taken = more(after.row, before.row); // less in the row now
  after.seats.forEach((now, seat) => {
    const was = before.seats[seat];
    if (!was) return;
    const gained = now.hand_size - was.hand_size;
    if (gained > 0) {
      const [open] = taken;
      const known = now.hand && was.hand ? more(was.hand, now.hand)[0]?.[0] : undefined;
      if (open) changes.push({ kind: "card", from: "row", to: { seat }, color: open[0], count: 1 });
      else if (after.deck_size < before.deck_size) {
        changes.push({ kind: "card", from: "deck", to: { seat }, color: known ?? null, count: gained });
      } else
        for (const [color, count] of more(was.seen, now.seen))
          changes.push({ kind: "card", from: "tunnel", to: { seat }, color, count });
    } else if (gained < 0) {
      for (const [color, count] of discarded)
        changes.push({ kind: "card", from: { seat }, to: "discards", color, count });
      if (!discarded.length) {
        for (const [color, count] of more(before.laid, after.laid))
          changes.push({ kind: "card", from: { seat }, to: "tunnel", color, count });
      }
    }
    for (const route of now.routes)
      if (!was.routes.includes(route)) changes.push({ kind: "trains", seat, route });
    for (const city of now.marks.slice(was.marks.length)) changes.push({ kind: "mark", seat, city });
    if (now.score !== was.score) changes.push({ kind: "score", seat, by: now.score - was.score });
    if (now.tickets_held > was.tickets_held)
      changes.push({ kind: "tickets", seat, by: now.tickets_held - was.tickets_held });
  });
  if (after.alvin_city !== before.alvin_city || after.alvin_holder !== before.alvin_holder) {
    changes.push({ kind: "alvin", city: after.alvin_city, holder: after.alvin_holder });
  }
  return changes;
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
