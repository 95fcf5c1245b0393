// The tickets that places serve, in words.

import type { Notes } from "../board/describe.ts";
import type { Serving } from "../game/plan.svelte.ts";
import type { GameTexts } from "../game/texts.ts";
import { listed, t } from "../words/words.ts";

/** "for Paris – Wien and Roma – Riga". */
export const servesWords = (tickets: readonly number[], texts: GameTexts): string =>
  t("board.serves", { tickets: listed(tickets.map(texts.ticket)) });

/** What the board says about the places that serve tickets. */
export function notesOf({ routes, cities }: Serving, texts: GameTexts): Notes {
  const words = (serving: ReadonlyMap<number, readonly number[]>): Map<number, string> =>
    new Map([...serving].map(([place, tickets]) => [place, servesWords(tickets, texts)]));
  return { routes: words(routes), cities: words(cities) };
}
