// Comparisons of moves, by the kernel's entries (src/macaz/help/compiled). Nothing is remembered between calls, so that
// any worker can do any part.

import { MOVES_COMPARED, SEATS, TRIES_KEPT, WORLDS, WORTH_A_THOUGHT } from "../local/codes.ts";
import { WorkingMemory, fillOnes } from "../local/working-memory.ts";
import type { EditionData, TableData } from "../local/edition.ts";
import { Block, type Kernel } from "../local/kernel.ts";
import { reasonsFor } from "../local/reasons.ts";
import { LINE, VIEW } from "../net/records.ts";
import type { Reason } from "../net/wire.ts";
import type { Facts } from "./jobs.ts";

const FLOAT = 4; // bytes of a number among results
const ACTION = LINE.fields.action[1];
const KEPT = LINE.fields.kept[1];

/** A view at a table. */
export interface Place {
  readonly edition: EditionData;
  readonly table: TableData;
  /** the record */
  readonly view: Uint8Array;
}

/** Whose view it is; -1 for a spectator. */
export const seatOf = (view: Uint8Array): number => ((view[VIEW.fields.seat[1]] ?? 0) << 24) >> 24;

export const lineCount = (lines: Uint8Array): number => lines.length / LINE.size;

export class Comparer {
  readonly #memory: WorkingMemory;

  constructor(readonly kernel: Kernel) {
    this.#memory = new WorkingMemory(kernel);
  }

  /** Lines for the moves that are worth a thought, the likeliest first, and then for the `kept` ones that are not among
   * them; or for `only` these. Without a decision to make there is one line, without a move. */
  list(
    place: Place,
    kept: readonly number[],
    only: readonly number[] = [],
    most = WORTH_A_THOUGHT,
  ): Uint8Array {
    const found = only.length ? new Uint8Array() : this.#worthAThought(place, most);
    const actions = Array.from({ length: lineCount(found) }, (_, i) => actionAt(found, i));
    const asked = [...kept, ...only];
    const more = [...new Set(asked)].filter((action) => !actions.includes(action));
    const whole = new Uint8Array(found.length + more.length * LINE.size);
    whole.set(found);
    whole.set(this.#begin(more).bytes, found.length);
    const data = new DataView(whole.buffer);
    for (const [i, action] of [...actions, ...more].entries())
      data.setInt32(i * LINE.size + KEPT, Number(asked.includes(action)), true);
    return whole;
  }

  /** Lines in the kernel's memory. */
  put(lines: Uint8Array): Block {
    const block = this.#lines(lineCount(lines));
    block.bytes.set(lines);
    return block;
  }

  #worthAThought({ table, view }: Place, most: number): Uint8Array {
    const known = this.#memory.known(table, view, true);
    const lines = this.#lines(most);
    lines.bytes.fill(0); // their spare bytes, too
    const count = this.kernel.call(
      "list_lines",
      ...this.#memory.board(table),
      this.#memory.playoutStyles(table),
      ...Object.values(this.#games()),
      this.#memory.searches(table),
      known,
      lines,
      seatOf(view),
    );
    return lines.bytes.slice(0, count * LINE.size);
  }

  /** Make so many tries of each of some actions, from a number on: their facts, as records "line", and the points of each
   * seat, by move and try. Null where no state gives the view. */
  try(
    { table, view }: Place,
    actions: readonly number[],
    seed: number | bigint,
    start: number,
    count: number,
  ): { facts: Uint8Array; results: Float32Array } | null {
    const { kernel } = this;
    const lines = this.#begin(actions);
    const results = shaped(this.#numbers("results"), actions.length, count, SEATS);
    const made = kernel.call(
      "try_lines",
      ...this.#memory.board(table),
      this.#memory.playoutStyles(table),
      ...Object.values(this.#games()),
      this.#memory.views(view),
      kernel.scratch("rooms", 1),
      kernel.scratch("trials", 1),
      lines,
      results,
      seatOf(view),
      seed,
      start,
    );
    return made ? { facts: lines.bytes.slice(), results: floats(results) } : null;
  }

  /** The lines with the facts of tries of all of them added, ranked by all results so far.
   *
   * `outcomes` has the results by move and try, and `NO_RESULT` where there is none. */
  rank(
    { table, view }: Place,
    lines: Uint8Array,
    facts: readonly Facts[],
    outcomes: Float32Array,
  ): Uint8Array {
    const { kernel } = this;
    const count = lineCount(lines);
    const [specs] = this.#memory.board(table);
    const ranked = this.#lines(count);
    ranked.bytes.set(lines);
    for (const { moves, facts: found } of facts) {
      const more = kernel.scratch("more", MOVES_COMPARED).first(count);
      more.bytes.fill(0);
      for (const [i, move] of moves.entries())
        more.bytes.set(found.subarray(i * LINE.size, (i + 1) * LINE.size), move * LINE.size);
      kernel.call("add_lines", specs, ranked, more);
    }
    const all = shaped(this.#numbers("outcomes"), count, outcomes.length / count / SEATS, SEATS);
    all.bytes.set(new Uint8Array(outcomes.buffer, outcomes.byteOffset, outcomes.byteLength));
    kernel.call("rank_lines", specs, ranked, all, seatOf(view));
    return ranked.bytes.slice();
  }

  /** Why each of some moves is better than the best other one, the weightiest reason first. */
  reasons({ table, view }: Place, lines: Uint8Array, moves: readonly number[]): Reason[][] {
    const known = this.#memory.known(table, view, true);
    const ranked = this.#lines(lineCount(lines));
    ranked.bytes.set(lines);
    const [specs] = this.#memory.board(table);
    return moves.map((move) => reasonsFor(this.kernel, specs, known, ranked, seatOf(view), move));
  }

  #lines(count: number): Block {
    return this.kernel.scratch("lines", MOVES_COMPARED).first(count);
  }

  /** Lines without tries. */
  #begin(actions: readonly number[]): Block {
    const lines = this.#lines(actions.length);
    const numbers = this.kernel.scratch("actions", MOVES_COMPARED).first(actions.length);
    for (const [i, action] of actions.entries())
      numbers.data.setBigInt64(i * numbers.size, BigInt(action), true);
    lines.bytes.fill(0);
    this.kernel.call("begin_lines", lines, numbers);
    return lines;
  }

  #games() {
    const games = this.#memory.games(WORLDS);
    fillOnes(games.dice);
    return games;
  }

  #numbers(argument: "results" | "outcomes"): Block {
    return this.kernel.scratch(argument, MOVES_COMPARED, TRIES_KEPT, SEATS);
  }
}

/** The beginning of an array, in another shape. */
const shaped = (block: Block, ...shape: number[]): Block =>
  new Block(block.bytes.buffer as ArrayBuffer, block.at, block.size, shape);

const floats = ({ bytes }: Block): Float32Array =>
  new Float32Array(bytes.slice().buffer, 0, bytes.length / FLOAT);

/** The action of a line. */
export const actionAt = (lines: Uint8Array, i: number): number =>
  new DataView(lines.buffer, lines.byteOffset).getInt32(i * LINE.size + ACTION, true);
