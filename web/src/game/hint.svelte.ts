// A hint for the player who is to decide: chances to win, and the server's best moves. It is valid for one
// version of the table.

import { get, Refusal } from "../net/api.ts";
import type { Advice, Hint as AdviceToSeat, Move, Suggestion, TicketCost } from "../net/wire.ts";
import type { TableState } from "./table.svelte.ts";

/** A move of mine, and what it gains. */
export interface GoodMove {
  move: Move;
  hint: Suggestion;
}

export class Hint {
  /** whether its panel is open; the costs of tickets are shown beside them even when it is closed */
  open: boolean = $state(false);
  /** why the request failed */
  problem: Refusal | null = $state.raw(null);
  #found: AdviceToSeat | null = $state.raw(null);
  #asked = -1; // the version of the last request

  constructor(readonly table: TableState) {}

  /** Whether this table allows hints to the player. */
  get allowed(): boolean {
    const { info, seat } = this.table;
    return info.hints && info.status === "running" && seat !== null && !info.seats[seat]?.bot;
  }

  /** Whether the player is to decide something. */
  get possible(): boolean {
    return this.allowed && this.table.offered.length > 0;
  }

  get advice(): Advice | null {
    const { version, seat } = this.table;
    const found = this.#found?.version === version ? this.#found.advice : null;
    return found?.seat === seat ? found : null;
  }

  /** The suggested moves that are legal now, the best first. */
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

  /** Close the panel when there is nothing to decide, or request a hint for the new version. */
  refresh = (): void => {
    if (!this.open) return;
    if (!this.possible) this.close();
    else if (!this.advice && !this.problem && this.#asked !== this.table.version) void this.ask();
  };
}
