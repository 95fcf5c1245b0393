// The jobs of a review: what a page and the workers tell each other of a finished game.

import type { GameLog, Judged, PhaseReview, SeatScore, TicketReview, TurningPoint } from "../net/wire.ts";
import type { Position } from "./types.ts";

/** Play the game again, and say what each seat knew when it decided. */
export interface Replay {
  readonly kind: "replay";
  readonly position: Position;
  readonly log: GameLog;
}

/** A decision of the game. */
export interface Asked {
  readonly seat: number;
  /** the action that was chosen */
  readonly played: number;
  /** of the entry of the log that told it */
  readonly version: number;
  /** from 1 on; 0 in the setup */
  readonly turn: number;
  readonly phase: Judged["phase"];
  /** how many moves were legal */
  readonly choices: number;
  /** 0 to 1: how much is at stake in decisions of its kind */
  readonly promise: number;
  /** the record of what its seat knew */
  readonly view: Uint8Array;
}

export interface Seat {
  readonly score: SeatScore;
  readonly tickets: readonly TicketReview[];
}

export interface Replayed {
  readonly kind: "replay";
  readonly decisions: readonly Asked[];
  readonly turns: number;
  /** each seat's share of the win */
  readonly awards: readonly number[];
  readonly winners: readonly number[];
  readonly seats: readonly Seat[];
}

/** A comparison of moves as far as it was made. */
export interface Compared {
  /** records "line" */
  readonly lines: Uint8Array;
  /** points by move, try and seat */
  readonly outcomes: Float32Array;
  /** tries of a move that was never dropped */
  readonly made: number;
}

/** What is known of a decision. */
export interface Work {
  /** record "verdict" */
  readonly verdict: Uint8Array;
  /** of all its moves; and, with other tries, of the best one found and the one that was played */
  readonly search: Compared | null;
  readonly pair: Compared | null;
  readonly best: number;
}

/** Do the next that is left for a decision. */
export interface Judge {
  readonly kind: "judge";
  readonly position: Position;
  readonly ply: number;
  readonly asked: Asked;
  readonly seed: bigint;
  /** chunks of tries in which each move is to be compared; 0: a first look at the chance after the move played */
  readonly effort: number;
  readonly work: Work | null;
}

export interface Judgement {
  readonly kind: "judge";
  readonly work: Work;
  /** whether nothing is left at this effort */
  readonly done: boolean;
  /** what to look at next: the highest */
  readonly urgency: number;
  /** whether more tries than those of a thorough review are worth their time */
  readonly matters: boolean;
  /** null: the move was not compared with others yet */
  readonly judged: Judged | null;
}

/** Say what the verdicts on all decisions, one after the other, say of the game. */
export interface Tell {
  readonly kind: "tell";
  readonly position: Position;
  readonly verdicts: Uint8Array;
  readonly awards: readonly number[];
  readonly turns: number;
}

/** How a seat fared; the fields are those of `SeatReview`. */
export interface Fared {
  readonly decisions: number;
  readonly agreed: number;
  readonly mistakes: number;
  readonly lost: number;
  readonly accuracy: number | null;
  readonly phases: readonly PhaseReview[];
  readonly deal: number;
  readonly skill: number;
  readonly luck: number;
  readonly error: number;
  readonly turning_points: readonly TurningPoint[];
}

export interface Told {
  readonly kind: "tell";
  readonly curve: readonly (readonly number[])[];
  readonly seats: readonly Fared[];
  readonly turning_points: readonly TurningPoint[];
}

export type ReviewJob = Replay | Judge | Tell;
export type ReviewFound = Replayed | Judgement | Told;
