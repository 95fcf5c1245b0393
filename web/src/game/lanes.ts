// The lanes of a double or triple route: all routes between the same two cities.

import type { EditionMap } from "../net/wire.ts";

/** The other lanes beside a route. */
export function lanesBeside({ routes }: EditionMap, route: number): number[] {
  const it = routes[route];
  return routes.flatMap((lane, i) => (i !== route && lane.a === it?.a && lane.b === it.b ? [i] : []));
}
