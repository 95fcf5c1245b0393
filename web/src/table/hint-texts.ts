// Hints in words.

import type { Suggestion, TicketCost } from "../net/wire.ts";
import { count, percent, t } from "../words/words.ts";

const HUNDRED = 100;

/** "+4 % to win, +3 points": what a move gains over an ordinary one; parts that round to zero are left out. */
export function gainWords({ gain, points }: Pick<Suggestion, "gain" | "points">): string {
  const share = Math.round(gain * HUNDRED) / HUNDRED;
  const more = Math.round(points);
  const chance = percent(share, { signed: true });
  const ahead = count(more, "points", { signDisplay: "exceptZero" });
  if (share && more) return t("hint.gain-both", { chance, points: ahead });
  if (share) return t("hint.gain", { chance });
  return more ? ahead : t("hint.same");
}

/** "3 cards, 4 turns": what a ticket costs at the least. */
export function costWords({ cards, turns }: Pick<TicketCost, "cards" | "turns">): string {
  const time = count(turns, "turns");
  return cards
    ? t("hint.cost", { cards: count(cards, "cards"), turns: time })
    : t("hint.ready", { turns: time });
}
