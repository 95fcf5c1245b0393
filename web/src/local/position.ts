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
import {
  CARDS,
  DEAL_TUNNEL,
  HELD,
  LOCO,
  MOST_PROBLEMS,
  OFFERED,
  OVER,
  PHASES,
  type ProblemName,
  PROBLEMS,
  TICKETS,
  TUNNEL,
  TURN,
  UNKNOWN,
} from "./codes.ts";
import type { EditionData, TableData } from "./edition.ts";
import type { Block, Kernel } from "./kernel.ts";
import { BadPosition, fill, type PositionData, Reader, type SeatData, viewOf } from "./position-reader.ts";
import { placeName, ticketsAt } from "./view.ts";

export { BadPosition, type PositionData, type SeatData };

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
