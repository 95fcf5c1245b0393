// The data of the pictures of boards, requested once per visit.

import { get } from "../net/api.ts";
import type { EditionMap, Plate } from "../net/wire.ts";

export interface Drawn {
  map: EditionMap;
  plate: Plate;
}

const asked = new Map<string, Promise<Drawn>>();

export function picture(edition: string): Promise<Drawn> {
  let drawn = asked.get(edition);
  if (!drawn) {
    drawn = Promise.all([
      get<EditionMap>(`/editions/${edition}`),
      get<Plate>(`/editions/${edition}/plate`),
    ]).then(([map, plate]) => ({ map, plate }));
    asked.set(edition, drawn);
  }
  return drawn;
}
