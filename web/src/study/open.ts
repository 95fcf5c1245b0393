// Opens an analysis: from an address that holds it, from a moment of a table, or from a position.

import { fetchFrom, Library } from "../local/library.ts";
import { BadPosition, Positions } from "../local/position.ts";
import { get } from "../net/api.ts";
import { BadAddress } from "../net/compressed.ts";
import { fileUrl } from "../net/place.ts";
import { Refusal } from "../net/refusal.ts";
import type { PackedView, TableInfo } from "../net/wire.ts";
import { seatName } from "../words/names.ts";
import { decode, type Saved } from "./address.ts";
import { Board, type Knowing, type Start } from "./board.ts";
import { Tree } from "./tree.ts";

let shared: Library | null = null;

/** The data files of the page. */
export const library = (): Library => (shared ??= new Library(fetchFrom(fileUrl("data/"))));

/** Set an analysis up. Rejects with `Refusal`, `BadPosition` or `Impossible`. */
export async function boardOf(start: Start, tree = new Tree()): Promise<Board> {
  const [kernel, edition] = await Promise.all([
    library().kernel(),
    library().editionFor(start.edition, start.names.length),
  ]);
  if (edition.map.fingerprint !== start.fingerprint)
    throw new Refusal("old-game", "It was made with another version of the map or the rules.");
  return new Board(kernel, edition, start, tree);
}

/** What an address holds, or the moment of a table that it names; null: nothing. */
export async function savedIn({ hash, searchParams }: URL): Promise<Saved | null> {
  if (hash.length > 1) return decode(hash.slice(1));
  const table = searchParams.get("table");
  if (table === null) return null;
  const version = Number(searchParams.get("v"));
  const eyes = searchParams.get("eyes") ?? "all";
  if (!Number.isInteger(version) || !/^(all|\d)$/.test(eyes)) throw new BadAddress("damaged");
  return momentOf(table, version, eyes === "all" ? "all" : Number(eyes));
}

/** A moment of a table: with all hands once the game is over, or what a seat knew. */
async function momentOf(table: string, version: number, knowing: Knowing): Promise<Saved> {
  const info = await get<TableInfo>(`/tables/${table}`);
  const wanted = knowing === "all" ? info.seats.map((_, seat) => seat) : [knowing];
  const views = await Promise.all(wanted.map((seat) => viewAt(table, version, seat)));
  const [kernel, edition] = await Promise.all([
    library().kernel(),
    library().editionFor(info.edition, info.seats.length),
  ]);
  const positions = new Positions(kernel, edition, info.seats.length);
  const [first] = views;
  if (!first) throw new BadPosition("there is no view");
  const start: Start = {
    ...{ edition: info.edition, fingerprint: info.fingerprint, knowing, seed: "1" },
    names: info.seats.map((chair) => seatName(chair) ?? ""),
    colors: info.seats.map(({ color }) => color),
    position: knowing === "all" ? positions.ofViews(views) : positions.ofView(first),
  };
  return { start, tree: new Tree(), node: 0, other: null };
}

async function viewAt(table: string, version: number, seat: number): Promise<Uint8Array> {
  const { record } = await get<PackedView>(`/tables/${table}/packed-view?seat=${seat}&version=${version}`);
  return Uint8Array.from(atob(record), (sign) => sign.charCodeAt(0));
}
