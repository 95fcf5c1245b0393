// A hint, asked for by somebody who is to decide: how the game stands, and the server's best moves. It is
// true for one version of the table, and gone with it.

import { get, Refusal } from "../net/api.ts";
import type { Advice, Hint as AdviceToSeat, Move, Suggestion, TicketCost } from "../net/wire.ts";
import type { TableState } from "./table.svelte.ts";

/** A move of mine, and what it gains. */
export interface GoodMove {
  move: Move;
  hint: Suggestion;
}

export class Hint {
  /** whether it is looked at; what it says of tickets stays beside them when it is put away */
  open: boolean = $state(false);
  /** why there is none */
  problem: Refusal | null = $state.raw(null);
  #found: AdviceToSeat | null = $state.raw(null);
  #asked = -1; // the version that somebody wants to know about

  constructor(readonly table: TableState) {}

  /** Whether this table has hints for whoever looks at it. */
  get allowed(): boolean {
    const { info, seat } = this.table;
    return info.hints && info.status === "running" && seat !== null && !info.seats[seat]?.bot;
  }

  /** Whether there is something to decide that a hint could be about. */
  get possible(): boolean {
    return this.allowed && this.table.offered.length > 0;
  }

  get advice(): Advice | null {
    const { version, seat } = this.table;
    const found = this.#found?.version === version ? this.#found.advice : null;
    return found?.seat === seat ? found : null;
  }

  /** The good moves among those that are offered, the best first. */
  get suggestions(): GoodMove[] {
    return (this.advice?.moves ?? []).flatMap((hint) => {
      const move = this.table.legal.find(({ action }) => action === hint.action);
      return move ? [{ move, hint }] : [];
    });
  }

  cost = (ticket: number): TicketCost | undefined =>
    this.advice?.costs.find((cost) => cost.ticket === ticket);

  toggle = (): void => {
    if (this.open) this.close();
    else if (this.possible) void this.ask();
  };

  close = (): void => {
    this.open = false;
  };

  ask = async (): Promise<void> => {
    const { info, seat, version } = this.table;
    this.open = true;
    this.problem = null;
    if (this.advice) return;
    this.#asked = version;
    try {
      const found = await get<AdviceToSeat>(`/tables/${info.id}/advice?seat=${seat}`);
      if (this.#asked === version) this.#found = found;
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      if (this.#asked === version) this.problem = problem;
    }
  };

  /** What it was about has passed, or is being decided; or others have, and it is asked for anew. */
  refresh = (): void => {
    if (!this.open) return;
    if (!this.possible) this.close();
    else if (!this.advice && !this.problem && this.#asked !== this.table.version) void this.ask();
  };
}
