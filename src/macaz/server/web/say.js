// Events and moves in words. A text may have a second form, `.hidden`, for what is not shown to me.

import { count, known, listed, t } from "./words.js";

export const LOCOMOTIVE = 8;
const QUIET = ["card-dealt", "row-filled", "turn-ended", "terms-announced"];

export const cardName = (card) => t(`card.${card}`);

/** Words for one map and the people around it. */
export class Speaker {
  constructor(map) {
    this.map = map;
    this.names = [];
  }

  name = (seat) => this.names[seat] ?? t("seat-number", { n: seat + 1 });
  city = (city) => this.map.cities[city].name;
  between = (thing) => `${this.city(thing.a)}–${this.city(thing.b)}`;
  ticket = (ticket) => this.between(this.map.tickets[ticket]);

  route(number) {
    const route = this.map.routes[number];
    return this.between(route) + (route.lane ? ` #${route.lane + 1}` : "");
  }

  /** "Dallas–Houston, gray, 1", and what is special about it. */
  routeLine(number) {
    const { color, length, kind, locomotives } = this.map.routes[number];
    const special = kind === "track" ? [] : [t(`kind.${kind}`)];
    if (locomotives) special.push(count(locomotives, "locomotives"));
    return [this.route(number), cardName(color), count(length, "spaces"), ...special].join(" · ");
  }

  payment(color, cards, locomotives) {
    const parts = cards ? [`${cards} ${cardName(color)}`] : [];
    if (locomotives) parts.push(count(locomotives, "locomotives"));
    return listed(parts) || t("nothing");
  }

  points(value, seat) {
    if (!Array.isArray(value)) return count(value, "points");
    const own = value[seat] ? t("own-points", { points: count(value[seat], "points") }) : "";
    const others = value.map((points, p) => points && p !== seat ? t("other-points", { name: this.name(p), points }) : "");
    return own + others.join("");
  }

  /** An event as a sentence; empty for those that go without saying. */
  event(event) {
    if (QUIET.includes(event.type)) return "";
    const hidden = event.color === null || event.tickets === null;
    const key = `event.${event.type}${hidden ? ".hidden" : ""}`;
    if (!known(key)) return "";
    const has = (name) => event[name] !== null && event[name] !== undefined;
    return t(key, {
      ...event,
      seat: has("seat") && (event.name ?? this.name(event.seat)),
      first: has("first") && this.name(event.first),
      color: has("color") && cardName(event.color),
      city: has("city") && this.city(event.city),
      route: has("route") && this.route(event.route),
      tickets: has("tickets") && listed(event.tickets.map(this.ticket)),
      count: has("count") && count(event.count, "tickets-n"),
      points: has("points") && this.points(event.points, event.seat),
      payment: has("cards") && this.payment(event.color, event.cards, event.locomotives),
      winners: event.outcome && listed(event.outcome.winners.map(this.name)),
      reason: has("reason") && t(`reason.${event.reason}`),
    });
  }

  /** All that is worth saying of some events. */
  sentences(events) {
    const told = merged(events).map((event) => this.event(event)).filter(Boolean);
    return told.map((sentence) => sentence[0].toUpperCase() + sentence.slice(1));
  }

  /** What a move is about: moves of one kind and place differ only in how they are paid. */
  place(move) {
    if (move.type === "claim") return this.routeLine(move.route);
    if (move.city !== undefined) return this.city(move.city);
    return move.type === "return" ? this.ticket(move.ticket) : "";
  }

  /** What distinguishes a move from others of its place: its price, or what it is. */
  detail(move) {
    if (move.cards === undefined) return move.color === undefined ? t(`do.${move.type}`) : cardName(move.color);
    const price = this.payment(move.color, move.cards, move.locomotives);
    return move.type === "pay-tunnel" ? t("do.pay-tunnel", { cards: price }) : price;
  }
}

/** Tickets come one by one; in words, those of a seat come together. */
function merged(events) {
  return events.reduce((told, event) => {
    const last = told.at(-1);
    if (event.type !== "tickets-dealt" || last?.type !== event.type || last.seat !== event.seat) return [...told, event];
    const together = { ...last, count: last.count + event.count, tickets: event.tickets && [...last.tickets, ...event.tickets] };
    return [...told.slice(0, -1), together];
  }, []);
}
