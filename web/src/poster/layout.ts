// Where the parts of the final picture lie, in pixels; macaz/game/poster.py arranges its picture in the same way.

import type { Plate } from "../net/wire.ts";

export const WIDTH = 1600;
export const MARGIN = 40;
const HEAD = 132; // the title above the board
const GAP = 28;
const BETWEEN = 16; // two seats
const BOARD_HEIGHT = 1010; // at most
const SIDE = 1.3; // boards of a lower width / height have the seats beside them, not below
const SEAT = 222; // the height of a seat's box below a board
const TALLEST = 280; // beside it, at most
const COLUMN = 440; // the width of the seats beside a board

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  board: Box;
  seats: Box[];
  height: number;
}

/** The places of a board with a frame around it, and of so many seats. */
export function arranged(plate: Pick<Plate, "width" | "height">, seats: number, frame = 0): Layout {
  const shape = (plate.width + 2 * frame) / (plate.height + 2 * frame);
  const inner = WIDTH - 2 * MARGIN;
  const numbers = Array.from({ length: seats }, (_, seat) => seat);
  if (shape < SIDE) {
    const room = inner - COLUMN - GAP;
    const height = Math.min(BOARD_HEIGHT, room / shape);
    const width = height * shape;
    const step = Math.min(TALLEST + BETWEEN, (height + BETWEEN) / seats);
    return {
      board: { x: MARGIN + (room - width) / 2, y: HEAD, width, height },
      seats: numbers.map((seat) => ({
        x: WIDTH - MARGIN - COLUMN,
        y: HEAD + step * seat,
        width: COLUMN,
        height: step - BETWEEN,
      })),
      height: Math.round(HEAD + height + MARGIN),
    };
  }
  const height = Math.min(BOARD_HEIGHT, inner / shape);
  const step = (inner + BETWEEN) / seats;
  const y = HEAD + height + GAP;
  return {
    board: { x: (WIDTH - height * shape) / 2, y: HEAD, width: height * shape, height },
    seats: numbers.map((seat) => ({ x: MARGIN + step * seat, y, width: step - BETWEEN, height: SEAT })),
    height: Math.round(y + SEAT + MARGIN),
  };
}

/** The width of a text in a font of one pixel. */
export type Measure = (text: string) => number;

const SMALLEST = 0.68;

/** A text in a size at which it fits: a little smaller, or else cut. */
export function fitted(
  text: string,
  size: number,
  room: number,
  measure: Measure,
): { text: string; size: number } {
  const fitting = Math.max(SMALLEST * size, Math.min(size, room / Math.max(measure(text), 0.01)));
  if (measure(text) * fitting <= room + 0.5) return { text, size: fitting };
  const letters = [...text];
  while (letters.length && measure(`${letters.join("")}…`) * fitting > room) letters.pop();
  return { text: `${letters.join("").trimEnd()}…`, size: fitting };
}

/** Short texts on as few lines as fit, at most `most` of them. */
export function lined(
  parts: readonly string[],
  size: number,
  room: number,
  measure: Measure,
  most = 3,
): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const joined = lines.length ? `${lines[lines.length - 1] ?? ""} · ${part}` : part;
    if (lines.length && measure(joined) * size <= room) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines.slice(0, most);
}
