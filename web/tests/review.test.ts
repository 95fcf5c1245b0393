// Reviews in this engine's WebAssembly; tests/help/test_browser_review.py writes what Python finds.

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { Comparer } from "../src/analysis/compare.ts";
import { judge } from "../src/analysis/judging.ts";
import { reviewOf } from "../src/analysis/review.ts";
import type { Judgement } from "../src/analysis/review-jobs.ts";
import { seedOf } from "../src/analysis/seeds.ts";
import { replayForReview, tellStory } from "../src/analysis/telling.ts";
import { EditionData } from "../src/local/edition.ts";
import { Kernel } from "../src/local/kernel.ts";
import { VERDICT } from "../src/net/records.ts";
import type { GameLog, MapFile, Review } from "../src/net/wire.ts";

interface Scene {
  title: string;
  /** files */
  map: string;
  table: string;
  log: GameLog;
  names: string[];
  /** stages of the review, in chunks of tries */
  efforts: number[];
  review: Review;
}

const path = process.env["MACAZ_REVIEWS"];
const story = path
  ? (JSON.parse(readFileSync(path, "utf8")) as { kernel: string; scenes: Scene[] })
  : { kernel: "", scenes: [] };
const TIMEOUT_MS = 120_000;

function bytesOf(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

describe.skipIf(!path)("games are reviewed as in Python", { timeout: TIMEOUT_MS }, () => {
  test.each(story.scenes)("$title", async ({ map, table, log, names, efforts, review }) => {
    const comparer = new Comparer(await Kernel.load(bytesOf(story.kernel)));
    const edition = new EditionData(JSON.parse(readFileSync(map, "utf8")) as MapFile);
    edition.add(log.seats, bytesOf(table));
    const { fingerprint } = edition.map;
    const place = { edition, table: edition.table(log.seats), view: new Uint8Array() };
    const replayed = replayForReview(comparer.kernel, place, log);
    const { decisions, awards, turns } = replayed;
    const verdicts = new Uint8Array(decisions.length * VERDICT.size);
    const judged = decisions.flatMap((asked, ply) => {
      const position = { edition: log.edition, fingerprint, seats: log.seats, view: asked.view };
      let found: Judgement | null = null;
      for (const effort of asked.choices > 1 ? efforts : [])
        do {
          const work: Judgement["work"] | null = found?.work ?? null;
          const job = { kind: "judge", position, ply, asked, seed: seedOf(0, ply), effort, work } as const;
          found = judge(comparer, { ...place, view: asked.view }, job);
        } while (!found.done);
      if (found) verdicts.set(found.work.verdict, ply * VERDICT.size);
      else
        for (const [name, value] of Object.entries({ seat: asked.seat, turn: asked.turn }))
          new DataView(verdicts.buffer).setInt32(
            ply * VERDICT.size + VERDICT.fields[name as "seat"][1],
            value,
            true,
          );
      return found?.judged ?? [];
    });
    const position = { edition: log.edition, fingerprint, seats: log.seats, view: new Uint8Array() };
    const told = tellStory(comparer.kernel, place, { kind: "tell", position, verdicts, awards, turns });
    expect(reviewOf(replayed, judged, told, names)).toEqual(review);
  });
});
