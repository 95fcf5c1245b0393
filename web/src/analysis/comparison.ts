// One analysis: which tries are to be made, and what is known so far. The workers do the rest.

import { NO_RESULT, SEATS, TRIES_KEPT } from "../local/codes.ts";
import { LINE, readField } from "../net/records.ts";
import { Refusal } from "../net/refusal.ts";
import { actionAt, lineCount } from "./compare.ts";
import type { Begun, Facts, Found, Job, Rank, Ranked, Stand, Tried, Try } from "./jobs.ts";
import type { Client } from "./pool.ts";
import type { Analysis, Enough, Position, Progress, Wanted } from "./types.ts";

const FIRST = 4; // tries of each move before the first figures
const TOGETHER = 16; // tries of a move in a job, later
const JOB_MS = 120; // what a job may take
const RANK_MS = 250; // between two sets of figures
const FEWEST = 64; // tries of the leader before it can be enough
const FAILURES = 3; // of workers, before an analysis gives up
const ENOUGH: Enough = { tries: TRIES_KEPT, doubt: 0.005 };
const MOST = 5; // moves in the advice

/** Tries that were made, in their order for each move: later ones wait for those before them. */
type Part = Facts & { readonly start: number; readonly count: number; readonly results: Float32Array };

export class Comparison implements Client, Analysis {
  priority: number;
  finished = false;
  readonly #position: Position;
  readonly #wanted: Wanted;
  readonly #enough: Enough;
  readonly #close: (comparison: Comparison) => void;
  readonly #now: () => number;

  #stand: Stand | null = null;
  #began = false;
  #lines: Uint8Array = new Uint8Array();
  #dropped: boolean[] = [];
  /** by move: tries that were asked for, and those of which the results are known */
  #asked: number[] = [];
  #made: number[] = [];
  /** by move and seat, and by try as far as there is room */
  #outcomes: Float32Array = new Float32Array();
  #room = 0;
  #waiting: Part[] = [];
  #fresh: Facts[] = [];
  #stale = false; // there is something to rank
  #ranking = false;
  #rankedAt = -Infinity;
  #lost: Job[] = [];
  #failures = 0;
  #tryMs = 0;

  constructor(
    position: Position,
    wanted: Wanted,
    close: (comparison: Comparison) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#position = position;
    this.#wanted = wanted;
    this.#enough = { ...ENOUGH, ...wanted.enough };
    this.#close = close;
    this.#now = now;
    this.priority = wanted.priority ?? 0;
  }

  close(): void {
    this.finished = true;
    this.#close(this);
  }

  /** Tries of a move so far. */
  get tries(): number {
    return Math.max(0, ...this.#made);
  }

  // -- what is to be done

  next(workers: number): Job | null {
    if (this.finished) return null;
    const lost = this.#lost.shift();
    if (lost) return lost;
    const position = this.#position;
    if (!this.#stand) {
      if (this.#began) return null;
      this.#began = true;
      const { kept = [], only = [] } = this.#wanted;
      return { kind: "begin", position, kept, only };
    }
    const more = this.#going();
    return this.#toRank(more) ?? this.#toTry(more, workers);
  }

  /** Tries of a move, at most. */
  get #most(): number {
    return Math.min(this.#enough.tries, TRIES_KEPT);
  }

  /** The moves that are to be tried more often. */
  #going(): number[] {
    const going = (asked: number, move: number): boolean => asked < this.#most && !this.#dropped[move];
    return this.#asked.flatMap((asked, move) => (going(asked, move) ? [move] : []));
  }

  #toRank(more: readonly number[]): Rank | null {
    if (!this.#stale || this.#ranking) return null;
    if (Math.min(...this.#made) < Math.min(FIRST, this.#most)) return null;
    const all = !more.length && this.#asked.every((asked, move) => asked === this.#made[move]);
    if (!all && this.#now() - this.#rankedAt < RANK_MS) return null;
    this.#ranking = true;
    this.#stale = false;
    const facts = this.#fresh;
    this.#fresh = [];
    const { most = MOST } = this.#wanted;
    const outcomes = this.#results();
    return { kind: "rank", position: this.#position, lines: this.#lines, facts, outcomes, most };
  }

  /** Tries of as many moves as fit a job; those with the fewest tries come first. */
  #toTry(more: readonly number[], workers: number): Try | null {
    if (!more.length) return null;
    const start = Math.min(...more.map((move) => this.#asked[move] ?? 0));
    const behind = more.filter((move) => this.#asked[move] === start);
    const count = Math.min(start === 0 ? FIRST : TOGETHER - (start % TOGETHER), this.#most - start);
    const share = Math.ceil(behind.length / workers);
    const fitting = Math.max(1, Math.floor(JOB_MS / (this.#tryMs * count)));
    const moves = behind.slice(0, start === 0 ? Math.min(share, fitting) : fitting);
    for (const move of moves) this.#asked[move] = start + count;
    const actions = moves.map((move) => actionAt(this.#lines, move));
    const { seed = 0 } = this.#wanted;
    return { kind: "try", position: this.#position, moves, actions, seed, start, count };
  }

  // -- what was found

  take(job: Job, found: Found): void {
    if (this.finished) return;
    if (found.kind === "begin") this.#takeBegun(found);
    else if (found.kind === "try") this.#takeTried(job as Try, found);
    else if (found.kind === "rank") this.#takeRanked(job as Rank, found);
  }

  #takeBegun({ lines, stand }: Begun): void {
    const { from } = this.#wanted;
    this.#stand = stand;
    this.#lines = from?.lines ?? lines;
    const count = lineCount(this.#lines);
    this.#made = from ? [...from.tries] : Array<number>(count).fill(0);
    this.#asked = [...this.#made];
    this.#dropped = this.#made.map((_, move) => this.#read("dropped", move) === 1);
    if (!from) return;
    this.#room = this.tries;
    this.#outcomes = from.outcomes.slice();
    this.#stale = true;
  }

  #takeTried({ moves, start, count }: Try, { facts, results, milliseconds }: Tried): void {
    const each = milliseconds / (moves.length * count);
    this.#tryMs = this.#tryMs ? (3 * this.#tryMs + each) / 4 : each;
    this.#waiting.push({ moves, start, count, facts, results });
    const next = (): number =>
      this.#waiting.findIndex((part) => part.moves.every((move) => this.#made[move] === part.start));
    for (let i = next(); i >= 0; i = next()) this.#keep(this.#waiting.splice(i, 1)[0] as Part);
  }

  /** The results of tries in their place among all. */
  #keep({ moves, start, count, facts, results }: Part): void {
    this.#makeRoom(start + count);
    const size = count * SEATS;
    for (const [i, move] of moves.entries()) {
      const at = (move * this.#room + start) * SEATS;
      this.#outcomes.set(results.subarray(i * size, (i + 1) * size), at);
      this.#made[move] = start + count;
    }
    this.#fresh.push({ moves, facts });
    this.#stale = true;
  }

  #makeRoom(tries: number): void {
    if (tries <= this.#room) return;
    const room = Math.max(tries, 2 * this.#room);
    this.#outcomes = this.#inRoom(room);
    this.#room = room;
  }

  /** The results with room for so many tries of each move. */
  #inRoom(room: number): Float32Array {
    const found = new Float32Array(this.#made.length * room * SEATS).fill(NO_RESULT);
    for (const [move, made] of this.#made.entries()) {
      const at = move * this.#room * SEATS;
      found.set(this.#outcomes.subarray(at, at + made * SEATS), move * room * SEATS);
    }
    return found;
  }

  /** The results, with room for those that there are. */
  #results(): Float32Array {
    return this.#inRoom(this.tries);
  }

  #takeRanked(job: Rank, { lines, figures }: Ranked): void {
    if (!this.#stand) return;
    this.#lines = lines;
    this.#ranking = false;
    this.#rankedAt = this.#now();
    this.#dropped = this.#made.map((_, move) => this.#read("dropped", move) === 1);
    const tries = this.#made.map((_, move) => this.#read("tries", move));
    const progress: Progress = { tries, lines, outcomes: job.outcomes };
    const enough = this.#isEnough(tries);
    if (enough) this.close();
    this.#wanted.onadvice({ ...this.#stand, ...figures }, progress, enough);
  }

  #isEnough(tries: readonly number[]): boolean {
    const leader = this.#made.findIndex((_, move) => this.#read("rank", move) === 0);
    const made = tries[leader] ?? 0;
    if (made >= this.#most) return true;
    const rivals = this.#made.flatMap((_, move) => (move === leader || this.#dropped[move] ? [] : [move]));
    const doubts = rivals.map((move) => this.#read("doubt", move));
    const worst = rivals.length ? Math.max(...doubts) : this.#read("error", leader);
    return made >= FEWEST && worst < this.#enough.doubt;
  }

  #read(field: "dropped" | "tries" | "rank" | "doubt" | "error", move: number): number {
    const { buffer, byteOffset, byteLength } = this.#lines;
    return readField(LINE, field, new DataView(buffer, byteOffset, byteLength), move * LINE.size);
  }

  // -- what went wrong

  lose(job: Job): void {
    if (this.finished) return;
    this.#failures += 1;
    if (this.#failures < FAILURES) this.#lost.push(job);
    else this.refuse(new Refusal("failed", "The analysis failed."));
  }

  refuse(problem: Refusal): void {
    if (this.finished) return;
    this.close();
    this.#wanted.onproblem?.(problem);
  }
}
