import { beforeEach, expect, test, vi } from "vitest";

import type { Question } from "./bots.ts";
import { BotWorker, type FromBots, type ToBots } from "./thinkers.ts";

class FakeWorker {
  onmessage: (event: { data: FromBots }) => void = () => undefined;
  onerror: (event: { message: string; preventDefault: () => void }) => void = () => undefined;
  asked: ToBots[] = [];
  ended = false;

  postMessage(message: ToBots): void {
    this.asked.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  answer(action: number): void {
    const last = this.asked.at(-1);
    if (last?.kind === "question") this.onmessage({ data: { kind: "answer", id: last.id, action } });
  }
}

const question = { bot: "planner", seat: 0 } as Question;
let workers: FakeWorker[];
let bots: BotWorker;
const notice = vi.fn();

function newest(): FakeWorker {
  const last = workers.at(-1);
  if (!last) throw new Error("no worker was started");
  return last;
}

beforeEach(() => {
  workers = [];
  bots = new BotWorker(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return Promise.resolve(worker as unknown as Worker);
  }, notice);
});

const asked = (number: number): Promise<void> =>
  vi.waitFor(() => expect(newest().asked).toHaveLength(number));

test("questions are asked one after the other", async () => {
  const signal = new AbortController().signal;
  const [one, two] = [bots.choose(question, signal), bots.choose(question, signal)];
  await asked(1);
  newest().answer(7);
  expect(await one).toBe(7);
  await asked(2);
  newest().answer(8);
  expect(await two).toBe(8);
  expect(workers).toHaveLength(1);
});

test("a worker that crashes is replaced", async () => {
  const signal = new AbortController().signal;
  const lost = bots.choose(question, signal);
  await asked(1);
  newest().onerror({ message: "crash", preventDefault: () => undefined });
  await expect(lost).rejects.toThrow("crash");
  expect(workers[0]?.ended).toBe(true);
  const next = bots.choose(question, signal);
  await vi.waitFor(() => expect(workers).toHaveLength(2));
  await asked(1);
  newest().answer(3);
  expect(await next).toBe(3);
});

test("a thought that is no longer wanted ends with its worker", async () => {
  const gone = new AbortController();
  const thought = bots.choose(question, gone.signal);
  const next = bots.choose(question, gone.signal);
  await asked(1);
  gone.abort();
  await expect(thought).rejects.toThrow();
  await expect(next).rejects.toThrow();
  expect(newest().ended).toBe(true);
  expect(newest().asked).toHaveLength(1);
});

test("a worker without an answer for long is ended, unless it waits for a network", async () => {
  vi.useFakeTimers();
  const lost = bots.choose(question, new AbortController().signal);
  lost.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(20_000);
  newest().onmessage({
    data: { kind: "notice", notice: { kind: "loading", bot: "learned", done: 1, bytes: 2 } },
  });
  expect(notice).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(newest().ended).toBe(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(newest().ended).toBe(true);
  await expect(lost).rejects.toThrow("no answer");
  vi.useRealTimers();
});
