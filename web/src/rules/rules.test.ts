import { describe, expect, it } from "vitest";

import type { EditionMap, Route, Rules } from "../net/wire.ts";
import en from "./en.ts";
import { factsOf } from "./facts.ts";
import ro from "./ro.ts";

const PLAIN = {
  min_seats: 2,
  max_seats: 5,
  cards: [12, 12, 12, 12, 12, 12, 12, 12, 14],
  hand: 4,
  row: 5,
  row_locomotives: 3,
  trains: 45,
  last_trains: 2,
  route_points: [0, 1, 2, 4, 7, 10, 15, 18, 21],
  parallel_from: 4,
  setup_tickets: 3,
  setup_long: 0,
  setup_keep: 2,
  setup_return: "bottom",
  draw_tickets: 3,
  draw_keep: 1,
  return_order: "dealt",
  tunnel_cards: 3,
  stations: 0,
  station_points: 4,
  markers: 0,
  marker_cards: 2,
  alvin_city: "",
  alvin_points: 10,
  longest_points: 10,
  globetrotter_points: 15,
  phases: ["draw", "claim", "tickets"],
  scorers: ["routes", "tickets", "longest-path"],
  tie_breaks: ["tickets", "longest-path"],
} satisfies Rules;

const route = (more: Partial<Route>): Route => ({
  a: 0,
  b: 1,
  length: 3,
  color: 0,
  kind: "track",
  locomotives: 0,
  lane: 0,
  ...more,
});

function map(rules: Partial<Rules>, routes: Route[], long = 0): EditionMap {
  const decks = ["normal", "normal", ...Array.from({ length: long }, () => "long")];
  const tickets = decks.map((deck) => ({ a: 0, b: 1, points: 5, deck, status: "" }));
  return { rules: { ...PLAIN, ...rules }, routes, tickets } as unknown as EditionMap;
}

const USA = map({}, [route({}), route({ lane: 1 }), route({ length: 1 })]);
const EUROPE = map(
  {
    stations: 3,
    setup_long: 1,
    setup_return: "out",
    phases: ["draw", "claim", "tickets", "tunnel", "station"],
    scorers: ["routes", "tickets", "longest-path", "stations"],
    tie_breaks: ["tickets", "stations", "longest-path"],
  },
  [route({ kind: "tunnel" }), route({ kind: "ferry", locomotives: 2 })],
  6,
);
const WEST = map(
  {
    trains: 40,
    markers: 3,
    alvin_city: "Roswell",
    phases: ["draw", "claim", "tickets", "start-city", "marker", "alvin"],
    scorers: ["controllers", "tickets", "globetrotter", "alvin"],
    tie_breaks: ["tickets"],
  },
  [route({ length: 7 })],
);
const MAPS = [USA, EUROPE, WEST];

const start = (edition: EditionMap, language = en): string =>
  language
    .sections(factsOf(edition))
    .find(({ id }) => id === "start")
    ?.points?.join(" ") ?? "";
const ids = (edition: EditionMap): string[] => en.sections(factsOf(edition)).map(({ id }) => id);

describe("the rules of an edition", () => {
  it("tell of what the edition has, and of nothing else", () => {
    const special = ["double", "ferries", "tunnels", "stations", "markers", "alvin"];
    const told = MAPS.map((edition) => ids(edition).filter((id) => special.includes(id)));
    expect(told).toEqual([["double"], ["ferries", "tunnels", "stations"], ["markers", "alvin"]]);
    expect(en.choices(factsOf(USA))).toHaveLength(3);
    expect(en.choices(factsOf(EUROPE)).at(-1)?.id).toBe("stations");
  });

  it("have the same sections and figures in both languages", () => {
    const outline = (edition: EditionMap, language: typeof en): unknown[] =>
      language
        .sections(factsOf(edition))
        .map((section) => [section.id, section.figure?.name, section.text.length, section.points?.length]);
    for (const edition of MAPS) expect(outline(edition, ro)).toEqual(outline(edition, en));
  });

  it("fill in every number", () => {
    for (const language of [en, ro]) {
      for (const edition of MAPS) {
        const told = JSON.stringify(language.sections(factsOf(edition)));
        expect(told).not.toMatch(/undefined|null|NaN/);
      }
    }
  });

  it("take their numbers from the edition", () => {
    expect(start(USA)).toContain("45 trains");
    expect(start(WEST)).toContain("40 trains");
    expect(start(EUROPE)).toContain("1 long one");
    expect(start(EUROPE)).toContain("leave the game");
    expect(factsOf(USA).lengths).toEqual([1, 3]);
  });

  it("count in Romanian with the form of the number", () => {
    expect(start(EUROPE, ro)).toContain("45 de vagoane și 4 cărți tren, plus 3 gări.");
    expect(start(map({ trains: 101, hand: 1 }, []), ro)).toContain("101 vagoane și 1 carte tren.");
  });
});
