// What a review says of a player, in words.

import type { Review, SeatReview, TicketReview } from "../net/wire.ts";
import { count, type Key, listed, percent, t } from "../words/words.ts";

const SMALL = 0.03; // a change of a chance that is not worth an adjective

/** What is said of a change of a chance: that it was good, bad, or too small to matter. */
function told(change: number, good: Key, bad: Key, little: Key): string {
  if (Math.abs(change) < SMALL) return t(little);
  const share = percent(Math.abs(change));
  return t(change > 0 ? good : bad, { share, change: percent(change, { signed: true }) });
}

/** How a player fared, in two sentences. */
export function storyOf(review: Review, seat: SeatReview, name: string, resigned: boolean): string {
  const { winners } = review;
  const ending = resigned
    ? "resigned"
    : !winners.includes(seat.seat)
      ? "lost"
      : winners.length > 1
        ? "shared"
        : "won";
  const cost = percent(-seat.skill);
  return t("review.sentence", {
    result: t(`review.result.${ending}`, { name }),
    deal: told(seat.deal, "review.deal.good", "review.deal.poor", "review.deal.average"),
    skill: cost === percent(0) ? t("review.skill.none") : t("review.skill.cost", { share: cost }),
    luck: told(seat.luck, "review.luck.gave", "review.luck.took", "review.luck.little"),
  });
}

/** What became of a ticket. */
export function fateOf(ticket: TicketReview): string {
  if (ticket.fate === "completed") return t("review.ticket.completed");
  const why = ticket.joined ? t("review.ticket.joined") : lackedBy(ticket);
  return t(`review.ticket.${ticket.fate}`, { why });
}

/** What the cheapest way that was left lacked. */
function lackedBy({ spaces, cards, stations, turns }: TicketReview): string {
  if (spaces === null) return t("review.ticket.no-way");
  const lacked = [
    ...(spaces ? [count(spaces, "review.trains")] : []),
    ...(cards ? [count(cards, "cards")] : []),
    ...(stations ? [count(stations, "review.stations")] : []),
  ];
  return t("review.ticket.away", { lacked: listed(lacked), turns: count(turns, "turns") });
}
