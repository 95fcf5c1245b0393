// Lists and statistics of local tables, from the summaries in the store.

import type { PlayedGame, Results, Statistics, TableLine, TableList } from "../net/wire.ts";
import type { Summary, TableRow } from "./store.ts";

const PAGE = 20; // lines of a list
const LATEST = 20; // games in statistics

/** A page of tables, newest first; `before` is the `next` of the page before. */
export function tableList(rows: readonly TableRow[], before: string | null): TableList {
  const [at = "", id = ""] = before?.split(".") ?? [];
  const newer = (a: TableRow, b: TableRow): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
  const after = { createdAt: Number(at), id } as TableRow;
  const rest = rows.toSorted(newer).filter((row) => before === null || newer(after, row) < 0);
  const shown = rest.slice(0, PAGE);
  const last = shown.at(-1);
  const next = last && rest.length > PAGE ? `${last.createdAt}.${last.id}` : null;
  return { tables: shown.map(tableLine), next };
}

function tableLine({ summary, ...row }: TableRow): TableLine {
  return {
    id: row.id,
    edition: row.edition,
    title: row.title,
    status: row.status,
    names: summary.names,
    move_seconds: null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    origin: "browser",
    scores: summary.scores,
    winners: summary.winners,
    resigned: summary.resigned ?? [],
    mine: summary.mine,
    free: row.status === "waiting" ? freeSeats(row.terms, summary) : [],
    shared: [],
  };
}

/** The seats on which a person can sit down. */
const freeSeats = ({ seats }: TableRow["terms"], { names }: Summary): number[] =>
  seats.flatMap(({ bot, keptFor }, i) => (names[i] === null && bot === null && keptFor === null ? [i] : []));

/** A finished game, and the seat that was theirs in it. */
interface Played {
  row: TableRow;
  summary: Summary & { scores: number[]; winners: number[] };
  seat: number;
}

/** The seat of the person whose browser it is. Where it was not stored: of several on one screen it is the one
 * under their name, or the first. */
export function ownSeat({ own, summary: { mine, names } }: TableRow, name: string): number | undefined {
  if (own !== undefined && mine.includes(own)) return own;
  return mine.find((seat) => names[seat] === name) ?? mine[0];
}

/** The statistics of a person, who has this name now. */
export function statistics(rows: readonly TableRow[], name: string): Statistics {
  const games = rows
    .filter((row) => row.status === "finished" && row.summary.mine.length && !row.position)
    .toSorted((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0))
    .flatMap((row) => played(row, name));
  const groups = new Map<string, Played[]>();
  for (const game of games) {
    const key = `${game.row.edition} ${game.row.terms.seats.length}`;
    groups.set(key, [...(groups.get(key) ?? []), game]);
  }
  return {
    total: results(games),
    editions: [...groups.values()]
      .flatMap(([first, ...others]) => {
        if (!first) return [];
        const { edition, title, terms } = first.row;
        return [{ edition, title, seats: terms.seats.length, results: results([first, ...others]) }];
      })
      .sort((a, b) => (a.edition < b.edition ? -1 : a.edition > b.edition ? 1 : a.seats - b.seats)),
    latest: games.slice(0, LATEST).map(line),
  };
}

function played(row: TableRow, name: string): Played[] {
  const { scores, winners } = row.summary;
  const seat = ownSeat(row, name);
  if (!scores || !winners || seat === undefined) return [];
  return [{ row, summary: { ...row.summary, scores, winners }, seat }];
}

const scoreOf = ({ summary, seat }: Played): number => summary.scores[seat] ?? 0;
const resigned = ({ summary, seat }: Played): boolean => summary.resigned?.includes(seat) ?? false;
/** Whether they played it to its end: only then does the score say how they play. */
const playedOut = (game: Played): boolean => !resigned(game) && !game.summary.stopped;
const won = ({ summary, seat }: Played): boolean => summary.winners.includes(seat);

/** How far ahead of the best of the others they were, or behind. */
function margin(game: Played): number {
  return scoreOf(game) - Math.max(...game.summary.scores.filter((_, seat) => seat !== game.seat));
}

/** 1 for a winner, also after a tie-break; those who resigned come behind all others. */
function place(game: Played): number {
  const others = game.summary.scores.map((_, seat) => ({ ...game, seat }));
  return 1 + others.filter((other) => compare(other, game) > 0).length;
}

const compare = (one: Played, other: Played): number =>
  Number(won(one)) - Number(won(other)) ||
  Number(resigned(other)) - Number(resigned(one)) ||
  scoreOf(one) - scoreOf(other);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const average = (numbers: readonly number[]): number | null =>
  numbers.length ? sum(numbers) / numbers.length : null;

function results(games: readonly Played[]): Results {
  const whole = games.filter(playedOut);
  const scores = whole.map(scoreOf);
  const tickets = whole.flatMap(({ summary, seat }) => {
    const own = summary.tickets?.[seat];
    return own ? [own] : [];
  });
  return {
    games: games.length,
    wins: games.filter(won).length,
    resigned: games.filter(resigned).length,
    played_out: whole.length,
    average_score: average(scores),
    best_score: scores.length ? Math.max(...scores) : null,
    average_margin: average(whole.map(margin)),
    tickets: sum(tickets.map(([kept]) => kept)),
    tickets_completed: sum(tickets.map(([, completed]) => completed)),
    longest_paths: whole.filter(({ summary, seat }) => summary.longest.includes(seat)).length,
  };
}

function line(game: Played): PlayedGame {
  const { row, summary, seat } = game;
  return {
    table: row.id,
    edition: row.edition,
    title: row.title,
    origin: "browser",
    finished_at: row.finishedAt ?? 0,
    names: summary.names,
    scores: summary.scores,
    winners: summary.winners,
    seat,
    place: place(game),
    resigned: summary.resigned ?? [],
  };
}
