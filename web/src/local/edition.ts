// What comes from data files for an edition: its map and drawn board, and for each number of seats its rules, compiled.

import { readField, SPEC } from "../net/records.ts";
import type { EditionMap, MapFile, Plate } from "../net/wire.ts";
import { type ArraysFile, type NamedArray, readArrays } from "./arrays.ts";
import { LANES, WORD_BITS } from "./codes.ts";

const HALF = BigInt(WORD_BITS / 2);
const LOW = (1n << HALF) - 1n;

/** The members of a set that the kernel keeps in the low 60 bits of words. */
export function members(words: readonly bigint[]): number[] {
  const found: number[] = [];
  for (const [i, word] of words.entries()) {
    // Two halves, which fit a number of 32 bits.
    const halves = [Number(word & LOW), Number(word >> HALF)];
    for (const [half, bits] of halves.entries())
      for (let rest = bits; rest !== 0; rest &= rest - 1)
        found.push(i * WORD_BITS + half * Number(HALF) + 31 - Math.clz32(rest & -rest));
  }
  return found;
}

/** The compiled rules of a table, and how its numbers belong to the map. */
export class TableData {
  /** the first action number of each kind, and behind the last */
  readonly base: readonly number[];
  /** how many tickets are dealt to a seat before the game, and how many cards */
  readonly setupDeal: number;
  readonly handSize: number;
  /** whether stations are built here */
  readonly stations: boolean;
  readonly tunnelCards: number;
  /** of each claim number */
  readonly claimLane: readonly number[];
  readonly claimColor: readonly number[];
  readonly claimLocos: readonly number[];
  readonly routeOfLane: readonly number[];
  readonly laneOfRoute: readonly number[];

  constructor(
    readonly seats: number,
    readonly file: ArraysFile,
    routes: number,
  ) {
    const { bytes } = this.array("spec");
    const data = new DataView(bytes.buffer, bytes.byteOffset, SPEC.size);
    this.base = readField(SPEC, "base", data);
    this.setupDeal = readField(SPEC, "setup_deal", data);
    this.handSize = readField(SPEC, "hand_size", data);
    this.stations = readField(SPEC, "stations", data) > 0;
    this.tunnelCards = readField(SPEC, "tunnel_cards", data);
    this.claimLane = readField(SPEC, "claim_lane", data);
    this.claimColor = readField(SPEC, "claim_color", data);
    this.claimLocos = readField(SPEC, "claim_locos", data);
    this.routeOfLane = readField(SPEC, "lane_route", data);
    const lanes = Array<number>(routes).fill(LANES);
    for (const lane of members(readField(SPEC, "lanes", data)))
      lanes[this.routeOfLane[lane] as number] = lane;
    this.laneOfRoute = lanes;
  }

  /** How many action numbers there are. */
  get actions(): number {
    return this.base.at(-1) as number;
  }

  /** An array of the file: `spec`, `guide`, `styles`. */
  array(name: string): NamedArray {
    const found = this.file.arrays[name];
    if (!found) throw new Error(`the table file has no ${name}`);
    return found;
  }

  /** The routes in a set of lanes, ascending. */
  routesIn(words: readonly bigint[]): number[] {
    return members(words)
      .map((lane) => this.routeOfLane[lane] as number)
      .sort((a, b) => a - b);
  }
}

export class EditionData {
  readonly map: EditionMap;
  readonly plate: Plate;
  private readonly tables = new Map<number, TableData>();

  constructor({ map, plate }: MapFile) {
    this.map = map;
    this.plate = plate;
  }

  /** Add the table file of a number of seats. */
  add(seats: number, file: ArrayBuffer): TableData {
    const table = new TableData(seats, readArrays(file), this.map.routes.length);
    this.tables.set(seats, table);
    return table;
  }

  /** Whether the table file of a number of seats was added. */
  has(seats: number): boolean {
    return this.tables.has(seats);
  }

  table(seats: number): TableData {
    const found = this.tables.get(seats);
    if (!found) throw new Error(`the table file for ${seats} seats is not loaded`);
    return found;
  }
}
