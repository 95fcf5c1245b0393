// Colours and symbols of the nine kinds of train cards. The symbols distinguish them without colour.

import { GRAY } from "../net/cards.ts";
import { placed } from "./paths.ts";

/** The name of a kind's custom properties: --card-7 and --card-on-7, or --card-gray. */
export const tint = (color: number): string => (color === GRAY ? "gray" : String(color));

type Point = readonly [number, number];

const shape = (...points: Point[]): string => `M${points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;

/** Four cubic curves, not arcs: placed() can move and scale these. */
function disc(r: number, x = 0, y = 0): string {
  const k = 0.5523 * r;
  return (
    `M${x - r} ${y}C${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r}` +
    `C${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y}` +
    `C${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r}` +
    `C${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y}Z`
  );
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: 2 * points }, (_, corner): Point => {
    const angle = (corner * Math.PI) / points - Math.PI / 2;
    const r = corner % 2 ? inner : outer;
    return [Number((r * Math.cos(angle)).toFixed(2)), Number((r * Math.sin(angle)).toFixed(2))];
  });
  return shape(...corners);
}

const wave = (y: number): string =>
  `M-9.5 ${y - 1.5}C-7 ${y - 5.5} -3 ${y - 4.5} 0 ${y - 2.5}C3 ${y - 0.5} 7 ${y + 0.5} 9.5 ${y - 3.5}` +
  `L9.5 ${y + 1.5}C7 ${y + 5.5} 3 ${y + 4.5} 0 ${y + 2.5}C-3 ${y + 0.5} -7 ${y - 0.5} -9.5 ${y + 3.5}Z`;

/** A wheel's window between two spokes, turned by quarters. */
const pane = (sx: number, sy: number): string =>
  `M${2 * sx} ${7.4 * sy}C${4.8 * sx} ${6.8 * sy} ${6.8 * sx} ${4.8 * sy} ${7.4 * sx} ${2 * sy}` +
  `L${3.4 * sx} ${2 * sy}L${2 * sx} ${3.4 * sy}Z`;

/**
 * The symbols, by kind: areas (even-odd) of M, L, C and Z only. They lie within a circle of about 12
 * around (0, 0), and so within a space, however it is turned.
 */
const SYMBOLS: readonly string[] = [
  shape([0, -12], [7, 0], [0, 12], [-7, 0]), // a diamond
  wave(-4.75) + wave(4.75), // water
  disc(8.8), // the sun
  disc(10.5) + disc(5.6), // a ring
  shape([0, -11.5], [10.5, 6.5], [-10.5, 6.5]), // a pine
  star(5, 12, 5),
  shape([-8, -8], [8, -8], [8, 8], [-8, 8]), // a lump of coal
  shape(
    ...([
      [-10, -6],
      [-6, -10],
      [0, -4],
      [6, -10],
      [10, -6],
      [4, 0],
      [10, 6],
      [6, 10],
      [0, 4],
      [-6, 10],
      [-10, 6],
      [-4, 0],
    ] as const),
  ), // a level crossing
  disc(11.5) + pane(1, 1) + pane(1, -1) + pane(-1, 1) + pane(-1, -1), // a wheel
];

/** The symbol of a kind, empty for gray. */
export const symbolOf = (color: number): string => SYMBOLS[color] ?? "";

/** The symbol of a kind around (x, y), `size` wide. */
export const symbolAt = (color: number, x: number, y: number, size: number): string =>
  placed(symbolOf(color), x, y, size / 24);
