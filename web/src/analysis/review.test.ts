import { beforeEach, expect, test, vi } from "vitest";

import { VERDICT } from "../net/records.ts";
import type { GameLog, Judged } from "../net/wire.ts";
import type { Found, Job } from "./jobs.ts";
import type { KeptDecision } from "./kept-reviews.ts";
import type { Pool } from "./pool.ts";
import { GameReviewer, type Stage } from "./review.ts";
import type { Asked, Judge, Judgement, Replayed, Told } from "./review-jobs.ts";

const kept = vi.hoisted(() => new Map<string, KeptDecision[]>());
vi.mock("./kept-reviews.ts", () => ({
  keptReview: (id: string) => Promise.resolve(kept.get(id) ?? null),
  keepReview: (id: string, decisions: KeptDecision[]) => Promise.resolve(void kept.set(id, decisions)),
}));

const LOG = { edition: "tiny", fingerprint: "f", seats: 2, first: 0, log: [] } as unknown as GameLog;
const PLIES = 4; // the last one has no choice
const TOLD: Told = { kind: "tell", curve: [[0.5, 0.5]], seats: [], turning_points: [] };

const askedOf = (ply: number): Asked => ({
  seat: ply % 2,
  played: 1,
  version: 3 + ply,
  turn: 1,
  phase: "opening",
  choices: ply === PLIES - 1 ? 1 : 2,
  promise: 0.5,
  view: new Uint8Array(),
});
const REPLAYED: Replayed = {
  kind: "replay",
  decisions: Array.from({ length: PLIES }, (_, ply) => askedOf(ply)),
  turns: 9,
  awards: [1, 0],
  winners: [0],
  seats: [],
};

/** What a worker would find; nothing is left to do for a decision that was judged with one chunk. */
function found(job: Job): Found {
  if (job.kind === "replay") return REPLAYED;
  if (job.kind === "tell") return TOLD;
  const { ply, effort } = job as Judge;
  const work = { verdict: new Uint8Array(VERDICT.size).fill(1), search: null, pair: null, best: 1 };
  const judged = effort ? ({ ply } as Judged) : null;
  return { kind: "judge", work, done: true, urgency: 0, matters: false, judged } satisfies Judgement;
}

let stages: Stage[];
let judged: number[];
/** efforts by decision, as they were asked for */
let asked: Record<number, number[]>;
const pool = { add: vi.fn(), remove: vi.fn() };

beforeEach(() => {
  kept.clear();
  [stages, judged, asked] = [[], [], {}];
  vi.clearAllMocks();
});

function review(): GameReviewer {
  const onreview = (told: { judged: Judged[] } | null, _: readonly number[], stage: Stage): void => {
    stages.push(stage);
    judged = told?.judged.map(({ ply }) => ply) ?? [];
  };
  const wanted = { names: ["Ana", "Ben"], onreview, onproblem: vi.fn() };
  return new GameReviewer("t", LOG, wanted, pool as unknown as Pool);
}

/** Do its jobs, as long as there are some; the workers fail at some decisions. Returns the last verdicts. */
async function work(
  reviewer: GameReviewer,
  failing: (job: Judge) => boolean = () => false,
): Promise<Uint8Array> {
  let verdicts = new Uint8Array();
  for (let job = reviewer.next(); job; job = reviewer.next()) {
    if (job.kind === "tell") verdicts = job.verdicts as Uint8Array<ArrayBuffer>;
    if (job.kind === "judge") (asked[job.ply] ??= []).push(job.effort);
    if (job.kind === "judge" && failing(job)) reviewer.lose(job);
    else reviewer.take(job, found(job));
    if (job.kind === "replay") await vi.waitFor(() => expect(pool.add).toHaveBeenCalledTimes(2));
  }
  return verdicts;
}

const last = (): Stage | undefined => stages.at(-1);

test("all decisions are looked at, first glanced at", async () => {
  const reviewer = review();
  await work(reviewer);
  expect(last()).toEqual({ done: 3, total: 3, skipped: 0, improving: false });
  expect(judged).toEqual([0, 1, 2]);
  expect(asked[0]).toEqual([0, 1, 2, 4]);
  expect(asked[3]).toBeUndefined();
  expect(reviewer.finished).toBe(true);
});

test("what is begun is finished first, however little it matters then", async () => {
  const reviewer = review();
  const order: number[] = [];
  for (let job = reviewer.next(); job && order.length < 6; job = reviewer.next()) {
    const answer = found(job);
    if (job.kind === "judge" && job.effort > 0 && answer.kind === "judge") {
      order.push(job.ply);
      reviewer.take(job, { ...answer, done: order.filter((ply) => ply === job.ply).length === 2 });
    } else reviewer.take(job, answer);
    if (job.kind === "replay") await vi.waitFor(() => expect(pool.add).toHaveBeenCalledTimes(2));
  }
  expect(order).toEqual([0, 0, 1, 1, 2, 2]);
});

test("a decision at which workers fail is left out, and said to be", async () => {
  const reviewer = review();
  const verdicts = await work(reviewer, ({ ply, effort }) => ply === 1 && effort > 0);
  expect(last()).toEqual({ done: 2, total: 3, skipped: 1, improving: false });
  expect(judged).toEqual([0, 2]);
  expect(asked[1]).toEqual([0, 1, 1]);
  // The first look at it counts for the curve, and for nothing else: it has no judgement.
  expect(verdicts[VERDICT.size]).toBe(1);
  expect(reviewer.finished).toBe(true);
});

test("a decision of which nothing is known has no figures", async () => {
  const verdicts = await work(review(), ({ ply }) => ply === 1);
  const data = new DataView(verdicts.buffer, VERDICT.size, VERDICT.size);
  const number = (name: "seat" | "choices" | "searched" | "measured" | "glanced"): number =>
    data.getInt32(VERDICT.fields[name][1], true);
  expect([number("seat"), number("choices")]).toEqual([1, 2]);
  expect([number("searched"), number("measured"), number("glanced")]).toEqual([0, 0, 0]);
});

test("what was found before workers failed is kept", async () => {
  await work(review(), ({ ply, effort }) => ply === 1 && effort > 1);
  expect(last()).toEqual({ done: 3, total: 3, skipped: 0, improving: false });
  expect(asked[1]).toEqual([0, 1, 2, 2]);
});

test("one failure is no reason to give up", async () => {
  let failures = 0;
  await work(review(), () => failures++ === 0);
  expect(last()).toEqual({ done: 3, total: 3, skipped: 0, improving: false });
});

test("it ends when it is closed, and goes on from there, also with what was left out", async () => {
  const before = review();
  await work(before, ({ ply }) => ply === 1);
  before.close();
  expect(pool.remove).toHaveBeenCalledWith(before);
  expect(before.next()).toBeNull();
  asked = {};
  pool.add.mockClear();
  await work(review());
  expect(asked).toEqual({ 1: [0, 1, 2, 4] });
  expect(last()).toEqual({ done: 3, total: 3, skipped: 0, improving: false });
});
