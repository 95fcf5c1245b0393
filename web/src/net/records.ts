// Written by tools/make_record_decoders.py from src/macaz/kernel/layout.py. Do not edit.
// The records of the kernel, as they lie in the memory of the WebAssembly module.

type Kind = "i1" | "i2" | "i8"; // signed integers of so many bytes, little endian
type Field = readonly [name: string, kind: Kind, offset: number, shape: readonly number[]];
type Value = number | bigint | Value[];

const BYTES = { i1: 1, i2: 2, i8: 8 };

function one(data: DataView, kind: Kind, at: number): number | bigint {
  if (kind === "i1") return data.getInt8(at);
  return kind === "i2" ? data.getInt16(at, true) : data.getBigInt64(at, true);
}

function many(data: DataView, kind: Kind, at: number, [length, ...rest]: readonly number[]): Value {
  if (length === undefined) return one(data, kind, at);
  const size = rest.reduce((product, n) => product * n, BYTES[kind]);
  return Array.from({ length }, (_, i) => many(data, kind, at + i * size, rest));
}

const read = (fields: readonly Field[], data: DataView, at: number): unknown =>
  Object.fromEntries(
    fields.map(([name, kind, offset, shape]) => [name, many(data, kind, at + offset, shape)]),
  );

export interface StateRecord {
  /** lanes each seat has claimed, as bits */
  claimed: bigint[][];
  /** points so far: routes and captures of Alvin */
  score: number[];
  /** cards in the deck */
  deck_size: number;
  /** lane being claimed this turn, or -1 */
  lane: number;
  /** what is to be decided now */
  phase: number;
  /** the phase that follows once the row is settled */
  after: number;
  /** seat whose turn it is */
  turn: number;
  /** seat that begins; -1 until chance has said */
  first: number;
  /** seats still choosing setup tickets, as bits */
  choosing: number;
  /** deals left in the present chance phase */
  left: number;
  /** cards drawn this turn */
  drawn: number;
  /** cards in the face-up row */
  row_size: number;
  /** rows replaced in succession; 10 means: stays as it is */
  refreshed: number;
  /** passes in succession */
  passes: number;
  /** turns left in the last round; 0 before it begins */
  last: number;
  /** tickets that can still be drawn */
  stock: number;
  /** of these, tickets returned under the deck in a known order */
  queue: number;
  /** colour laid for the tunnel (8: locomotives only) */
  paid_color: number;
  /** locomotives laid for the tunnel */
  paid_locos: number;
  /** extra cards the tunnel costs */
  extra: number;
  /** 1 while Alvin waits to be moved */
  captured: number;
  /** city where Alvin is, or -1 */
  alvin_city: number;
  /** seat that holds Alvin, or -1 */
  alvin_holder: number;
  /** face-up cards, by colour */
  row: number[];
  /** discarded cards, by colour */
  discards: number[];
  /** cards revealed for the tunnel, by colour */
  revealed: number[];
  /** the deck since its last shuffle, less what left openly */
  pool: number[];
  /** cards in the deck, by colour */
  deck: number[];
  /** trains left */
  trains: number[];
  /** cities with a seat's stations or markers, or -1 */
  marks: number[][];
  /** cards that are known to be in a hand */
  seen: number[][];
  /** cards in hand */
  hand: number[][];
  /** where each ticket lies */
  ticket: number[];
  /** seats that know where it lies, as bits */
  known: number[];
}

/** bytes of a record */
export const STATE_SIZE = 504;

const STATE: readonly Field[] = [
  ["claimed", "i8", 0, [6, 3]],
  ["score", "i2", 144, [6]],
  ["deck_size", "i2", 156, []],
  ["lane", "i2", 158, []],
  ["phase", "i1", 160, []],
  ["after", "i1", 161, []],
  ["turn", "i1", 162, []],
  ["first", "i1", 163, []],
  ["choosing", "i1", 164, []],
  ["left", "i1", 165, []],
  ["drawn", "i1", 166, []],
  ["row_size", "i1", 167, []],
  ["refreshed", "i1", 168, []],
  ["passes", "i1", 169, []],
  ["last", "i1", 170, []],
  ["stock", "i1", 171, []],
  ["queue", "i1", 172, []],
  ["paid_color", "i1", 173, []],
  ["paid_locos", "i1", 174, []],
  ["extra", "i1", 175, []],
  ["captured", "i1", 176, []],
  ["alvin_city", "i1", 177, []],
  ["alvin_holder", "i1", 178, []],
  ["row", "i1", 179, [9]],
  ["discards", "i1", 188, [9]],
  ["revealed", "i1", 197, [9]],
  ["pool", "i1", 206, [9]],
  ["deck", "i1", 215, [9]],
  ["trains", "i1", 224, [6]],
  ["marks", "i1", 230, [6, 3]],
  ["seen", "i1", 248, [6, 9]],
  ["hand", "i1", 302, [6, 9]],
  ["ticket", "i1", 356, [72]],
  ["known", "i1", 428, [72]],
];

export const readState = (data: DataView, at = 0): StateRecord => read(STATE, data, at) as StateRecord;

export interface ViewRecord {
  /** lanes each seat has claimed, as bits */
  claimed: bigint[][];
  /** points so far: routes and captures of Alvin */
  score: number[];
  /** cards in the deck */
  deck_size: number;
  /** lane being claimed this turn, or -1 */
  lane: number;
  /** what is to be decided now */
  phase: number;
  /** the phase that follows once the row is settled */
  after: number;
  /** seat whose turn it is */
  turn: number;
  /** seat that begins; -1 until chance has said */
  first: number;
  /** seats still choosing setup tickets, as bits */
  choosing: number;
  /** deals left in the present chance phase */
  left: number;
  /** cards drawn this turn */
  drawn: number;
  /** cards in the face-up row */
  row_size: number;
  /** rows replaced in succession; 10 means: stays as it is */
  refreshed: number;
  /** passes in succession */
  passes: number;
  /** turns left in the last round; 0 before it begins */
  last: number;
  /** tickets that can still be drawn */
  stock: number;
  /** of these, tickets returned under the deck in a known order */
  queue: number;
  /** colour laid for the tunnel (8: locomotives only) */
  paid_color: number;
  /** locomotives laid for the tunnel */
  paid_locos: number;
  /** extra cards the tunnel costs */
  extra: number;
  /** 1 while Alvin waits to be moved */
  captured: number;
  /** city where Alvin is, or -1 */
  alvin_city: number;
  /** seat that holds Alvin, or -1 */
  alvin_holder: number;
  /** face-up cards, by colour */
  row: number[];
  /** discarded cards, by colour */
  discards: number[];
  /** cards revealed for the tunnel, by colour */
  revealed: number[];
  /** the deck since its last shuffle, less what left openly */
  pool: number[];
  /** cards in the deck, by colour */
  deck: number[];
  /** trains left */
  trains: number[];
  /** cities with a seat's stations or markers, or -1 */
  marks: number[][];
  /** cards that are known to be in a hand */
  seen: number[][];
  /** cards in hand */
  hand: number[][];
  /** where each ticket lies */
  ticket: number[];
  /** seats that know where it lies, as bits */
  known: number[];
  /** cards in each hand */
  hand_size: number[];
  /** tickets each seat holds */
  held: number[];
  /** tickets each seat is being offered */
  offered: number[];
  /** tickets returned at setup that lie shuffled under the deck */
  bundled: number;
  /** whose view this is; -1 for a spectator */
  seat: number;
}

/** bytes of a record */
export const VIEW_SIZE = 528;

const VIEW: readonly Field[] = [
  ["claimed", "i8", 0, [6, 3]],
  ["score", "i2", 144, [6]],
  ["deck_size", "i2", 156, []],
  ["lane", "i2", 158, []],
  ["phase", "i1", 160, []],
  ["after", "i1", 161, []],
  ["turn", "i1", 162, []],
  ["first", "i1", 163, []],
  ["choosing", "i1", 164, []],
  ["left", "i1", 165, []],
  ["drawn", "i1", 166, []],
  ["row_size", "i1", 167, []],
  ["refreshed", "i1", 168, []],
  ["passes", "i1", 169, []],
  ["last", "i1", 170, []],
  ["stock", "i1", 171, []],
  ["queue", "i1", 172, []],
  ["paid_color", "i1", 173, []],
  ["paid_locos", "i1", 174, []],
  ["extra", "i1", 175, []],
  ["captured", "i1", 176, []],
  ["alvin_city", "i1", 177, []],
  ["alvin_holder", "i1", 178, []],
  ["row", "i1", 179, [9]],
  ["discards", "i1", 188, [9]],
  ["revealed", "i1", 197, [9]],
  ["pool", "i1", 206, [9]],
  ["deck", "i1", 215, [9]],
  ["trains", "i1", 224, [6]],
  ["marks", "i1", 230, [6, 3]],
  ["seen", "i1", 248, [6, 9]],
  ["hand", "i1", 302, [6, 9]],
  ["ticket", "i1", 356, [72]],
  ["known", "i1", 428, [72]],
  ["hand_size", "i2", 500, [6]],
  ["held", "i1", 512, [6]],
  ["offered", "i1", 518, [6]],
  ["bundled", "i1", 524, []],
  ["seat", "i1", 525, []],
];

export const readView = (data: DataView, at = 0): ViewRecord => read(VIEW, data, at) as ViewRecord;

export interface TallyRecord {
  /** points at the table: routes, and Alvin's captures */
  routes: number[];
  /** completed tickets less the others */
  tickets: number[];
  /** bonus for the longest path */
  longest: number[];
  /** bonus for stations not built */
  stations: number[];
  /** bonus for most tickets */
  globetrotter: number[];
  /** bonus for holding Alvin */
  alvin: number[];
  /** final score */
  total: number[];
  /** length of the longest path */
  path: number[];
  /** lane each station borrows, or -1 */
  borrowed: number[][];
  /** tickets completed */
  completed: number[];
  /** 1 for a completed ticket, 0 for a failed one, -1 if not held */
  done: number[];
  /** winning seats, as bits */
  winners: number;
  /** what decided among equals: 0 nothing had to */
  tie_break: number;
}

/** bytes of a record */
export const TALLY_SIZE = 212;

const TALLY: readonly Field[] = [
  ["routes", "i2", 0, [6]],
  ["tickets", "i2", 12, [6]],
  ["longest", "i2", 24, [6]],
  ["stations", "i2", 36, [6]],
  ["globetrotter", "i2", 48, [6]],
  ["alvin", "i2", 60, [6]],
  ["total", "i2", 72, [6]],
  ["path", "i2", 84, [6]],
  ["borrowed", "i2", 96, [6, 3]],
  ["completed", "i1", 132, [6]],
  ["done", "i1", 138, [72]],
  ["winners", "i1", 210, []],
  ["tie_break", "i1", 211, []],
];

export const readTally = (data: DataView, at = 0): TallyRecord => read(TALLY, data, at) as TallyRecord;

export interface EventRecord {
  /** tickets, as bits */
  tickets: bigint[];
  /** points scored, by seat */
  points: number[];
  /** lane of the route */
  lane: number;
  /** cards in the new deck */
  size: number;
  /** what happened; 0: nothing more in this step */
  kind: number;
  /** seat that did it, or that it happened to */
  seat: number;
  /** colour of the card, or of the cards paid (8: locomotives only) */
  color: number;
  /** cards of that colour that were paid */
  cards: number;
  /** locomotives that were paid */
  locos: number;
  /** city */
  city: number;
  /** number of tickets */
  count: number;
  /** face-up cards that were discarded, by colour */
  row: number[];
}

/** bytes of a record */
export const EVENT_SIZE = 48;

const EVENT: readonly Field[] = [
  ["tickets", "i8", 0, [2]],
  ["points", "i2", 16, [6]],
  ["lane", "i2", 28, []],
  ["size", "i2", 30, []],
  ["kind", "i1", 32, []],
  ["seat", "i1", 33, []],
  ["color", "i1", 34, []],
  ["cards", "i1", 35, []],
  ["locos", "i1", 36, []],
  ["city", "i1", 37, []],
  ["count", "i1", 38, []],
  ["row", "i1", 39, [9]],
];

export const readEvent = (data: DataView, at = 0): EventRecord => read(EVENT, data, at) as EventRecord;

export interface PlanRecord {
  /** lanes of the way: own, open and, by stations, others' */
  way: bigint[][];
  /** spaces that the way still lacks */
  spaces: number[];
  /** 1: done, 2: open, 3: impossible; 0: not the seat's */
  state: number[];
  /** stations still to be built that the way needs */
  stations: number[];
}

/** bytes of a record */
export const PLAN_SIZE = 2016;

const PLAN: readonly Field[] = [
  ["way", "i8", 0, [72, 3]],
  ["spaces", "i2", 1728, [72]],
  ["state", "i1", 1872, [72]],
  ["stations", "i1", 1944, [72]],
];

export const readPlan = (data: DataView, at = 0): PlanRecord => read(PLAN, data, at) as PlanRecord;
