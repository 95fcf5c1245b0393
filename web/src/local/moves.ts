// Moves: from an action number to the JSON of a move, and to the text of a record.

import type { EditionMap, Move } from "../net/wire.ts";
import { CARD_WORDS, LOCO, MOVES, type MoveKind, PAY_LOCOS, PAYS } from "./codes.ts";
import type { TableData } from "./edition.ts";

/** What an action number says; `color` and `locomotives` as they are numbered, which is no price. */
export interface Decoded {
  readonly kind: MoveKind;
  readonly seat?: number;
  readonly tickets?: readonly number[];
  readonly ticket?: number;
  readonly city?: number;
  readonly route?: number;
  readonly color?: number;
  readonly locomotives?: number;
}

/** What an action costs: cards of a colour (8: none) and locomotives. */
export interface Price {
  readonly color: number;
  readonly cards: number;
  readonly locomotives: number;
}

/** The kind of an action number; -1 if the table has no such action. */
export function kindOf({ base, actions }: TableData, action: number): number {
  if (!Number.isInteger(action) || action < 0 || action >= actions) return -1;
  let kind = MOVES.length - 1;
  while (action < (base[kind] ?? 0)) kind -= 1;
  return kind;
}

/** The move of an action number; `offer` has the tickets that its seat may choose from. */
export function decode(table: TableData, action: number, offer: readonly number[]): Decoded {
  const number = kindOf(table, action);
  const kind = MOVES[number];
  if (!kind) throw new Error(`there is no action ${action}`);
  return { kind, ...fieldsOf(table, kind, action - (table.base[number] ?? 0), offer) };
}

function fieldsOf(
  table: TableData,
  { form, field }: MoveKind,
  i: number,
  offer: readonly number[],
): Omit<Decoded, "kind"> {
  const chosen = (mask: number): number[] => offer.filter((_, n) => (mask >> n) & 1);
  switch (form) {
    case "none":
      return {};
    case "number":
      return { [field]: i };
    case "tickets":
      return { tickets: chosen(i) };
    case "seat-tickets":
      return { seat: i >> table.setupDeal, tickets: chosen(i & ((1 << table.setupDeal) - 1)) };
    case "ticket":
      return { ticket: offer[i] ?? -1 };
    case "build": {
      const [city, pay] = [Math.floor(i / PAYS), i % PAYS];
      if (pay === PAYS - 1) return { city, color: LOCO, locomotives: 0 };
      return { city, color: Math.floor(pay / PAY_LOCOS), locomotives: pay % PAY_LOCOS };
    }
    case "claim":
      return {
        route: table.routeOfLane[table.claimLane[i] ?? -1] ?? -1,
        color: table.claimColor[i] ?? -1,
        locomotives: table.claimLocos[i] ?? -1,
      };
  }
}

/** The JSON of a legal move; a move that is paid for includes its price. */
export function moveData(table: TableData, action: number, offer: readonly number[], price: Price): Move {
  const { kind, ...fields } = decode(table, action, offer);
  return { type: kind.type, action, ...fields, ...(kind.paid ? price : {}) } as Move;
}

// -- text ---------------------------------------------------------------------------------------------------

const DASH = "–";

const pair = ({ cities }: EditionMap, { a, b }: { a: number; b: number }): string =>
  [a, b].map((city) => cities[city]?.name).join(DASH);

const cityName = ({ cities }: EditionMap, city = -1): string => cities[city]?.name ?? "";

/** Its two cities, with #2 or #3 for a parallel lane. */
function routeName(map: EditionMap, number = -1): string {
  const route = map.routes[number];
  return route ? pair(map, route) + (route.lane ? `#${route.lane + 1}` : "") : "";
}

/** Its two cities and points, with "long" for a long ticket. */
export function ticketName(map: EditionMap, number = -1): string {
  const ticket = map.tickets[number];
  return ticket ? `${pair(map, ticket)} ${ticket.points}${ticket.deck === "long" ? " long" : ""}` : "";
}

/** "black 4 loco 2", "black loco 1" (`cards` is 0), "loco 6" or "loco". */
function payment({ color = LOCO, locomotives = 0 }: Decoded, cards: number): string {
  const locos = locomotives ? `loco ${locomotives}` : "";
  if (color === LOCO) return locos || "loco";
  return [CARD_WORDS[color], cards || "", locos].filter((word) => word !== "").join(" ");
}

/** A move as records have it. */
export function moveText(map: EditionMap, move: Decoded): string {
  switch (move.kind.type) {
    case "take":
      return `take ${CARD_WORDS[move.color ?? -1]}`;
    case "blind":
      return "blind";
    case "draw-tickets":
      return "tickets";
    case "pass":
      return "pass";
    case "keep":
    case "choose":
      return `keep ${(move.tickets ?? []).map((ticket) => ticketName(map, ticket)).join(", ")}`;
    case "return":
      return `return ${ticketName(map, move.ticket)}`;
    case "pay-tunnel":
      return move.locomotives ? `pay loco ${move.locomotives}` : "pay";
    case "decline":
      return "decline";
    case "skip-marker":
      return "skip";
    case "start":
      return `start ${cityName(map, move.city)}`;
    case "move-alvin":
      return `alvin ${cityName(map, move.city)}`;
    case "station":
    case "mark":
      return `${move.kind.type} ${cityName(map, move.city)} ${payment(move, 0)}`;
    case "claim": {
      const length = map.routes[move.route ?? -1]?.length ?? 0;
      return `claim ${routeName(map, move.route)} ${payment(move, length - (move.locomotives ?? 0))}`;
    }
  }
}
