// The frame of the plate: the positions of its ticks, and a free place for the title.

import { knots } from "../art/paths.ts";
import type { EditionMap, Plate } from "../net/wire.ts";

interface Ticks {
  top: number[];
  bottom: number[];
  left: number[];
  right: number[];
}

/** Where the lines of the graticule cross the plate's edges. */
export function ticksOf({ graticule, width, height }: Plate): Ticks {
  const ticks: Ticks = { top: [], bottom: [], left: [], right: [] };
  const crossing = (from: number, to: number, edge: number): number | null =>
    (from - edge) * (to - edge) <= 0 && from !== to ? (edge - from) / (to - from) : null;
  const inside = (value: number, size: number): boolean => value > 0 && value < size;
  for (const line of knots(graticule)) {
    for (const [index, to] of line.entries()) {
      const from = line[index - 1];
      if (!from) continue;
      for (const [side, edge] of [
        ["top", 0],
        ["bottom", height],
      ] as const) {
        const share = crossing(from.y, to.y, edge);
        const x = share === null ? -1 : from.x + share * (to.x - from.x);
        if (inside(x, width)) ticks[side].push(x);
      }
      for (const [side, edge] of [
        ["left", 0],
        ["right", width],
      ] as const) {
        const share = crossing(from.x, to.x, edge);
        const y = share === null ? -1 : from.y + share * (to.y - from.y);
        if (inside(y, height)) ticks[side].push(y);
      }
    }
  }
  for (const side of Object.values(ticks) as number[][]) side.sort((one, other) => one - other);
  return ticks;
}

/** Every other interval between ticks, from 0 to `end`, as [from, to]. */
export function dark(ticks: readonly number[], end: number): [number, number][] {
  const stops = [0, ...ticks, end];
  return stops
    .slice(1)
    .map((stop, index): [number, number] => [stops[index] ?? 0, stop])
    .filter((_, index) => index % 2 === 0);
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const LETTER = 0.52; // width of a letter in em, on average

/** What the title must not lie on: all spaces, cities and labels. */
function obstacles(map: EditionMap, plate: Plate): Box[] {
  const reach = Math.hypot(plate.space_length, plate.space_width) / 2;
  const around = (x: number, y: number, r: number): Box => {
    return { x: x - r, y: y - r, width: 2 * r, height: 2 * r };
  };
  const labels = plate.cities.map(({ label_x, label_y, anchor }, city): Box => {
    const width = (map.cities[city]?.label.length ?? 0) * plate.label_size * LETTER;
    const back = { start: 0, middle: width / 2, end: width }[anchor];
    return { x: label_x - back, y: label_y - plate.label_size, width, height: plate.label_size * 1.3 };
  });
  return [
    ...plate.tracks.flatMap(({ spaces }) => spaces.map(({ x, y }) => around(x, y, reach))),
    ...plate.cities.map(({ x, y }) => around(x, y, plate.city_radius * 2.5)),
    ...labels,
  ];
}

const apart = (one: Box, other: Box): number =>
  Math.max(
    other.x - (one.x + one.width),
    one.x - (other.x + other.width),
    other.y - (one.y + one.height),
    one.y - (other.y + other.height),
  );

const INSET = 14; // distance between the title and the frame
const STEP = 12;
const CLEAR = 8; // least distance between the title and everything else
const CORNER_BONUS = 40; // a title looks best in a corner

/** A free place for a title at the plate's edge, in a corner if there is one; null if there is none. */
export function freePlace(map: EditionMap, plate: Plate, width: number, height: number): Box | null {
  const blocks = obstacles(map, plate);
  const [right, bottom] = [plate.width - width - INSET, plate.height - height - INSET];
  let [best, most]: [Box | null, number] = [null, -Infinity];
  const consider = (x: number, y: number): void => {
    const box = { x, y, width, height };
    const room = Math.min(60, ...blocks.map((block) => apart(box, block)));
    const corner = (x === INSET || x === right) && (y === INSET || y === bottom);
    const worth = room + (corner ? CORNER_BONUS : 0);
    if (room >= CLEAR && worth > most) [best, most] = [box, worth];
  };
  for (const y of [INSET, bottom]) for (let x = INSET; x < right; x += STEP) consider(x, y);
  for (const x of [INSET, right]) for (let y = INSET; y < bottom; y += STEP) consider(x, y);
  consider(right, bottom);
  return best;
}
