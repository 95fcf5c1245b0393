import { beforeEach, expect, test, vi } from "vitest";

import { Refusal } from "../net/refusal.ts";
import type { Found, FromWorker, Job, ToWorker } from "./jobs.ts";
import { type Client, Pool } from "./pool.ts";

class FakeWorker {
  onmessage: (event: { data: FromWorker }) => void = () => undefined;
  onerror: (event: { preventDefault: () => void }) => void = () => undefined;
  asked: (ToWorker & { kind: "job" })[] = [];
  ended = false;

  postMessage(message: ToWorker & { kind: "job" }): void {
    this.asked.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  get job(): Job | undefined {
    return this.asked.at(-1)?.job;
  }

  answer(): void {
    this.onmessage({ data: { kind: "found", id: this.asked.at(-1)?.id ?? 0, found: {} as Found } });
  }

  crash(): void {
    this.onerror({ preventDefault: () => undefined });
  }
}

/** Has a number of jobs. */
class Worklist implements Client {
  finished = false;
  readonly done: Job[] = [];
  readonly lost: Job[] = [];
  readonly refused: Refusal[] = [];
  readonly #jobs: Job[];

  constructor(
    readonly name: string,
    count: number,
    readonly priority = 0,
    readonly tries = 0,
  ) {
    this.#jobs = Array.from({ length: count }, (_, i) => ({ title: `${name}${i}` }) as unknown as Job);
  }

  next = (): Job | null => this.#jobs.shift() ?? null;

  take(job: Job): void {
    this.done.push(job);
  }

  lose(job: Job): void {
    this.lost.push(job);
    this.#jobs.unshift(job);
  }

  refuse(problem: Refusal): void {
    this.refused.push(problem);
    this.finished = true;
  }
}

let workers: FakeWorker[];
let start: () => Promise<Worker>;

beforeEach(() => {
  workers = [];
  start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return Promise.resolve(worker as unknown as Worker);
  };
});

const running = (): FakeWorker[] => workers.filter(({ ended }) => !ended);
const titles = (): string[] =>
  running().flatMap(({ job }) => (job ? [(job as unknown as { title: string }).title] : []));
/** Until all workers have started. */
const started = (count: number): Promise<void> =>
  vi.waitFor(() => expect(workers.filter(({ job }) => job)).toHaveLength(count));

test("jobs are shared among the workers, those of the lowest priority and the fewest tries first", async () => {
  const pool = new Pool(start, 2);
  pool.add(new Worklist("later", 2, 1));
  pool.add(new Worklist("known", 2, 0, 16));
  pool.add(new Worklist("new", 2, 0, 4));
  await started(2);
  expect(titles()).toEqual(["new0", "new1"]);
  workers[0]?.answer();
  expect(titles()).toEqual(["known0", "new1"]);
  workers[1]?.answer();
  workers[1]?.answer();
  expect(titles()).toEqual(["known0", "later0"]);
});

test("a client that is removed has its workers ended at once, and the last one all of them", async () => {
  const pool = new Pool(start, 2);
  const [one, two] = [new Worklist("one", 1), new Worklist("two", 5, 1)];
  pool.add(one);
  pool.add(two);
  await started(2);
  pool.remove(one);
  expect(workers.slice(0, 2).map(({ ended }) => ended)).toEqual([true, false]);
  await started(3); // another one goes on with what is left
  expect(titles()).toEqual(["two0", "two1"]);
  pool.remove(two);
  expect(running()).toEqual([]);
});

test("workers are ended when nothing is left to do", async () => {
  const pool = new Pool(start, 1);
  const only = new Worklist("only", 1);
  pool.add(only);
  await started(1);
  only.finished = true;
  workers[0]?.answer();
  expect(only.done).toHaveLength(1);
  expect(running()).toEqual([]);
});

test("a worker that starts when it is no longer wanted is ended", async () => {
  let go = (): void => undefined;
  const pool = new Pool(async () => {
    await new Promise<void>((resolve) => (go = resolve));
    return start();
  }, 1);
  const client = new Worklist("x", 1);
  pool.add(client);
  pool.remove(client);
  go();
  await vi.waitFor(() => expect(workers).toHaveLength(1));
  await vi.waitFor(() => expect(running()).toEqual([]));
  expect(workers[0]?.asked).toEqual([]);
});

test("after a crash another worker does the job again", async () => {
  const pool = new Pool(start, 1);
  const client = new Worklist("x", 2);
  pool.add(client);
  await started(1);
  workers[0]?.crash();
  await started(2);
  expect([client.lost.length, titles()]).toEqual([1, ["x0"]]);
  workers[0]?.answer(); // too late
  expect(client.done).toEqual([]);
  workers[1]?.answer();
  expect([client.done.length, titles()]).toEqual([1, ["x1"]]);
});

test("a worker that says nothing is replaced", async () => {
  vi.useFakeTimers();
  const pool = new Pool(start, 1);
  const client = new Worklist("x", 1);
  pool.add(client);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(running()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([workers.length, running().length, client.lost.length]).toEqual([2, 1, 1]);
  vi.useRealTimers();
});

test("workers that slept with the page are not replaced", async () => {
  vi.useFakeTimers();
  const pool = new Pool(start, 2);
  pool.add(new Worklist("x", 2));
  await vi.advanceTimersByTimeAsync(25_000);
  vi.advanceTimersToNextTimer(); // late by however much: after a sleep each is called once
  vi.advanceTimersToNextTimer();
  expect([workers.length, running().length]).toEqual([2, 2]);
  vi.useRealTimers();
});

test("workers that never work are not started for ever", async () => {
  const pool = new Pool(async () => {
    const worker = await start();
    const mine = workers.at(-1);
    setTimeout(() => mine?.crash());
    return worker;
  }, 2);
  const client = new Worklist("x", 1);
  pool.add(client);
  await vi.waitFor(() => expect(client.refused).toHaveLength(1));
  expect(client.refused[0]?.code).toBe("failed");
  expect(workers.length).toBeLessThan(20);
});

test("where no worker can start, every client hears why", async () => {
  const pool = new Pool(() => Promise.reject(new Refusal("old-page", "reload")), 3);
  const [one, two] = [new Worklist("one", 1), new Worklist("two", 1)];
  pool.add(one);
  pool.add(two);
  await vi.waitFor(() => expect(two.refused).not.toEqual([]));
  expect([one, two].map(({ refused }) => refused.map(({ code }) => code))).toEqual([
    ["old-page"],
    ["old-page"],
  ]);
});

test("a job that every worker would refuse is not repeated", async () => {
  const pool = new Pool(start, 1);
  const client = new Worklist("x", 2);
  pool.add(client);
  await started(1);
  workers[0]?.onmessage({ data: { kind: "failed", id: 1, code: "old-game", message: "another map" } });
  expect(client.refused.map(({ code }) => code)).toEqual(["old-game"]);
  expect(client.lost).toEqual([]);
});
