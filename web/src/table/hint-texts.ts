// Hints in words.

import { alike, lossShown, SHOWN_ERRORS } from "../game/hint-order.ts";
import type { Suggestion, TicketCost } from "../net/wire.ts";
import { count, number, percent, t } from "../words/words.ts";

const HUNDRED = 100;
const UNKNOWN = 50; // percent of uncertainty from which a figure says nothing yet

/** "58% ± 3"; without the second part where nothing is uncertain, and in words where nearly all is. */
function withError(figure: string, error: number): string {
  const margin = Math.round(SHOWN_ERRORS * error * HUNDRED);
  if (margin >= UNKNOWN) return t("hint.unsure");
  return margin ? t("hint.figure", { figure, margin: number(margin) }) : figure;
}

/** What stands beside each of the suggested moves: the chance of the best, and what the others lose. */
export function figureWords(
  moves: readonly Pick<Suggestion, "chance" | "error" | "loss" | "doubt">[],
): string[] {
  const good = alike(moves);
  // The first one may be an equal of the best, whose chance stands among those of the seats.
  const best = Math.max(...moves.map(({ chance }) => chance));
  return moves.map(({ error, loss, doubt }, i) => {
    if (i === 0) return withError(percent(best), error);
    if (i < good) return t("hint.as-good");
    return withError(percent(-lossShown({ loss }) / HUNDRED, { signed: true }), doubt);
  });
}

/** How sure the figures are: "still thinking: 120 tries". */
export function sureWords(tries: number, done: boolean): string {
  const made = count(tries, "tries");
  return done ? made : t("hint.going-on", { tries: made });
}

/** "3 cards, 4 turns": what a ticket costs at the least. */
export function costWords({ cards, turns }: Pick<TicketCost, "cards" | "turns">): string {
  const time = count(turns, "turns");
  return cards
    ? t("hint.cost", { cards: count(cards, "cards"), turns: time })
    : t("hint.ready", { turns: time });
}
