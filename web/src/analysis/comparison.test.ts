import { beforeEach, expect, test, vi } from "vitest";

import { NO_RESULT, SEATS } from "../local/codes.ts";
import { LINE } from "../net/records.ts";
import { Comparison } from "./comparison.ts";
import type { Found, Job, Rank, Ranked, Stand, Try } from "./jobs.ts";
import type { Position, Progress, Wanted } from "./types.ts";

const POSITION: Position = { edition: "tiny", fingerprint: "f", seats: 2, view: new Uint8Array(528) };
const ACTIONS = [7, 3, 9];

function linesOf(actions: readonly number[]): Uint8Array {
  const lines = new Uint8Array(actions.length * LINE.size);
  const data = new DataView(lines.buffer);
  for (const [i, action] of actions.entries())
    data.setInt32(i * LINE.size + LINE.fields.action[1], action, true);
  return lines;
}

/** What a worker would find: the points of a try are its number. */
function found(job: Job, { dropped = [] as number[], doubt = 0.1 } = {}): Found {
  if (job.kind === "begin") return { kind: "begin", lines: linesOf(ACTIONS), stand: { seat: 0 } as Stand };
  if (job.kind === "try") {
    const results = new Float32Array(job.moves.length * job.count * SEATS);
    for (let i = 0; i < results.length; i += 1) results[i] = job.start + (Math.floor(i / SEATS) % job.count);
    const facts = new Uint8Array(job.moves.length * LINE.size);
    return { kind: "try", facts, results, milliseconds: 1 };
  }
  if (job.kind !== "rank") throw new Error(`not a job of a comparison: ${job.kind}`);
  const lines = job.lines.slice();
  const data = new DataView(lines.buffer);
  for (let i = 0; i < ACTIONS.length; i += 1) {
    const at = i * LINE.size;
    const each = job.outcomes.length / ACTIONS.length;
    const made = job.outcomes.subarray(i * each, (i + 1) * each).filter((points) => points !== NO_RESULT);
    const { tries, dropped: drop, rank, doubt: of } = LINE.fields;
    data.setInt32(at + tries[1], made.length / SEATS, true);
    data.setInt32(at + drop[1], Number(dropped.includes(i)), true);
    data.setInt32(at + rank[1], i, true);
    data.setFloat64(at + of[1], doubt, true);
  }
  return { kind: "rank", lines, figures: { tries: 1 } as unknown as Ranked["figures"] };
}

let time: number;
let closed: number;
const onadvice = vi.fn<Wanted["onadvice"]>();
const onproblem = vi.fn();

beforeEach(() => {
  time = 0;
  closed = 0;
  vi.clearAllMocks();
});

const compare = (wanted: Partial<Wanted> = {}): Comparison =>
  new Comparison(
    POSITION,
    { onadvice, onproblem, ...wanted },
    () => (closed += 1),
    () => time,
  );

function nextOf<Kind extends Job["kind"]>(
  comparison: Comparison,
  kind: Kind,
  workers = 1,
): Extract<Job, { kind: Kind }> {
  const job = comparison.next(workers);
  expect(job?.kind).toBe(kind);
  return job as Extract<Job, { kind: Kind }>;
}

/** Do the next job. */
function work(comparison: Comparison, kind: Job["kind"], told?: Parameters<typeof found>[1]): Job {
  const job = nextOf(comparison, kind);
  comparison.take(job, found(job, told));
  return job;
}

test("the moves are found, tried a few times, and ranked at once", () => {
  const comparison = compare({ kept: [3], seed: 5 });
  expect(work(comparison, "begin")).toMatchObject({ kept: [3] });
  const tries = work(comparison, "try");
  expect(tries).toMatchObject({ moves: [0, 1, 2], actions: ACTIONS, seed: 5, start: 0, count: 4 });
  const rank = work(comparison, "rank") as Rank;
  expect(rank.outcomes).toHaveLength(3 * 4 * SEATS);
  expect([...rank.outcomes.filter((_, i) => i % SEATS === 0)]).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  expect(onadvice).toHaveBeenCalledOnce();
  expect(onadvice.mock.calls[0]?.[0]).toMatchObject({ seat: 0, tries: 1 });
  expect(comparison.tries).toBe(4);
});

test("the first tries are shared among all workers", () => {
  const comparison = compare();
  work(comparison, "begin");
  const jobs = Array.from({ length: 3 }, () => nextOf(comparison, "try", 3));
  expect(jobs.map(({ moves, start }) => [...moves, start])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  comparison.take(jobs[2] as Try, found(jobs[2] as Try));
  expect(nextOf(comparison, "try", 3)).toMatchObject({ start: 4, count: 12 }); // nothing to rank yet
});

test("figures come a few times a second, and tries go on meanwhile", () => {
  const comparison = compare();
  work(comparison, "begin");
  work(comparison, "try");
  const rank = nextOf(comparison, "rank");
  work(comparison, "try");
  work(comparison, "try");
  comparison.take(rank, found(rank));
  work(comparison, "try");
  time = 300;
  expect((work(comparison, "rank") as Rank).facts).toHaveLength(3);
  expect(comparison.next(1)?.kind).toBe("try");
});

test("later tries wait for those before them", () => {
  const comparison = compare();
  work(comparison, "begin");
  work(comparison, "try");
  work(comparison, "rank");
  const [early, late] = [nextOf(comparison, "try"), nextOf(comparison, "try")];
  expect([early.start, late.start]).toEqual([4, 16]);
  comparison.take(late, found(late));
  time = 300;
  const third = nextOf(comparison, "try"); // there is nothing new to rank
  comparison.take(early, found(early));
  expect(nextOf(comparison, "rank").facts).toHaveLength(2);
  expect(third.start).toBe(32);
});

test("a dropped move is tried no more, and makes up for its tries when it is taken up again", () => {
  const comparison = compare();
  work(comparison, "begin");
  work(comparison, "try");
  work(comparison, "rank", { dropped: [1] });
  expect(work(comparison, "try")).toMatchObject({ moves: [0, 2], start: 4 });
  time = 300;
  const rank = work(comparison, "rank") as Rank;
  expect(rank.outcomes[(1 * 16 + 4) * SEATS]).toBe(NO_RESULT);
  expect(work(comparison, "try")).toMatchObject({ moves: [1], start: 4, count: 12 });
  expect(work(comparison, "try")).toMatchObject({ moves: [0, 1, 2], start: 16, count: 16 });
});

test("it ends when there were enough tries", () => {
  const comparison = compare({ enough: { tries: 10 } });
  work(comparison, "begin");
  work(comparison, "try");
  work(comparison, "rank");
  expect(work(comparison, "try")).toMatchObject({ start: 4, count: 6 });
  expect(nextOf(comparison, "rank")).toBeDefined(); // at once: there is nothing else to do
  expect(comparison.next(1)).toBeNull();
});

test("it ends when no doubt is left", () => {
  const comparison = compare({ enough: { doubt: 0.05 } });
  work(comparison, "begin");
  work(comparison, "try");
  work(comparison, "rank", { doubt: 0.01 });
  for (let tries = 16; tries <= 64; tries += 16) {
    expect(comparison.finished).toBe(false);
    work(comparison, "try");
    time += 300;
    work(comparison, "rank", { doubt: 0.01 });
  }
  expect([comparison.finished, onadvice.mock.lastCall?.[2]]).toEqual([true, true]);
});

test("it goes on from what was found before", () => {
  const before: Progress = {
    tries: [20, 16, 20],
    lines: linesOf(ACTIONS),
    outcomes: new Float32Array(3 * 20 * SEATS).fill(2),
  };
  const comparison = compare({ from: before });
  work(comparison, "begin");
  expect((work(comparison, "rank") as Rank).outcomes).toHaveLength(3 * 20 * SEATS);
  expect(onadvice).toHaveBeenCalledOnce();
  expect(work(comparison, "try")).toMatchObject({ moves: [1], start: 16, count: 16 });
});

test("a job that is lost is done again, but not for ever", () => {
  const comparison = compare();
  const begin = nextOf(comparison, "begin");
  comparison.lose(begin);
  expect(comparison.next(1)).toBe(begin);
  comparison.lose(begin);
  expect(comparison.next(1)).toBe(begin);
  comparison.lose(begin);
  expect(onproblem).toHaveBeenCalledOnce();
  expect([comparison.finished, closed, comparison.next(1)]).toEqual([true, 1, null]);
});

test("when it is closed nothing more is told", () => {
  const comparison = compare();
  work(comparison, "begin");
  work(comparison, "try");
  const rank = nextOf(comparison, "rank");
  comparison.close();
  comparison.take(rank, found(rank));
  expect([onadvice.mock.calls.length, comparison.next(1), closed]).toEqual([0, null, 1]);
});
