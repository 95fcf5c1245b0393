// Hints in words.

import type { Suggestion, TicketCost } from "../net/wire.ts";
import { count, percent, t } from "../words/words.ts";

/** "53% to win": the chance after a move. */
export function chanceWords({ chance }: Pick<Suggestion, "chance">): string {
  return t("hint.gain", { chance: percent(chance) });
}

/** "3 cards, 4 turns": what a ticket costs at the least. */
export function costWords({ cards, turns }: Pick<TicketCost, "cards" | "turns">): string {
  const time = count(turns, "turns");
  return cards
    ? t("hint.cost", { cards: count(cards, "cards"), turns: time })
    : t("hint.ready", { turns: time });
}
