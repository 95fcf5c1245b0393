// The result of a game: from the kernel's tally to its JSON.

import type { StateRecord, TallyRecord } from "../net/records.ts";
import type { EditionMap, Outcome, SeatScore } from "../net/wire.ts";
import { HELD, TIE_BREAKS } from "./codes.ts";
import type { TableData } from "./edition.ts";
import { seatsIn, ticketsAt } from "./view.ts";

export function outcomeData(
  state: StateRecord,
  tally: TallyRecord,
  map: EditionMap,
  table: TableData,
): Outcome {
  const score = (seat: number): SeatScore => {
    const of = <Value>(list: readonly Value[]): Value => list[seat] as Value;
    const built = table.stations ? of(state.marks).filter((city) => city >= 0).length : 0;
    return {
      routes: of(tally.routes),
      tickets: ticketsAt(state.ticket, map, HELD + seat).map((ticket) => {
        const completed = tally.done[ticket] !== 0;
        const points = map.tickets[ticket]?.points ?? 0;
        return { ticket, completed, points: completed ? points : -points };
      }),
      longest_path: of(tally.longest),
      stations: of(tally.stations),
      globetrotter: of(tally.globetrotter),
      alvin: of(tally.alvin),
      total: of(tally.total),
      path_length: of(tally.path),
      borrowed: of(tally.borrowed)
        .slice(0, built)
        .map((lane) => (lane < 0 ? null : (table.routeOfLane[lane] ?? null))),
    };
  };
  return {
    seats: Array.from({ length: table.seats }, (_, seat) => score(seat)),
    winners: seatsIn(tally.winners, table.seats),
    tie_break: TIE_BREAKS[tally.tie_break] ?? null,
    resigned: [],
    stopped: false,
  };
}
