// Starts analyses in this page. It is imported when the first one is wanted.

import { fetchFrom, Library } from "../local/library.ts";
import { fileUrl } from "../net/place.ts";
import { Comparison } from "./comparison.ts";
import { thisMachine, workersFor } from "./cores.ts";
import type { ToWorker } from "./jobs.ts";
import { Pool } from "./pool.ts";
import type { Analysis, Position, Wanted } from "./types.ts";

let pool: Pool | null = null;
let library: Library | null = null;

async function startWorker(): Promise<Worker> {
  const data = fileUrl("data/");
  library ??= new Library(fetchFrom(data));
  const module = await library.module();
  const worker = new Worker(new URL("./analysis-worker.ts", import.meta.url), { type: "module" });
  worker.postMessage({ kind: "start", module, data } satisfies ToWorker);
  return worker;
}

/** The workers that all analyses of the page share. */
export const sharedPool = (): Pool => (pool ??= new Pool(startWorker, workersFor(thisMachine())));

/** Compare the moves of a position, until it is precise enough or closed. All analyses share the workers of the page. */
export function analyse(position: Position, wanted: Wanted): Analysis {
  const shared = sharedPool();
  const comparison = new Comparison(position, wanted, (one) => shared.remove(one));
  shared.add(comparison);
  return comparison;
}
