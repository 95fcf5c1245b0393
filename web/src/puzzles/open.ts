// The puzzles, and the host of their tables, which is started when one is first opened.

import { LOCAL } from "../local/host.ts";
import { fetchFrom, Library } from "../local/library.ts";
import { type Placed, PlacedTables } from "../local/placed.ts";
import { drawWorld } from "../local/world.ts";
import { addLocalHost } from "../net/local.ts";
import { fileUrl } from "../net/place.ts";
import { Refusal } from "../net/refusal.ts";
import type { Puzzle, PuzzleList } from "../net/wire.ts";
import { notify } from "../ui/notices.svelte.ts";
import { suggestedName, whoPlays } from "../ui/person.ts";
import { PuzzleRun } from "./run.svelte.ts";

const PREFIX = `${LOCAL}puzzle-`;
const HEX = 16;
const WORDS = 4; // of the stream that draws what the seat does not know

let library: Library | null = null;
let tables: PlacedTables | null = null;

function theLibrary(): Library {
  library ??= new Library(fetchFrom(fileUrl("data/")));
  return library;
}

/** All puzzles, in an order in which neighbours have nothing in common. Rejects with a `Refusal`. */
export const findPuzzles = (): Promise<PuzzleList> => theLibrary().puzzles();

/** Open a puzzle by its id. Rejects with a `Refusal` if there is none, or what it needs does not arrive. */
export async function openPuzzle(id: string): Promise<PuzzleRun> {
  const { puzzles } = await findPuzzles();
  const puzzle = puzzles.find((one) => one.id === id);
  if (!puzzle) throw new Refusal("not-found", "There is no such puzzle.");
  if (!tables) {
    tables = new PlacedTables(theLibrary(), PREFIX);
    addLocalHost(PREFIX, tables);
  }
  const me = await whoPlays();
  const player = { name: me?.name ?? suggestedName(), color: me?.color ?? "blue" } as const;
  return PuzzleRun.open(puzzle, await placed(puzzle), tables, player, notify);
}

/** The position on a table: what the seat does not know is drawn, for all players alike. */
async function placed({ id, edition, fingerprint, seats, seat, view }: Puzzle): Promise<Placed> {
  const [kernel, data] = await Promise.all([theLibrary().kernel(), theLibrary().editionFor(edition, seats)]);
  const record = Uint8Array.from(atob(view), (letter) => letter.charCodeAt(0));
  const first = parseInt(id, HEX);
  const words = Array.from({ length: WORDS }, (_, i) => first + i + 1);
  return {
    edition,
    fingerprint,
    seats,
    seat,
    seed: id,
    state: drawWorld(kernel, data, seats, record, words),
  };
}
