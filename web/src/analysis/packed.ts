// A position for an analysis, from what a server or the host of local tables tells of a seat.

import { SOURCES } from "../local/codes.ts";
import { Refusal } from "../net/refusal.ts";
import type { PackedView, TableInfo } from "../net/wire.ts";
import type { Position } from "./types.ts";

/** The position of a packed view; throws `old-page` if this page cannot read it. */
export function positionOf(
  { edition, fingerprint, seats }: Pick<TableInfo, "edition" | "fingerprint" | "seats">,
  { record, sources }: PackedView,
): Position {
  if (sources !== SOURCES) throw new Refusal("old-page", "There is a newer version of this page: reload it.");
  const view = Uint8Array.from(atob(record), (letter) => letter.charCodeAt(0));
  return { edition, fingerprint, seats: seats.length, view };
}
