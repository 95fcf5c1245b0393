// Finds and sorts legal moves. What is legal comes from the server.

import type { Move } from "../net/wire.ts";

export type MoveOf<Type extends Move["type"]> = Extract<Move, { type: Type }>;
/** A move that is paid for with cards. */
export type PaidMove = Extract<Move, { cards: number }>;

export const ofType = <Type extends Move["type"]>(moves: readonly Move[], type: Type): MoveOf<Type>[] =>
  moves.filter((move): move is MoveOf<Type> => move.type === type);

export const isPaid = (move: Move): move is PaidMove => "cards" in move;

/** All moves about a route, or about a city. */
export const movesOnRoute = (moves: readonly Move[], route: number): Move[] =>
  moves.filter((move) => "route" in move && move.route === route);
export const movesInCity = (moves: readonly Move[], city: number): Move[] =>
  moves.filter((move) => "city" in move && move.city === city);

/** Compares payments: fewest locomotives first, then the colour of which most cards are left over. */
export function comparePayments(one: PaidMove, other: PaidMove, hand: readonly number[]): number {
  const left = (way: PaidMove): number => (hand[way.color] ?? 0) - way.cards;
  return one.locomotives - other.locomotives || left(other) - left(one);
}

/** Payments, the cheapest first. */
export const cheapestFirst = <Payment extends PaidMove>(
  ways: readonly Payment[],
  hand: readonly number[],
): Payment[] => [...ways].sort((one, other) => comparePayments(one, other, hand));
