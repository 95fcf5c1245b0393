import { describe, expect, test } from "vitest";

import { LOCOMOTIVE } from "../net/cards.ts";
import type { EditionMap, GameEvent, GameView, SeatView, Update } from "../net/wire.ts";
import { priceCards, reduce, viewsAfter } from "./reduce.ts";
import { cards, seat, situation, view } from "./view.fixture.ts";

const map = { routes: [{ length: 3 }, { length: 6 }] } as EditionMap;
const after = (from: GameView, ...events: GameEvent[]): GameView =>
  events.reduce((now, event) => reduce(now, event, map), from);
const own = (now: GameView): SeatView => now.seats[0] as SeatView;
const other = (now: GameView): SeatView => now.seats[1] as SeatView;

describe("cards", () => {
  test("a card from the row is seen by everybody; one from the deck only by who drew it", () => {
    const taken = after(view(), { type: "card-taken", seat: 1, color: 1 });
    expect(taken.row).toEqual(cards({ 0: 2, 1: 2 }));
    expect(other(taken)).toMatchObject({ hand_size: 5, seen: cards({ 1: 1 }), hand: null });
    const drawn = after(view(), { type: "blind-drawn", seat: 1, color: null });
    expect(drawn.deck_size).toBe(59);
    expect(other(drawn)).toMatchObject({ hand_size: 5, seen: cards() });
    expect(own(after(view(), { type: "blind-drawn", seat: 0, color: 7 })).hand).toEqual(
      cards({ 0: 3, 7: 1, 8: 1 }),
    );
  });

  test("what everybody saw is paid first, and never falls below nothing", () => {
    const start = view({ seats: [seat(), seat({ seen: cards({ 2: 1 }) })] });
    const paid = after(start, {
      type: "route-claimed",
      seat: 1,
      color: 2,
      cards: 3,
      locomotives: 0,
      route: 0,
      points: [0, 4],
    });
    expect(other(paid)).toMatchObject({ seen: cards(), hand_size: 1, trains: 42, score: 4, routes: [0] });
    expect(paid.discards).toEqual(cards({ 2: 3 }));
  });

  test("a new row and a new deck", () => {
    const replaced = after(view(), { type: "row-replaced", cards: cards({ 0: 2, 1: 3 }) });
    expect(replaced).toMatchObject({ row: cards(), discards: cards({ 0: 2, 1: 3 }) });
    const shuffled = after(replaced, { type: "deck-shuffled", size: 5 });
    expect(shuffled).toMatchObject({ deck_size: 5, discards: cards() });
  });

  test("a price of locomotives alone", () => {
    expect(priceCards({ color: LOCOMOTIVE, cards: 0, locomotives: 2 })).toEqual(cards({ 8: 2 }));
  });
});

describe("a tunnel", () => {
  const price = { color: 0, cards: 2, locomotives: 1 };
  const tried = after(view(), { type: "tunnel-tried", seat: 0, route: 0, ...price });

  test("laid cards are out of the hand, and not yet discarded", () => {
    expect(tried).toMatchObject({ claiming: 0, laid: cards({ 0: 2, 8: 1 }), discards: cards() });
    expect(own(tried)).toMatchObject({ hand_size: 1, hand: cards({ 0: 1 }) });
  });

  test("declined, they return, and everybody has seen them", () => {
    const declined = after(tried, { type: "tunnel-declined", seat: 0, route: 0 });
    expect(own(declined)).toMatchObject({ hand: cards({ 0: 3, 8: 1 }), hand_size: 4 });
    expect(own(declined).seen).toEqual(cards({ 0: 2, 8: 1 }));
    expect(declined.laid).toEqual(cards());
  });

  test("paid, they and the extra cards are discarded once", () => {
    const paid = after(
      tried,
      { type: "tunnel-revealed", seat: 0, color: 0 },
      { type: "tunnel-paid", seat: 0, route: 0, color: 0, cards: 1, locomotives: 0 },
      { type: "route-claimed", seat: 0, route: 0, color: 0, cards: 3, locomotives: 1, points: [4, 0] },
    );
    expect(own(paid)).toMatchObject({ hand: cards(), hand_size: 0, trains: 42, score: 4 });
    expect(paid.discards).toEqual(cards({ 0: 3, 8: 1 }));
    const ended = after(paid, { type: "turn-ended", seat: 0 }); // and what was revealed
    expect(ended).toMatchObject({ discards: cards({ 0: 4, 8: 1 }), revealed: cards() });
  });
});

test("tickets of others are counted, mine are known", () => {
  const dealt = after(
    view(),
    { type: "tickets-dealt", seat: 0, count: 2, tickets: [7, 1] },
    { type: "tickets-dealt", seat: 1, count: 2, tickets: null },
  );
  expect(own(dealt)).toMatchObject({ offer: [1, 7], tickets_offered: 2 });
  const kept = after(
    dealt,
    { type: "tickets-kept", seat: 0, count: 1, tickets: [7] },
    { type: "tickets-returned", seat: 0, count: 1, tickets: [1] },
    { type: "tickets-kept", seat: 1, count: 2, tickets: null },
  );
  expect(own(kept)).toMatchObject({ tickets: [4, 7, 9], tickets_held: 3, offer: [], tickets_offered: 0 });
  expect(other(kept)).toMatchObject({ tickets: null, tickets_held: 4, tickets_offered: 0 });
});

test("Alvin and a marker", () => {
  const caught = after(
    view(),
    { type: "alvin-captured", seat: 1, city: 3, points: 10 },
    { type: "marker-placed", seat: 1, city: 5, color: 4, cards: 2, locomotives: 0 },
    { type: "alvin-moved", seat: 1, city: 5 },
  );
  expect(caught).toMatchObject({ alvin_holder: 1, alvin_city: 5, discards: cards({ 4: 2 }) });
  expect(other(caught)).toMatchObject({ score: 10, marks: [5], hand_size: 2 });
});

test("an update unfolds into a view for each event, and the last one says what is to be decided", () => {
  const update: Update = {
    type: "update",
    version: 9,
    at: 0,
    by: null,
    events: [
      { type: "card-taken", seat: 0, color: 1 },
      { type: "row-filled", color: 6 },
      { type: "turn-ended", seat: 0 },
    ],
    situation: { ...situation, turn: 1 },
    deciding: [1],
    deadlines: [],
    legal: [],
    takeback: null,
    view: null,
  };
  const start = view();
  const views = viewsAfter(start, update, map);
  expect(views.map(({ deck_size, turn }) => [deck_size, turn])).toEqual([
    [60, 0],
    [59, 0],
    [59, 1],
  ]);
  expect(start).toEqual(view()); // nothing was changed in place
  expect(viewsAfter(start, { ...update, events: [], situation: null }, map)).toEqual([start]);
});
