// A hint for the player who is to decide: chances to win, and the best moves. They are found in this browser, and become
// more precise while the panel is open; a browser that cannot find them asks the server. They are valid for one version
// of the table.

import type { Analysis, Progress } from "../analysis/types.ts";
import { get, Refusal } from "../net/api.ts";
import { inBrowser } from "../net/local.ts";
import type { Advice, Hint as AdviceToSeat, Move, PackedView, Suggestion, TicketCost } from "../net/wire.ts";
import { SteadyList } from "./steady-list.ts";
import { steadyOrder } from "./hint-order.ts";
import type { TableState } from "./table.svelte.ts";

/** A move of mine, and what is known of it. */
export interface HintedMove {
  move: Move;
  hint: Suggestion;
}

const SHOWN = 5; // of the best moves
const WATCHED = 12; // a move that is looked at is shown while it is among so many

interface Found {
  version: number;
  advice: Advice;
  /** null: it came from the server */
  progress: Progress | null;
  /** it becomes no more precise */
  done: boolean;
}

export class Hint {
  /** whether its panel is open; the costs of tickets are shown beside them even when it is closed */
  open: boolean = $state(false);
  /** why there is none */
  problem: Refusal | null = $state.raw(null);
  /** the action that the player looks at, which does not leave the list meanwhile; null: the best one */
  looked: number | null = $state(null);
  #found: Found | null = $state.raw(null);
  #list = new SteadyList();
  #asked = -1; // the version of the last request
  #analysis: Analysis | null = null;

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

  get #now(): Found | null {
    const { version, seat } = this.table;
    return this.#found?.version === version && this.#found.advice.seat === seat ? this.#found : null;
  }

  get advice(): Advice | null {
    return this.#now?.advice ?? null;
  }

  /** Whether the figures become no more precise. */
  get done(): boolean {
    return this.#now?.done ?? false;
  }

  /** The suggested moves that are legal now, the best first. */
  get suggestions(): HintedMove[] {
    const { legal } = this.table;
    return (this.advice?.moves ?? [])
      .flatMap((hint) => {
        const move = legal.find(({ action }) => action === hint.action);
        return move ? [{ move, hint }] : [];
      })
      .filter(({ move }, at) => at < SHOWN || move.action === this.looked);
  }

  cost = (ticket: number): TicketCost | undefined =>
    this.advice?.costs.find((cost) => cost.ticket === ticket);

  toggle = (): void => {
    if (this.open) this.close();
    else if (this.possible) void this.ask();
  };

  close = (): void => {
    this.open = false;
    this.#stop();
  };

  ask = async (): Promise<void> => {
    const { version } = this.table;
    this.open = true;
    this.problem = null;
    this.#stop();
    this.#asked = version;
    if (this.done) return;
    try {
      await this.#analyse(version);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      if (this.#wants(version)) this.problem = problem;
    }
  };

  /** The player reaches for a move: for a moment the list does not change. */
  reach = (): void => this.#list.reach();

  /** Close the panel when there is nothing to decide, or find a hint for the new version. */
  refresh = (): void => {
    if (!this.open) return;
    if (!this.possible) this.close();
    else if (this.#asked !== this.table.version) void this.ask();
  };

  #wants = (version: number): boolean => this.open && this.#asked === version;

  #stop(): void {
    this.#asked = -1;
    this.#list.release();
    this.#analysis?.close();
    this.#analysis = null;
  }

  async #analyse(version: number): Promise<void> {
    const { info, seat } = this.table;
    const loading = Promise.all([import("../analysis/analyse.ts"), import("../analysis/packed.ts")]);
    loading.catch(() => undefined); // it is awaited below
    const packed = await get<PackedView>(`/tables/${info.id}/packed-view?seat=${seat}`);
    if (!this.#wants(version)) return;
    if (packed.version !== version) return; // the news of it is on its way, and asks again
    const from = this.#now?.progress;
    try {
      const [{ analyse }, { positionOf }] = await loading;
      if (!this.#wants(version)) return;
      this.#analysis = analyse(positionOf(info, packed), {
        most: WATCHED,
        ...(from ? { from } : {}),
        onadvice: (advice, progress, done) => this.#take({ version, advice, progress, done }),
        onproblem: (problem) => void this.#askServer(version, problem),
      });
    } catch (problem) {
      // A part of the page that does not arrive is no refusal.
      await this.#askServer(
        version,
        problem instanceof Refusal ? problem : new Refusal("offline", "no answer"),
      );
    }
  }

  /** This browser cannot do it: the server can, if it has the table. */
  async #askServer(version: number, why: Refusal): Promise<void> {
    const { info, seat } = this.table;
    if (!this.#wants(version)) return;
    if (inBrowser(info.id)) {
      this.problem = why;
      return;
    }
    try {
      const { advice, ...told } = await get<AdviceToSeat>(`/tables/${info.id}/advice?seat=${seat}`);
      if (this.#wants(version)) this.#take({ version: told.version, advice, progress: null, done: true });
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      if (this.#wants(version)) this.problem = problem;
    }
  }

  #take(found: Found): void {
    if (!this.#now) this.#list.release(); // nothing is shown that could be reached for
    this.#list.change(() => {
      const before = this.#now?.advice.moves ?? [];
      const moves = steadyOrder(found.advice.moves, before);
      this.#found = { ...found, advice: { ...found.advice, moves } };
    });
  }
}
