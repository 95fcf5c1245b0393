// A finger on a phone: every route of every edition has room for it, and close up every lane has.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Plate } from "../net/wire.ts";
import { BoardState } from "./board.svelte.ts";
import { Geometry, type Point } from "./geometry.ts";

const EDITIONS = ["usa-classic", "usa", "europe", "old-west", "romania", "ireland", "caribbean"];
const FINGER = 24; // pixels
const PHONE = { width: 390, height: 420 }; // what is left for the board between seats, status and hand
const STEP = 0.5; // pixels between two taps

const folder = new URL("../../../src/macaz/editions/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** By route: the row of the edition's file, or of its base's, that it is a lane of. */
function pairsOf(edition: string): number[] {
  const file = read(`${edition}.toml`);
  const [, rows] = /^routes = \[\n(.*?)^\]/ms.exec(file) ?? [];
  if (rows === undefined) {
    const [, base] = /^base = "(.*)"/m.exec(file) ?? [];
    return base === undefined ? [] : pairsOf(base);
  }
  const lanes = [...rows.matchAll(/lanes = \[(.*?)\]/g)].map(([, colors = ""]) => colors.split(",").length);
  return lanes.flatMap((count, row) => Array.from({ length: count }, () => row));
}

interface Tried {
  plate: Plate;
  pairs: number[];
  board: BoardState;
}

/** The whole board can be chosen from: nothing makes it easier to hit the right route. */
function tried(edition: string): Tried {
  const plate = JSON.parse(read(`plates/${edition}.json`)) as Plate;
  const pairs = pairsOf(edition);
  const all = { routes: new Set(plate.tracks.keys()), cities: new Set<number>() };
  const board = new BoardState(new Geometry(plate), () => all);
  board.resize(PHONE.width, PHONE.height);
  return { plate, pairs, board };
}

/** Whether a finger's width of taps across a track, at some point of it, picks what is meant. */
function hasRoom({ plate, board }: Tried, route: number, meant: (picked: number) => boolean): boolean {
  const picks = ({ x, y }: Point): boolean => {
    const target = board.hit(x, y);
    return target !== null && "route" in target && meant(target.route);
  };
  return (plate.tracks[route]?.spaces ?? []).some((space) => {
    const middle = board.toView(space);
    const turn = ((space.angle + 90) * Math.PI) / 180;
    const at = (far: number): Point => ({
      x: middle.x + Math.cos(turn) * far,
      y: middle.y + Math.sin(turn) * far,
    });
    const reach = (side: 1 | -1): number => {
      let far = 0;
      while (far < FINGER && picks(at(side * (far + STEP)))) far += STEP;
      return far;
    };
    return picks(middle) && reach(1) + reach(-1) >= FINGER;
  });
}

describe.each(EDITIONS)("a finger on %s", (edition) => {
  const trial = tried(edition);
  const { plate, pairs, board } = trial;
  const routes = [...plate.tracks.keys()];

  it("knows which lanes belong together", () => {
    expect(pairs).toHaveLength(plate.tracks.length);
  });

  it("has room for the route between any two cities, as a phone shows it first", () => {
    board.home();
    const narrow = routes.filter(
      (route) => !hasRoom(trial, route, (picked) => pairs[picked] === pairs[route]),
    );
    expect(narrow).toEqual([]);
  });

  it("has room for each lane of a double route close up", () => {
    board.zoom(1000);
    const twins = (route: number): number => pairs.filter((pair) => pair === pairs[route]).length;
    const doubles = routes.filter((route) => twins(route) > 1);
    expect(doubles.length).toBeGreaterThan(0);
    expect(doubles.filter((route) => !hasRoom(trial, route, (picked) => picked === route))).toEqual([]);
  });
});
