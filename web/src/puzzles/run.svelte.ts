// One puzzle as the player tries to solve it.

import { TableState } from "../game/table.svelte.ts";
import type { Placed, PlacedTables, Player } from "../local/placed.ts";
import type { Move, Puzzle, PuzzleMove } from "../net/wire.ts";
import { dayOf, noteDay, noteShown, noteSolved, noteWrong } from "../ui/puzzles.ts";
import { figuresOf } from "./same.ts";

/** "asked": the player is to move; "right" and "wrong": they have. */
type Stage = "asked" | "right" | "wrong";

export class PuzzleRun {
  stage: Stage = $state("asked");
  /** whether the answer was shown */
  shown: boolean = $state(false);
  table: TableState | null = $state.raw(null);
  /** the move that was made, and what is known of it */
  made: { move: Move; figures: PuzzleMove | null } | null = $state.raw(null);
  /** the legal moves of the position */
  legal: readonly Move[] = $state.raw([]);
  /** set for the puzzle of the day: the day on which it was opened */
  day: number | null = null;

  readonly #placed: Placed;
  readonly #tables: PlacedTables;
  readonly #player: Player;
  readonly #notify: (text: string) => void;
  #ended = false;

  private constructor(
    readonly puzzle: Puzzle,
    placed: Placed,
    tables: PlacedTables,
    player: Player,
    notify: (text: string) => void,
  ) {
    this.#placed = placed;
    this.#tables = tables;
    this.#player = player;
    this.#notify = notify;
    tables.resumed = false; // the others do not move
    tables.ondecided = () => void this.#judge();
  }

  static async open(
    puzzle: Puzzle,
    placed: Placed,
    tables: PlacedTables,
    player: Player,
    notify: (text: string) => void,
  ): Promise<PuzzleRun> {
    const run = new PuzzleRun(puzzle, placed, tables, player, notify);
    await run.again();
    return run;
  }

  /** The right moves. */
  get answers(): readonly Move[] {
    return this.puzzle.answers.flatMap((action) => this.legal.filter((move) => move.action === action));
  }

  /** Put the position on the table again. */
  again = async (): Promise<void> => {
    const id = await this.#tables.open(this.#placed, this.#player);
    const table = await TableState.open(id, this.#notify);
    const { state } = await this.#tables.table(id);
    this.table?.end();
    if (this.#ended) return table.end();
    this.legal = state.game?.legal(this.puzzle.seat) ?? [];
    this.stage = "asked";
    this.made = null;
    this.table = table;
  };

  /** Show the answer. The player may still make it. */
  show = async (): Promise<void> => {
    noteShown(this.puzzle.id, this.puzzle.grade);
    this.shown = true;
    if (this.stage === "wrong") await this.again();
  };

  end = (): void => {
    this.#ended = true;
    this.#tables.ondecided = () => undefined;
    this.table?.end();
  };

  async #judge(): Promise<void> {
    const { table, puzzle } = this;
    if (!table || this.stage !== "asked") return;
    const entries = await this.#tables.entries(table.info.id);
    const acted = entries.find((entry) => entry.kind === "acted");
    const move = this.legal.find(({ action }) => action === acted?.action);
    if (!move) return;
    this.made = { move, figures: figuresOf(puzzle, move.action, this.legal, table.map) };
    if (puzzle.answers.includes(move.action)) {
      this.stage = "right";
      noteSolved(puzzle.id, puzzle.grade);
      if (this.day !== null && this.day === dayOf(new Date()) && !this.shown) noteDay(this.day);
    } else {
      this.stage = "wrong";
      noteWrong(puzzle.id, puzzle.grade);
    }
  }
}
