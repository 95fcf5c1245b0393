// Decisions of bots in this engine's WebAssembly; tests/bots/test_browser_players.py writes what Python decides.

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readArrays } from "../src/local/arrays.ts";
import { TableData } from "../src/local/edition.ts";
import { Kernel } from "../src/local/kernel.ts";
import { decide, Players, wordsFrom, type Thought } from "../src/local/players.ts";

interface Asked {
  seat: number;
  /** base64 */
  view: string;
  legal: number[];
  bot: string;
  effort: number;
  seed: number;
  words: number[];
  /** what Python decides */
  action: number;
}

interface Scene {
  title: string;
  seats: number;
  routes: number;
  /** files */
  table: string;
  network: string | null;
  asked: Asked[];
}

interface Story {
  kernel: string;
  scenes: Scene[];
}

const path = process.env["MACAZ_PLAYERS"];
const story = path ? (JSON.parse(readFileSync(path, "utf8")) as Story) : { kernel: "", scenes: [] };

function bytesOf(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

async function playersOf({ network }: Scene, now?: () => number): Promise<Players> {
  const kernel = await Kernel.load(bytesOf(story.kernel));
  return new Players(kernel, network === null ? null : readArrays(bytesOf(network)), now);
}

const tableOf = ({ seats, routes, table }: Scene): TableData =>
  new TableData(seats, readArrays(bytesOf(table)), routes);

/** The decision of a bot with the words and the seed that Python has drawn. */
function thoughtOf(players: Players, table: TableData, asked: Asked): Thought {
  const { seat, legal, bot, effort, seed } = asked;
  const position = { table, seat, legal, view: new Uint8Array(Buffer.from(asked.view, "base64")) };
  const left = asked.words.values();
  const words = (): number => left.next().value as number;
  if (bot === "search") return players.search(position, words, { effort }, seed);
  if (bot === "expert") return players.expert(position, words, { effort }, seed);
  return players.think(bot, position, words);
}

const SECONDS = 0.1; // of a limit
const LOOK_SECONDS = 0.005; // by which the clock of a test goes on each time it is read
const TIMEOUT_MS = 300_000; // hundreds of searches, beside other tests

describe.skipIf(!path)("bots decide as they do in Python", { timeout: TIMEOUT_MS }, () => {
  test.each(story.scenes)("$title", async (scene) => {
    const players = await playersOf(scene);
    const table = tableOf(scene);
    for (const [i, asked] of scene.asked.entries()) {
      const action = decide(thoughtOf(players, table, asked));
      expect(action, `${asked.bot}, decision ${i}`).toBe(asked.action);
    }
  });

  test.each(story.scenes.slice(0, 2))("by the clock: $title", async (scene) => {
    let time = 0;
    const players = await playersOf(scene, () => (time += LOOK_SECONDS));
    const table = tableOf(scene);
    for (const bot of ["search", "expert"]) {
      const asked = scene.asked.find((one) => one.bot === bot) as Asked;
      const view = new Uint8Array(Buffer.from(asked.view, "base64"));
      const began = time;
      const thought = players.think(bot, { ...asked, view, table }, wordsFrom(7n), { seconds: SECONDS });
      const action = decide(thought);
      expect(asked.legal).toContain(action);
      expect(time - began).toBeLessThan(SECONDS + 10 * LOOK_SECONDS); // the last rounds look, and end
    }
  });
});

test("random words follow from their seed", () => {
  const words = wordsFrom(1904n);
  const first = Array.from({ length: 1000 }, words);
  expect(new Set(first).size).toBe(1000);
  expect(Math.min(...first)).toBeGreaterThan(0);
  expect(Math.max(...first)).toBeLessThan(2 ** 32);
  expect(Array.from({ length: 1000 }, wordsFrom(1904n)).slice(0, 3)).toEqual(first.slice(0, 3));
  expect(wordsFrom(1905n)()).not.toBe(first[0]);
});
