// All moves as a list to read and to search, those about one place together.

import { isPaid, sensibleFirst } from "../game/offers.ts";
import type { Place } from "../game/plan.svelte.ts";
import { payment, type Speaker } from "../game/say.ts";
import type { Move } from "../net/wire.ts";
import { type Key, t } from "../words/words.ts";

export type Kind = "cards" | "routes" | "tickets" | "cities" | "others";

export interface Entry {
  kind: Kind;
  text: string;
  /** a place is picked, a move is made */
  deed: { place: Place } | { move: Move };
}

const KINDS: Partial<Record<Move["type"], Kind>> = {
  take: "cards",
  blind: "cards",
  claim: "routes",
  "draw-tickets": "tickets",
  choose: "tickets",
  keep: "tickets",
  return: "tickets",
  station: "cities",
  start: "cities",
};

export const ORDER: Kind[] = ["cards", "routes", "tickets", "cities", "others"];
export const headings: Record<Kind, Key> = {
  cards: "list.cards",
  routes: "list.routes",
  tickets: "list.tickets",
  cities: "list.cities",
  others: "list.others",
};

/** What can be done, one entry for each place and for each move that has none. */
export function entries(moves: readonly Move[], speaker: Speaker, hand: readonly number[]): Entry[] {
  const found: Entry[] = [];
  const places = new Set<string>();
  for (const move of moves) {
    const kind = KINDS[move.type] ?? "others";
    const place = kind === "routes" || kind === "cities" ? placeOf(move) : null;
    if (!place) {
      found.push({ kind, text: speaker.move(move), deed: { move } });
      continue;
    }
    const key = JSON.stringify(place);
    if (places.has(key)) continue;
    places.add(key);
    const ways = sensibleFirst(moves.filter((one) => isPaid(one) && JSON.stringify(placeOf(one)) === key).filter(isPaid), hand);
    const where = "route" in place ? speaker.routeLine(place.route) : speaker.city(place.city);
    const [first] = ways;
    const price = first ? t("list.price", { payment: payment(first.color, first.cards, first.locomotives) }) : "";
    found.push({ kind, text: where + price, deed: { place } });
  }
  return found;
}

function placeOf(move: Move): Place | null {
  if ("route" in move) return { route: move.route };
  return "city" in move ? { city: move.city } : null;
}

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The entries that have all of the words somebody typed, accents or not. */
export function search(all: readonly Entry[], typed: string): Entry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return all.filter(({ text }) => words.every((word) => plain(text).includes(word)));
}
