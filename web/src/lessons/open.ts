// The host of the lessons' tables, which is started when a lesson is first opened.

import { fetchFrom, Library } from "../local/library.ts";
import { addLocalHost } from "../net/local.ts";
import { fileUrl } from "../net/place.ts";
import { notify } from "../ui/notices.svelte.ts";
import { suggestedName, whoPlays } from "../ui/person.ts";
import { LessonRun } from "./lesson.svelte.ts";
import { LessonTables, PREFIX } from "./tables.ts";

let tables: LessonTables | null = null;

function lessonTables(): LessonTables {
  if (!tables) {
    tables = new LessonTables(new Library(fetchFrom(fileUrl("data/"))));
    addLocalHost(PREFIX, tables);
  }
  return tables;
}

/** Open a lesson by its number, from 1 on. Rejects with a `Refusal` if what it needs does not arrive. */
export async function openLesson(number: number): Promise<LessonRun> {
  const me = await whoPlays();
  const player = { name: me?.name ?? suggestedName(), color: me?.color ?? "blue" } as const;
  return LessonRun.open(number, lessonTables(), player, notify);
}
