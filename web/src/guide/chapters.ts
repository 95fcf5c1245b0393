// The chapters of the guide, and when each is shown. It reads the view and the legal moves, and knows no rule.

import { lanesBeside } from "../game/lanes.ts";
import { GRAY } from "../net/cards.ts";
import type { EditionMap, GameView, Move } from "../net/wire.ts";
import { baseEdition } from "../words/names.ts";
import { count } from "../words/words.ts";

export type ChapterId =
  | "tickets"
  | "keep"
  | "start"
  | "turn"
  | "cards"
  | "claim"
  | "control"
  | "tunnel"
  | "reveal"
  | "ferry"
  | "double"
  | "gray"
  | "marker"
  | "alvin"
  | "alvin-move"
  | "station"
  | "last-round"
  | "end";

interface Situation {
  view: GameView;
  map: EditionMap;
  /** whether the player considers a move of a kind */
  may: (...types: Move["type"][]) => boolean;
  /** the routes that the player considers to claim */
  routes: EditionMap["routes"];
}

interface Chapter {
  id: ChapterId;
  met: (now: Situation) => boolean;
  /** where the rules say more */
  anchor: string;
}

/** A turn before the player has picked what to do: then not only claims or stations are considered. */
const myTurn = ({ view, may }: Situation): boolean => view.phase === "turn" && may("blind", "take");

/** In the order in which they are shown when several apply at once. */
const CHAPTERS: readonly Chapter[] = [
  { id: "end", anchor: "end", met: ({ view }) => view.phase === "over" },
  { id: "reveal", anchor: "tunnels", met: ({ may }) => may("pay-tunnel", "decline") },
  { id: "tickets", anchor: "tickets", met: ({ may }) => may("choose") },
  { id: "keep", anchor: "tickets", met: ({ may }) => may("keep") },
  { id: "start", anchor: "markers", met: ({ may }) => may("start") },
  { id: "marker", anchor: "markers", met: ({ may }) => may("mark") },
  { id: "alvin-move", anchor: "alvin", met: ({ may }) => may("move-alvin") },
  { id: "last-round", anchor: "end", met: (now) => now.view.last_turns > 0 && myTurn(now) },
  { id: "turn", anchor: "turn", met: (now) => myTurn(now) },
  { id: "cards", anchor: "cards", met: ({ view, may }) => view.phase === "second" && may("blind", "take") },
  { id: "claim", anchor: "claim", met: ({ may }) => may("claim") },
  {
    id: "control",
    anchor: "markers",
    met: ({ view, routes, map }) => {
      const marked = new Set(map.rules.markers ? view.seats.flatMap(({ marks }) => marks) : []);
      return routes.some(({ a, b }) => marked.has(a) || marked.has(b));
    },
  },
  { id: "tunnel", anchor: "tunnels", met: ({ routes }) => routes.some(({ kind }) => kind === "tunnel") },
  { id: "station", anchor: "stations", met: ({ may }) => may("station") },
  { id: "ferry", anchor: "ferries", met: ({ routes }) => routes.some(({ locomotives }) => locomotives > 0) },
  { id: "alvin", anchor: "alvin", met: ({ view, may }) => view.alvin_city !== null && may("claim") },
  {
    id: "double",
    anchor: "double",
    met: ({ routes, map }) => routes.some((route) => lanesBeside(map, map.routes.indexOf(route)).length),
  },
  {
    id: "gray",
    anchor: "claim",
    met: ({ routes }) => routes.some(({ color, kind }) => color === GRAY && kind === "track"),
  },
];

/** The chapters that apply to the moves that the player considers and were not shown yet, the next one first. */
export function chaptersFor(
  view: GameView,
  considered: readonly Move[],
  map: EditionMap,
  shown: readonly string[],
): ChapterId[] {
  const claimed = new Set(considered.flatMap((move) => (move.type === "claim" ? [move.route] : [])));
  const now: Situation = {
    view,
    map,
    may: (...types) => considered.some((move) => types.includes(move.type)),
    routes: map.routes.filter((_, route) => claimed.has(route)),
  };
  return CHAPTERS.filter(({ id, met }) => !shown.includes(id) && met(now)).map(({ id }) => id);
}

/** Where the rules of an edition say more about a chapter. */
export function rulesAddress(id: ChapterId, edition: string): string {
  const anchor = CHAPTERS.find((chapter) => chapter.id === id)?.anchor ?? "";
  return `/rules/${baseEdition(edition)}#${anchor}`;
}

/** The numbers in the chapters' texts, most of them with what they count. */
export function numbersOf(view: GameView, map: EditionMap): Record<string, number | string> {
  const { rules } = map;
  return {
    short: rules.route_points[1] ?? 1,
    long: rules.route_points[6] ?? 15,
    tunnelCards: count(rules.tunnel_cards, "cards"),
    markerCards: count(rules.marker_cards, "cards"),
    alvin: count(rules.alvin_points, "points"),
    city: view.alvin_city === null ? "" : (map.cities[view.alvin_city]?.label ?? ""),
    trains: count(rules.last_trains, "play.trains"),
  };
}

/** Which of its two texts a chapter shows at this table. */
export function variant(
  id: ChapterId,
  view: GameView,
  offered: readonly Move[],
  { rules }: EditionMap,
): "text" | "text-2" {
  if (id === "turn") return rules.stations ? "text-2" : "text";
  if (id === "double") return view.seats.length >= rules.parallel_from ? "text-2" : "text";
  if (id === "reveal") return offered.some(({ type }) => type === "pay-tunnel") ? "text" : "text-2";
  return "text";
}
