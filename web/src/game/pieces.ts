// The routes, stations and markers on the board in a view.

import type { EditionMap, GameView } from "../net/wire.ts";

interface Pieces {
  /** by route: the seat that claimed it */
  owners: (number | null)[];
  marks: { city: number; seat: number }[];
  markKind: "station" | "marker";
}

export function piecesOf({ seats }: GameView, map: EditionMap): Pieces {
  const owners: (number | null)[] = map.routes.map(() => null);
  seats.forEach(({ routes }, seat) => routes.forEach((route) => (owners[route] = seat)));
  return {
    owners,
    marks: seats.flatMap(({ marks }, seat) => marks.map((city) => ({ city, seat }))),
    markKind: map.rules.stations ? "station" : "marker",
  };
}
