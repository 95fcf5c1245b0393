// How much each place that can be chosen glows.

import type { Places } from "../game/places.ts";
import type { Notes } from "./describe.ts";

/** The choosable places: those with a note glow strongly, the others weakly; all others do not glow. */
export function glowOf(choosable: Places, notes: Notes): { strong: Places; weak: Places } {
  const some = (wanted: boolean): Places => ({
    routes: new Set([...choosable.routes].filter((route) => notes.routes.has(route) === wanted)),
    cities: new Set([...choosable.cities].filter((city) => notes.cities.has(city) === wanted)),
  });
  return { strong: some(true), weak: some(false) };
}
