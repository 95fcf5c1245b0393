// The view after an event, as pure functions: they add and remove what the event says. Whose turn it is and
// what is to be decided come from the server, as they follow from the rules.

import { LOCOMOTIVE } from "../net/cards.ts";
import type { EditionMap, GameEvent, GameView, SeatView, TableEvent, Update } from "../net/wire.ts";

type Cards = readonly number[];

interface Price {
  color: number;
  cards: number;
  locomotives: number;
}

/** A price as nine counts. */
export function priceCards({ color, cards, locomotives }: Price): number[] {
  const counts = Array.from({ length: LOCOMOTIVE + 1 }, () => 0);
  if (color !== LOCOMOTIVE) counts[color] = cards;
  counts[LOCOMOTIVE] = locomotives;
  return counts;
}

const plus = (cards: Cards, more: Cards, sign = 1): number[] =>
  cards.map((n, i) => n + sign * (more[i] ?? 0));
const total = (cards: Cards): number => cards.reduce((sum, n) => sum + n, 0);
const one = (color: number): number[] =>
  priceCards({ color, cards: 1, locomotives: color === LOCOMOTIVE ? 1 : 0 });
const none = (cards: Cards): number[] => cards.map(() => 0);
const inOrder = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

function withSeat(view: GameView, seat: number, change: (seat: SeatView) => Partial<SeatView>): GameView {
  return { ...view, seats: view.seats.map((old, i) => (i === seat ? { ...old, ...change(old) } : old)) };
}

/** Add cards to a hand; null: one card of an unknown colour, which changes only the size. */
function gain(view: GameView, seat: number, cards: Cards | null, openly: boolean): GameView {
  return withSeat(view, seat, (old) => ({
    hand_size: old.hand_size + (cards ? total(cards) : 1),
    hand: old.hand && cards ? plus(old.hand, cards) : old.hand,
    seen: openly && cards ? plus(old.seen, cards) : old.seen,
  }));
}

/** Remove cards from a hand; those that were taken openly are counted as spent first. */
function lose(view: GameView, seat: number, cards: Cards): GameView {
  return withSeat(view, seat, (old) => ({
    hand_size: old.hand_size - total(cards),
    hand: old.hand && plus(old.hand, cards, -1),
    seen: plus(old.seen, cards, -1).map((n) => Math.max(n, 0)),
  }));
}

const discard = (view: GameView, cards: Cards): GameView => ({
  ...view,
  discards: plus(view.discards, cards),
});

const pay = (view: GameView, seat: number, price: Price): GameView =>
  discard(lose(view, seat, priceCards(price)), priceCards(price));

const mark = (view: GameView, seat: number, city: number): GameView =>
  withSeat(view, seat, (old) => ({ marks: [...old.marks, city] }));

const scored = (view: GameView, points: readonly number[]): GameView => ({
  ...view,
  seats: view.seats.map((seat, i) => ({ ...seat, score: seat.score + (points[i] ?? 0) })),
});

function claim(
  view: GameView,
  map: EditionMap,
  event: Extract<GameEvent, { type: "route-claimed" }>,
): GameView {
  const laid = total(view.laid) > 0; // a tunnel's cards have left the hand already
  const paid = laid ? discard(view, view.laid) : pay(view, event.seat, event);
  const owned = withSeat({ ...paid, laid: none(view.laid) }, event.seat, (old) => ({
    routes: inOrder([...old.routes, event.route]),
    trains: old.trains - (map.routes[event.route]?.length ?? 0),
  }));
  return scored(owned, event.points);
}

/** The view after one event, on a map. */
export function reduce(view: GameView, event: GameEvent | TableEvent, map: EditionMap): GameView {
  switch (event.type) {
    case "game-began":
      return { ...view, first: event.first };
    case "card-dealt":
    case "blind-drawn":
      return gain(
        { ...view, deck_size: view.deck_size - 1 },
        event.seat,
        event.color === null ? null : one(event.color),
        false,
      );
    case "card-taken":
      return gain({ ...view, row: plus(view.row, one(event.color), -1) }, event.seat, one(event.color), true);
    case "row-filled":
      return { ...view, deck_size: view.deck_size - 1, row: plus(view.row, one(event.color)) };
    case "row-replaced":
      return discard({ ...view, row: none(view.row) }, event.cards);
    case "deck-shuffled":
      return { ...view, deck_size: event.size, discards: none(view.discards) };
    case "tickets-dealt":
      return withSeat(view, event.seat, (old) => ({
        tickets_offered: old.tickets_offered + event.count,
        offer: old.offer && event.tickets ? inOrder([...old.offer, ...event.tickets]) : old.offer,
      }));
    case "tickets-kept":
      return withSeat(view, event.seat, (old) => ({
        tickets_held: old.tickets_held + event.count,
        tickets: old.tickets && event.tickets ? inOrder([...old.tickets, ...event.tickets]) : old.tickets,
        tickets_offered: old.tickets_offered - event.count,
        offer: old.offer && old.offer.filter((ticket) => !event.tickets?.includes(ticket)),
      }));
    case "tickets-returned":
      return withSeat(view, event.seat, (old) => ({
        tickets_offered: old.tickets_offered - event.count,
        offer: old.offer && old.offer.filter((ticket) => !event.tickets?.includes(ticket)),
      }));
    case "route-claimed":
      return claim(view, map, event);
    case "tunnel-tried":
      return { ...lose(view, event.seat, priceCards(event)), claiming: event.route, laid: priceCards(event) };
    case "tunnel-revealed":
      return { ...view, deck_size: view.deck_size - 1, revealed: plus(view.revealed, one(event.color)) };
    case "tunnel-paid":
      return pay(view, event.seat, event);
    case "tunnel-declined":
      return { ...gain(view, event.seat, view.laid, true), laid: none(view.laid) };
    case "station-built":
    case "marker-placed":
      return mark(pay(view, event.seat, event), event.seat, event.city);
    case "city-started":
      return mark(view, event.seat, event.city);
    case "alvin-captured":
      return withSeat({ ...view, alvin_holder: event.seat }, event.seat, (old) => ({
        score: old.score + event.points,
      }));
    case "alvin-moved":
      return { ...view, alvin_city: event.city };
    case "turn-ended":
      return { ...discard(view, view.revealed), revealed: none(view.revealed) };
    case "game-ended":
      return { ...view, outcome: event.outcome };
    default:
      return view; // about the table, or contained in the situation
  }
}

/** The views after each event of an update; the last one contains the update's situation. */
export function viewsAfter(view: GameView, update: Update, map: EditionMap): GameView[] {
  if (update.view) return [update.view]; // decisions were taken back
  const views: GameView[] = [];
  for (const event of update.events) views.push(reduce(views.at(-1) ?? view, event, map));
  const last = views.pop() ?? view;
  return [...views, { ...last, ...update.situation }];
}
