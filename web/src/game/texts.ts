// Events, moves and places in words, for one map and its players.

import type { EditionMap, GameEvent, Move, TableEvent } from "../net/wire.ts";
import { botName } from "../words/names.ts";
import { count, type Key, listed, maybe, number, t } from "../words/words.ts";

type Event = GameEvent | TableEvent;
const QUIET: Event["type"][] = ["card-dealt", "row-filled", "turn-ended", "terms-announced", "nonce-added"];

export const cardName = (card: number): string => t(`card.${card}` as Key);

/** "a red card". */
export const oneCard = (card: number): string => t(`one-card.${card}` as Key);

/** "3 red and 1 locomotive". */
export function payment(color: number, cards: number, locomotives: number): string {
  const parts = cards ? [t("cards-of", { n: number(cards), color: cardName(color) })] : [];
  if (locomotives) parts.push(count(locomotives, "locomotives"));
  return listed(parts) || t("nothing");
}

export class GameTexts {
  names: (string | null)[] = [];

  constructor(readonly map: EditionMap) {}

  name = (seat: number): string => this.names[seat] ?? t("seat-number", { n: seat + 1 });
  city = (city: number): string => this.map.cities[city]?.label ?? "";
  between = ({ a, b }: { a: number; b: number }): string => `${this.city(a)} – ${this.city(b)}`;

  ticket = (ticket: number): string => {
    const found = this.map.tickets[ticket];
    return found ? this.between(found) : "";
  };

  route = (route: number): string => {
    const found = this.map.routes[route];
    return found ? this.between(found) : "";
  };

  /** "Dallas – Houston · any colour · 1 space", then the kind and the locomotives. */
  routeLine = (route: number): string => {
    const found = this.map.routes[route];
    if (!found) return "";
    const special = found.kind === "track" ? [] : [maybe(`kind.${found.kind}`) ?? found.kind];
    if (found.locomotives) special.push(count(found.locomotives, "locomotives"));
    return [this.between(found), cardName(found.color), count(found.length, "spaces"), ...special].join(
      " · ",
    );
  };

  /** An event as a sentence, with the result of the game or without; empty for events that are not logged. */
  event = (event: Event, { result = true } = {}): string => {
    if (QUIET.includes(event.type)) return "";
    const parts: Record<string, string | number> = {};
    let hidden = false;
    if ("seat" in event) parts.seat = this.#actorName(event);
    if ("first" in event) parts.first = this.name(event.first);
    if ("color" in event && event.type !== "sat-down") {
      if (event.color === null) hidden = true;
      else parts.card = oneCard(event.color);
    }
    if ("tickets" in event) {
      if (event.tickets === null) hidden = true;
      else parts.tickets = listed(event.tickets.map(this.ticket));
    }
    if ("city" in event) parts.city = this.city(event.city);
    if ("route" in event) parts.route = this.route(event.route);
    if ("count" in event) parts.count = count(event.count, "tickets-n");
    if ("size" in event) parts.size = count(event.size, "cards");
    if ("points" in event) parts.points = this.#points(event.points, event.seat);
    if ("locomotives" in event) parts.payment = payment(event.color, event.cards, event.locomotives);
    if ("outcome" in event) {
      if (result) parts.winners = listed(event.outcome.winners.map(this.name));
      else hidden = true;
    }
    if ("bot" in event) parts.bot = botName(event.bot);
    if ("reason" in event) parts.reason = maybe(`reason.${event.reason}`) ?? event.reason;
    if (event.type === "player-resigned" && event.ends) return t("event.player-resigned.ends", parts);
    return maybe(`event.${event.type}${hidden ? ".hidden" : ""}`, parts) ?? "";
  };

  /** Events as sentences, without the empty ones. */
  sentences = (events: readonly Event[], { result = true } = {}): string[] =>
    mergeDeals(events)
      .map((event) => this.event(event, { result }))
      .filter(Boolean);

  /** What a move does, in words: for lists and for screen readers. */
  move = (move: Move): string => {
    const what = maybe(`move.${move.type}`) ?? move.type;
    const where = "route" in move ? this.routeLine(move.route) : "city" in move ? this.city(move.city) : "";
    const price = "cards" in move ? payment(move.color, move.cards, move.locomotives) : "";
    const which =
      "ticket" in move
        ? this.ticket(move.ticket)
        : "tickets" in move
          ? listed(move.tickets.map(this.ticket))
          : "";
    const card = move.type === "take" ? cardName(move.color) : "";
    return [what, where, which, card, price].filter(Boolean).join(": ");
  };

  /** The same in fewer words, beside a map that shows the rest. */
  brief = (move: Move): string => {
    const what = maybe(`move.${move.type}`) ?? move.type;
    const parts = [
      "route" in move ? this.route(move.route) : "",
      "city" in move ? this.city(move.city) : "",
      "ticket" in move ? this.ticket(move.ticket) : "",
      "tickets" in move ? listed(move.tickets.map(this.ticket)) : "",
      move.type === "take" ? cardName(move.color) : "",
      "cards" in move ? payment(move.color, move.cards, move.locomotives) : "",
    ].filter(Boolean);
    return parts.length ? `${what}: ${parts.join(" · ")}` : what;
  };

  /** A player who got up has no name in `names` any more. */
  #actorName(event: Extract<Event, { seat: number }>): string {
    if (event.type === "sat-down") return event.name;
    return event.type === "got-up" ? t("seat-number", { n: event.seat + 1 }) : this.name(event.seat);
  }

  #points(points: number | readonly number[], seat: number): string {
    if (typeof points === "number") return count(points, "points");
    const own = points[seat] ? t("own-points", { points: count(points[seat], "points") }) : "";
    const others = points.map((n, p) =>
      n && p !== seat ? t("other-points", { name: this.name(p), points: count(n, "points") }) : "",
    );
    return own + others.join("");
  }
}

/** Tickets are dealt one by one; in words, those of a seat are one event. */
function mergeDeals(events: readonly Event[]): Event[] {
  const merged: Event[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.type !== "tickets-dealt" || last?.type !== "tickets-dealt" || last.seat !== event.seat)
      merged.push(event);
    else {
      const tickets = event.tickets && last.tickets ? [...last.tickets, ...event.tickets] : null;
      merged[merged.length - 1] = { ...last, count: last.count + event.count, tickets };
    }
  }
  return merged;
}
