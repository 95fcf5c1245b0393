// Views: from the record of what a seat may see to its JSON.

import type { ViewRecord } from "../net/records.ts";
import type { EditionMap, GameView, Outcome, Phase, SeatView, Situation } from "../net/wire.ts";
import { CARDS, HEAPS, HELD, LOCO, OFFERED, OVER, PHASES, PLACES, UNKNOWN } from "./codes.ts";
import type { TableData } from "./edition.ts";

const phase = (number: number): Phase => PHASES[number] ?? "over";
const orNull = (number: number): number | null => (number < 0 ? null : number);

/** The seats whose hand and tickets are included. */
function shown({ phase, seat }: ViewRecord, seats: number): number[] {
  if (phase === OVER) return Array.from({ length: seats }, (_, i) => i);
  return seat < 0 ? [] : [seat];
}

/** The tickets that lie in a place, as far as a record knows it. */
export const ticketsAt = (places: readonly number[], map: EditionMap, place: number): number[] =>
  map.tickets.flatMap((_, ticket) => (places[ticket] === place ? [ticket] : []));

/** The seats in a set of bits. */
export const seatsIn = (bits: number, seats: number): number[] =>
  Array.from({ length: seats }, (_, seat) => seat).filter((seat) => (bits >> seat) & 1);

/** The name of a place where a ticket may lie. */
export function placeName(place: number): string {
  const [from, word] = PLACES.find(([low]) => place >= low) ?? [0, ""];
  return HEAPS[place] ?? `${word} ${place - from}`;
}

/** The cards laid for the tunnel being claimed. */
function laid({ paid_color, paid_locos }: ViewRecord, map: EditionMap, claiming: number | null): number[] {
  const cards = Array<number>(CARDS).fill(0);
  const route = claiming === null ? undefined : map.routes[claiming];
  if (route?.kind !== "tunnel") return cards;
  if (paid_color !== LOCO) cards[paid_color] = route.length - paid_locos;
  cards[LOCO] = paid_locos;
  return cards;
}

export function situationData(record: ViewRecord, map: EditionMap, table: TableData): Situation {
  const claiming = record.lane < 0 ? null : (table.routeOfLane[record.lane] ?? null);
  const seats = shown(record, table.seats);
  const listed = new Set(seats.flatMap((seat) => [HELD + seat, OFFERED + seat]));
  const known = map.tickets.flatMap((_, ticket) => {
    const place = record.ticket[ticket] ?? UNKNOWN;
    return place === UNKNOWN || listed.has(place) ? [] : [[ticket, placeName(place)] as const];
  });
  return {
    phase: phase(record.phase),
    after: phase(record.after),
    turn: record.turn,
    choosing: seatsIn(record.choosing, table.seats),
    passes: record.passes,
    last_turns: record.last,
    drawn: record.drawn,
    refreshed: record.refreshed,
    pool: record.pool,
    claiming,
    laid: laid(record, map, claiming),
    revealed: record.revealed,
    extra: record.extra,
    ticket_stock: record.stock,
    tickets_bundled: record.bundled,
    tickets_under: record.queue,
    known_tickets: Object.fromEntries(known),
    alvin_captured: record.captured !== 0,
  };
}

/** `outcome` and `paths` are for a game that is over. */
export function viewData(
  record: ViewRecord,
  map: EditionMap,
  table: TableData,
  outcome: Outcome | null,
  paths: number[][],
): GameView {
  const open = shown(record, table.seats);
  return {
    ...situationData(record, map, table),
    seat: orNull(record.seat),
    first: orNull(record.first),
    row: record.row,
    discards: record.discards,
    deck_size: record.deck_size,
    alvin_city: orNull(record.alvin_city),
    alvin_holder: orNull(record.alvin_holder),
    seats: Array.from({ length: table.seats }, (_, seat) =>
      seatData(record, map, table, seat, open.includes(seat)),
    ),
    outcome,
    longest_paths: paths,
  };
}

function seatData(
  record: ViewRecord,
  map: EditionMap,
  table: TableData,
  seat: number,
  open: boolean,
): SeatView {
  const of = <Value>(list: readonly Value[]): Value => list[seat] as Value;
  return {
    hand_size: of(record.hand_size),
    seen: of(record.seen),
    hand: open ? of(record.hand) : null,
    tickets_held: of(record.held),
    tickets: open ? ticketsAt(record.ticket, map, HELD + seat) : null,
    tickets_offered: of(record.offered),
    offer: open ? ticketsAt(record.ticket, map, OFFERED + seat) : null,
    trains: of(record.trains),
    score: of(record.score),
    routes: table.routesIn(of(record.claimed)),
    marks: of(record.marks).filter((city) => city >= 0),
  };
}
