// Written by tools/make_record_decoders.py from the layouts in src/macaz. Do not edit.
// The records of the kernel, as they lie in the memory of the WebAssembly module.

type Kind = "i1" | "i2" | "i4" | "i8" | "f4" | "f8"; // signed integers and floats of so many bytes
type Field = readonly [kind: Kind, offset: number, shape: readonly number[]];
type Value = number | bigint | Value[];

/** Where the fields of a record lie, and the bytes of all. */
export interface Layout<Fields> {
  readonly size: number;
  readonly fields: { readonly [Name in keyof Fields]: Field };
}

const BYTES = { i1: 1, i2: 2, i4: 4, i8: 8, f4: 4, f8: 8 };

function one(data: DataView, kind: Kind, at: number): number | bigint {
  switch (kind) {
    case "i1":
      return data.getInt8(at);
    case "i2":
      return data.getInt16(at, true);
    case "i4":
      return data.getInt32(at, true);
    case "i8":
      return data.getBigInt64(at, true);
    case "f4":
      return data.getFloat32(at, true);
    case "f8":
      return data.getFloat64(at, true);
  }
}

function many(data: DataView, kind: Kind, at: number, shape: readonly number[], axis = 0): Value {
  const length = shape[axis];
  if (length === undefined) return one(data, kind, at);
  let size = BYTES[kind];
  for (let rest = axis + 1; rest < shape.length; rest += 1) size *= shape[rest] ?? 1;
  const found: Value[] = [];
  for (let i = 0; i < length; i += 1) found.push(many(data, kind, at + i * size, shape, axis + 1));
  return found;
}

/** A field of the record that begins at `at`. */
export function readField<Fields, Name extends keyof Fields>(
  layout: Layout<Fields>,
  name: Name,
  data: DataView,
  at = 0,
): Fields[Name] {
  const [kind, offset, shape] = layout.fields[name];
  return many(data, kind, at + offset, shape) as Fields[Name];
}

/** Write the elements of a field of integers, in the order in which they lie. */
export function writeField<Fields, Name extends keyof Fields>(
  layout: Layout<Fields>,
  name: Name,
  data: DataView,
  values: readonly (number | bigint)[],
): void {
  const [kind, offset] = layout.fields[name];
  values.forEach((value, i) => {
    const at = offset + i * BYTES[kind];
    if (kind === "i1") data.setInt8(at, Number(value));
    else if (kind === "i2") data.setInt16(at, Number(value), true);
    else if (kind === "i8") data.setBigInt64(at, BigInt(value), true);
    else throw new Error(`${String(name)} is no field of such integers`);
  });
}

/** All fields of the record that begins at `at`. */
export function readRecord<Fields>(layout: Layout<Fields>, data: DataView, at = 0): Fields {
  const found: Partial<Fields> = {};
  for (const name in layout.fields) found[name] = readField(layout, name, data, at);
  return found as Fields;
}

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

export const STATE: Layout<StateRecord> = {
  size: 504,
  fields: {
    claimed: ["i8", 0, [6, 3]],
    score: ["i2", 144, [6]],
    deck_size: ["i2", 156, []],
    lane: ["i2", 158, []],
    phase: ["i1", 160, []],
    after: ["i1", 161, []],
    turn: ["i1", 162, []],
    first: ["i1", 163, []],
    choosing: ["i1", 164, []],
    left: ["i1", 165, []],
    drawn: ["i1", 166, []],
    row_size: ["i1", 167, []],
    refreshed: ["i1", 168, []],
    passes: ["i1", 169, []],
    last: ["i1", 170, []],
    stock: ["i1", 171, []],
    queue: ["i1", 172, []],
    paid_color: ["i1", 173, []],
    paid_locos: ["i1", 174, []],
    extra: ["i1", 175, []],
    captured: ["i1", 176, []],
    alvin_city: ["i1", 177, []],
    alvin_holder: ["i1", 178, []],
    row: ["i1", 179, [9]],
    discards: ["i1", 188, [9]],
    revealed: ["i1", 197, [9]],
    pool: ["i1", 206, [9]],
    deck: ["i1", 215, [9]],
    trains: ["i1", 224, [6]],
    marks: ["i1", 230, [6, 3]],
    seen: ["i1", 248, [6, 9]],
    hand: ["i1", 302, [6, 9]],
    ticket: ["i1", 356, [72]],
    known: ["i1", 428, [72]],
  },
};

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

export const VIEW: Layout<ViewRecord> = {
  size: 528,
  fields: {
    claimed: ["i8", 0, [6, 3]],
    score: ["i2", 144, [6]],
    deck_size: ["i2", 156, []],
    lane: ["i2", 158, []],
    phase: ["i1", 160, []],
    after: ["i1", 161, []],
    turn: ["i1", 162, []],
    first: ["i1", 163, []],
    choosing: ["i1", 164, []],
    left: ["i1", 165, []],
    drawn: ["i1", 166, []],
    row_size: ["i1", 167, []],
    refreshed: ["i1", 168, []],
    passes: ["i1", 169, []],
    last: ["i1", 170, []],
    stock: ["i1", 171, []],
    queue: ["i1", 172, []],
    paid_color: ["i1", 173, []],
    paid_locos: ["i1", 174, []],
    extra: ["i1", 175, []],
    captured: ["i1", 176, []],
    alvin_city: ["i1", 177, []],
    alvin_holder: ["i1", 178, []],
    row: ["i1", 179, [9]],
    discards: ["i1", 188, [9]],
    revealed: ["i1", 197, [9]],
    pool: ["i1", 206, [9]],
    deck: ["i1", 215, [9]],
    trains: ["i1", 224, [6]],
    marks: ["i1", 230, [6, 3]],
    seen: ["i1", 248, [6, 9]],
    hand: ["i1", 302, [6, 9]],
    ticket: ["i1", 356, [72]],
    known: ["i1", 428, [72]],
    hand_size: ["i2", 500, [6]],
    held: ["i1", 512, [6]],
    offered: ["i1", 518, [6]],
    bundled: ["i1", 524, []],
    seat: ["i1", 525, []],
  },
};

export interface SpecRecord {
  /** lanes that exist */
  lanes: bigint[];
  /** lanes with another lane beside them, at the same bit */
  multi: bigint[];
  /** lanes that end in a city */
  touch: bigint[][];
  /** lanes that touch an end of a lane */
  near: bigint[][];
  /** min(cards, x) for x = 1 to 9, in 7 bits each, by cards */
  steps: bigint[];
  /** lanes of a class: same colour, length, symbols */
  class_mask: bigint[][];
  /** first class of each colour; gray is the last */
  first_class: number[];
  /** first claim number of the class */
  class_base: number[];
  /** lanes in the class */
  class_size: number[];
  /** first action number of each kind */
  base: number[];
  /** lane of a claim number */
  claim_lane: number[];
  /** number of a lane's route on the map */
  lane_route: number[];
  /** players */
  seats: number;
  /** cities */
  cities: number;
  /** tickets */
  tickets: number;
  /** Rules.hand */
  hand_size: number;
  /** Rules.row */
  row_size: number;
  /** Rules.row_locomotives */
  row_locos: number;
  /** Rules.trains */
  trains: number;
  /** Rules.last_trains */
  last_trains: number;
  /** 1 where other lanes stay open to other seats */
  parallel: number;
  /** Rules.setup_long */
  setup_long: number;
  /** tickets dealt to a seat at the start, long ones included */
  setup_deal: number;
  /** Rules.setup_keep */
  setup_keep: number;
  /** Rules.setup_return */
  setup_return: number;
  /** Rules.draw_tickets */
  draw_tickets: number;
  /** Rules.draw_keep */
  draw_keep: number;
  /** 1 where the returning player chooses the order */
  chosen_order: number;
  /** Rules.tunnel_cards */
  tunnel_cards: number;
  /** stations a seat may build; 0 without the phase */
  stations: number;
  /** Rules.station_points */
  station_points: number;
  /** markers a seat may place; 0 without the phase */
  markers: number;
  /** Rules.marker_cards */
  marker_cards: number;
  /** 1 where networks grow from a starting city */
  start_city: number;
  /** 1 where controllers of cities score routes */
  controllers: number;
  /** city where Alvin begins, or -1 */
  alvin_home: number;
  /** Rules.alvin_points */
  alvin_points: number;
  /** Rules.longest_points */
  longest_points: number;
  /** Rules.globetrotter_points */
  globetrotter_points: number;
  /** final scorers, as bits */
  scorers: number;
  /** tie-breaks, in order */
  ties: number[];
  /** cards in the game */
  cards: number[];
  /** points for a route, by length */
  points: number[];
  /** a city of a lane */
  lane_a: number[];
  /** its other city */
  lane_b: number[];
  /** its spaces */
  lane_length: number[];
  /** 1 for a tunnel */
  lane_tunnel: number[];
  /** colour of the class; 8 for gray */
  class_color: number[];
  /** spaces */
  class_length: number[];
  /** locomotive symbols */
  class_locos: number[];
  /** colour paid; 8: locomotives only */
  claim_color: number[];
  /** locomotives paid */
  claim_locos: number[];
  /** a city of a ticket */
  ticket_a: number[];
  /** its other city */
  ticket_b: number[];
  /** its value */
  ticket_points: number[];
  /** 1 for a long ticket */
  ticket_long: number[];
}

export const SPEC: Layout<SpecRecord> = {
  size: 44096,
  fields: {
    lanes: ["i8", 0, [3]],
    multi: ["i8", 24, [3]],
    touch: ["i8", 48, [60, 3]],
    near: ["i8", 1488, [180, 3]],
    steps: ["i8", 5808, [10]],
    class_mask: ["i8", 5888, [128, 3]],
    first_class: ["i2", 8960, [10]],
    class_base: ["i2", 8980, [128]],
    class_size: ["i2", 9236, [128]],
    base: ["i2", 9492, [16]],
    claim_lane: ["i2", 9524, [8192]],
    lane_route: ["i2", 25908, [180]],
    seats: ["i1", 26268, []],
    cities: ["i1", 26269, []],
    tickets: ["i1", 26270, []],
    hand_size: ["i1", 26271, []],
    row_size: ["i1", 26272, []],
    row_locos: ["i1", 26273, []],
    trains: ["i1", 26274, []],
    last_trains: ["i1", 26275, []],
    parallel: ["i1", 26276, []],
    setup_long: ["i1", 26277, []],
    setup_deal: ["i1", 26278, []],
    setup_keep: ["i1", 26279, []],
    setup_return: ["i1", 26280, []],
    draw_tickets: ["i1", 26281, []],
    draw_keep: ["i1", 26282, []],
    chosen_order: ["i1", 26283, []],
    tunnel_cards: ["i1", 26284, []],
    stations: ["i1", 26285, []],
    station_points: ["i1", 26286, []],
    markers: ["i1", 26287, []],
    marker_cards: ["i1", 26288, []],
    start_city: ["i1", 26289, []],
    controllers: ["i1", 26290, []],
    alvin_home: ["i1", 26291, []],
    alvin_points: ["i1", 26292, []],
    longest_points: ["i1", 26293, []],
    globetrotter_points: ["i1", 26294, []],
    scorers: ["i1", 26295, []],
    ties: ["i1", 26296, [3]],
    cards: ["i1", 26299, [9]],
    points: ["i1", 26308, [10]],
    lane_a: ["i1", 26318, [180]],
    lane_b: ["i1", 26498, [180]],
    lane_length: ["i1", 26678, [180]],
    lane_tunnel: ["i1", 26858, [180]],
    class_color: ["i1", 27038, [128]],
    class_length: ["i1", 27166, [128]],
    class_locos: ["i1", 27294, [128]],
    claim_color: ["i1", 27422, [8192]],
    claim_locos: ["i1", 35614, [8192]],
    ticket_a: ["i1", 43806, [72]],
    ticket_b: ["i1", 43878, [72]],
    ticket_points: ["i1", 43950, [72]],
    ticket_long: ["i1", 44022, [72]],
  },
};

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

export const TALLY: Layout<TallyRecord> = {
  size: 212,
  fields: {
    routes: ["i2", 0, [6]],
    tickets: ["i2", 12, [6]],
    longest: ["i2", 24, [6]],
    stations: ["i2", 36, [6]],
    globetrotter: ["i2", 48, [6]],
    alvin: ["i2", 60, [6]],
    total: ["i2", 72, [6]],
    path: ["i2", 84, [6]],
    borrowed: ["i2", 96, [6, 3]],
    completed: ["i1", 132, [6]],
    done: ["i1", 138, [72]],
    winners: ["i1", 210, []],
    tie_break: ["i1", 211, []],
  },
};

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

export const EVENT: Layout<EventRecord> = {
  size: 48,
  fields: {
    tickets: ["i8", 0, [2]],
    points: ["i2", 16, [6]],
    lane: ["i2", 28, []],
    size: ["i2", 30, []],
    kind: ["i1", 32, []],
    seat: ["i1", 33, []],
    color: ["i1", 34, []],
    cards: ["i1", 35, []],
    locos: ["i1", 36, []],
    city: ["i1", 37, []],
    count: ["i1", 38, []],
    row: ["i1", 39, [9]],
  },
};

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

export const PLAN: Layout<PlanRecord> = {
  size: 2016,
  fields: {
    way: ["i8", 0, [72, 3]],
    spaces: ["i2", 1728, [72]],
    state: ["i1", 1872, [72]],
    stations: ["i1", 1944, [72]],
  },
};

export interface CostRecord {
  /** of what is paid for: low numbers first; -1: paid */
  order: bigint[];
  /** lanes that the seat can claim, network and cards aside */
  open: bigint[];
  /** a lane, or the cards of a station with a minus */
  wanted: number[];
  /** cards that the hand lacks, by ticket and kind */
  missing: number[][];
  /** further cards, for gray lanes and stations */
  any_color: number[];
  /** lanes to claim */
  claims: number[];
  /** of these, tunnels */
  tunnels: number[];
  /** stations to build */
  stations: number[];
  /** cards that are missing in all */
  cards: number[];
  /** turns to draw them, to claim and to build */
  turns: number[];
  /** cards of the hand that are not used yet */
  left: number[];
}

export const COST: Layout<CostRecord> = {
  size: 4032,
  fields: {
    order: ["i8", 0, [183]],
    open: ["i8", 1464, [3]],
    wanted: ["i2", 1488, [183]],
    missing: ["i2", 1854, [72, 9]],
    any_color: ["i2", 3150, [72]],
    claims: ["i2", 3294, [72]],
    tunnels: ["i2", 3438, [72]],
    stations: ["i2", 3582, [72]],
    cards: ["i2", 3726, [72]],
    turns: ["i2", 3870, [72]],
    left: ["i2", 4014, [9]],
  },
};

export interface LineRecord {
  /** of winning, 0 to 1: the chance of the leader less `loss` */
  chance: number;
  /** its standard error */
  error: number;
  /** chance less than that of the leader, from 0 on */
  loss: number;
  /** standard error of the loss, from the tries that both had */
  doubt: number;
  /** points ahead of the best other seat at the end, on average */
  margin: number;
  /** standard deviation of the margin */
  spread: number;
  /** chance of each seat to win */
  chances: number[];
  /** sum of each seat's points */
  points: number[];
  /** sum of the own turns that followed the present one */
  turns: number;
  /** sum of the own points for routes, and for captures of Alvin */
  routes: number;
  /** sum of the own points for tickets, completed less missed */
  tickets: number;
  /** sum of the values of own tickets that were not completed */
  missed: number;
  /** sum of the own bonus for the longest path */
  longest: number;
  /** sum of the own bonus for stations that were not built */
  stations: number;
  /** sum of the own bonus for most tickets */
  globetrotter: number;
  /** sum of the own bonus for holding Alvin */
  alvin: number;
  /** the move, or `NOTHING` */
  action: number;
  /** tries so far */
  tries: number;
  /** 1: no longer tried, as it is clearly worse than the leader */
  dropped: number;
  /** 1: never dropped */
  kept: number;
  /** 0 for the leader, 1 for the next, ... */
  rank: number;
  /** how likely the move is thought to be the best before any try */
  prior: number;
  /** sum of each seat's shares of the win, in parts of `WHOLE` */
  won: number[];
  /** tries at whose end the seat held a ticket */
  held: number[];
  /** of these, tries in which it had completed it */
  done: number[];
  /** tries in which it spent more cards of a kind than it has now */
  needed: number[];
  /** tries in which it built a station or placed a marker */
  built: number[];
  /** tries in which a seat claimed a lane within two turns */
  soon: number[][];
  /** tries in which it claimed the lane */
  ever: number[][];
}

export const LINE: Layout<LineRecord> = {
  size: 5432,
  fields: {
    chance: ["f8", 0, []],
    error: ["f8", 8, []],
    loss: ["f8", 16, []],
    doubt: ["f8", 24, []],
    margin: ["f8", 32, []],
    spread: ["f8", 40, []],
    chances: ["f8", 48, [6]],
    points: ["f8", 96, [6]],
    turns: ["f8", 144, []],
    routes: ["f8", 152, []],
    tickets: ["f8", 160, []],
    missed: ["f8", 168, []],
    longest: ["f8", 176, []],
    stations: ["f8", 184, []],
    globetrotter: ["f8", 192, []],
    alvin: ["f8", 200, []],
    action: ["i4", 208, []],
    tries: ["i4", 212, []],
    dropped: ["i4", 216, []],
    kept: ["i4", 220, []],
    rank: ["i4", 224, []],
    prior: ["f4", 228, []],
    won: ["i4", 232, [6]],
    held: ["i4", 256, [72]],
    done: ["i4", 544, [72]],
    needed: ["i4", 832, [9]],
    built: ["i4", 868, [60]],
    soon: ["i2", 1108, [6, 180]],
    ever: ["i2", 3268, [6, 180]],
  },
};

export interface ReasonRecord {
  /** by which reasons are ordered, about in points */
  weight: number;
  /** a share of tries, or a probability */
  share: number;
  /** the same share after the other move */
  instead: number;
  /** why; 0: no reason */
  code: number;
  /** number of a route on the map */
  route: number;
  /** points, trains, cards, turns or routes, as the code says */
  amount: number;
  /** a number that belongs to the amount */
  of: number;
  /** ticket */
  ticket: number;
  /** another ticket */
  other: number;
  /** another seat; also the own one in FEW_TURNS */
  seat: number;
  /** colour of cards */
  color: number;
  /** city */
  city: number;
}

export const REASON: Layout<ReasonRecord> = {
  size: 40,
  fields: {
    weight: ["f8", 0, []],
    share: ["f8", 8, []],
    instead: ["f8", 16, []],
    code: ["i2", 24, []],
    route: ["i2", 26, []],
    amount: ["i2", 28, []],
    of: ["i2", 30, []],
    ticket: ["i1", 32, []],
    other: ["i1", 33, []],
    seat: ["i1", 34, []],
    color: ["i1", 35, []],
    city: ["i1", 36, []],
  },
};

export interface VerdictRecord {
  /** seat that decided */
  seat: number;
  /** turn, from 1 on; 0 in the setup */
  turn: number;
  /** moves that are compared; below 2, nothing is judged */
  choices: number;
  /** chunks in which all moves were compared */
  searched: number;
  /** fresh chunks of the best move and the move played */
  measured: number;
  /** 1: the first fresh chunk of the move played is known */
  glanced: number;
  /** 1: the move played is the best that was found */
  agreed: number;
  /** chance of winning after the best move */
  before: number;
  /** chance of winning after the move played */
  after: number;
  /** standard error of `before` */
  doubt: number;
  /** points ahead of the best other seat after the best move */
  ahead_before: number;
  /** points ahead of the best other seat after the move played */
  ahead_after: number;
  /** chance after the best move less that after the move played */
  gap: number;
  /** `gap`, but not below 0 */
  cost: number;
  /** standard error of `gap` and `cost` */
  error: number;
  /** chance that an average of the compared moves costs */
  stake: number;
  /** 0 to 1: what such decisions usually put at stake, before any try */
  promise: number;
}

export const VERDICT: Layout<VerdictRecord> = {
  size: 112,
  fields: {
    seat: ["i4", 0, []],
    turn: ["i4", 4, []],
    choices: ["i4", 8, []],
    searched: ["i4", 12, []],
    measured: ["i4", 16, []],
    glanced: ["i4", 20, []],
    agreed: ["i4", 24, []],
    before: ["f8", 32, []],
    after: ["f8", 40, []],
    doubt: ["f8", 48, []],
    ahead_before: ["f8", 56, []],
    ahead_after: ["f8", 64, []],
    gap: ["f8", 72, []],
    cost: ["f8", 80, []],
    error: ["f8", 88, []],
    stake: ["f8", 96, []],
    promise: ["f8", 104, []],
  },
};

export interface StoryRecord {
  /** what the first deal gave, against an equal share of the win */
  deal: number;
  /** what its decisions cost, not above 0 */
  skill: number;
  /** the rest: cards, tickets and what the others did */
  luck: number;
  /** standard error of `skill` */
  doubt: number;
  /** what its clear mistakes cost */
  lost: number;
  /** judged decisions by phase, and all */
  decisions: number[];
  /** where it played the best move that was found */
  agreed: number;
  /** where the cost is clear */
  mistakes: number;
  /** share of the stakes that it kept, by phase, and of all */
  spared: number[];
}

export const STORY: Layout<StoryRecord> = {
  size: 96,
  fields: {
    deal: ["f8", 0, []],
    skill: ["f8", 8, []],
    luck: ["f8", 16, []],
    doubt: ["f8", 24, []],
    lost: ["f8", 32, []],
    decisions: ["i4", 40, [4]],
    agreed: ["i4", 56, []],
    mistakes: ["i4", 60, []],
    spared: ["f8", 64, [4]],
  },
};

export interface TurningRecord {
  /** COSTLY or SWING */
  kind: number;
  /** the decision; of a swing, the one after which it began */
  ply: number;
  /** of a swing, the decision before which it was over; or the end */
  until: number;
  /** whose chance changed */
  seat: number;
  /** by so much */
  change: number;
}

export const TURNING: Layout<TurningRecord> = {
  size: 24,
  fields: {
    kind: ["i4", 0, []],
    ply: ["i4", 4, []],
    until: ["i4", 8, []],
    seat: ["i4", 12, []],
    change: ["f8", 16, []],
  },
};

export interface DraftRecord {
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
  /** stations or markers that a seat is said to have */
  mark_count: number[];
  /** 1: nothing is hidden */
  open: number;
  /** 1: cards are laid for the tunnel, as `paid_color` and `paid_locos` */
  laid: number;
  /** extra cards that the tunnel is said to cost; -1: not said */
  told_extra: number;
}

export const DRAFT: Layout<DraftRecord> = {
  size: 536,
  fields: {
    claimed: ["i8", 0, [6, 3]],
    score: ["i2", 144, [6]],
    deck_size: ["i2", 156, []],
    lane: ["i2", 158, []],
    phase: ["i1", 160, []],
    after: ["i1", 161, []],
    turn: ["i1", 162, []],
    first: ["i1", 163, []],
    choosing: ["i1", 164, []],
    left: ["i1", 165, []],
    drawn: ["i1", 166, []],
    row_size: ["i1", 167, []],
    refreshed: ["i1", 168, []],
    passes: ["i1", 169, []],
    last: ["i1", 170, []],
    stock: ["i1", 171, []],
    queue: ["i1", 172, []],
    paid_color: ["i1", 173, []],
    paid_locos: ["i1", 174, []],
    extra: ["i1", 175, []],
    captured: ["i1", 176, []],
    alvin_city: ["i1", 177, []],
    alvin_holder: ["i1", 178, []],
    row: ["i1", 179, [9]],
    discards: ["i1", 188, [9]],
    revealed: ["i1", 197, [9]],
    pool: ["i1", 206, [9]],
    deck: ["i1", 215, [9]],
    trains: ["i1", 224, [6]],
    marks: ["i1", 230, [6, 3]],
    seen: ["i1", 248, [6, 9]],
    hand: ["i1", 302, [6, 9]],
    ticket: ["i1", 356, [72]],
    known: ["i1", 428, [72]],
    hand_size: ["i2", 500, [6]],
    held: ["i1", 512, [6]],
    offered: ["i1", 518, [6]],
    bundled: ["i1", 524, []],
    seat: ["i1", 525, []],
    mark_count: ["i1", 526, [6]],
    open: ["i1", 532, []],
    laid: ["i1", 533, []],
    told_extra: ["i1", 534, []],
  },
};

export interface ProblemRecord {
  /** what is wrong; 0: nothing more */
  code: number;
  /** seat that it is about */
  seat: number;
  /** another seat */
  other: number;
  /** lane of a route */
  lane: number;
  /** the lane beside it that closes it, or the same */
  beside: number;
  /** city */
  city: number;
  /** which of a seat's stations or markers it is */
  place: number;
  /** ticket */
  ticket: number;
  /** kind of card */
  color: number;
  /** the number that is there */
  have: number;
  /** the number that should be there, or the least */
  want: number;
  /** the most there can be */
  most: number;
}

export const PROBLEM: Layout<ProblemRecord> = {
  size: 24,
  fields: {
    code: ["i2", 0, []],
    seat: ["i2", 2, []],
    other: ["i2", 4, []],
    lane: ["i2", 6, []],
    beside: ["i2", 8, []],
    city: ["i2", 10, []],
    place: ["i2", 12, []],
    ticket: ["i2", 14, []],
    color: ["i2", 16, []],
    have: ["i2", 18, []],
    want: ["i2", 20, []],
    most: ["i2", 22, []],
  },
};
