// Events: from the records that the kernel writes to their JSON.

import { EVENT, readField, readRecord } from "../net/records.ts";
import type { GameEvent, Outcome } from "../net/wire.ts";
import { type EventField, EVENTS, UNKNOWN } from "./codes.ts";
import { members, type TableData } from "./edition.ts";

/** Something that happened, which nothing is hidden of: a record of the kernel. */
export interface RawEvent {
  readonly bytes: Uint8Array;
  /** of the event that ends the game */
  readonly outcome: Outcome | null;
}

/** The kind of the event in a record; 0: none. */
export const kindIn = (data: DataView): number => readField(EVENT, "kind", data);

/** The JSON of the event in a record, which may be narrowed; hidden fields are null. */
export function eventData(table: TableData, data: DataView, outcome: Outcome | null): GameEvent {
  const record = readRecord(EVENT, data);
  const kind = EVENTS[record.kind - 1];
  if (!kind) throw new Error(`there is no event of the kind ${record.kind}`);
  const value = ([, from, form]: EventField): unknown => {
    const given = record[from];
    switch (form) {
      case "number":
      case "cards":
        return given;
      case "hidden":
        return given === UNKNOWN ? null : given;
      case "tickets": {
        const tickets = members(given as bigint[]);
        return tickets.length ? tickets : null;
      }
      case "route":
        return table.routeOfLane[given as number];
      case "by-seat":
        return (given as number[]).slice(0, table.seats);
      case "own":
        return (given as number[])[record.seat];
    }
  };
  const fields = kind.fields.map((field) => [field[0], value(field)] as const);
  return { type: kind.type, ...Object.fromEntries(fields), ...(outcome && { outcome }) } as GameEvent;
}
