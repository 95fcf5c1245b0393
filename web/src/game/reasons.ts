// Reasons for moves in words: for hints, reviews, the analysis board and puzzles.

import { LOCOMOTIVE } from "../net/cards.ts";
import type { Reason } from "../net/wire.ts";
import { count, type Key, maybe, number, percent, t } from "../words/words.ts";
import { type GameTexts, oneCard } from "./texts.ts";

type CardsKey = Parameters<typeof count>[1];

/** The reason as a sentence. */
export function reasonWords(texts: GameTexts, reason: Reason): string {
  const key = `because.${reason.code}`;
  const found = maybe(key + variant(reason), partsOf(texts, reason)) ?? key;
  return found.slice(0, 1).toLocaleUpperCase() + found.slice(1);
}

/** Which of the sentences of a code fits what the reason has. */
function variant({ code, seat, route, share, amount }: Reason): string {
  if ((code === "contested" || code === "blocks") && seat === null) return ".others";
  if (code === "keeps-cards" && route !== null) return ".route";
  if (code === "can-wait" && share === 0) return ".never";
  return amount === 0 && maybe(`because.${code}.zero`) !== null ? ".zero" : "";
}

/** What a sentence may name. */
function partsOf(texts: GameTexts, reason: Reason): Record<string, string> {
  const amount = reason.amount ?? 0;
  const of = reason.of ?? 0;
  const color = reason.color ?? LOCOMOTIVE;
  return {
    amount: number(amount),
    of: number(of),
    points: count(amount, "points"),
    trains: count(reason.code === "few-turns" ? of : amount, "play.trains"),
    turns: count(amount, "turns"),
    spaces: count(amount, "ticket.missing"),
    stations: count(amount, "ticket.stations"),
    cards: count(reason.code === "needed-card" ? of : amount, `cards-in.${color}` as CardsKey),
    card: oneCard(color),
    kind: t(`kind-of-card.${color}` as Key),
    share: percent(reason.share ?? 0),
    instead: percent(reason.instead ?? 0),
    seat: reason.seat === null ? "" : texts.name(reason.seat),
    city: reason.city === null ? "" : texts.city(reason.city),
    ticket: reason.ticket === null ? "" : texts.ticket(reason.ticket),
    other: reason.other === null ? "" : texts.ticket(reason.other),
    route: reason.route === null ? "" : texts.route(reason.route),
  };
}
