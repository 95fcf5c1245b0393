// Which moves do the same, and differ only in how they are paid: macaz.help.puzzles.choices.

import type { EditionMap, Move, Puzzle, PuzzleMove } from "../net/wire.ts";

/** Equal for moves that do the same. */
export function choiceOf(move: Move, { routes }: Pick<EditionMap, "routes">): string {
  if ("route" in move) {
    const { a = -1, b = -1 } = routes[move.route] ?? {};
    return [move.type, Math.min(a, b), Math.max(a, b)].join(" ");
  }
  if ("city" in move) return `${move.type} ${move.city}`;
  if ("tickets" in move) return [move.type, ...move.tickets].join(" ");
  if ("ticket" in move) return `${move.type} ${move.ticket}`;
  return move.type === "take" ? `${move.type} ${move.color}` : move.type;
}

/** What is known of a move: its own figures, or those of a move that does the same; null: it was not compared. */
export function figuresOf(
  { moves }: Pick<Puzzle, "moves">,
  action: number,
  legal: readonly Move[],
  map: Pick<EditionMap, "routes">,
): PuzzleMove | null {
  const own = moves.find((one) => one.action === action);
  if (own) return own;
  const of = (wanted: number): string | null => {
    const move = legal.find((one) => one.action === wanted);
    return move ? choiceOf(move, map) : null;
  };
  const choice = of(action);
  return moves.find((one) => of(one.action) === choice) ?? null;
}
