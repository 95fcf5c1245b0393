// The lessons, played with the real kernel; tests/page/test_lessons.py writes the files that this needs.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { Entry } from "../src/local/entries.ts";
import { Library } from "../src/local/library.ts";
import { decide } from "../src/local/seats.ts";
import en from "../src/lessons/en.ts";
import { fits, type Lesson, LESSONS, type Scene, type Step } from "../src/lessons/lessons.ts";
import { POSITIONS } from "../src/lessons/states.ts";
import { LessonTables, placedIn, SEAT } from "../src/lessons/tables.ts";
import type { StepText } from "../src/lessons/text.ts";
import type { GameEvent, Move } from "../src/net/wire.ts";

const folder = process.env["MACAZ_LESSONS"] ?? "";
const PLAYER = { name: "Ana", color: "red" } as const;
const PATIENCE_MS = 20_000;

const tables = new LessonTables(
  new Library((name) => Promise.resolve(new Uint8Array(readFileSync(join(folder, name))).buffer)),
);

/** The log of a step after a move of the player and, where it is the opponent's turn, their moves. */
async function after(
  scene: Scene,
  before: Entry[],
  move: Move,
  goesOn: boolean,
): Promise<[Entry[], GameEvent[]]> {
  const id = await tables.open(placedIn(scene), PLAYER, before);
  const table = await tables.table(id);
  const { version } = table.state;
  await decide(table, "me", SEAT, { type: "act", action: move.action, version, nonce: `${id} ${version}` });
  const page = table.pages.at(-1);
  const events = (page?.events ?? []).map((event) => page?.game?.narrowed(event, SEAT) as GameEvent);
  if (goesOn && !table.state.game?.deciding.includes(SEAT)) {
    const socket = tables.connect(); // bots move at tables that are watched
    socket.onopen = () => socket.send({ type: "hello", table: id, seat: SEAT });
    for (const end = Date.now() + PATIENCE_MS; !table.state.game?.deciding.includes(SEAT);) {
      if (Date.now() > end) throw new Error("the opponent does not move");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    socket.close();
  }
  return [await tables.entries(id), events];
}

describe.skipIf(!folder)("the lessons", () => {
  test.each(LESSONS.map((lesson) => [lesson.id, lesson] as const))("%s", async (id, lesson: Lesson) => {
    const texts = en.lessons[id].steps as Record<string, StepText>;
    let logs: Entry[][] = [[]]; // one for each course of the lesson so far
    let scene = lesson.steps[0].scene;
    for (const [at, step] of (lesson.steps as readonly Step[]).entries()) {
      const next = lesson.steps[at + 1];
      if (step.scene) [scene, logs] = [step.scene, [[]]];
      const goesOn = next !== undefined && !next.scene;
      const later: Entry[][] = [];
      for (const log of logs) {
        const table = await tables.table(await tables.open(placedIn(scene), PLAYER, log));
        const { map } = table.deal.edition;
        expect(map.fingerprint, step.id).toBe(POSITIONS[scene.position].fingerprint);
        const legal = table.state.game?.legal(SEAT) ?? [];
        const answers = await tables.answers(table.id, step.wanted);
        expect(answers.length, `${step.id}: an answer is legal`).toBeGreaterThan(0);
        if (step.wanted.event === "station-built") {
          const saving = table.state.game?.aids(SEAT).stations.map(({ city }) => city) ?? [];
          const cities = new Set(answers.flatMap((move) => ("city" in move ? [move.city] : [])));
          expect([...cities].sort(), "where a station completes the ticket").toEqual([...saving].sort());
        }
        // A sentence about other moves is there if there are any.
        expect(texts[step.id]?.other !== undefined, step.id).toBe(answers.length < legal.length);
        for (const answer of goesOn ? answers : answers.slice(0, 1)) {
          const [entries, events] = await after(scene, log, answer, goesOn);
          expect(
            events.some((event) => fits(event, step.wanted, map)),
            step.id,
          ).toBe(true);
          later.push(entries);
        }
        const other = legal.find(({ action }) => !answers.some((one) => one.action === action));
        if (!other) continue;
        const [, events] = await after(scene, log, other, false);
        expect(
          events.some((event) => fits(event, step.wanted, map)),
          `${step.id}: another move`,
        ).toBe(false);
      }
      logs = later;
    }
  });

  test("a log that does not fit its position is refused", async () => {
    const wrong: Entry[] = [{ kind: "acted", seat: SEAT, action: 0, chances: [], bot: "" }];
    await expect(tables.open(placedIn(LESSONS[0].steps[0].scene), PLAYER, wrong)).rejects.toMatchObject({
      code: "old-game",
    });
  });
});
