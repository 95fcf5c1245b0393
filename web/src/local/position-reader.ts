// Reads positions as plain data, which may come from anywhere (docs/positions.md, with numbers in the place of names),
// into the records of drafts. What follows from the rest is left out.

import { DRAFT, type DraftRecord, readField, writeField } from "../net/records.ts";
import type { Phase } from "../net/wire.ts";
import {
  CARDS,
  HEAPS,
  HELD,
  LANES,
  LOCO,
  MARKS,
  OFFERED,
  OVER,
  PHASES,
  PLACES,
  QUEUE,
  TICKETS,
  TURN,
  UNKNOWN,
  WORD_BITS,
} from "./codes.ts";
import type { EditionData, TableData } from "./edition.ts";

/** A seat of a position; what is left out follows from the rest, or is hidden. */
export interface SeatData {
  hand?: number[];
  hand_size?: number;
  seen?: number[];
  tickets?: number[];
  tickets_held?: number;
  offer?: number[];
  tickets_offered?: number;
  trains?: number;
  score?: number;
  routes?: number[];
  marks?: number[];
}

/** A position, or with `seat` what a seat (null: a spectator) may know of one. */
export interface PositionData {
  seat?: number | null;
  phase?: Phase;
  after?: Phase;
  turn?: number;
  first?: number | null;
  passes?: number;
  last_turns?: number;
  drawn?: number;
  refreshed?: number;
  row?: number[];
  deck?: number[];
  deck_size?: number;
  pool?: number[];
  discards?: number[];
  seats: SeatData[];
  ticket_stock?: number;
  tickets_bundled?: number;
  tickets_under?: number;
  /** by ticket: where it lies, as `view.ts` names places */
  known_tickets?: Record<number, string>;
  /** by ticket: the seats that know where it lies */
  knowers?: Record<number, number[]>;
  claiming?: number | null;
  laid?: number[];
  revealed?: number[];
  extra?: number;
  alvin_city?: number | null;
  alvin_holder?: number | null;
  alvin_captured?: boolean;
}

/** Data that is no position: it was cut off, or written by another program. */
export class BadPosition extends Error {
  override readonly name = "BadPosition";
}

/** Fields of a draft that follow from the rest where a position does not say them. */
const LEFT_OUT = [
  ...["after", "turn", "drawn", "refreshed", "deck_size", "stock", "captured", "alvin_city"],
  ...["trains", "score", "known", "ticket", "deck", "pool"],
  ...["lane", "marks", "alvin_holder", "told_extra"],
] as (keyof DraftRecord)[];
const MOST_COUNT = 127; // that a byte holds
const MOST_POINTS = 2 ** 15 - 1;

/** Set all elements of a field of a draft to a number. */
export const fill = (name: keyof DraftRecord, draft: DataView, value: number): void => {
  const [, , shape] = DRAFT.fields[name];
  const length = shape.reduce((product, n) => product * n, 1);
  writeField(DRAFT, name, draft, Array<number>(length).fill(value));
};

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Reads data that may come from anywhere into the record of a draft. */
export class Reader {
  readonly #draft = new Uint8Array(DRAFT.size);
  readonly #data = viewOf(this.#draft);

  constructor(
    readonly edition: EditionData,
    readonly table: TableData,
    readonly seats: number,
  ) {
    for (const name of LEFT_OUT) fill(name, this.#data, UNKNOWN);
  }

  read(given: unknown): Uint8Array {
    const data = object(given) as Record<keyof PositionData, unknown>;
    const seats = list(data.seats, (seat) => object(seat) as Record<keyof SeatData, unknown>);
    if (seats.length !== this.seats) throw new BadPosition(`${seats.length} seats, not ${this.seats}`);
    const { map } = this.edition;
    const open = data.seat === undefined;
    const viewer = open ? UNKNOWN : this.#seat(data.seat);
    const phase = phaseOf(data.phase) ?? TURN;
    const shown = (seat: number): boolean => open || phase === OVER || seat === viewer;
    this.#set("open", Number(open));
    this.#set("seat", viewer);
    this.#set("phase", phase);
    this.#set("first", data.first === null ? UNKNOWN : this.#seat(data.first ?? 0));
    this.#maybe("after", phaseOf(data.after, PHASES.length));
    this.#maybe("turn", data.turn === undefined ? undefined : this.#seat(data.turn));
    for (const [name, entry, most] of [
      ["passes", data.passes, this.seats],
      ["last", data.last_turns, this.seats],
      ["drawn", data.drawn, 1],
      ["refreshed", data.refreshed, MOST_COUNT],
      ["deck_size", data.deck_size, MOST_POINTS],
      ["stock", data.ticket_stock, TICKETS],
      ["bundled", data.tickets_bundled, TICKETS],
      ["queue", data.tickets_under, TICKETS],
      ["told_extra", data.extra, MOST_COUNT],
    ] as const)
      this.#maybe(name, entry === undefined ? undefined : integer(entry, 0, most));
    for (const name of ["row", "discards", "pool", "deck", "revealed"] as const)
      if (data[name] !== undefined) this.#set(name, ...cards(data[name]));
    this.#claiming(data);
    const places = Array<number>(TICKETS).fill(UNKNOWN);
    const put = (ticket: number, place: number): void => {
      if (places[ticket] !== UNKNOWN) throw new BadPosition(`ticket ${ticket} is in two places`);
      places[ticket] = place;
    };
    for (const [ticket, place] of Object.entries(object(data.known_tickets ?? {})))
      put(integer(Number(ticket), 0, map.tickets.length - 1), placeNumber(place, this.seats));
    seats.forEach((entry, seat) => {
      for (const [key, place] of [
        ["tickets", HELD],
        ["offer", OFFERED],
      ] as const)
        for (const ticket of list(entry[key] ?? [], (one) => integer(one, 0, map.tickets.length - 1))) {
          if (!shown(seat)) throw new BadPosition(`the tickets of seat ${seat} are hidden`);
          put(ticket, place + seat);
        }
    });
    this.#set("ticket", ...places);
    seats.forEach((entry, seat) => this.#readSeat(entry, seat, shown(seat), places));
    for (const [ticket, knowers] of Object.entries(object(data.knowers ?? {}))) {
      const bits = list(knowers, (seat) => 1 << this.#seat(seat)).reduce((all, bit) => all | bit, 0);
      this.#setAt("known", integer(Number(ticket), 0, map.tickets.length - 1), bits);
    }
    if (data.alvin_city != null) this.#set("alvin_city", integer(data.alvin_city, 0, map.cities.length - 1));
    if (data.alvin_holder != null) this.#set("alvin_holder", this.#seat(data.alvin_holder));
    if (data.alvin_captured !== undefined) this.#set("captured", Number(Boolean(data.alvin_captured)));
    return this.#draft;
  }

  #claiming(data: Record<keyof PositionData, unknown>): void {
    if (data.claiming == null) return;
    const route = integer(data.claiming, 0, this.edition.map.routes.length - 1);
    const laid = data.laid === undefined ? [] : cards(data.laid);
    const colors = laid.flatMap((count, color) => (count && color !== LOCO ? [color] : []));
    this.#set("lane", this.table.laneOfRoute[route] ?? LANES);
    const length = this.edition.map.routes[route]?.length;
    const count = laid.reduce((sum, n) => sum + n, 0);
    if (count && (colors.length > 1 || count !== length))
      throw new BadPosition("cards of several colours are laid");
    this.#set("laid", Number(count > 0));
    this.#set("paid_color", colors[0] ?? LOCO);
    this.#set("paid_locos", laid[LOCO] ?? 0);
  }

  #readSeat(
    entry: Record<keyof SeatData, unknown>,
    seat: number,
    shown: boolean,
    places: readonly number[],
  ): void {
    const { map } = this.edition;
    const routes = list(entry.routes ?? [], (route) => integer(route, 0, map.routes.length - 1));
    const marks = list(entry.marks ?? [], (city) => integer(city, 0, map.cities.length - 1));
    if (marks.length > MARKS) throw new BadPosition(`${marks.length} stations or markers`);
    const words = [0n, 0n, 0n];
    for (const route of routes) {
      const lane = this.table.laneOfRoute[route] ?? 0;
      const word = Math.floor(lane / WORD_BITS);
      words[word] = (words[word] ?? 0n) | (1n << BigInt(lane % WORD_BITS));
    }
    this.#setRow("claimed", seat, words);
    this.#setAt("mark_count", seat, marks.length);
    this.#setRow("marks", seat, marks);
    if (entry.seen !== undefined) this.#setRow("seen", seat, cards(entry.seen));
    if (shown && entry.hand !== undefined) this.#setRow("hand", seat, cards(entry.hand));
    if (!shown && entry.hand !== undefined) throw new BadPosition(`the hand of seat ${seat} is hidden`);
    if (entry.trains !== undefined) this.#setAt("trains", seat, integer(entry.trains, 0, MOST_COUNT));
    if (entry.score !== undefined) this.#setAt("score", seat, integer(entry.score, 0, MOST_POINTS));
    if (shown) return;
    const known = (place: number): number => places.filter((one) => one === place + seat).length;
    for (const [name, given, least, most] of [
      ["hand_size", entry.hand_size, 0, MOST_POINTS],
      ["held", entry.tickets_held, known(HELD), TICKETS],
      ["offered", entry.tickets_offered, known(OFFERED), TICKETS],
    ] as const)
      this.#setAt(name, seat, integer(given ?? least, least, most));
  }

  #seat(value: unknown): number {
    return value === null ? UNKNOWN : integer(value, 0, this.seats - 1);
  }

  #set(name: keyof DraftRecord, ...values: number[]): void {
    writeField(DRAFT, name, this.#data, values);
  }

  #maybe(name: keyof DraftRecord, value: number | undefined): void {
    if (value !== undefined) this.#set(name, value);
  }

  /** Set an element of a field with one axis. */
  #setAt(name: keyof DraftRecord, at: number, value: number): void {
    const values = readField(DRAFT, name, this.#data) as number[];
    writeField(DRAFT, name, this.#data, values.with(at, value));
  }

  /** Set the first elements of a row of a field with two axes. */
  #setRow(name: keyof DraftRecord, row: number, values: readonly (number | bigint)[]): void {
    const rows = readField(DRAFT, name, this.#data) as (number | bigint)[][];
    rows[row]?.splice(0, values.length, ...values);
    writeField(DRAFT, name, this.#data, rows.flat());
  }
}

function object(value: unknown): object {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadPosition("not an object");
  return value;
}

function list<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new BadPosition("not a list");
  return value.map(read);
}

function integer(value: unknown, low: number, high: number): number {
  if (!Number.isInteger(value) || (value as number) < low || (value as number) > high)
    throw new BadPosition(`${String(value)} is no number from ${low} to ${high}`);
  return value as number;
}

function cards(value: unknown): number[] {
  const counts = list(value, (count) => integer(count, 0, MOST_COUNT));
  if (counts.length !== CARDS) throw new BadPosition(`${counts.length} kinds of cards`);
  return counts;
}

function phaseOf(value: unknown, phases = OVER + 1): number | undefined {
  if (value === undefined) return undefined;
  const found = PHASES.slice(0, phases).indexOf(value as Phase);
  if (found < 0) throw new BadPosition(`there is no phase ${String(value)}`);
  return found;
}

/** The number of a place that `placeName` names. */
function placeNumber(name: unknown, seats: number): number {
  const heap = Object.entries(HEAPS).find(([, word]) => word === name);
  if (heap) return Number(heap[0]);
  const [word = "", count = ""] = String(name).split(" ");
  const [from] = PLACES.find(([, known]) => known === word) ?? [];
  if (from === undefined) throw new BadPosition(`there is no place ${String(name)}`);
  return from + integer(Number(count), 0, from === QUEUE ? TICKETS - 1 : seats - 1);
}
