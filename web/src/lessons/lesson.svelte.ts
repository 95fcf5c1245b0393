// One lesson as the player goes through it: the step that is asked, and what became of it.

import { TableState } from "../game/table.svelte.ts";
import type { Entry } from "../local/entries.ts";
import type { Player } from "../local/placed.ts";
import type { GameEvent, Move } from "../net/wire.ts";
import { bookmarkOf, setBookmark, setLessonDone } from "../ui/lessons.ts";
import { set, settings } from "../ui/settings.svelte.ts";
import { fits, type Lesson, LESSONS, type Scene, type Step } from "./lessons.ts";
import { type LessonTables, placedIn } from "./tables.ts";

/** "asked": the player is to answer; "right" and "other": they have; "over": the last step is done. */
type Stage = "asked" | "right" | "other" | "over";

export class LessonRun {
  readonly lesson: Lesson;
  at: number = $state(0);
  stage: Stage = $state("asked");
  /** the table of the step */
  table: TableState | null = $state.raw(null);
  /** the moves that answer the question; after the right one: its place, to be looked at */
  answers: readonly Move[] = $state.raw([]);
  /** what the player did instead, in words */
  did: readonly string[] = $state.raw([]);

  readonly #tables: LessonTables;
  readonly #player: Player;
  readonly #notify: (text: string) => void;
  #before: Entry[] = []; // the log up to the decision of the step
  #ended = false;

  private constructor(
    readonly number: number,
    tables: LessonTables,
    player: Player,
    notify: (text: string) => void,
  ) {
    const lesson = LESSONS[number - 1];
    if (!lesson) throw new Error(`there is no lesson ${number}`);
    this.lesson = lesson;
    this.#tables = tables;
    this.#player = player;
    this.#notify = notify;
    tables.ondecided = (events, version) => void this.#judge(events, version);
  }

  /** Begin a lesson, or go on where it was left. */
  static async open(
    number: number,
    tables: LessonTables,
    player: Player,
    notify: (text: string) => void,
  ): Promise<LessonRun> {
    const run = new LessonRun(number, tables, player, notify);
    const left = bookmarkOf(number);
    const at = left?.step ?? 0;
    if (left && run.lesson.steps[at]) {
      try {
        await run.#go(at, left.entries as Entry[]);
        return run;
      } catch {
        setBookmark(number, null); // the rules or the lesson were changed since
      }
    }
    await run.#go(0);
    return run;
  }

  get step(): Step {
    return this.lesson.steps[this.at] as Step;
  }

  get #following(): Step | undefined {
    return this.lesson.steps[this.at + 1];
  }

  /** Go to the next step, or to the end of the lesson. */
  next = async (): Promise<void> => {
    if (!this.#following) {
      this.stage = "over";
      return;
    }
    if (this.#following.scene) return this.#go(this.at + 1);
    this.at += 1;
    this.stage = "asked";
    this.answers = [];
    this.#tables.resumed = true;
  };

  /** Go back to the question. */
  again = (): Promise<void> => this.#go(this.at, this.#before);

  /** Find the answers to the question, when the player is to decide. */
  findAnswers = async (): Promise<void> => {
    const { table, step } = this;
    const found = table ? await this.#tables.answers(table.info.id, step.wanted) : [];
    if (table === this.table && step === this.step) this.answers = found;
  };

  end = (): void => {
    this.#ended = true;
    this.#tables.ondecided = () => undefined;
    this.table?.end();
  };

  /** Show a step, from its position or from the log of its scene. */
  async #go(at: number, entries: readonly Entry[] = []): Promise<void> {
    const id = await this.#tables.open(placedIn(this.#sceneOf(at)), this.#player, entries);
    const table = await TableState.open(id, this.#notify);
    this.table?.end();
    if (this.#ended) return table.end();
    this.at = at;
    this.stage = "asked";
    this.answers = [];
    this.table = table;
    this.#tables.resumed = true;
  }

  #sceneOf(at: number): Scene {
    const before = this.lesson.steps.slice(0, at + 1) as Step[];
    return before.findLast(({ scene }) => scene)?.scene ?? this.lesson.steps[0].scene;
  }

  async #judge(events: readonly GameEvent[], version: number): Promise<void> {
    // A quick player decides before reading what was said, where the turn goes on.
    if (this.stage === "right" && this.#following && !this.#following.scene) this.at += 1;
    else if (this.stage !== "asked") return;
    const { table, step } = this;
    if (!table) return;
    this.#tables.resumed = false;
    if (events.some((event) => fits(event, step.wanted, table.map))) {
      this.answers = this.answers.filter((move) => "route" in move || "city" in move).slice(0, 1);
      this.stage = "right";
      this.#keep(await this.#tables.entries(table.info.id));
    } else {
      this.answers = [];
      this.did = table.texts.sentences(events);
      this.stage = "other";
      this.#before = await this.#tables.entries(table.info.id, version);
    }
  }

  /** Remember that the step is done, and that its chapter of the guide was read. */
  #keep(entries: readonly Entry[]): void {
    const { chapter } = this.step;
    if (chapter && !settings.told.includes(chapter)) set("told", [...settings.told, chapter]);
    const next = this.#following;
    if (!next) setLessonDone(this.number);
    setBookmark(this.number, next ? { step: this.at + 1, entries: next.scene ? [] : [...entries] } : null);
  }
}
