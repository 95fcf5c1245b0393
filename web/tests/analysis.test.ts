// Comparisons of moves in this engine's WebAssembly; tests/help/test_browser_analysis.py writes what Python finds.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { figuresOf, standOf } from "../src/analysis/advice.ts";
import { actionAt, Comparer, lineCount, type Place } from "../src/analysis/compare.ts";
import { NO_RESULT, SEATS } from "../src/local/codes.ts";
import { EditionData } from "../src/local/edition.ts";
import { Kernel } from "../src/local/kernel.ts";
import type { Advice, MapFile } from "../src/net/wire.ts";

interface Asked {
  /** base64 */
  view: string;
  kept: number[];
  seed: number;
  /** digests of the lines before any try, and after two chunks */
  begun: string;
  ranked: string;
  advice: Advice | null;
}

interface Scene {
  title: string;
  seats: number;
  /** files */
  map: string;
  table: string;
  asked: Asked[];
}

interface Story {
  kernel: string;
  chunk: number;
  scenes: Scene[];
}

const path = process.env["MACAZ_ANALYSIS"];
const story = path ? (JSON.parse(readFileSync(path, "utf8")) as Story) : { kernel: "", chunk: 0, scenes: [] };
const TIMEOUT_MS = 120_000;

function bytesOf(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The lines after two chunks of tries, each made in two parts. */
function compared(comparer: Comparer, place: Place, begun: Uint8Array, seed: number): Uint8Array {
  const { chunk } = story;
  const count = lineCount(begun);
  const outcomes = new Float32Array(count * 2 * chunk * SEATS).fill(NO_RESULT);
  const all = Array.from({ length: count }, (_, i) => i);
  const parts = [all.filter((i) => i % 2), all.filter((i) => i % 2 === 0)].filter((part) => part.length);
  let lines = begun;
  for (const start of [0, chunk]) {
    const facts = parts.map((moves) => {
      const actions = moves.map((i) => actionAt(begun, i));
      const tried = comparer.try(place, actions, seed, start, chunk);
      if (!tried) throw new Error("there is a world");
      const size = chunk * SEATS;
      for (const [at, move] of moves.entries())
        outcomes.set(tried.results.subarray(at * size, (at + 1) * size), (move * 2 * chunk + start) * SEATS);
      return { moves, facts: tried.facts };
    });
    lines = comparer.rank(place, lines, facts, outcomes);
  }
  return lines;
}

describe.skipIf(!path)("moves are compared as in Python", { timeout: TIMEOUT_MS }, () => {
  test.each(story.scenes)("$title", async ({ seats, map, table, asked }) => {
    const kernel = await Kernel.load(bytesOf(story.kernel));
    const comparer = new Comparer(kernel);
    const edition = new EditionData(JSON.parse(readFileSync(map, "utf8")) as MapFile);
    edition.add(seats, bytesOf(table));
    for (const [i, { view, kept, seed, begun, ranked, advice }] of asked.entries()) {
      const place = {
        edition,
        table: edition.table(seats),
        view: new Uint8Array(Buffer.from(view, "base64")),
      };
      const lines = comparer.list(place, kept);
      expect(digest(lines), `begun, ${i}`).toBe(begun);
      const found = compared(comparer, place, lines, seed);
      expect(digest(found), `ranked, ${i}`).toBe(ranked);
      if (!advice) continue;
      const told = { ...standOf(kernel, place), ...figuresOf(comparer, place, found, advice.moves.length) };
      expect(told).toEqual(advice);
    }
  });
});
