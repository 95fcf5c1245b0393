// The workers of all analyses of a page: as many as it may have, while there is something to do.

import { Refusal } from "../net/refusal.ts";
import type { Found, FromWorker, Job, ToWorker } from "./jobs.ts";

/** Something that has jobs to do. */
export interface Client {
  /** the lowest comes first; among equals, the one with the fewest tries */
  readonly priority: number;
  readonly tries: number;
  /** it has no further jobs */
  readonly finished: boolean;
  /** A job that can be done now, where so many workers share the work; null while it waits for others. */
  next(workers: number): Job | null;
  take(job: Job, found: Found): void;
  /** A worker failed while it did this job. */
  lose(job: Job): void;
  /** Nothing of this can be done. */
  refuse(problem: Refusal): void;
}

interface Task {
  id: number;
  client: Client;
  job: Job;
}

/** A worker, or its start. */
interface Place {
  worker: Worker | null;
  task: Task | null;
  timer: ReturnType<typeof setInterval> | undefined;
  /** how often it was found to be silent since it has its task */
  silent: number;
}

// A worker that does not answer for a minute is ended. A page that slept is told of one interval only, however long it
// slept, and its workers slept as well.
const SILENCE_MS = 10_000;
const SILENCES = 6;
const FAILURES = 8; // of workers one after the other, after which no more are started

export class Pool {
  readonly #clients = new Set<Client>();
  #places: Place[] = [];
  #lastId = 0;
  #failures = 0; // since a job was done

  /** `start` starts a worker; rejects with a `Refusal` where that cannot be. */
  constructor(
    readonly start: () => Promise<Worker>,
    readonly size: number,
  ) {}

  add(client: Client): void {
    this.#clients.add(client);
    this.#goOn();
  }

  /** End what is done for a client at once; without clients all workers are ended. */
  remove(client: Client): void {
    this.#clients.delete(client);
    for (const place of this.#places) if (place.task?.client === client) this.#end(place);
    this.#goOn();
  }

  #goOn(): void {
    if (![...this.#clients].some(({ finished }) => !finished)) {
      for (const place of this.#places) this.#end(place);
      return;
    }
    while (this.#places.length < this.size) this.#open();
    for (const place of this.#places) if (place.worker && !place.task) this.#give(place, place.worker);
  }

  #open(): void {
    const place: Place = { worker: null, task: null, timer: undefined, silent: 0 };
    this.#places.push(place);
    this.start().then(
      (worker) => {
        if (!this.#places.includes(place)) return worker.terminate(); // no longer wanted
        place.worker = worker;
        worker.onmessage = (event: MessageEvent<FromWorker>) => this.#hear(place, event.data);
        worker.onerror = (event) => {
          event.preventDefault();
          this.#fail(place);
        };
        this.#goOn();
      },
      (problem: unknown) => {
        if (!this.#places.includes(place)) return;
        this.#end(place);
        this.#refuseAll(problem instanceof Refusal ? problem : new Refusal("failed", String(problem)));
      },
    );
  }

  #give(place: Place, worker: Worker): void {
    const ordered = [...this.#clients].sort((a, b) => a.priority - b.priority || a.tries - b.tries);
    for (const client of ordered) {
      const job = client.next(this.size);
      if (!job) continue;
      place.task = { id: ++this.#lastId, client, job };
      place.silent = 0;
      place.timer = setInterval(() => {
        place.silent += 1;
        if (place.silent === SILENCES) this.#fail(place);
      }, SILENCE_MS);
      worker.postMessage({ kind: "job", id: place.task.id, job } satisfies ToWorker);
      return;
    }
  }

  #hear(place: Place, message: FromWorker): void {
    const { task } = place;
    if (message.id !== task?.id) return;
    if (message.kind === "failed" && message.code === null) return this.#fail(place);
    clearInterval(place.timer);
    place.task = null;
    this.#failures = 0;
    if (message.kind === "found") task.client.take(task.job, message.found);
    else if (message.code !== null) {
      this.#clients.delete(task.client);
      task.client.refuse(new Refusal(message.code, message.message));
    }
    this.#goOn();
  }

  /** A worker crashed, or does not answer: another one begins its job again. */
  #fail(place: Place): void {
    const { task } = place;
    if (!this.#places.includes(place)) return;
    this.#end(place);
    this.#failures += 1;
    if (task) task.client.lose(task.job);
    if (this.#failures >= FAILURES) this.#refuseAll(new Refusal("failed", "The workers fail."));
    this.#goOn();
  }

  #end(place: Place): void {
    clearInterval(place.timer);
    place.worker?.terminate();
    place.task = null;
    this.#places = this.#places.filter((one) => one !== place);
  }

  #refuseAll(problem: Refusal): void {
    this.#failures = 0;
    const all = [...this.#clients];
    this.#clients.clear();
    for (const client of all) client.refuse(problem);
  }
}
