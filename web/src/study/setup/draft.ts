// Changes of a position that is set up: each makes a new one, in which what follows from the rest is left out.

import type { Place } from "../../game/places.ts";
import type { GameTexts } from "../../game/texts.ts";
import type { PositionData, SeatData } from "../../local/position.ts";
import type { EditionMap } from "../../net/wire.ts";

const KINDS = 9;
const UNDER = "under ";

/** What is laid on the map: trains, a station or marker of a seat, or Alvin; "none" takes away what lies there. */
export type Tool =
  { readonly what: "trains" | "mark"; readonly seat: number } | { readonly what: "alvin" | "none" };

export const sameTool = (one: Tool, other: Tool): boolean =>
  one.what === other.what && ("seat" in one ? one.seat : -1) === ("seat" in other ? other.seat : -1);

/** Where cards lie: in the row, among the discards, in a hand, or among those of a hand that all know. */
export type Pile = "row" | "discards" | `hand ${number}` | `seen ${number}`;

export const none = (): number[] => Array<number>(KINDS).fill(0);
const sum = (cards: readonly number[] = []): number => cards.reduce((total, n) => total + n, 0);

/** The position as one in which a seat begins its turn: what lies open for another decision is taken back. */
export function asTurn(position: PositionData): PositionData {
  const {
    turn = 0,
    first,
    last_turns,
    row,
    discards,
    seat,
    ticket_stock,
    tickets_bundled,
    tickets_under,
  } = position;
  const { alvin_city, alvin_holder } = position;
  const early = position.after === "deal-setup" || ["choose", "start"].includes(position.phase ?? "turn");
  const kept = Object.entries(position.known_tickets ?? {}).filter(
    ([, place]) => !/^(returned|offer)/.test(place),
  );
  const offered = position.seats.reduce((total, one) => total + (one.tickets_offered ?? 0), 0);
  const seats = position.seats.map((one): SeatData => {
    const { offer = [], tickets = [], tickets_offered = 0, tickets_held, ...rest } = one;
    const held = early ? [...tickets, ...offer] : tickets;
    const count = (tickets_held ?? 0) + (early ? tickets_offered : 0);
    return {
      ...rest,
      ...(held.length ? { tickets: held } : {}),
      ...(tickets_held !== undefined || tickets_offered ? { tickets_held: count } : {}),
    };
  });
  const found: PositionData = { seats };
  const stock = ticket_stock === undefined || early ? ticket_stock : ticket_stock + offered;
  const maybe = {
    ...{ seat, turn, first, row, discards, tickets_bundled, tickets_under },
    ...{ last_turns, alvin_city, alvin_holder, ticket_stock: stock },
    known_tickets: kept.length ? Object.fromEntries(kept) : undefined,
  };
  return Object.assign(found, defined(maybe));
}

/** An empty board with cards in the row. */
export function cleared(position: PositionData, map: EditionMap): PositionData {
  const row = none();
  for (let color = 0; color < map.rules.row; color += 1) row[color % (KINDS - 1)] = 1;
  return { seats: position.seats.map(() => ({})), row, turn: 0 };
}

/** Lay trains on a route, or take them away: with the same tool, or with that for it. */
export function layRoute(position: PositionData, route: number, tool: Tool): PositionData {
  if (tool.what !== "trains" && tool.what !== "none") return position;
  const seats = position.seats.map((one, i): SeatData => {
    const routes = one.routes ?? [];
    const rest = routes.filter((other) => other !== route);
    return tool.what === "trains" && i === tool.seat && !routes.includes(route)
      ? { ...one, routes: [...rest, route].sort((a, b) => a - b) }
      : { ...one, routes: rest };
  });
  return { ...position, seats };
}

/** Lay something in a city, or take it away. Who has a marker in Alvin's city holds him; at `home` nobody does. */
export function layCity(position: PositionData, city: number, tool: Tool, home = -1): PositionData {
  if (tool.what === "trains") return position;
  if (tool.what === "alvin") {
    const { alvin_city: _city, alvin_holder: _holder, ...others } = position;
    if (city === home) return others;
    return { ...others, alvin_city: city, alvin_holder: markedBy(position, city) ?? 0 };
  }
  const seats = position.seats.map((one, i): SeatData => {
    const marks = one.marks ?? [];
    const rest = marks.filter((other) => other !== city);
    const laid = tool.what === "mark" && i === tool.seat && !marks.includes(city);
    return { ...one, marks: laid ? [...rest, city] : rest };
  });
  const after = { ...position, seats };
  if (position.alvin_city !== city) return after;
  return layCity(after, city, { what: "alvin" }, tool.what === "none" ? city : home);
}

/** The seat that has a station or marker in a city. */
function markedBy({ seats }: PositionData, city: number): number | null {
  const seat = seats.findIndex(({ marks = [] }) => marks.includes(city));
  return seat < 0 ? null : seat;
}

/** What lies on the map: the seat of the trains, of the station or marker. */
export function lies(position: PositionData, place: Place, { what }: Tool): number | null {
  if ("city" in place) return what === "mark" ? markedBy(position, place.city) : null;
  const seat = position.seats.findIndex(({ routes = [] }) => routes.includes(place.route));
  return what === "trains" && seat >= 0 ? seat : null;
}

const pileOf = (position: PositionData, pile: Pile): readonly number[] => {
  if (pile === "row" || pile === "discards") return position[pile] ?? none();
  const [what, seat] = pile.split(" ") as ["hand" | "seen", string];
  return position.seats[Number(seat)]?.[what] ?? none();
};

/** Set how many cards of each kind lie somewhere. */
export function withCards(position: PositionData, pile: Pile, cards: number[]): PositionData {
  if (pile === "row" || pile === "discards") return { ...position, [pile]: cards };
  const [what, seat] = pile.split(" ") as ["hand" | "seen", string];
  return withSeat(position, Number(seat), { [what]: cards });
}

/** Move a card; null: among those that are not in the position, so from or to the deck. */
export function moveCard(
  position: PositionData,
  color: number,
  from: Pile | null,
  to: Pile | null,
): PositionData {
  const changed = (before: PositionData, pile: Pile | null, by: number): PositionData =>
    pile === null
      ? before
      : withCards(
          before,
          pile,
          pileOf(before, pile).map((n, i) => (i === color ? Math.max(0, n + by) : n)),
        );
  return from === to ? position : changed(changed(position, from, -1), to, 1);
}

/** Change a seat; what all have seen of its hand stays within the hand. */
export function withSeat(position: PositionData, seat: number, change: SeatData): PositionData {
  const seats = position.seats.map((one, i) => {
    if (i !== seat) return one;
    const after = { ...one, ...change };
    const { hand, seen } = after;
    return hand && seen ? { ...after, seen: seen.map((n, color) => Math.min(n, hand[color] ?? 0)) } : after;
  });
  return { ...position, seats };
}

/** The tickets that no seat holds, in the order of their names. */
export function freeTickets({ seats }: PositionData, texts: GameTexts): number[] {
  const held = new Set(seats.flatMap(({ tickets = [] }) => tickets));
  return texts.map.tickets
    .map((_, ticket) => ticket)
    .filter((ticket) => !held.has(ticket))
    .sort((a, b) => texts.ticket(a).localeCompare(texts.ticket(b)));
}

/** Give a ticket to a seat, or (null) put it back where it usually lies. */
export function giveTicket(position: PositionData, ticket: number, to: number | null): PositionData {
  const seats = position.seats.map((one, i): SeatData => {
    const rest = (one.tickets ?? []).filter((other) => other !== ticket);
    if (one.tickets === undefined && i !== to) return one;
    return { ...one, tickets: i === to ? [...rest, ticket] : rest };
  });
  const { known_tickets: places = {}, ...others } = position;
  const rest = Object.entries(places).filter(([known]) => Number(known) !== ticket);
  const known = closed(Object.fromEntries(rest));
  return { ...others, seats, ...(Object.keys(known).length ? { known_tickets: known } : {}) };
}

/** Without gaps among the tickets that lie under the deck. */
function closed(places: Record<number, string>): Record<number, string> {
  const depth = (place: string): number => (place.startsWith(UNDER) ? Number(place.slice(UNDER.length)) : -1);
  const depths = Object.values(places)
    .map(depth)
    .filter((n) => n >= 0)
    .sort((a, b) => a - b);
  return Object.fromEntries(
    Object.entries(places).map(([ticket, place]) => [
      ticket,
      depth(place) < 0 ? place : UNDER + depths.indexOf(depth(place)),
    ]),
  );
}

/** What a seat (null: all hands are open) may know of the position. `counts` are those of the whole position. */
export function knownBy(
  position: PositionData,
  viewer: number | null,
  counts: { stock: number; queue: number; bundled: number },
): PositionData {
  if (viewer === null) {
    const {
      seat: _,
      ticket_stock: _stock,
      tickets_under: _under,
      tickets_bundled: _bundled,
      ...rest
    } = position;
    const seats = position.seats.map(({ hand_size: _size, tickets_held: _held, ...one }): SeatData => ({
      ...one,
      hand: one.hand ?? one.seen ?? none(),
    }));
    return { ...rest, seats };
  }
  const seats = position.seats.map((one, i): SeatData => {
    if (i === viewer) {
      const { hand_size: _size, tickets_held: _held, ...rest } = one;
      return { ...rest, hand: one.hand ?? one.seen ?? none() };
    }
    const { hand, tickets, ...rest } = one;
    return {
      ...rest,
      hand_size: one.hand_size ?? sum(hand),
      tickets_held: one.tickets_held ?? tickets?.length ?? 0,
    };
  });
  return {
    ...position,
    ...{ seat: viewer, seats, ticket_stock: counts.stock },
    ...(counts.queue ? { tickets_under: counts.queue } : {}),
    ...(counts.bundled ? { tickets_bundled: counts.bundled } : {}),
  };
}

/** Change how many tickets a seat holds that are not known: they come from those that can be drawn. */
export function holdTickets(position: PositionData, seat: number, count: number): PositionData {
  const before = position.seats[seat]?.tickets_held ?? 0;
  const stock = (position.ticket_stock ?? 0) + before - count;
  return stock < 0 ? position : { ...withSeat(position, seat, { tickets_held: count }), ticket_stock: stock };
}

/** Without the entries that are undefined. */
function defined<Data extends object>(data: Data): Partial<Data> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Partial<Data>;
}
