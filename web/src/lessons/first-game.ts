// The first game after the lessons: in this browser, against an easy bot.

import { tableRequest, validForm } from "../home/form.ts";
import { get, post } from "../net/api.ts";
import type { BotInfo, EditionLine, TableInfo } from "../net/wire.ts";
import { attempt } from "../ui/attempt.ts";
import { savePerson, suggestedName, whoPlays } from "../ui/person.ts";
import { navigate } from "../ui/router.svelte.ts";

const EASY = "apprentice";

export async function startFirstGame(): Promise<void> {
  const made = await attempt(async () => {
    const [me, editions, bots] = await Promise.all([
      whoPlays(),
      get<EditionLine[]>("/editions", "browser"),
      get<BotInfo[]>("/bots", "browser"),
    ]);
    const { name } = await savePerson(me?.name ?? suggestedName(), me?.color ?? "blue", "browser");
    const chairs = [{ who: "me" as const }, { who: "bot" as const, bot: EASY }];
    const form = validForm({ edition: "usa-classic", chairs }, editions, bots); // the map of the first lessons
    const line = editions.find(({ id }) => id === form.edition) as EditionLine;
    return post<TableInfo>("/tables", tableRequest(form, line, name), "browser");
  });
  if (made) navigate(`/tables/${made.id}`);
}
