// Reviews a finished game in this browser: first the curve from a few moments, then all decisions coarsely, those with
// the most at stake first, then again and again with more tries.

import { VERDICT } from "../net/records.ts";
import type { Refusal } from "../net/refusal.ts";
import type { GameLog, Judged, Review } from "../net/wire.ts";
import { sharedPool } from "./analyse.ts";
import type { Found, Job } from "./jobs.ts";
import { keepReview, keptReview, type KeptDecision } from "./kept-reviews.ts";
import type { Client, Pool } from "./pool.ts";
import type { Asked, Judge, Judgement, Replayed, Told, Work } from "./review-jobs.ts";
import { seedOf } from "./seeds.ts";
import type { Position } from "./types.ts";

const PRIORITY = 2; // behind hints and the analysis board
const GLANCES = 8; // decisions of each seat that the first curve is made of
/** chunks of tries of each compared move, one stage after the other; 0: a first look at the chance */
const EFFORTS = [0, 1, 2, 4, 8, 16];
const FAILURES = 2; // of workers at one decision, after which it is left as it is
const THOROUGH = 4; // from here on only what may still matter is looked at again
const TELL_MS = 400;
const KEEP_MS = 4000;

/** How far a review is. */
export interface Stage {
  /** decisions that were compared with others at least coarsely, and all that can be */
  readonly done: number;
  readonly total: number;
  /** of these, decisions that are left out: the workers failed at them */
  readonly skipped: number;
  /** whether more tries are made; false: it is complete */
  readonly improving: boolean;
}

export interface Wanted {
  /** by seat */
  readonly names: readonly string[];
  readonly onreview: (review: Review | null, versions: readonly number[], stage: Stage) => void;
  /** It cannot be done in this browser. */
  readonly onproblem: (problem: Refusal) => void;
}

interface Decision {
  readonly asked: Asked;
  readonly seed: bigint;
  /** the next of EFFORTS; behind them: nothing is left */
  stage: number;
  work: Work | null;
  verdict: Uint8Array | null;
  judged: Judged | null;
  urgency: number;
  matters: boolean;
  /** something was done of its stage: it is finished before others begin, so that there is something to tell soon */
  begun: boolean;
  busy: boolean;
  /** how often a worker failed at it; it is tried again when the review is opened again */
  failures: number;
}

/** Whether a decision is to be looked at before another one. */
function isBefore(one: Decision, other: Decision): boolean {
  if (one.begun !== other.begun) return one.begun;
  return one.stage === other.stage ? one.urgency > other.urgency : one.stage < other.stage;
}

const isGivenUp = ({ failures }: Decision): boolean => failures >= FAILURES;

const now = (): number => performance.now();

export class GameReviewer implements Client {
  readonly priority = PRIORITY;
  tries = 0;
  readonly #pool: Pool;
  readonly #log: GameLog;
  readonly #id: string;
  readonly #wanted: Wanted;
  #replayed: Replayed | null = null;
  #replaying = false;
  #decisions: Decision[] = [];
  #told: Told | null = null;
  #telling = false;
  #changed = false; // since it was told
  #toldAt = -Infinity;
  #keptAt = -Infinity;
  #closed = false;

  /** `id` names the game where its review is kept. */
  constructor(id: string, log: GameLog, wanted: Wanted, pool: Pool = sharedPool()) {
    [this.#id, this.#log, this.#wanted, this.#pool] = [id, log, wanted, pool];
    pool.add(this);
  }

  get finished(): boolean {
    return this.#closed || (this.#replayed !== null && !this.#changed && !this.#open());
  }

  /** End it; what was found is kept. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#keep();
    this.#pool.remove(this);
  }

  next(): Job | null {
    if (this.#closed) return null;
    if (!this.#replayed) return this.#replay();
    const decision = this.#mostUrgent();
    if (this.#tellNow(decision)) return this.#tell(this.#replayed);
    if (!decision) return null;
    decision.busy = true;
    const { asked, seed, work } = decision;
    const effort = EFFORTS[decision.stage] ?? 0;
    const ply = this.#decisions.indexOf(decision);
    return { kind: "judge", position: this.#position(asked.view), ply, asked, seed, effort, work };
  }

  take(job: Job, found: Found): void {
    if (this.#closed) return;
    if (found.kind === "replay") void this.#begin(found);
    else if (found.kind === "judge") this.#note((job as Judge).ply, found);
    else if (found.kind === "tell") {
      this.#telling = false;
      this.#toldAt = now();
      this.#told = found;
      this.#publish();
      if (this.finished) this.#keep();
    }
  }

  lose(job: Job): void {
    if (job.kind === "replay") this.#replaying = false;
    else if (job.kind === "tell") [this.#telling, this.#changed] = [false, true];
    else if (job.kind === "judge") {
      const decision = this.#decisions[job.ply];
      if (!decision) return;
      decision.busy = false;
      decision.failures += 1;
      if (isGivenUp(decision)) this.#changed = true;
    }
  }

  refuse(problem: Refusal): void {
    this.#closed = true;
    this.#wanted.onproblem(problem);
  }

  // -- what to do next --------------------------------------------------------------------------------------

  #position(view: Uint8Array): Position {
    const { edition, fingerprint, seats } = this.#log;
    return { edition, fingerprint, seats, view };
  }

  #replay(): Job | null {
    if (this.#replaying) return null;
    this.#replaying = true;
    return { kind: "replay", position: this.#position(new Uint8Array()), log: this.#log };
  }

  /** The decisions of which something is left to do, at the lowest effort of all. */
  #open(): Decision[] | null {
    const left = this.#decisions.filter((one) => !this.#isOver(one));
    return left.length ? left : null;
  }

  #isOver(decision: Decision): boolean {
    const { stage, asked, matters } = decision;
    const effort = EFFORTS[stage];
    if (isGivenUp(decision)) return true;
    return asked.choices < 2 || effort === undefined || (effort > THOROUGH && !matters);
  }

  #mostUrgent(): Decision | null {
    let found: Decision | null = null;
    for (const one of this.#open() ?? []) {
      if (!one.busy && (!found || isBefore(one, found))) found = one;
    }
    return found;
  }

  #tellNow(next: Decision | null): boolean {
    if (!this.#changed || this.#telling) return false;
    return !next || now() - this.#toldAt > TELL_MS;
  }

  #tell({ awards, turns }: Replayed): Job {
    [this.#telling, this.#changed] = [true, false];
    const verdicts = new Uint8Array(this.#decisions.length * VERDICT.size);
    for (const [ply, { verdict, asked }] of this.#decisions.entries())
      verdicts.set(verdict ?? unknown(asked), ply * VERDICT.size);
    return { kind: "tell", position: this.#position(new Uint8Array()), verdicts, awards, turns };
  }

  // -- what was found ---------------------------------------------------------------------------------------

  async #begin(replayed: Replayed): Promise<void> {
    const kept = await keptReview(this.#id, replayed.decisions.length);
    if (this.#closed) return;
    const glances = sampled(replayed.decisions);
    this.#decisions = replayed.decisions.map((asked, ply): Decision => {
      const known = kept?.[ply];
      return {
        asked,
        seed: seedOf(0, ply),
        stage: known?.stage ?? (glances.has(ply) ? 0 : 1),
        work: null,
        verdict: known?.verdict ?? null,
        judged: known?.judged ?? null,
        urgency: known?.urgency ?? asked.promise,
        matters: known?.matters ?? true,
        begun: false,
        busy: false,
        failures: 0,
      };
    });
    this.#replayed = replayed;
    this.#changed = true;
    this.#publish();
    this.#pool.add(this); // there is something to do now
  }

  #note(ply: number, found: Judgement): void {
    const decision = this.#decisions[ply];
    if (!decision) return;
    const { work, done, urgency, matters, judged } = found;
    decision.busy = false;
    decision.work = work;
    [decision.urgency, decision.matters] = [urgency, matters];
    decision.begun = !done;
    this.tries += 1;
    if (!done) return;
    decision.stage += 1;
    decision.verdict = work.verdict;
    if (judged) decision.judged = judged;
    this.#changed = true;
    if (now() - this.#keptAt > KEEP_MS) this.#keep();
  }

  #publish(): void {
    const { onreview, names } = this.#wanted;
    const replayed = this.#replayed;
    const told = this.#told;
    const asked = this.#decisions.filter((one) => one.asked.choices > 1);
    const stage = {
      done: asked.filter(({ judged }) => judged).length,
      total: asked.length,
      skipped: asked.filter((one) => isGivenUp(one) && !one.judged).length,
      improving: !this.finished,
    };
    const versions = this.#decisions.map((one) => one.asked.version);
    if (!replayed || !told) return onreview(null, versions, stage);
    const judged = this.#decisions.flatMap(({ judged }) => judged ?? []);
    onreview(reviewOf(replayed, judged, told, names), versions, stage);
  }

  #keep(): void {
    if (!this.#replayed) return;
    this.#keptAt = now();
    const decisions = this.#decisions.map((one): KeptDecision => {
      const { stage, verdict, judged, urgency, matters } = one;
      return { stage, verdict, judged, urgency, matters };
    });
    void keepReview(this.#id, decisions);
  }
}

/** The review that the parts make. */
export function reviewOf(
  { seats, winners }: Replayed,
  judged: Judged[],
  told: Told,
  names: readonly string[],
): Review {
  return {
    curve: told.curve.map((row) => [...row]),
    judged,
    seats: told.seats.map((fared, seat) => {
      const { score, tickets } = seats[seat] as Replayed["seats"][0];
      const { phases, turning_points } = fared;
      const lists = { phases: [...phases], turning_points: [...turning_points], tickets: [...tickets] };
      return { seat, name: names[seat] ?? "", ...fared, ...lists, score };
    }),
    winners: [...winners],
    turning_points: [...told.turning_points],
  };
}

/** A verdict on a decision of which nothing is known. */
function unknown({ seat, turn, choices }: Asked): Uint8Array {
  const verdict = new Uint8Array(VERDICT.size);
  const data = new DataView(verdict.buffer);
  data.setInt32(VERDICT.fields.seat[1], seat, true);
  data.setInt32(VERDICT.fields.turn[1], turn, true);
  data.setInt32(VERDICT.fields.choices[1], choices, true);
  return verdict;
}

/** The decisions that the first curve is made of: of each seat some, over the whole game. */
function sampled(decisions: readonly Asked[]): Set<number> {
  const found = new Set<number>();
  const seats = new Set(decisions.map(({ seat }) => seat));
  for (const seat of seats) {
    const own = decisions.flatMap((one, ply) => (one.seat === seat && one.choices > 1 ? [ply] : []));
    const step = Math.max(1, Math.ceil(own.length / GLANCES));
    for (let i = 0; i < own.length; i += step) found.add(own[i] as number);
  }
  return found;
}
