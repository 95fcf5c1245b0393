// Positions as plain data: the entries of docs/positions.md, with numbers in the place of names. What follows from
// the rest, and what is impossible, says the kernel; here data becomes records, and records data.

import {
  DRAFT,
  type DraftRecord,
  type Layout,
  PROBLEM,
  readField,
  readRecord,
  STATE,
  VIEW,
  writeField,
} from "../net/records.ts";
import type { Phase } from "../net/wire.ts";
import {
  CARDS,
  DEAL_TUNNEL,
  HEAPS,
  HELD,
  LANES,
  LOCO,
  MARKS,
  MOST_PROBLEMS,
  OFFERED,
  OVER,
  PHASES,
  PLACES,
  type ProblemName,
  PROBLEMS,
  QUEUE,
  TICKETS,
  TUNNEL,
  TURN,
  UNKNOWN,
  WORD_BITS,
} from "./codes.ts";
import type { EditionData, TableData } from "./edition.ts";
import type { Block, Kernel } from "./kernel.ts";
import { placeName, ticketsAt } from "./view.ts";

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

/** Something that is impossible in a position; what it is not about is null. */
export interface PositionProblem {
  readonly name: ProblemName;
  readonly seat: number | null;
  readonly other: number | null;
  readonly route: number | null;
  readonly city: number | null;
  readonly ticket: number | null;
  readonly color: number | null;
  readonly have: number;
  readonly want: number;
  readonly most: number;
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

const fill = (name: keyof DraftRecord, draft: DataView, value: number): void => {
  const [, , shape] = DRAFT.fields[name];
  const length = shape.reduce((product, n) => product * n, 1);
  writeField(DRAFT, name, draft, Array<number>(length).fill(value));
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The positions of one edition at a table of so many seats. */
export class Positions {
  readonly #specs: Block;
  readonly #table: TableData;

  constructor(
    readonly kernel: Kernel,
    readonly edition: EditionData,
    readonly seats: number,
  ) {
    this.#table = edition.table(seats);
    this.#specs = kernel.constant("specs", this.#table.array("spec"));
  }

  /** The record of a draft, completed. Throws `BadPosition` for data that cannot be read. */
  read(data: unknown): Uint8Array {
    return this.#complete(this.#reader().read(data));
  }

  /** What is impossible in a completed draft. */
  problems(draft: Uint8Array): PositionProblem[] {
    const { kernel } = this;
    const drafts = this.#load(draft);
    const problems = kernel.scratch("problems", MOST_PROBLEMS);
    const count = kernel.call("check_draft", this.#specs, drafts, kernel.scratch("states", 1), problems, 0);
    const { routeOfLane } = this.#table;
    const orNull = (number: number): number | null => (number < 0 ? null : number);
    return Array.from({ length: count }, (_, i) => {
      const { code, lane, have, want, most, ...about } = readRecord(PROBLEM, problems.data, i * PROBLEM.size);
      return {
        name: (PROBLEMS[code] || "not-over") as ProblemName,
        seat: orNull(about.seat),
        other: orNull(about.other),
        route: lane < 0 ? null : (routeOfLane[lane] ?? null),
        city: orNull(about.city),
        ticket: orNull(about.ticket),
        color: orNull(about.color),
        ...{ have, want, most },
      };
    });
  }

  /** What follows from the rest in a completed draft. */
  counts(
    draft: Uint8Array,
  ): Pick<DraftRecord, "trains" | "score" | "stock" | "queue" | "bundled" | "deck_size"> {
    return readRecord(DRAFT, viewOf(draft));
  }

  /** The record of the state that a draft without hidden things describes. */
  state(draft: Uint8Array): Uint8Array {
    const states = this.kernel.scratch("states", 1);
    states.bytes.fill(0);
    this.kernel.call("take_state", this.#load(draft), states);
    return states.bytes.slice();
  }

  /** The record of the view that a draft describes. */
  view(draft: Uint8Array): Uint8Array {
    const views = this.kernel.scratch("views", 1);
    views.bytes.fill(0);
    this.kernel.call("take_view", this.#load(draft), views);
    return views.bytes.slice();
  }

  /** The data of a state, without what follows from the rest. */
  ofState(state: Uint8Array): PositionData {
    return this.#write(this.#draftOf(STATE, state, true));
  }

  /** The same of a view; that of a game that is over shows everything. */
  ofView(view: Uint8Array): PositionData {
    const open = viewOf(view).getInt8(VIEW.fields.phase[1]) === OVER;
    const draft = this.#draftOf(VIEW, view, open);
    const seat = viewOf(view).getInt8(VIEW.fields.seat[1]);
    return open ? this.#write(draft) : { seat: seat < 0 ? null : seat, ...this.#write(draft) };
  }

  /** The data of the state that the views of all seats show together. */
  ofViews(views: readonly Uint8Array[]): PositionData {
    const [first] = views;
    if (!first) throw new BadPosition("no views");
    const draft = this.#draftOf(VIEW, first, true);
    const data = viewOf(draft);
    const hands = readField(DRAFT, "hand", data);
    const places = readField(DRAFT, "ticket", data);
    const known = Array<number>(TICKETS).fill(0);
    views.forEach((view, seat) => {
      const seen = readRecord(VIEW, viewOf(view));
      hands[seat] = seen.hand[seat] as number[];
      seen.ticket.forEach((place, ticket) => {
        if (place === UNKNOWN) return;
        places[ticket] = place;
        known[ticket] = (known[ticket] ?? 0) | (1 << seat);
      });
    });
    writeField(DRAFT, "hand", data, hands.flat());
    writeField(DRAFT, "ticket", data, places);
    writeField(DRAFT, "known", data, known);
    fill("deck", data, UNKNOWN);
    return this.#write(this.#complete(draft));
  }

  #reader(): Reader {
    return new Reader(this.edition, this.#table, this.seats);
  }

  #load(draft: Uint8Array): Block {
    const drafts = this.kernel.scratch("drafts", 1);
    drafts.bytes.set(draft);
    return drafts;
  }

  #complete(draft: Uint8Array): Uint8Array {
    const drafts = this.#load(draft);
    this.kernel.call("complete_draft", this.#specs, drafts);
    return drafts.bytes.slice();
  }

  /** A record as a draft: nothing is left out. */
  #draftOf<Fields>(layout: Layout<Fields>, record: Uint8Array, open: boolean): Uint8Array {
    const draft = new Uint8Array(DRAFT.size);
    const fields = Object.entries(layout.fields) as [string, Layout<Fields>["fields"][keyof Fields]][];
    for (const [name, [kind, from, shape]] of fields) {
      const to = DRAFT.fields[name as keyof DraftRecord];
      const size = Number(kind.slice(1)) * shape.reduce((product, n) => product * n, 1);
      draft.set(record.subarray(from, from + size), to[1]);
    }
    const data = viewOf(draft);
    const { phase, lane, marks } = readRecord(DRAFT, data);
    writeField(DRAFT, "open", data, [Number(open)]);
    writeField(DRAFT, "laid", data, [Number(lane >= 0 && (phase === TUNNEL || phase === DEAL_TUNNEL))]);
    writeField(DRAFT, "told_extra", data, [UNKNOWN]);
    writeField(
      DRAFT,
      "mark_count",
      data,
      marks.map((cities) => cities.filter((city) => city >= 0).length),
    );
    return draft;
  }

  /** The data of a draft in which nothing is left out. */
  #write(draft: Uint8Array): PositionData {
    const { map } = this.edition;
    const table = this.#table;
    const is = readRecord(DRAFT, viewOf(draft));
    const usual = this.#usual(draft, is);
    const open = is.open === 1;
    const unless = <Value>(same: boolean, value: Value): Value | undefined => (same ? undefined : value);
    const equal = (name: keyof DraftRecord): boolean => String(is[name]) === String(usual[name]);
    const some = (cards: readonly number[]): number[] | undefined => unless(!cards.some(Boolean), [...cards]);
    const seats = Array.from({ length: this.seats }, (_, seat): SeatData => {
      const shown = open || seat === is.seat;
      const at = <Value>(list: readonly Value[]): Value => list[seat] as Value;
      const held = ticketsAt(is.ticket, map, HELD + seat);
      const offer = ticketsAt(is.ticket, map, OFFERED + seat);
      const routes = table.routesIn(at(is.claimed));
      const marks = at(is.marks).filter((city) => city >= 0);
      return without({
        hand: shown ? some(at(is.hand)) : undefined,
        hand_size: unless(shown || !at(is.hand_size), at(is.hand_size)),
        seen: some(at(is.seen)),
        tickets: shown && held.length ? held : undefined,
        tickets_held: unless(shown || !at(is.held), at(is.held)),
        offer: shown && offer.length ? offer : undefined,
        tickets_offered: unless(shown || !at(is.offered), at(is.offered)),
        trains: unless(at(is.trains) === at(usual.trains), at(is.trains)),
        score: unless(at(is.score) === at(usual.score), at(is.score)),
        routes: routes.length ? routes : undefined,
        marks: marks.length ? marks : undefined,
      });
    });
    const listed = (place: number): boolean => (open ? place < 2 * OFFERED : isOf(place, is.seat));
    const known: Record<number, string> = {};
    const knowers: Record<number, number[]> = {};
    map.tickets.forEach((_, ticket) => {
      const place = is.ticket[ticket] ?? UNKNOWN;
      if (place !== usual.ticket[ticket] && !listed(place)) known[ticket] = placeName(place);
      if (open && is.known[ticket] !== usual.known[ticket])
        knowers[ticket] = seats.flatMap((_, seat) => (((is.known[ticket] ?? 0) >> seat) & 1 ? [seat] : []));
    });
    const claiming = is.lane < 0 ? undefined : table.routeOfLane[is.lane];
    return without({
      phase: unless(is.phase === TURN, PHASES[is.phase]),
      after: unless(equal("after"), PHASES[is.after]),
      turn: unless(is.turn === Math.max(is.first, 0), is.turn),
      first: is.first < 0 ? null : unless(is.first === 0, is.first),
      passes: is.passes || undefined,
      last_turns: is.last || undefined,
      drawn: unless(equal("drawn"), is.drawn),
      refreshed: unless(equal("refreshed"), is.refreshed),
      row: some(is.row),
      deck: unless(!open || equal("deck"), is.deck),
      deck_size: unless(open, is.deck_size),
      pool: unless(equal("pool"), is.pool),
      discards: some(is.discards),
      seats,
      ticket_stock: unless(open, is.stock),
      tickets_bundled: unless(open || !is.bundled, is.bundled),
      tickets_under: unless(open || !is.queue, is.queue),
      known_tickets: unless(!Object.keys(known).length, known),
      knowers: unless(!Object.keys(knowers).length, knowers),
      claiming,
      laid: unless(!is.laid || claiming === undefined, this.#laid(is, claiming ?? 0)),
      revealed: claiming === undefined ? undefined : some(is.revealed),
      alvin_city: unless(equal("alvin_city"), is.alvin_city),
      alvin_holder: is.alvin_holder < 0 ? undefined : is.alvin_holder,
      alvin_captured: unless(equal("captured"), is.captured === 1),
    });
  }

  /** The record with what may follow from the rest as it would follow. */
  #usual(draft: Uint8Array, is: DraftRecord): DraftRecord {
    const open = is.open === 1;
    const left = draft.slice();
    const data = viewOf(left);
    for (const name of ["drawn", "refreshed", "pool", "deck", "captured", "trains", "score"] as const)
      fill(name, data, UNKNOWN);
    if (is.alvin_city >= 0) fill("alvin_city", data, UNKNOWN);
    const tickets = is.ticket.map((place) => (open && place >= 2 * OFFERED ? UNKNOWN : place));
    writeField(
      DRAFT,
      "ticket",
      data,
      open ? tickets : tickets.map((place) => (isOf(place, is.seat) ? place : UNKNOWN)),
    );
    const usual = readRecord(DRAFT, viewOf(this.#complete(left)));
    // Who knows of a ticket, and what follows a phase, depends on what is there.
    fill("after", data, UNKNOWN);
    const { after } = readRecord(DRAFT, viewOf(this.#complete(left)));
    writeField(DRAFT, "ticket", data, is.ticket);
    fill("known", data, UNKNOWN);
    const { known } = readRecord(DRAFT, viewOf(this.#complete(left)));
    return { ...usual, after, known };
  }

  #laid({ paid_color, paid_locos }: DraftRecord, route: number): number[] {
    const cards = Array<number>(CARDS).fill(0);
    const length = this.edition.map.routes[route]?.length ?? 0;
    if (paid_color !== LOCO) cards[paid_color] = length - paid_locos;
    cards[LOCO] = paid_locos;
    return cards;
  }
}

/** Whether a seat has a ticket that lies there, or may choose it. */
const isOf = (place: number, seat: number): boolean =>
  seat >= 0 && (place === HELD + seat || place === OFFERED + seat);

/** Without the entries that are undefined. */
function without<Data extends object>(data: { [Name in keyof Data]: Data[Name] | undefined }): Data {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Data;
}

/** Reads data that may come from anywhere into the record of a draft. */
class Reader {
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
