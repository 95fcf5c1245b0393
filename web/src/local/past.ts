// What happened at a local table, and what a seat knows of it: as the modules `http/past.py` and `history.py` on the
// server.

import { notFound, Refusal } from "../net/refusal.ts";
import type { Aids, GameEntry, GameLog, LocalGame, Moment, PackedView, Updates } from "../net/wire.ts";
import { SOURCES } from "./codes.ts";
import type { Entry } from "./entries.ts";
import type { Eyes, Game } from "./game.ts";
import { recordText } from "./record.ts";
import { updateOf } from "./show.ts";
import { gameNames, hintsAllowed, ME, seatsOf, statusOf } from "./state.ts";
import type { Store } from "./store.ts";
import type { Table } from "./table.ts";

/** The seat from which the game may be seen: one's own; after the end any, or all. */
function eyesOf({ state }: Table, wanted: string): Eyes {
  const mine = seatsOf(state, ME);
  if (wanted === "mine") return mine[0] ?? null;
  if (wanted === "spectator") return null;
  const finished = statusOf(state) === "finished";
  if (wanted === "all") {
    if (!finished) throw new Refusal("not-now", "All hands are open when the game is over.");
    return "all";
  }
  const seat = Number(wanted);
  if (!(seat < state.chairs.length))
    throw new Refusal("bad-value", `There is no seat ${wanted} at this table.`);
  if (!mine.includes(seat) && !finished) throw new Refusal("not-allowed", "That seat is not yours.");
  return seat;
}

export function updates(table: Table, query: URLSearchParams): Updates {
  const eyes = eyesOf(table, query.get("eyes") ?? "mine");
  const pages = table.pages.slice(Number(query.get("after") ?? 0));
  const count = table.state.chairs.length;
  return { updates: pages.map((page) => updateOf(page, count, eyes)), version: table.state.version };
}

export function moment(table: Table, version: number, query: URLSearchParams): Moment {
  const eyes = eyesOf(table, query.get("eyes") ?? "mine");
  const page = table.pages[version - 1];
  if (version !== 0 && !page) throw notFound("The table has no such moment.");
  return { version, view: page?.game?.view(eyes) ?? null, deciding: [...(page?.deciding ?? [])] };
}

export function aids(table: Table, query: URLSearchParams): Aids {
  const { version, game, seat } = seatAt(table, query);
  return { version, ...game.aids(seat) };
}

export function packedView(table: Table, query: URLSearchParams): PackedView {
  eyesOf(table, query.get("seat") ?? "");
  if (statusOf(table.state) !== "finished" && !hintsAllowed(table.deal.terms))
    throw new Refusal("not-allowed", "This table plays without hints.");
  const { version, game, seat } = seatAt(table, query);
  const record = btoa(String.fromCharCode(...game.viewRecord(seat)));
  return { version, seat, record, sources: SOURCES };
}

/** The game at the moment that is asked about, now by default, and the seat. */
function seatAt(table: Table, query: URLSearchParams): { version: number; game: Game; seat: number } {
  const seat = eyesOf(table, query.get("seat") ?? "");
  const version = Number(query.get("version") ?? table.state.version);
  const page = table.pages[version - 1];
  if (version !== 0 && !page) throw notFound("The table has no such moment.");
  if (!page?.game || typeof seat !== "number") throw new Refusal("not-now", "The game has not begun.");
  return { version, game: page.game, seat };
}

export function record({ row, state, deal, pages }: Table): string {
  if (row.position) throw new Refusal("not-now", "A game that began with a position has no record.");
  if (statusOf(state) !== "finished" || !state.game)
    throw new Refusal("not-now", "The record tells every hand: it is there when the game is over.");
  const dealt = pages.find(({ game }) => game !== null)?.at ?? state.at;
  return recordText(state.game, {
    names: gameNames(state),
    dealer: deal.dealerOf(state),
    date: new Date(dealt).toISOString().slice(0, 10),
  });
}

/** The finished game as its actions. */
export async function gameLog({ row, state, deal }: Table, store: Store): Promise<GameLog> {
  if (statusOf(state) !== "finished")
    throw new Refusal("not-now", "The log tells every hand: it is there when the game is over.");
  const entries = await store.entries(row.id, 0);
  return {
    edition: row.edition,
    fingerprint: row.fingerprint,
    seats: deal.terms.seats.length,
    first: deal.terms.first,
    log: entries.flatMap(({ version, entry }) => (isOfGame(entry) ? [{ version, step: entry }] : [])),
  };
}

/** The game as a server takes it (`POST /tables/import`). */
export async function exported(table: Table, store: Store): Promise<LocalGame> {
  await table.pauseBots(); // sent again after a lost answer, it is the same game
  const { row, deal, state } = table;
  if (state.closed) throw new Refusal("not-now", "The table is closed.");
  if (row.position) throw new Refusal("not-now", "A game that began with a position stays here.");
  const { terms, dealer } = deal;
  const entries = await store.entries(row.id, 0);
  return {
    edition: row.edition,
    fingerprint: row.fingerprint,
    seats: terms.seats.map(({ bot }) => (bot === null ? { kind: "person" } : { kind: "bot", bot })),
    log: entries.flatMap(({ at, entry }) => {
      const told = useful(entry);
      return told ? [{ at, entry: told }] : [];
    }),
    secret: dealer.seed === null ? dealer.secret : null,
    seed: dealer.seed,
    first: terms.first,
    stand_in: terms.standIn,
    reactions: terms.reactions,
    hints: terms.hints ?? null,
  };
}

const isOfGame = (entry: Entry): entry is Extract<Entry, { kind: GameEntry["kind"] }> =>
  ["dealt", "acted", "taken-back", "resigned"].includes(entry.kind);

/** An entry without what is of no use elsewhere. */
function useful(entry: Entry): LocalGame["log"][number]["entry"] | null {
  switch (entry.kind) {
    case "sat": {
      const { kind, seat, name, color, pledge } = entry;
      return { kind, seat, name, color, pledge };
    }
    case "announced":
      return { kind: entry.kind, text: entry.text };
    case "closed":
      return null;
    default:
      return entry;
  }
}
