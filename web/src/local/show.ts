// What each seat may see of a local table: the only place where a game becomes messages.

import type {
  GameEvent,
  Move,
  Opened,
  SeatInfo,
  Situation,
  TableEvent,
  TableInfo,
  Takeback,
  Update,
} from "../net/wire.ts";
import type { Entry } from "./entries.ts";
import type { RawEvent } from "./events.ts";
import type { Eyes, Game } from "./game.ts";
import { type Deal, decidingIn, hintsAllowed, statusOf, type TableState } from "./state.ts";
import type { TableRow } from "./store.ts";
import { takebackOf } from "./takeback.ts";

/** One entry of a log with its events, not narrowed: `updateOf` narrows them. */
export interface Page {
  version: number;
  at: number;
  by: string | null;
  tableEvent: TableEvent | null;
  events: readonly RawEvent[];
  /** the game then; null before it */
  game: Game | null;
  deciding: readonly number[];
  takeback: Takeback | null;
  /** whether decisions were taken back with it */
  rewound: boolean;
}

export function pageOf(state: TableState, entry: Entry, events: readonly RawEvent[]): Page {
  const by = entry.kind === "acted" ? entry.bot || null : null;
  const { version, at, game } = state;
  return {
    version,
    at,
    by,
    tableEvent: tableEvent(entry),
    events,
    game,
    deciding: decidingIn(state),
    takeback: takebackOf(state),
    rewound: entry.kind === "taken-back",
  };
}

/** The message of an entry. */
export function updateOf(page: Page, seats: number, eyes: Eyes, legal: Move[] = []): Update {
  const { version, at, by, tableEvent, events, game, deciding, takeback, rewound } = page;
  const narrowed = events.flatMap((event): GameEvent[] => (game ? [game.narrowed(event, eyes)] : []));
  return {
    type: "update",
    version,
    at,
    by,
    events: tableEvent ? [tableEvent, ...narrowed] : narrowed,
    situation: situationOf(game, eyes),
    deciding: [...deciding],
    deadlines: noDeadlines(seats),
    legal,
    takeback,
    view: rewound && game ? game.view(eyes) : null,
  };
}

const situationOf = (game: Game | null, eyes: Eyes): Situation | null =>
  game && game.situation(eyes === "all" ? null : eyes);

/** A local table has no clock. */
export const noDeadlines = (seats: number): null[] => Array.from({ length: seats }, () => null);

/** The event of an entry about the table itself. */
function tableEvent(entry: Entry): TableEvent | null {
  switch (entry.kind) {
    case "sat":
      return { type: "sat-down", seat: entry.seat, name: entry.name, color: entry.color };
    case "left":
      return { type: "got-up", seat: entry.seat };
    case "stood-in":
      return { type: "bot-stood-in", seat: entry.seat, bot: entry.bot, reason: entry.reason };
    case "came-back":
      return { type: "person-came-back", seat: entry.seat };
    case "announced":
      return { type: "terms-announced", text: entry.text };
    case "nonce-added":
      return { type: "nonce-added", seats: entry.seats };
    case "taken-back":
      return {
        type: "taken-back",
        seat: entry.seat,
        version: entry.version,
        decisions: entry.decisions,
      };
    case "resigned":
      return { type: "player-resigned", seat: entry.seat, bot: entry.bot, ends: entry.ends };
    case "closed":
      return { type: "table-closed" };
    case "dealt":
    case "acted":
      return null;
  }
}

/** What the person of a seat may do now; nothing for spectators, or where a bot decides. */
export function legalNow(state: TableState, seat: Opened["seat"]): Move[] {
  if (seat === null || !state.game || !decidingIn(state).includes(seat) || state.chairs[seat]?.bot) return [];
  return state.game.legal(seat);
}

/** A table in a given state, as a person may know it. */
export function tableInfo(
  row: TableRow,
  { edition, terms, dealer }: Deal,
  state: TableState,
  person: string,
  rematch: string | null = null,
): TableInfo {
  const { map } = edition;
  return {
    id: row.id,
    edition: map.id,
    title: map.title,
    fingerprint: map.fingerprint,
    status: statusOf(state),
    version: state.version,
    seats: seatInfos(state, terms.seats, person),
    host: person === row.host,
    listed: false,
    first: terms.first,
    move_seconds: null,
    stand_in: terms.standIn,
    patience: PATIENCE_S,
    absence: PATIENCE_S, // without effect: all are at this screen
    delay: 0,
    reactions: terms.reactions,
    hints: hintsAllowed(terms),
    seeded: dealer.seed !== null,
    origin: "browser",
    commitment: dealer.commitment,
    announcement: state.announced,
    created_at: row.createdAt,
    previous: row.previous,
    rematch,
    placed: row.position !== undefined,
  };
}

/** seconds until a stand-in may be called for a person, as at a server that was not set up otherwise */
export const PATIENCE_S = 300;

function seatInfos(state: TableState, terms: Deal["terms"]["seats"], person: string): SeatInfo[] {
  return state.chairs.map((chair, seat) => ({
    kind: terms[seat]?.bot ? "bot" : "person",
    name: chair.name,
    color: chair.color,
    bot: chair.bot,
    reason: chair.reason,
    mine: chair.person === person,
    kept: chair.person === null && chair.bot === null && terms[seat]?.keptFor != null,
    nonce: nonceOf(state, seat),
    shared_with: [],
  }));
}

/** The state of the nonce that a seat adds to the deal. */
function nonceOf(state: TableState, seat: number): SeatInfo["nonce"] {
  const announced = state.announced !== null;
  const pledge = (announced ? state.shares?.[seat] : state.chairs[seat])?.pledge ?? null;
  const nonce = (announced && state.shares?.[seat]?.nonce) || null;
  if (pledge === null) return "none";
  if (nonce !== null) return "added";
  return state.game ? "missing" : "pledged";
}
