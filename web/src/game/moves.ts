// Legal moves by what they are about, so that a click on a place finds them. No rule is known here.

import type { Move } from "../net/wire.ts";

export type MoveOf<Type extends Move["type"]> = Extract<Move, { type: Type }>;
/** A move that is paid for with cards. */
export type Paid = Extract<Move, { cards: number }>;

export const ofType = <Type extends Move["type"]>(moves: readonly Move[], type: Type): MoveOf<Type>[] =>
  moves.filter((move): move is MoveOf<Type> => move.type === type);

export const isPaid = (move: Move): move is Paid => "cards" in move;

/** All moves about a route, or about a city. */
export const aboutRoute = (moves: readonly Move[], route: number): Move[] =>
  moves.filter((move) => "route" in move && move.route === route);
export const aboutCity = (moves: readonly Move[], city: number): Move[] =>
  moves.filter((move) => "city" in move && move.city === city);

/** Compares ways to pay, the sensible first: fewest locomotives, then the colour of which most is left over. */
export function bySense(one: Paid, other: Paid, hand: readonly number[]): number {
  const left = (way: Paid): number => (hand[way.color] ?? 0) - way.cards;
  return one.locomotives - other.locomotives || left(other) - left(one);
}

/** Ways to pay, the sensible first. */
export const sensibleFirst = <Way extends Paid>(ways: readonly Way[], hand: readonly number[]): Way[] =>
  [...ways].sort((one, other) => bySense(one, other, hand));
