// Positions of the routes and cities of a plate: hit-testing, and the next place in a direction.

import type { Place, Places } from "../game/places.ts";
import type { EditionMap, Plate, Track } from "../net/wire.ts";

export interface Point {
  x: number;
  y: number;
}

export const samePlace = (one: Place | null, other: Place | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    ("route" in one
      ? "route" in other && one.route === other.route
      : "city" in other && one.city === other.city));

export const includes = (targets: Places, target: Place): boolean =>
  "route" in target ? targets.routes.has(target.route) : targets.cities.has(target.city);

const listOf = ({ routes, cities }: Places): Place[] => [
  ...[...routes].map((route) => ({ route })),
  ...[...cities].map((city) => ({ city })),
];

/** The middle line of a track over its spaces. */
function lineOf(track: Track, spaceLength: number): Point[] {
  return track.spaces.flatMap(({ x, y, angle }) => {
    const turn = (angle * Math.PI) / 180;
    const [dx, dy] = [(Math.cos(turn) * spaceLength) / 2, (Math.sin(turn) * spaceLength) / 2];
    return [
      { x: x - dx, y: y - dy },
      { x: x + dx, y: y + dy },
    ];
  });
}

function distanceToPiece(point: Point, start: Point, end: Point): number {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - start.x - share * dx, point.y - start.y - share * dy);
}

const distanceToLine = (point: Point, line: readonly Point[]): number =>
  line.slice(1).reduce((least, end, before) => {
    return Math.min(least, distanceToPiece(point, line[before] as Point, end));
  }, Infinity);

export class Geometry {
  readonly width: number;
  readonly height: number;
  /** distance between the middle lines of two parallel lanes */
  readonly laneStep: number;
  readonly #lines: readonly (readonly Point[])[];
  readonly #middles: readonly Point[];
  readonly #cities: readonly Point[];
  readonly #halfWidth: number;
  readonly #radius: number;

  constructor(plate: Plate) {
    this.width = plate.width;
    this.height = plate.height;
    this.laneStep = plate.lane_step;
    this.#lines = plate.tracks.map((track) => lineOf(track, plate.space_length));
    this.#middles = plate.tracks.map(({ spaces }) => {
      const [one, other] = [spaces[(spaces.length - 1) >> 1], spaces[spaces.length >> 1]];
      return one && other ? { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } : { x: 0, y: 0 };
    });
    this.#cities = plate.cities;
    this.#halfWidth = plate.space_width / 2;
    this.#radius = plate.city_radius;
  }

  /** The middle of a place. */
  at(target: Place): Point {
    return ("route" in target ? this.#middles[target.route] : this.#cities[target.city]) ?? { x: 0, y: 0 };
  }

  /** Distance of a point from the edge of a place; negative within it. */
  distance(point: Point, target: Place): number {
    if ("route" in target) return distanceToLine(point, this.#lines[target.route] ?? []) - this.#halfWidth;
    const city = this.at(target);
    return Math.hypot(point.x - city.x, point.y - city.y) - this.#radius;
  }

  /** The nearest place within a distance: one of the wanted places if one is near, else any. */
  nearest(point: Point, within: number, wanted: Places): Place | null {
    return this.#nearestOf(listOf(wanted), point, within) ?? this.#nearestOf(this.#all(), point, within);
  }

  #nearestOf(targets: Iterable<Place>, point: Point, within: number): Place | null {
    let [found, least]: [Place | null, number] = [null, within];
    for (const target of targets) {
      const distance = this.distance(point, target);
      if (distance <= least) [found, least] = [target, distance];
    }
    return found;
  }

  *#all(): Generator<Place> {
    for (const route of this.#lines.keys()) yield { route };
    for (const city of this.#cities.keys()) yield { city };
  }

  /** Places in the order in which a page is read: bands from the top, each from the left. */
  inOrder(targets: Places): Place[] {
    const band = this.height / 6;
    return listOf(targets)
      .map((target) => ({ target, band: Math.floor(this.at(target).y / band), x: this.at(target).x }))
      .sort((one, other) => one.band - other.band || one.x - other.x)
      .map(({ target }) => target);
  }

  /** The next place in a direction (a unit vector); those straight ahead are preferred. */
  next(from: Point, direction: Point, targets: Places): Place | null {
    let [found, least]: [Place | null, number] = [null, Infinity];
    for (const target of listOf(targets)) {
      const { x, y } = this.at(target);
      const ahead = (x - from.x) * direction.x + (y - from.y) * direction.y;
      const aside = Math.abs((x - from.x) * direction.y - (y - from.y) * direction.x);
      if (ahead < 1 || aside > ahead * 1.2) continue;
      const cost = ahead + 2 * aside;
      if (cost < least) [found, least] = [target, cost];
    }
    return found;
  }
}

const known = new WeakMap<Plate, Geometry>();

/** The geometry of a plate, computed once. */
export function geometryOf(plate: Plate): Geometry {
  const geometry = known.get(plate) ?? new Geometry(plate);
  known.set(plate, geometry);
  return geometry;
}

/** The cities of a trail of routes, from where it begins to where it ends. */
export function trailCities(map: EditionMap, routes: readonly number[]): number[] {
  const ends = routes.map((route) => map.routes[route]).filter((route) => route !== undefined);
  const [first, second] = ends;
  if (!first) return [];
  const leaves = second && (first.a === second.a || first.a === second.b) ? first.b : first.a;
  return ends.reduce((cities, { a, b }) => [...cities, cities.at(-1) === a ? b : a], [leaves]);
}
