// What a page and the workers of its analyses tell each other. A job says all that it needs, so any worker can do it.

import type { Advice } from "../net/wire.ts";
import type { Refusal } from "../net/refusal.ts";
import type { ReviewFound, ReviewJob } from "./review-jobs.ts";
import type { Position } from "./types.ts";

/** Find the moves that are worth comparing. */
export interface Begin {
  readonly kind: "begin";
  readonly position: Position;
  readonly kept: readonly number[];
  /** empty: the moves that are worth a thought */
  readonly only: readonly number[];
}

/** Make so many tries of some of the moves, from a number on. */
export interface Try {
  readonly kind: "try";
  readonly position: Position;
  /** which of the lines */
  readonly moves: readonly number[];
  readonly actions: readonly number[];
  readonly seed: number;
  readonly start: number;
  readonly count: number;
}

/** The facts that tries of some of the moves have found, as records "line". */
export interface Facts {
  readonly moves: readonly number[];
  readonly facts: Uint8Array;
}

/** Add facts to the lines, and rank them by all results so far. */
export interface Rank {
  readonly kind: "rank";
  readonly position: Position;
  readonly lines: Uint8Array;
  readonly facts: readonly Facts[];
  /** points by move, try and seat */
  readonly outcomes: Float32Array;
  readonly most: number;
}

export type Job = Begin | Try | Rank | ReviewJob;

/** How a position stands, whatever is decided. */
export type Stand = Pick<Advice, "seat" | "tickets" | "costs" | "stations" | "tunnels">;

export type Begun = { readonly kind: "begin"; readonly lines: Uint8Array; readonly stand: Stand };
export type Tried = {
  readonly kind: "try";
  readonly facts: Uint8Array;
  readonly results: Float32Array;
  readonly milliseconds: number;
};
export type Ranked = {
  readonly kind: "rank";
  readonly lines: Uint8Array;
  readonly figures: Omit<Advice, keyof Stand>;
};
export type Found = Begun | Tried | Ranked | ReviewFound;

export type ToWorker =
  /** the first message: the compiled kernel, and the address of the folder of the data files */
  { kind: "start"; module: WebAssembly.Module; data: string } | { kind: "job"; id: number; job: Job };

export type FromWorker =
  | { kind: "found"; id: number; found: Found }
  /** `code`: it was refused, and would be by every worker; null: the worker failed */
  | { kind: "failed"; id: number; code: Refusal["code"] | null; message: string };
