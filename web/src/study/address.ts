// The address of an analysis holds all of it: JSON, compressed, in base64.

import { BadPosition, type PositionData } from "../local/position.ts";
import type { Color } from "../net/wire.ts";
import type { Knowing, Start } from "./board.ts";
import { Tree, type Tried } from "./tree.ts";

const FORMAT = 1;
const PLAIN = "0"; // the first sign of an address: how the rest is written
const DEFLATED = "1";
const MOST_BYTES = 1 << 20; // of an address once it is read: no page is to be blocked by one
const COLORS: readonly Color[] = ["blue", "red", "green", "yellow", "black", "purple"];

/** An analysis: what it began with, what was tried, and what is looked at. */
export interface Saved {
  readonly start: Start;
  readonly tree: Tree;
  readonly node: number;
  /** another node, to be compared */
  readonly other: number | null;
}

/** An address that cannot be read: damaged, or of a later version of Macaz. */
export class BadAddress extends Error {
  constructor(readonly kind: "damaged" | "newer") {
    super(`the address of the analysis is ${kind}`);
  }
}

/** The part of an address that holds an analysis. */
export async function encode({ start, tree, node, other }: Saved): Promise<string> {
  const { edition, fingerprint, names, colors, position, knowing, seed } = start;
  const tried = tree.tried.map(({ parent, seat, action, chances }) => [parent, seat, action, ...chances]);
  const colored = colors.map((color) => COLORS.indexOf(color));
  const data = { v: FORMAT, e: edition, f: fingerprint, n: names, c: colored, p: position, k: knowing };
  const text = JSON.stringify({
    ...data,
    s: seed,
    t: tried,
    at: node,
    ...(other === null ? {} : { with: other }),
  });
  const bytes = new TextEncoder().encode(text);
  if (!("CompressionStream" in globalThis)) return PLAIN + toBase64(bytes);
  return DEFLATED + toBase64(await through(bytes, new CompressionStream("deflate-raw")));
}

/** Throws `BadAddress`. Whether the position can occur in a game is checked when it is set up. */
export async function decode(text: string): Promise<Saved> {
  let data: Record<string, unknown>;
  try {
    const bytes = fromBase64(text.slice(1));
    const plain = text[0] === PLAIN ? bytes : await through(bytes, new DecompressionStream("deflate-raw"));
    if (text[0] !== PLAIN && text[0] !== DEFLATED) throw new BadAddress("newer");
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain)) as Record<string, unknown>;
  } catch (problem) {
    throw problem instanceof BadAddress ? problem : new BadAddress("damaged");
  }
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

function listOf<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new BadAddress("damaged");
  return value.map(read);
}

function whole(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 0) throw new BadAddress("damaged");
  return value as number;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new BadAddress("damaged");
  return value;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) throw new BadAddress("damaged");
    parts.push(value);
  }
}

function toBase64(bytes: Uint8Array): string {
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
