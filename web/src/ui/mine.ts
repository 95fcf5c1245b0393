// The player's games and results: those at the server, and those in this browser.

import { get, Refusal } from "../net/api.ts";
import type { Place } from "../net/local.ts";
import { hasServer } from "../net/place.ts";
import type { Results, Statistics, TableLine, TableList } from "../net/wire.ts";
import { whoAmI } from "./person.ts";

const PAGE = 20; // lines that are shown at once
const LATEST = 20; // games in statistics

/** The places that have games of this player. */
async function places(): Promise<Place[]> {
  if (!hasServer()) return ["browser"];
  const known = await whoAmI().catch((problem: unknown) => {
    if (problem instanceof Refusal) return null; // without the server, those of this browser are there
    throw problem;
  });
  return known ? ["browser", "server"] : ["browser"];
}

/** A list at one place, requested page by page. */
class Source {
  readonly #path: string;
  readonly #place: Place;
  #lines: TableLine[] = [];
  #next: string | null = "";

  constructor(path: string, place: Place) {
    this.#path = path;
    this.#place = place;
  }

  /** The next line, which stays; undefined: there is none. */
  async first(): Promise<TableLine | undefined> {
    while (!this.#lines.length && this.#next !== null) {
      const page = await get<TableList>(this.#path + (this.#next && `?before=${this.#next}`), this.#place);
      this.#lines = page.tables;
      this.#next = page.next;
    }
    return this.#lines[0];
  }

  take(): void {
    this.#lines.shift();
  }
}

/** Lists of several places as one, newest first. */
export class TablePages {
  readonly #sources: Promise<Source[]>;

  constructor(path: string, from: Promise<Place[]> = Promise.resolve(["server"])) {
    this.#sources = from.then((found) => found.map((place) => new Source(path, place)));
  }

  /** The player's own games. */
  static mine = (): TablePages => new TablePages("/me/tables", places());

  /** The next lines, and whether there are more. */
  async next(): Promise<{ lines: TableLine[]; more: boolean }> {
    const lines: TableLine[] = [];
    for (;;) {
      const newest = await this.#newest();
      if (!newest || lines.length === PAGE) return { lines, more: newest !== undefined };
      lines.push(newest.line);
      newest.source.take();
    }
  }

  async #newest(): Promise<{ source: Source; line: TableLine } | undefined> {
    const found: { source: Source; line: TableLine }[] = [];
    for (const source of await this.#sources) {
      const line = await source.first();
      if (line) found.push({ source, line });
    }
    return found.sort((a, b) => b.line.created_at - a.line.created_at)[0];
  }
}

/** The player's results everywhere. */
export async function myStatistics(): Promise<Statistics | null> {
  const asked = (await places()).map((place) =>
    get<Statistics>("/me/statistics", place).catch((problem: unknown) => {
      if (problem instanceof Refusal && place === "browser") return null; // no game was played here
      throw problem;
    }),
  );
  const found = (await Promise.all(asked)).filter((one) => one !== null);
  return found.length ? found.reduce(merged) : null;
}

/** The statistics of two places as one. */
export function merged(one: Statistics, other: Statistics): Statistics {
  const editions = [...one.editions];
  for (const more of other.editions) {
    const at = editions.findIndex(({ edition, seats }) => edition === more.edition && seats === more.seats);
    const known = editions[at];
    if (known) editions[at] = { ...known, results: sum(known.results, more.results) };
    else editions.push(more);
  }
  return {
    total: sum(one.total, other.total),
    editions: editions.sort((a, b) => a.edition.localeCompare(b.edition, "en") || a.seats - b.seats),
    latest: [...one.latest, ...other.latest].sort((a, b) => b.finished_at - a.finished_at).slice(0, LATEST),
  };
}

function sum(one: Results, other: Results): Results {
  const played_out = one.played_out + other.played_out;
  const average = (a: number | null, b: number | null): number | null =>
    played_out ? ((a ?? 0) * one.played_out + (b ?? 0) * other.played_out) / played_out : null;
  const best = [one.best_score, other.best_score].filter((score) => score !== null);
  return {
    games: one.games + other.games,
    wins: one.wins + other.wins,
    resigned: one.resigned + other.resigned,
    played_out,
    average_score: average(one.average_score, other.average_score),
    best_score: best.length ? Math.max(...best) : null,
    average_margin: average(one.average_margin, other.average_margin),
    tickets: one.tickets + other.tickets,
    tickets_completed: one.tickets_completed + other.tickets_completed,
    longest_paths: one.longest_paths + other.longest_paths,
  };
}
