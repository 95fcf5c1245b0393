// The comparison of the moves at a node, which gets more precise while it is looked at.

import type { Analysis } from "../analysis/types.ts";
import { SteadyList } from "../game/steady-list.ts";
import { steadyOrder } from "../game/hint-order.ts";
import { Refusal } from "../net/refusal.ts";
import type { Advice, Suggestion } from "../net/wire.ts";
import type { Board } from "./board.ts";

const PRIORITY = 1; // after hints, before reviews
const MOST = 8; // moves that are shown

export class Figures {
  advice: Advice | null = $state.raw(null);
  /** whether they get no more precise */
  done: boolean = $state(false);
  problem: Refusal | null = $state.raw(null);

  /** The moves by the figure that is shown, the best first. */
  moves: readonly Suggestion[] = $state.raw([]);
  #list = new SteadyList();

  /** A person reaches for a move: for a moment the list does not change. */
  reach = (): void => this.#list.reach();

  /** Compare the moves of a seat at a node, by what `seat` knows. Returns what ends it. */
  look(board: Board, node: number, seat: number): () => void {
    this.#list.forget();
    this.advice = null;
    this.moves = [];
    this.done = false;
    this.problem = null;
    const game = board.game(node);
    if (game.over) return () => undefined;
    const { edition, fingerprint, names } = board.start;
    const position = { edition, fingerprint, seats: names.length, view: game.viewRecord(seat) };
    let running: Analysis | null = null;
    let gone = false;
    import("../analysis/analyse.ts")
      .then(({ analyse }) => {
        if (gone) return;
        running = analyse(position, {
          priority: PRIORITY,
          most: MOST,
          onadvice: (advice, _progress, enough) => {
            this.#list.change(() => {
              this.advice = advice;
              this.moves = steadyOrder(advice.moves, this.moves);
              this.done = enough;
            });
          },
          onproblem: (problem) => (this.problem = problem),
        });
      })
      .catch(() => {
        if (!gone) this.problem = new Refusal("offline", "the analysis did not arrive");
      });
    return () => {
      gone = true;
      running?.close();
    };
  }
}
