// The worker in which the bots of the local tables think, as the host sees it.

import type { Question, Thinkers } from "./bots.ts";
import type { Notice } from "./messages.ts";

/** The host to the worker of the bots. */
export type ToBots =
  | { kind: "start"; module: WebAssembly.Module; data: string }
  | { kind: "question"; id: number; question: Question };

/** The worker of the bots to the host. */
export type FromBots =
  | { kind: "answer"; id: number; action: number }
  | { kind: "failed"; id: number; message: string }
  | { kind: "notice"; notice: Notice };

// After which a worker that says nothing is ended; the longest level thinks for 2.5 seconds.
const SILENCE_MS = 30_000;

interface Waiting {
  id: number;
  resolve: (action: number) => void;
  reject: (problem: Error) => void;
}

/** Asks one question after the other. A worker that crashes, or whose answer is no longer wanted, is ended;
 * the next question starts another. */
export class BotWorker implements Thinkers {
  #worker: Worker | null = null;
  #waiting: Waiting | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly start: () => Promise<Worker>,
    readonly onNotice: (notice: Notice) => void,
  ) {}

  choose(question: Question, signal: AbortSignal): Promise<number> {
    const answer = this.#queue.then(() => this.#ask(question, signal));
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  async #ask(question: Question, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    const worker = await this.#running();
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const stop = (): void => this.#end("the answer is no longer wanted");
    signal.addEventListener("abort", stop);
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#waiting = { id, resolve, reject };
        this.#watch();
        worker.postMessage({ kind: "question", id, question } satisfies ToBots);
      });
    } finally {
      signal.removeEventListener("abort", stop);
      clearTimeout(this.#timer);
      this.#waiting = null;
    }
  }

  async #running(): Promise<Worker> {
    if (this.#worker) return this.#worker;
    const worker = await this.start();
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<FromBots>) => this.#hear(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#end(event.message);
    };
    return worker;
  }

  #hear(message: FromBots): void {
    if (message.kind === "notice") {
      this.#watch(); // it is alive, and waits for the network
      return this.onNotice(message.notice);
    }
    if (message.id !== this.#waiting?.id) return;
    if (message.kind === "answer") this.#waiting.resolve(message.action);
    else this.#waiting.reject(new Error(message.message));
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end("no answer"), SILENCE_MS);
  }

  #end(why: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting?.reject(new Error(why));
  }
}
