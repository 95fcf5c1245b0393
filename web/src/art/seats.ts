// Patterns on the players' wagons, which distinguish them without colour.

import type { Color } from "../net/wire.ts";

/** A wagon lies around (0, 0), this long and this wide. */
export const WAGON_LENGTH = 40;
export const WAGON_WIDTH = 16;

/** A body with rounded corners, a little narrower at its ends. */
export const WAGON = "M-17-8H17Q20-8 20-5V5Q20 8 17 8H-17Q-20 8-20 5V-5Q-20-8-17-8Z";

interface Pattern {
  d: string;
  /** areas are filled, lines are stroked this wide */
  line?: number;
}

const dot = (x: number): string => `M${x - 3.4} 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0Z`;
const slash = (x: number): string => `M${x - 3.5} 8L${x + 3.5}-8`;
const chevron = (x: number): string => `M${x - 4}-6L${x + 3} 0L${x - 4} 6`;
const saltire = (x: number): string => `M${x - 5}-5L${x + 5} 5M${x - 5} 5L${x + 5}-5`;

export const PATTERNS: Record<Color, Pattern> = {
  blue: { d: "M-9.5-8V8M9.5-8V8", line: 6 },
  red: { d: [-12, -4, 4, 12].map(slash).join(""), line: 3.4 },
  green: { d: [-11.5, 0, 11.5].map(dot).join("") },
  yellow: { d: [-10.5, 0.5, 11.5].map(chevron).join(""), line: 3.4 },
  black: { d: [-11.5, 0, 11.5].map(saltire).join(""), line: 2.6 },
  purple: { d: "M-17-3.6H17M-17 3.6H17", line: 2.8 },
};
