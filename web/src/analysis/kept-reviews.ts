// The reviews of this browser: what was found of each decision, in IndexedDB. Without storage nothing is kept.

import { SOURCES } from "../local/codes.ts";
import type { Judged } from "../net/wire.ts";

/** What is kept of a decision. */
export interface KeptDecision {
  stage: number;
  /** record "verdict" */
  verdict: Uint8Array | null;
  judged: Judged | null;
  urgency: number;
  matters: boolean;
}

interface Kept {
  id: string;
  /** of the kernel that found it */
  sources: string;
  at: number;
  decisions: KeptDecision[];
}

const NAME = "macaz-reviews";
const VERSION = 1;
const STORE = "reviews";
const MOST = 30; // reviews; the oldest is forgotten

/** Do something with the reviews. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (reviews: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" });
  const database = await answer(opening);
  try {
    return await act(database.transaction(STORE, mode).objectStore(STORE));
  } finally {
    database.close();
  }
}

function answer<Result>(asked: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the database gave no answer"));
  });
}

/** What was found of a game with so many decisions; null: nothing, or by another version of the kernel. */
export async function keptReview(id: string, plies: number): Promise<KeptDecision[] | null> {
  try {
    const asked = await inStore("readonly", (reviews) => answer<unknown>(reviews.get(id)));
    const kept = asked as Kept | undefined;
    return kept?.sources === SOURCES && kept.decisions.length === plies ? kept.decisions : null;
  } catch {
    return null;
  }
}

export async function keepReview(id: string, decisions: KeptDecision[]): Promise<void> {
  try {
    await inStore("readwrite", async (reviews) => {
      await answer(reviews.put({ id, sources: SOURCES, at: Date.now(), decisions } satisfies Kept));
      if ((await answer(reviews.count())) <= MOST) return; // they are large: all are read when one is too many
      const all = (await answer(reviews.getAll())) as Kept[];
      const oldest = all.sort((a, b) => b.at - a.at).slice(MOST);
      for (const one of oldest) reviews.delete(one.id);
    });
  } catch {
    // Storage is refused or full: the review is made again the next time.
  }
}
