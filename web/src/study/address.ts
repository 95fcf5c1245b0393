// The address of an analysis holds all of it.

import { BadPosition, type PositionData } from "../local/position.ts";
import { BadAddress, compress, decompress, listOf, text, whole } from "../net/compressed.ts";
import type { Color } from "../net/wire.ts";
import type { Knowing, Start } from "./board.ts";
import { Tree, type Tried } from "./tree.ts";

const FORMAT = 1;
const COLORS: readonly Color[] = ["blue", "red", "green", "yellow", "black", "purple"];

/** An analysis: what it began with, what was tried, and what is looked at. */
export interface Saved {
  readonly start: Start;
  readonly tree: Tree;
  readonly node: number;
  /** another node, to be compared */
  readonly other: number | null;
}

/** The part of an address that holds an analysis. */
export function encode({ start, tree, node, other }: Saved): Promise<string> {
  const { edition, fingerprint, names, colors, position, knowing, seed } = start;
  const tried = tree.tried.map(({ parent, seat, action, chances }) => [parent, seat, action, ...chances]);
  const colored = colors.map((color) => COLORS.indexOf(color));
  const data = { v: FORMAT, e: edition, f: fingerprint, n: names, c: colored, p: position, k: knowing };
  return compress({ ...data, s: seed, t: tried, at: node, ...(other === null ? {} : { with: other }) });
}

/** Throws `BadAddress`. Whether the position can occur in a game is checked when it is set up. */
export async function decode(address: string): Promise<Saved> {
  const data = await decompress(address);
  if (typeof data["v"] === "number" && data["v"] > FORMAT) throw new BadAddress("newer");
  try {
    return savedOf(data);
  } catch (problem) {
    throw problem instanceof BadPosition ? problem : new BadAddress("damaged");
  }
}

function savedOf(data: Record<string, unknown>): Saved {
  const names = listOf(data["n"], (name) => text(name));
  const colors = listOf(data["c"], (color) => {
    const found = COLORS[whole(color)];
    if (!found) throw new BadAddress("damaged");
    return found;
  });
  const tree = new Tree(
    listOf(data["t"], (row): Tried => {
      const [parent = -1, seat = -1, action = -1, ...chances] = listOf(row, whole);
      return { parent, seat, action, chances };
    }),
  );
  const node = whole(data["at"]);
  const other = data["with"] === undefined ? null : whole(data["with"]);
  const position = data["p"] as PositionData;
  const seats = (position as { seats?: unknown } | null)?.seats;
  const knowing: Knowing = data["k"] === "all" ? "all" : whole(data["k"]);
  const sound =
    Array.isArray(seats) &&
    seats.length === names.length &&
    colors.length === names.length &&
    (knowing === "all" || knowing < names.length) &&
    [node, other ?? 0].every((one) => tree.has(one));
  if (!sound) throw new BadAddress("damaged");
  const start = { edition: text(data["e"]), fingerprint: text(data["f"]), seed: text(data["s"]) };
  return { start: { ...start, names, colors, position, knowing }, tree, node, other };
}
