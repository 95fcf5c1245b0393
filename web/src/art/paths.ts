// Reading, moving and writing SVG paths.

/**
 * A path moved to (x, y), scaled about its own (0, 0) and turned clockwise by degrees.
 * It may have only M, L, C, Q and Z with pairs of coordinates ("4 -2"), as our own drawings do.
 */
export function placed(d: string, x: number, y: number, scale = 1, degrees = 0): string {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  return d.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, first: string, second: string) => {
    const [dx, dy] = [Number(first), Number(second)];
    return `${(x + dx * cos - dy * sin).toFixed(2)} ${(y + dx * sin + dy * cos).toFixed(2)}`;
  });
}

/** An end of a piece of a path, and the control point of the curve that leads to it, if it is one. */
export interface Knot {
  x: number;
  y: number;
  control?: { x: number; y: number };
}

const NUMBERS = /-?(?:\d+\.?\d*|\.\d+)/g;

/** The knots of each line of a path of M, L, Q, T and Z, with absolute or relative coordinates. */
export function knots(d: string): Knot[][] {
  const lines: Knot[][] = [];
  let at: Knot = { x: 0, y: 0 };
  for (const [, letter = "", rest = ""] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const command = letter.toUpperCase();
    const numbers = (rest.match(NUMBERS) ?? []).map(Number);
    const size = command === "Q" ? 4 : 2;
    if (command === "M") lines.push([]);
    for (let first = 0; first + size <= numbers.length; first += size) {
      const from: Knot = letter === command ? { x: 0, y: 0 } : at;
      const point = (index: number): { x: number; y: number } => {
        return { x: from.x + (numbers[index] ?? 0), y: from.y + (numbers[index + 1] ?? 0) };
      };
      const knot: Knot = point(first + size - 2);
      if (command === "Q") knot.control = point(first);
      if (command === "T") {
        const before = at.control ?? at;
        knot.control = { x: 2 * at.x - before.x, y: 2 * at.y - before.y };
      }
      lines.at(-1)?.push(knot);
      at = knot;
    }
  }
  return lines;
}

/** A path through knots, from the first one on. */
export function through(line: readonly Knot[]): string {
  const text = (value: number): string => String(Number(value.toFixed(1)));
  return line
    .map(({ x, y, control }, index) => {
      const to = `${text(x)} ${text(y)}`;
      if (index === 0) return `M${to}`;
      return control ? `Q${text(control.x)} ${text(control.y)} ${to}` : `L${to}`;
    })
    .join("");
}
