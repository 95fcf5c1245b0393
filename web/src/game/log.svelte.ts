// What happened at a table, in words.

import { get, Refusal } from "../net/api.ts";
import type { Update, Updates } from "../net/wire.ts";
import type { GameTexts } from "./texts.ts";

/** What happened in one entry of the table's log. */
export interface LogLine {
  version: number;
  at: number;
  /** the seat it is about, if it is about one */
  seat: number | null;
  sentences: string[];
  /** the same with the result of the game, if this is its end */
  result?: string[];
}

export class Log {
  /** time of the last entry, in milliseconds by the server's clock */
  at: number = $state(0);

  #lines: readonly LogLine[] = $state.raw([]);
  #filledUpTo = 0;
  #generation = 0; // counts calls of clear(): an answer to an earlier request is dropped

  constructor(
    readonly table: string,
    readonly texts: GameTexts,
    /** is given all entries, in any order and some more than once */
    readonly heard: (updates: readonly Update[]) => void,
  ) {}

  /** The lines up to a version; with the result of the game only if `result`. */
  linesUpTo(version: number, result: boolean): LogLine[] {
    const lines = this.#lines.filter((line) => line.version <= version);
    return result ? lines.map((line) => (line.result ? { ...line, sentences: line.result } : line)) : lines;
  }

  /** Start again, for another seat. */
  clear(): void {
    this.#lines = [];
    this.#filledUpTo = 0;
    this.#generation += 1;
  }

  add(update: Update, eyes: string): void {
    this.at = update.at;
    if (update.version === this.#filledUpTo + 1) this.#write([update]);
    else void this.fill(update.version, eyes);
  }

  /** Request the missing entries, up to a version. */
  async fill(upto: number, eyes: string): Promise<void> {
    const after = this.#filledUpTo;
    const generation = this.#generation;
    if (upto <= after) return;
    this.#filledUpTo = upto;
    try {
      const { updates } = await get<Updates>(`/tables/${this.table}/updates?eyes=${eyes}&after=${after}`);
      if (generation === this.#generation) this.#write(updates);
    } catch (problem) {
      if (generation === this.#generation) this.#filledUpTo = after;
      if (!(problem instanceof Refusal)) throw problem;
    }
  }

  #write(updates: readonly Update[]): void {
    this.heard(updates);
    const known = new Set(this.#lines.map((line) => line.version));
    const lines = updates
      .filter((update) => !known.has(update.version))
      .map((update) => this.#lineOf(update));
    const nonEmpty = lines.filter((line) => line.sentences.length);
    this.#lines = [...this.#lines, ...nonEmpty].sort((a, b) => a.version - b.version);
    const last = updates.at(-1);
    if (!last) return;
    this.#filledUpTo = Math.max(this.#filledUpTo, last.version);
    this.at = Math.max(this.at, last.at);
  }

  #lineOf({ version, at, events }: Update): LogLine {
    const about = events.find((event) => "seat" in event);
    const seat = about && "seat" in about ? about.seat : null;
    const line: LogLine = { version, at, seat, sentences: this.texts.sentences(events, { result: false }) };
    if (events.some((event) => event.type === "game-ended")) line.result = this.texts.sentences(events);
    return line;
  }
}
