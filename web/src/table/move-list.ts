// The legal moves as a list with a search; moves on one place are one entry.

import { laneChoices } from "../game/lane-choices.ts";
import { lanesBeside } from "../game/lanes.ts";
import { cheapestFirst, isPaid, movesInCity, movesOnRoute, type PaidMove } from "../game/moves.ts";
import type { Place } from "../game/places.ts";
import type { Serving } from "../game/plan.svelte.ts";
import { type GameTexts, payment } from "../game/texts.ts";
import type { Move } from "../net/wire.ts";
import { type Key, t } from "../words/words.ts";
import { servesWords } from "./serving.ts";

export type Kind = "cards" | "routes" | "tickets" | "cities" | "others";

export interface Entry {
  kind: Kind;
  text: string;
  /** what choosing the entry does: pick a place, or make a move */
  choice: { place: Place } | { move: Move };
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

/** What can be done, one entry for each place and for each move that has none; what serves tickets comes first. */
export function entries(
  moves: readonly Move[],
  texts: GameTexts,
  hand: readonly number[],
  serving?: Serving,
): Entry[] {
  const { map } = texts;
  const found: Entry[] = [];
  const first: Entry[] = [];
  const add = (entry: Entry, tickets: readonly number[] | undefined): void => {
    if (!tickets?.length) found.push(entry);
    else first.push({ ...entry, text: `${entry.text} · ${servesWords(tickets, texts)}` });
  };
  const places = new Set<string>();
  const waysTo = (about: readonly Move[]): PaidMove[] => cheapestFirst(about.filter(isPaid), hand);
  for (const move of moves) {
    const kind = KINDS[move.type] ?? "others";
    const place = kind === "routes" || kind === "cities" ? placeOf(move) : null;
    if (!place) {
      found.push({ kind, text: texts.move(move), choice: { move } });
      continue;
    }
    const key = JSON.stringify(place);
    if (places.has(key)) continue;
    places.add(key);
    if ("city" in place) {
      const ways = waysTo(movesInCity(moves, place.city));
      const text = texts.city(place.city) + price(ways);
      add({ kind, text, choice: choiceOf(place, ways) }, serving?.cities.get(place.city));
      continue;
    }
    const lanes = [place.route, ...lanesBeside(map, place.route)].map((route) => {
      return { route, ways: waysTo(movesOnRoute(moves, route)) };
    });
    for (const { route, ways, either } of laneChoices(map, lanes)) {
      if (!ways.length) continue;
      const which = either ? ` · ${t("list.either")}` : "";
      const asked = map.routes[route]?.kind === "tunnel"; // the sheet shows its odds first
      const choice = asked ? { place: { route } } : choiceOf({ route }, ways);
      const text = texts.routeLine(route) + which + price(ways);
      add({ kind, text, choice }, serving?.routes.get(route));
    }
    for (const { route } of lanes) places.add(JSON.stringify({ route }));
  }
  return [...first, ...found];
}

/** The cheapest payment, and whether there are others. */
function price([first, ...others]: readonly PaidMove[]): string {
  if (!first) return "";
  const words = payment(first.color, first.cards, first.locomotives);
  return t(others.length ? "list.price-or" : "list.price", { payment: words });
}

/** With one payment only, the entry makes the move at once. */
function choiceOf(place: Place, ways: readonly PaidMove[]): Entry["choice"] {
  const [only, ...others] = ways;
  return only && !others.length ? { move: only } : { place };
}

function placeOf(move: Move): Place | null {
  if ("route" in move) return { route: move.route };
  return "city" in move ? { city: move.city } : null;
}

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The entries that contain all typed words; accents and case are ignored. */
export function search(all: readonly Entry[], typed: string): Entry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return all.filter(({ text }) => words.every((word) => plain(text).includes(word)));
}
