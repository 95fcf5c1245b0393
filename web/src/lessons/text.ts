// The structure of the sentences of the lessons. Each language has all of them: see en.ts and ro.ts.

import type { LESSONS } from "./lessons.ts";

/** The sentences of a step. `{parts}` are those of the guide (`numbersOf`). */
export interface StepText {
  /** what the player is to do */
  ask: string;
  /** after another legal move: why the one that is asked for is better here; left out where all are right */
  other?: string;
  /** after the right move */
  after: string;
}

type Lessons = (typeof LESSONS)[number];
type StepsOf<Id extends Lessons["id"]> = Extract<Lessons, { id: Id }>["steps"][number]["id"];

export interface LessonsText {
  note: string;
  /** `{n}` of `{all}` */
  lesson: string;
  step: string;
  opening: string;
  leave: string;
  /** before the sentence that says why something else is asked for */
  allowed: string;
  over: string;
  nextLesson: string;
  all: string;
  allDone: string;
  firstGame: string;
  done: string;
  resume: string;
  lessons: { [Id in Lessons["id"]]: { title: string; about: string; steps: Record<StepsOf<Id>, StepText> } };
}
