// The entry of a worker of the analyses.

import { Kernel } from "../local/kernel.ts";
import { fetchFrom, Library } from "../local/library.ts";
import { Refusal } from "../net/refusal.ts";
import { figuresOf, standOf } from "./advice.ts";
import { Comparer, type Place } from "./compare.ts";
import type { Found, FromWorker, Job, ToWorker } from "./jobs.ts";
import { judge } from "./judging.ts";
import { replayForReview, tellStory } from "./telling.ts";

const tell = (message: FromWorker): void => postMessage(message);

let library: Library;
/** A kernel keeps the tables that it has met, so each board has its own. */
let ready: { edition: string; comparer: Comparer } | null = null;

async function comparerFor(edition: string): Promise<Comparer> {
  if (ready?.edition !== edition)
    ready = { edition, comparer: new Comparer(await Kernel.load(await library.module())) };
  return ready.comparer;
}

async function find(job: Job): Promise<Found> {
  const { edition: name, fingerprint, seats, view } = job.position;
  const [comparer, edition] = await Promise.all([comparerFor(name), library.editionFor(name, seats)]);
  if (edition.map.fingerprint !== fingerprint)
    throw new Refusal("old-game", "The position is one of another map.");
  const place: Place = { edition, table: edition.table(seats), view };
  switch (job.kind) {
    case "begin":
      return {
        kind: "begin",
        lines: comparer.list(place, job.kept, job.only),
        stand: standOf(comparer.kernel, place),
      };
    case "try": {
      const began = performance.now();
      const tried = comparer.try(place, job.actions, job.seed, job.start, job.count);
      if (!tried) throw new Refusal("bad-value", "No state of the game gives this view.");
      return { kind: "try", ...tried, milliseconds: performance.now() - began };
    }
    case "rank": {
      const lines = comparer.rank(place, job.lines, job.facts, job.outcomes);
      return { kind: "rank", lines, figures: figuresOf(comparer, place, lines, job.most) };
    }
    case "replay":
      return replayForReview(comparer.kernel, place, job.log);
    case "judge":
      return judge(comparer, place, job);
    case "tell":
      return tellStory(comparer.kernel, place, job);
  }
}

async function hear(message: ToWorker): Promise<void> {
  if (message.kind === "start") {
    library = new Library(fetchFrom(message.data), message.module);
    return;
  }
  const { id, job } = message;
  try {
    tell({ kind: "found", id, found: await find(job) });
  } catch (problem) {
    ready = null; // a trap leaves the kernel's memory as it was then
    const code = problem instanceof Refusal ? problem.code : null;
    tell({ kind: "failed", id, code, message: String(problem) });
  }
}

addEventListener("message", (event: MessageEvent<ToWorker>) => void hear(event.data));
