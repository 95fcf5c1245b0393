// A new deal, as a position to begin with: the first turn, after every seat has kept all its tickets.

import { CHOOSE, START } from "../../local/codes.ts";
import type { EditionData } from "../../local/edition.ts";
import { Dealer } from "../../local/fair.ts";
import { Game } from "../../local/game.ts";
import type { Kernel } from "../../local/kernel.ts";
import { type PositionData, Positions } from "../../local/position.ts";
import type { Move } from "../../net/wire.ts";

const most = (moves: readonly Move[]): Move | undefined =>
  moves.toSorted((a, b) => ticketsOf(b) - ticketsOf(a))[0];
const ticketsOf = (move: Move): number => ("tickets" in move ? move.tickets.length : 0);

export function newDeal(kernel: Kernel, edition: EditionData, seats: number, seed: string): PositionData {
  const game = new Game(kernel, edition, seats, 0);
  const dealer = Dealer.seeded(seed);
  game.deal(dealer);
  while (game.phase === CHOOSE || game.phase === START) {
    const [seat = 0] = game.deciding;
    const legal = game.legal(seat);
    const move = game.phase === CHOOSE ? most(legal) : legal[Number(dealer.draw(seat, BigInt(legal.length)))];
    if (!move) throw new Error("a seat that is to decide has a legal move");
    game.push(seat, move.action);
    game.deal(dealer);
  }
  return new Positions(kernel, edition, seats).ofState(game.snapshot());
}
