// SVG paths of the routes and the land, in the plate's units.

import { symbolAt } from "../art/cards.ts";
import { type Knot, knots, placed, through } from "../art/paths.ts";
import { GRAY, LOCOMOTIVE } from "../net/cards.ts";
import type { EditionMap, Plate, Route, Track } from "../net/wire.ts";

interface RouteShape {
  /** the outlines of all spaces */
  spaces: string;
  /** the symbols on them, upright */
  symbols: string;
  /** the wheels on the spaces that take locomotives only */
  wheels: string;
  /** the middle line from city to city */
  line: string;
}

const CORNER = 3;
const BOW = 6; // the length of a ferry's pointed ends

function brick(length: number, width: number): string {
  const [x, y] = [length / 2, width / 2];
  const [ix, iy] = [x - CORNER, y - CORNER];
  return (
    `M${-ix} ${-y}L${ix} ${-y}Q${x} ${-y} ${x} ${-iy}L${x} ${iy}Q${x} ${y} ${ix} ${y}` +
    `L${-ix} ${y}Q${-x} ${y} ${-x} ${iy}L${-x} ${-iy}Q${-x} ${-y} ${-ix} ${-y}Z`
  );
}

function hull(length: number, width: number): string {
  const [x, y, ix] = [length / 2, width / 2, length / 2 - BOW];
  return (
    `M${-ix} ${-y}L${ix} ${-y}Q${x - 1} ${-y / 2} ${x} 0Q${x - 1} ${y / 2} ${ix} ${y}` +
    `L${-ix} ${y}Q${-x + 1} ${y / 2} ${-x} 0Q${-x + 1} ${-y / 2} ${-ix} ${-y}Z`
  );
}

/** Which spaces show a wheel: as many as locomotives are required, spread over the route. */
export function wheelSpaces(length: number, locomotives: number): number[] {
  const step = length / Math.max(locomotives, 1);
  return Array.from({ length: Math.min(locomotives, length) }, (_, n) => Math.floor((n + 0.5) * step));
}

function shapeOf(route: Route, track: Track, plate: Plate, symbolSize: number): RouteShape {
  const outline = (route.kind === "ferry" ? hull : brick)(plate.space_length, plate.space_width);
  const wheels = new Set(wheelSpaces(track.spaces.length, route.locomotives));
  const marked = track.spaces.filter((_, index) => !wheels.has(index));
  const wheeled = track.spaces.filter((_, index) => wheels.has(index));
  const size = plate.space_width * symbolSize;
  return {
    spaces: track.spaces.map(({ x, y, angle }) => placed(outline, x, y, 1, angle)).join(""),
    symbols: route.color === GRAY ? "" : marked.map(({ x, y }) => symbolAt(route.color, x, y, size)).join(""),
    wheels: wheeled.map(({ x, y }) => symbolAt(LOCOMOTIVE, x, y, plate.space_width * 0.92)).join(""),
    line: track.path,
  };
}

/** The shapes of all routes; `symbolSize` is the symbols' share of a space's width. */
export const shapesOf = (map: EditionMap, plate: Plate, symbolSize: number): RouteShape[] =>
  map.routes.map((route, index) => {
    return shapeOf(route, plate.tracks[index] ?? { path: "", spaces: [] }, plate, symbolSize);
  });

/** The middle line of a route from the middle of its first city to that of its second: outer lanes begin beside it. */
export function fromCityToCity(map: EditionMap, plate: Plate, route: number): string {
  const [ends, line] = [map.routes[route], plate.tracks[route]?.path];
  const [a, b] = [ends && plate.cities[ends.a], ends && plate.cities[ends.b]];
  return a && b && line ? `M${a.x} ${a.y}L${line.slice(1)}L${b.x} ${b.y}` : "";
}

const landRings = new WeakMap<Plate, Knot[][]>();

function ringsOf(plate: Plate): Knot[][] {
  const rings = landRings.get(plate) ?? knots(plate.land);
  landRings.set(plate, rings);
  return rings;
}

/** A ring with its knots at least `step` apart and straight lines between them. */
function thinned(ring: readonly Knot[], step: number): Knot[] {
  let last = { x: Infinity, y: Infinity };
  const kept = ring.filter((knot) => {
    const far = Math.hypot(knot.x - last.x, knot.y - last.y) >= step;
    if (far) last = knot;
    return far;
  });
  return kept.map(({ x, y }) => ({ x, y }));
}

const thinnedRings = (plate: Plate, step: number): Knot[][] =>
  ringsOf(plate)
    .map((ring) => thinned(ring, step))
    .filter((ring) => ring.length > 2);

const roughLands = new WeakMap<Plate, string>();

/** The land with few corners, for small pictures. */
export function roughLand(plate: Plate): string {
  const rings = (): Knot[][] => thinnedRings(plate, plate.width / 110);
  const land =
    roughLands.get(plate) ??
    rings()
      .map((ring) => `${through(ring)}Z`)
      .join("");
  roughLands.set(plate, land);
  return land;
}

const PIECE = 32; // knots

/**
 * The coast in short pieces, exact or with its knots at least `step` apart. A browser paints in
 * tiles and strokes only the pieces in each; one long path would be stroked for every tile.
 */
export function coastPieces(plate: Plate, step = 0): string[] {
  const rings = step > 0 ? thinnedRings(plate, step) : ringsOf(plate);
  return rings.flatMap((ring) => {
    const closed = [...ring, ...ring.slice(0, 1)];
    const count = Math.ceil((closed.length - 1) / PIECE);
    return Array.from({ length: count }, (_, n) => through(closed.slice(n * PIECE, (n + 1) * PIECE + 1)));
  });
}
