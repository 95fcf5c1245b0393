// Planning aids, as src/macaz/help/aids: what follows from a seat's view, by the kernel's answers.

import { COST, PLAN, readRecord, VIEW, type ViewRecord } from "../net/records.ts";
import type { Aids, EditionMap, StationAid, TicketAid, TicketCost, TunnelAid } from "../net/wire.ts";
import {
  ACTIONS,
  CARDS,
  HELD,
  LANES,
  LENGTHS,
  OFFERED,
  REASONS,
  TICKET_DONE,
  TICKET_STATES,
  TICKETS,
} from "./codes.ts";
import type { EditionData, TableData } from "./edition.ts";
import type { Block, Kernel } from "./kernel.ts";
import { ticketsAt } from "./view.ts";

/** A seat's view as a state; hidden parts are empty, as the answers do not depend on them. */
export interface Known {
  readonly kernel: Kernel;
  readonly specs: Block;
  readonly map: EditionMap;
  readonly table: TableData;
  readonly seat: number;
  readonly view: ViewRecord;
  /** puts the state into the kernel's memory, where some entries try things on it */
  readonly states: () => Block;
}

/** What a seat knows, by the record of its view. */
export function knownOf(
  kernel: Kernel,
  { map }: EditionData,
  table: TableData,
  seat: number,
  record: Uint8Array,
): Known {
  const view = readRecord(VIEW, new DataView(record.buffer, record.byteOffset, VIEW.size));
  const states = (): Block => {
    const [views, found] = [kernel.scratch("views", 1), kernel.scratch("states", 1)];
    views.bytes.set(record);
    found.bytes.fill(0);
    kernel.call("tell_state", views, found);
    return found;
  };
  const specs = kernel.constant("specs", table.array("spec"));
  return { kernel, specs, map, table, seat, view, states };
}

export function aidsOf(known: Known): Omit<Aids, "version"> {
  return {
    seat: known.seat,
    tickets: ticketAids(known),
    stations: stationAids(known),
    tunnels: tunnelAids(known),
    ...reasons(known),
  };
}

/** Why the routes and cities of the map cannot be chosen now. */
function reasons({ kernel, specs, map, table, seat, states }: Known): Pick<Aids, "routes" | "cities"> {
  const out = kernel.scratch("out", ACTIONS);
  kernel.call("list_reasons", specs, states(), seat, out);
  const reason = (place: number): Aids["routes"][number] => REASONS[shortAt(out, place)] ?? "";
  return {
    routes: table.laneOfRoute.map(reason),
    cities: map.cities.map((_, city) => reason(LANES + city)),
  };
}

/** How the tickets of the seat stand. */
function plansOf({ kernel, specs, seat, states }: Known): Block {
  const plans = kernel.scratch("plans", 1);
  const [works, tallies] = [kernel.scratch("works", 1), kernel.scratch("tallies", 1)];
  plans.bytes.fill(0);
  kernel.call("plan_seat", specs, states(), works, tallies, kernel.scratch("networks", 1), plans, seat);
  return plans;
}

/** The aids for the tickets that the seat holds, then for those it is offered. */
function ticketAids(known: Known): TicketAid[] {
  const { map, table, seat, view } = known;
  const plan = readRecord(PLAN, plansOf(known).data);
  const aid = (ticket: number, offered: boolean): TicketAid => {
    const state = TICKET_STATES[(plan.state[ticket] ?? 0) - TICKET_DONE] ?? "open";
    return {
      ticket,
      offered,
      state,
      spaces: state === "impossible" ? null : (plan.spaces[ticket] ?? null),
      stations: plan.stations[ticket] ?? 0,
      way: table.routesIn(plan.way[ticket] ?? []),
    };
  };
  return [
    ...ticketsAt(view.ticket, map, HELD + seat).map((ticket) => aid(ticket, false)),
    ...ticketsAt(view.ticket, map, OFFERED + seat).map((ticket) => aid(ticket, true)),
  ];
}

/** What these tickets still cost at the least: those that are open. */
export function costsOf(known: Known, tickets: readonly TicketAid[]): TicketCost[] {
  const { kernel, specs, seat, states } = known;
  const plans = plansOf(known);
  const costs = kernel.scratch("costs", 1);
  kernel.call("cost_plan", specs, states(), plans, costs, seat);
  const { missing, any_color, claims, tunnels, stations, cards, turns } = readRecord(COST, costs.data);
  const of = <Value>(list: readonly Value[], ticket: number): Value => list[ticket] as Value;
  return tickets
    .filter(({ state }) => state === "open")
    .map(({ ticket }) => ({
      ticket,
      missing: of(missing, ticket),
      any_color: of(any_color, ticket),
      claims: of(claims, ticket),
      tunnels: of(tunnels, ticket),
      stations: of(stations, ticket),
      cards: of(cards, ticket),
      turns: of(turns, ticket),
    }));
}

/** The cities where a station can be built now and would complete a ticket. */
function stationAids({ kernel, specs, seat, states }: Known): StationAid[] {
  const out = kernel.scratch("out", ACTIONS);
  const [works, tallies] = [kernel.scratch("works", 1), kernel.scratch("tallies", 1)];
  const count = kernel.call("station_rescues", specs, states(), works, tallies, seat, out);
  const found = new Map<number, number[]>();
  for (let i = 0; i < count; i += 1) {
    const number = shortAt(out, i);
    const city = Math.floor(number / TICKETS);
    found.set(city, [...(found.get(city) ?? []), number % TICKETS]);
  }
  return [...found].map(([city, rescues]) => ({ city, rescues }));
}

/** The aid for each colour that a tunnel can be paid with now. */
function tunnelAids({ kernel, specs, table, seat, states }: Known): TunnelAid[] {
  const there = states();
  const colors = kernel.call("colors_to_try", specs, there, seat);
  const ways = kernel.scratch("ways", table.tunnelCards + 1);
  const found: TunnelAid[] = [];
  for (let color = 0; color < CARDS; color += 1) {
    if (((colors >> color) & 1) === 0) continue;
    const total = kernel.call("ways_to_cost", specs, there, seat, color, ways);
    const odds = Array.from({ length: table.tunnelCards + 1 }, (_, extra) => wordAt(ways, extra) / total);
    const payable = Array.from({ length: LENGTHS }, (_, length) =>
      kernel.call("most_extra", there, seat, color, length),
    );
    found.push({ color, odds, payable });
  }
  return found;
}

/** An element of an array of 16-bit numbers. */
export const shortAt = (block: Block, i: number): number => block.data.getInt16(block.size * i, true);

/** An element of an array of 64-bit numbers, which is small. */
export const wordAt = (block: Block, i: number): number =>
  Number(block.data.getBigInt64(block.size * i, true));
