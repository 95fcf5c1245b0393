// A finished game, played again from its log: what each seat knew at each of its decisions.

import type { GameLog, Move } from "../net/wire.ts";
import { Refusal } from "../net/refusal.ts";
import { TURN } from "./codes.ts";
import type { EditionData } from "./edition.ts";
import { Game } from "./game.ts";
import type { Kernel } from "./kernel.ts";

/** A decision, and the game before it. */
export interface Decision {
  readonly seat: number;
  /** the action that was chosen */
  readonly played: number;
  /** of the entry of the log that told it */
  readonly version: number;
  /** as in records: from 1 on, 0 in the setup */
  readonly turn: number;
  readonly game: Game;
}

/** The legal moves of the seat that decided. */
export const movesOf = ({ game, seat }: Decision): Move[] => game.legal(seat);

export interface Replayed {
  /** as they were made in the end: without those that were taken back */
  readonly decisions: readonly Decision[];
  /** how many turns there were */
  readonly turns: number;
  readonly end: Game;
}

/** Play a game again. Rejects one of another map. */
export function replayed(
  kernel: Kernel,
  edition: EditionData,
  { fingerprint, log, ...table }: GameLog,
): Replayed {
  if (fingerprint !== edition.map.fingerprint)
    throw new Refusal("old-game", "This game was played with another version of the map.");
  const decisions: Decision[] = [];
  let game = new Game(kernel, edition, table.seats, table.first);
  let turns = 0;
  for (const { version, step } of log) {
    if (step.kind === "taken-back") {
      const [first] = decisions.splice(-step.decisions);
      if (!first) throw new Error("there is nothing to take back");
      game = first.game;
      turns = decisions.at(-1)?.turn ?? 0;
    } else if (step.kind === "resigned") {
      game = game.clone();
      game.resign(step.seat, step.ends);
    } else {
      if (step.kind === "acted") {
        if (game.phase === TURN) turns += 1;
        decisions.push({ seat: step.seat, played: step.action, version, turn: turns, game });
        game = game.clone();
        game.push(step.seat, step.action);
      }
      for (const outcome of step.chances ?? []) game.pushChance(outcome);
      game.takeEvents();
    }
  }
  return { decisions, turns, end: game };
}
