// What the rules pages say of an edition, read from its data, so that it holds for changed maps too.

import type { EditionMap, Rules } from "../net/wire.ts";

export interface Facts {
  rules: Rules;
  /** the lengths of routes on this map, the shortest first */
  lengths: number[];
  tickets: number;
  longTickets: number;
  doubles: boolean;
  ferries: boolean;
  tunnels: boolean;
  stations: boolean;
  /** a starting city, a network that grows from it, and city markers */
  markers: boolean;
  alvin: boolean;
  longestPath: boolean;
  globetrotter: boolean;
}

export function factsOf({ rules, routes, tickets }: EditionMap): Facts {
  const long = tickets.filter(({ deck }) => deck === "long").length;
  return {
    rules,
    lengths: [...new Set(routes.map(({ length }) => length))].sort((a, b) => a - b),
    tickets: tickets.length - long,
    longTickets: long,
    doubles: routes.some(({ lane }) => lane > 0),
    ferries: routes.some(({ kind }) => kind === "ferry"),
    tunnels: rules.phases.includes("tunnel") && routes.some(({ kind }) => kind === "tunnel"),
    stations: rules.phases.includes("station"),
    markers: rules.phases.includes("marker"),
    alvin: rules.phases.includes("alvin"),
    longestPath: rules.scorers.includes("longest-path"),
    globetrotter: rules.scorers.includes("globetrotter"),
  };
}
