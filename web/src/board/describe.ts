// Routes and cities in words, for the caption and for screen readers.

import type { Place } from "../game/places.ts";
import type { EditionMap } from "../net/wire.ts";
import { count, type Key, maybe, t } from "../words/words.ts";

export interface Situation {
  names: readonly string[];
  owners: readonly (number | null)[];
  marks: readonly { city: number; seat: number }[];
  markKind: "station" | "marker";
  alvin: number | null;
  /** what places serve, in words */
  notes?: Notes;
}

/** Words about routes and cities, by number. */
export interface Notes {
  routes: ReadonlyMap<number, string>;
  cities: ReadonlyMap<number, string>;
}

export const NO_NOTES: Notes = { routes: new Map(), cities: new Map() };

/** "Paris – Zürich, tunnel, 3 spaces, any colour". */
function describeRoute(map: EditionMap, index: number, owner: string | null, note?: string): string {
  const route = map.routes[index];
  if (!route) return "";
  const [a, b] = [map.cities[route.a]?.label ?? "", map.cities[route.b]?.label ?? ""];
  const parts = [
    t("board.route", { a, b }),
    maybe(`kind.${route.kind}`),
    count(route.length, "spaces"),
    t(`card.${route.color}` as Key),
    route.locomotives ? t("board.needs", { locomotives: count(route.locomotives, "locomotives") }) : null,
    owner === null ? null : t("board.taken", { name: owner }),
    note,
  ];
  return parts.filter(Boolean).join(", ");
}

function describeCity(map: EditionMap, city: number, situation: Situation): string {
  const name = map.cities[city]?.label ?? "";
  const key = situation.markKind === "station" ? "board.station" : "board.captured";
  const marks = situation.marks
    .filter((mark) => mark.city === city)
    .map(({ seat }) => t(key, { city: name, name: situation.names[seat] ?? "" }));
  const parts = [...(marks.length ? marks : [name]), ...(situation.alvin === city ? [t("board.alvin")] : [])];
  return [...parts, situation.notes?.cities.get(city)].filter(Boolean).join(", ");
}

export function describe(map: EditionMap, target: Place, situation: Situation): string {
  if ("city" in target) return describeCity(map, target.city, situation);
  const owner = situation.owners[target.route];
  return describeRoute(
    map,
    target.route,
    owner === null || owner === undefined ? null : (situation.names[owner] ?? ""),
    situation.notes?.routes.get(target.route),
  );
}
