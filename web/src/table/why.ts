// Why a place on the map has no move: its owner, or the reason that the server gives.

import type { Place } from "../game/places.ts";
import type { TableState } from "../game/table.svelte.ts";
import { payment } from "../game/texts.ts";
import { LOCOMOTIVE } from "../net/cards.ts";
import type { Aids } from "../net/wire.ts";
import { count, type Key, t } from "../words/words.ts";

type Reason = Aids["routes"][number];

/** A route or a city in words, and the reason. */
export function why(table: TableState, place: Place): string {
  return "route" in place ? whyRoute(table, place.route) : whyCity(table, place.city);
}

/** The texts of the reasons; for others only the name of the place is shown. */
const WORDS: Partial<Record<Reason, Key>> = {
  "own-parallel-lane": "why.own-beside",
  "parallel-closed": "why.beside",
  "not-connected": "why.network",
  "too-few-trains": "why.trains",
  "no-cards": "why.cards",
  "no-station-left": "why.no-station",
  "not-an-end": "why.not-an-end",
  "not-your-city": "why.not-your-city",
};

/** The aids, if they are for the version that is shown. */
const reasons = ({ aids, version }: TableState): Aids | null => (aids?.version === version ? aids : null);

function whyRoute(table: TableState, number: number): string {
  const { view, map, texts, seat } = table;
  if (!view || !map.routes[number]) return "";
  const place = texts.routeLine(number);
  const owner = view.seats.findIndex((known) => known.routes.includes(number));
  if (owner >= 0) return t(owner === seat ? "why.own" : "why.taken", { place, name: texts.name(owner) });
  const words = WORDS[reasons(table)?.routes[number] ?? ""];
  return words ? t(words, { place, ...mine(table, map.routes[number].color) }) : place;
}

function whyCity(table: TableState, city: number): string {
  const { view, texts, seat } = table;
  if (!view) return "";
  const place = texts.city(city);
  const parts = view.seats.flatMap((known, i) => {
    if (!known.marks.includes(city)) return [];
    const key = `why.${i === seat ? "own-" : ""}${table.map.rules.stations ? "station" : "marker"}` as const;
    return [t(key, { place, name: texts.name(i) })];
  });
  if (view.alvin_city === city) parts.push(t("why.alvin", { place }));
  const words = WORDS[reasons(table)?.cities[city] ?? ""];
  if (words && !parts.length) parts.push(t(words, { place, ...mine(table) }));
  return parts.join(" ") || place;
}

/** The player's trains, and their cards of a colour or of the colour they have most of. */
function mine({ view, seat }: TableState, color = -1): { trains: string; have: string } {
  const me = seat === null ? undefined : view?.seats[seat];
  const hand = me?.hand ?? [];
  const best = hand
    .slice(0, LOCOMOTIVE)
    .reduce((most, n, kind, all) => (n > (all[most] ?? 0) ? kind : most), 0);
  const kind = color < 0 ? best : color;
  return {
    trains: count(me?.trains ?? 0, "play.trains"),
    have: payment(kind, hand[kind] ?? 0, hand[LOCOMOTIVE] ?? 0),
  };
}
