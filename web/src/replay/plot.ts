// Scores over time as lines.

import type { Color } from "../net/wire.ts";

/** Dashes distinguish the lines without colour. */
export const DASHES: Record<Color, string> = {
  blue: "none",
  red: "7 3",
  green: "2 3",
  yellow: "10 3 2 3",
  black: "4 4",
  purple: "12 4",
};

/** A line with a step wherever a value changes: one unit for each value, `height` for the most. */
export function curve(values: readonly number[], most: number, height: number): string {
  const y = (value: number): number => Math.round(100 * height * (1 - Math.max(0, value) / most)) / 100;
  let path = `M0 ${y(values[0] ?? 0)}`;
  values.forEach((value, x) => {
    if (x && value !== values[x - 1]) path += `H${x}V${y(value)}`;
  });
  return `${path}H${Math.max(1, values.length - 1)}`;
}

/** Ascending positions moved as little as needed so that neighbours are `gap` apart, all between `edge` and the other
 * end of `width` less `edge`. */
export function spread(positions: readonly number[], gap: number, width: number, edge: number): number[] {
  const moved: number[] = [];
  for (const at of positions) moved.push(Math.max(at, edge, (moved.at(-1) ?? -gap) + gap));
  let most = width - edge;
  for (let i = moved.length - 1; i >= 0; i -= 1) {
    moved[i] = Math.min(moved[i] ?? 0, most);
    most = (moved[i] ?? 0) - gap;
  }
  return moved;
}
