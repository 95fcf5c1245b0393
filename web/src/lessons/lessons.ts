// The lessons: which positions they are played in, and what is asked there. Their sentences are in en.ts and ro.ts.

import type { ChapterId } from "../guide/chapters.ts";
import type { EditionMap, GameEvent } from "../net/wire.ts";
import type { POSITIONS } from "./states.ts";

/** The event that answers a question. Places and tickets are by name; where one is left out, any will do. */
export interface Wanted {
  event: GameEvent["type"];
  /** "Denver–Santa Fe", on any lane */
  route?: string;
  cities?: readonly string[];
  /** these tickets and no others */
  tickets?: readonly string[];
  /** of the cards, by number */
  color?: number;
  locomotives?: number;
}

/** A position, and the seed of the cards and tickets that come in it. */
export interface Scene {
  position: keyof typeof POSITIONS;
  seed: string;
}

export interface Step {
  /** the key of its sentences */
  id: string;
  /** where it is played; left out: the game goes on from the step before */
  scene?: Scene;
  wanted: Wanted;
  /** the chapter of the guide that explains it */
  chapter?: ChapterId;
}

export interface Lesson {
  id: string;
  steps: readonly [Step & { scene: Scene }, ...Step[]];
}

const [BLUE, BLACK, RED, LOCOMOTIVE] = [1, 6, 7, 8] as const;

export const LESSONS = [
  {
    id: "tickets",
    steps: [
      {
        id: "choose",
        scene: { position: "first-tickets", seed: "0" },
        chapter: "tickets",
        wanted: { event: "tickets-kept", tickets: ["Los Angeles–Seattle", "Phoenix–Portland"] },
      },
      {
        id: "draw",
        scene: { position: "more-tickets", seed: "42" }, // with Santa Fe–Vancouver among the three
        wanted: { event: "tickets-drawn" },
      },
      {
        id: "keep",
        chapter: "keep",
        wanted: { event: "tickets-kept", tickets: ["Santa Fe–Vancouver"] },
      },
    ],
  },
  {
    id: "cards",
    steps: [
      {
        id: "open",
        scene: { position: "cards", seed: "9" }, // the deck gives a red card
        chapter: "turn",
        wanted: { event: "card-taken", color: RED },
      },
      { id: "deck", chapter: "cards", wanted: { event: "blind-drawn" } },
      { id: "locomotive", wanted: { event: "card-taken", color: LOCOMOTIVE } },
    ],
  },
  {
    id: "routes",
    steps: [
      {
        id: "pay",
        scene: { position: "claim", seed: "0" },
        chapter: "claim",
        wanted: { event: "route-claimed", route: "Denver–Santa Fe", color: BLUE, locomotives: 0 },
      },
      {
        id: "stand-in",
        chapter: "gray",
        wanted: { event: "route-claimed", route: "El Paso–Santa Fe", color: RED, locomotives: 1 },
      },
      {
        id: "long",
        wanted: { event: "route-claimed", route: "El Paso–Los Angeles", color: BLACK, locomotives: 0 },
      },
    ],
  },
  {
    id: "europe",
    steps: [
      {
        id: "tunnel",
        scene: { position: "tunnel", seed: "0" }, // one of the three cards is blue
        chapter: "tunnel",
        wanted: { event: "tunnel-tried", route: "München–Venezia" },
      },
      { id: "reveal", chapter: "reveal", wanted: { event: "tunnel-paid" } },
      {
        id: "ferry",
        scene: { position: "ferry", seed: "0" },
        chapter: "ferry",
        wanted: { event: "route-claimed", route: "Dieppe–London" },
      },
      {
        id: "station",
        scene: { position: "station", seed: "0" },
        chapter: "station",
        wanted: { event: "station-built", cities: ["Bruxelles", "Dieppe", "Paris"] },
      },
    ],
  },
  {
    id: "old-west",
    steps: [
      {
        id: "start",
        scene: { position: "start", seed: "0" },
        chapter: "start",
        wanted: { event: "city-started", cities: ["Denver"] },
      },
      {
        id: "network",
        scene: { position: "marker", seed: "0" },
        wanted: { event: "route-claimed", route: "Denver–Grand Junction" },
      },
      {
        id: "marker",
        chapter: "marker",
        wanted: { event: "marker-placed", cities: ["Grand Junction"] },
      },
      {
        id: "alvin",
        scene: { position: "alvin", seed: "0" },
        chapter: "alvin",
        wanted: { event: "alvin-captured" },
      },
      { id: "alvin-move", chapter: "alvin-move", wanted: { event: "alvin-moved" } },
    ],
  },
] as const satisfies readonly Lesson[];

/** The name of a route or a ticket. */
const between = ({ cities }: EditionMap, { a, b }: { a: number; b: number }): string =>
  `${cities[a]?.name ?? ""}–${cities[b]?.name ?? ""}`;

/** Whether an event is the one that is wanted. */
export function fits(event: GameEvent, wanted: Wanted, map: EditionMap): boolean {
  const { event: type, route, cities, tickets, color, locomotives } = wanted;
  if (event.type !== type) return false;
  if (route !== undefined && !("route" in event && named(map.routes, event.route, route))) return false;
  if (cities && !("city" in event && cities.includes(map.cities[event.city]?.name ?? ""))) return false;
  if (color !== undefined && !("color" in event && event.color === color)) return false;
  if (locomotives !== undefined && !("locomotives" in event && event.locomotives === locomotives))
    return false;
  if (!tickets) return true;
  const kept = "tickets" in event ? (event.tickets ?? []) : [];
  return (
    kept.length === tickets.length &&
    kept.every((one) => tickets.some((name) => named(map.tickets, one, name)))
  );

  function named(rows: readonly { a: number; b: number }[], index: number, name: string): boolean {
    const row = rows[index];
    return row !== undefined && between(map, row) === name;
  }
}
