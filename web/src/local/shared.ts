// A finished game of another browser, which came with an address: it is kept here, to be replayed and reviewed.

import { sha256 } from "@noble/hashes/sha2.js"; // pages without TLS have no crypto.subtle
import { utf8ToBytes } from "@noble/hashes/utils.js";

import type { LocalGame } from "../net/wire.ts";
import { Dealer } from "./fair.ts";
import { oneLine } from "./names.ts";
import { newState, type Terms } from "./state.ts";
import type { EntryRow, TableRow } from "./store.ts";
import { summaryOf } from "./table.ts";

const OTHERS = "others"; // the people who played it: nobody of this browser
const ID_BYTES = 12;

/** The same for the same game, so that an address that is opened again adds nothing. */
export function sharedId(prefix: string, game: LocalGame): string {
  const hash = sha256(utf8ToBytes(JSON.stringify(game))).subarray(0, ID_BYTES);
  const id = btoa(String.fromCharCode(...hash));
  return prefix + id.replaceAll("+", "-").replaceAll("/", "_");
}

/** Its row before its entries, and these. Rejects names that cannot be shown. */
export function sharedRows(
  id: string,
  game: LocalGame,
  { title, bot }: { title: string; bot: string },
): { row: TableRow; entries: EntryRow[] } {
  const { edition, fingerprint, seats, log, first = null, stand_in } = game;
  const terms: Terms = {
    seats: seats.map((seat) => ({ bot: seat.kind === "bot" ? seat.bot : null, keptFor: null })),
    ...{ standIn: stand_in || bot, first, reactions: true, hints: true },
  };
  const seed = game.seed ?? null;
  const began = log[0]?.at ?? 0;
  const row: TableRow = {
    ...{ id, edition, title, fingerprint, terms, seed, previous: null, host: OTHERS },
    secret: seed === null ? (game.secret ?? "") : Dealer.seeded(seed).secret,
    ...{ status: "waiting", createdAt: began, updatedAt: began, finishedAt: null },
    summary: summaryOf(newState(terms), ""),
  };
  const pledges = seats.map((): string | null => null);
  const entries = log.map(({ at, entry }, i): EntryRow => {
    if (entry.kind === "sat") pledges[entry.seat] = entry.pledge;
    const known =
      entry.kind === "sat"
        ? { ...entry, name: oneLine(entry.name), person: OTHERS }
        : entry.kind === "announced"
          ? { ...entry, pledges: seed === null ? [...pledges] : null }
          : entry;
    return { table: id, version: i + 1, at, entry: known, nonce: null };
  });
  return { row, entries };
}
