// Places on the map, and the places of a move.

import type { EditionMap, Move, TicketAid } from "../net/wire.ts";

/** A route or a city on the map. */
export type Place = { route: number } | { city: number };

export interface Places {
  routes: ReadonlySet<number>;
  cities: ReadonlySet<number>;
}

export const NO_PLACES: Places = { routes: new Set(), cities: new Set() };

/** A ticket's two cities, and the path between them if it is known. */
export function placesOfTickets(
  tickets: readonly number[],
  map: EditionMap,
  aids: readonly TicketAid[] = [],
): Places {
  const routes = new Set<number>();
  const cities = new Set<number>();
  for (const ticket of tickets) {
    const found = map.tickets[ticket];
    if (!found) continue;
    cities.add(found.a).add(found.b);
    for (const route of aids.find((aid) => aid.ticket === ticket)?.way ?? []) routes.add(route);
  }
  return { routes, cities };
}

export function placesOfRoute(route: number, map: EditionMap): Places {
  const found = map.routes[route];
  return { routes: new Set([route]), cities: new Set(found ? [found.a, found.b] : []) };
}

export const placesOfCity = (city: number): Places => ({ routes: new Set(), cities: new Set([city]) });

/** What a move is about: a route with its cities, a city, or tickets. Cards lie beside the map. */
export function placesOf(move: Move, map: EditionMap, aids: readonly TicketAid[] = []): Places {
  if ("route" in move) return placesOfRoute(move.route, map);
  if ("city" in move) return placesOfCity(move.city);
  if ("tickets" in move) return placesOfTickets(move.tickets, map, aids);
  return "ticket" in move ? placesOfTickets([move.ticket], map, aids) : NO_PLACES;
}
