// One local table: a log that all changes go through, those who watch it, and its bots. Each entry is
// committed before anything is told of it: to other tabs, then to those who watch; then bots are asked.

import { Refusal } from "../net/refusal.ts";
import type { Move, ServerMessage, TableInfo, Welcome } from "../net/wire.ts";
import { PROTOCOL } from "../net/wire.ts";
import { Bots, type Thinkers } from "./bots.ts";
import type { Propose, Proposal } from "./proposal.ts";
import { legalNow, noDeadlines, type Page, pageOf, tableInfo, updateOf } from "./show.ts";
import {
  announce,
  begin,
  type Deal,
  decidingIn,
  follow,
  isFull,
  newState,
  noncesMissing,
  seatsOf,
  statusOf,
  type TableState,
} from "./state.ts";
import type { EntryRow, Store, Summary, TableRow } from "./store.ts";
import { takebackOf } from "./takeback.ts";

/** A socket that watches a table; `seat` is null for a spectator. */
export interface Watcher {
  seat: number | null;
  muted: ReadonlySet<number>;
  send(message: ServerMessage): void;
  close(code: number, reason: string): void;
}

/** What one tab tells the others about a table. */
export type News =
  | { kind: "entry"; table: string; version: number }
  | { kind: "message"; table: string; message: ServerMessage; seat: number | null }
  | { kind: "removed"; table: string };

/** What a table uses of its host. */
export interface Services {
  store: Store;
  thinkers: Thinkers;
  now: () => number;
  /** Tell the other tabs. */
  publish: (news: News) => void;
  /** Run an action while this tab alone has the right of that name; returns what gives it up. */
  whileAlone: (name: string, action: () => void) => () => void;
  /** milliseconds that a bot waits before its move, so that people can follow */
  botPaceMs: number;
  /** milliseconds that a full table waits for the nonces that are added to the deal */
  nonceWaitMs: number;
}

const ATTEMPTS = 16; // against other tabs that commit first
const EVICTED = 4009; // the close code for a table that may no longer be watched

export class Table {
  state: TableState;
  /** all entries so far, with their events */
  readonly pages: Page[] = [];
  readonly watchers = new Set<Watcher>();
  row: TableRow;

  readonly #nonces = new Map<string, number>();
  readonly #bots: Bots;
  #queue: Promise<unknown> = Promise.resolve();
  #dealTimer: ReturnType<typeof setTimeout> | null = null;
  #removed = false;

  constructor(
    readonly services: Services,
    row: TableRow,
    readonly deal: Deal,
  ) {
    this.row = row;
    this.state = newState(deal.terms);
    this.#bots = new Bots(this);
  }

  get id(): string {
    return this.row.id;
  }

  /** Follow stored entries without telling them, while the table is loaded. */
  replay(rows: readonly EntryRow[]): void {
    for (const row of rows) this.#adopt(row);
  }

  // -- writing

  /** Commit a proposal and tell it; returns its version. `propose` is called again after another tab was first. */
  change(propose: Propose): Promise<number> {
    return this.#exclusively(async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const proposal = propose(this.state);
        if (!proposal) return this.state.version;
        if (await this.#commit(proposal)) {
          const { version } = this.state;
          await this.#goOn();
          return version;
        }
        await this.#catchUp();
        const known = proposal.nonce === undefined ? undefined : this.#nonces.get(proposal.nonce);
        if (known !== undefined) return known;
      }
      throw new Refusal("taken", "Too many are changing this table at once. Try again.");
    });
  }

  /** The version under which a nonce was committed. */
  versionOf = (nonce: string): number | undefined => this.#nonces.get(nonce);

  /** Begin the game of a full table, and ask the bots that are to decide. */
  goOn(): Promise<void> {
    return this.#exclusively(() => this.#goOn());
  }

  /** Let the bots rest while the game is sent to a server; a decision, or a page that is opened, ends it. */
  pauseBots(): Promise<void> {
    return this.exclusively(() => this.#bots.pause());
  }

  /** Read what other tabs committed, and tell it. */
  catchUp(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#catchUp();
      this.#bots.rouse();
    });
  }

  /** Run an action while no entry is committed or told. */
  exclusively<Found>(action: () => Found): Promise<Found> {
    return this.#exclusively(() => Promise.resolve(action()));
  }

  #exclusively<Found>(action: () => Promise<Found>): Promise<Found> {
    const found = this.#queue.then(action);
    this.#queue = found.catch(() => undefined);
    return found;
  }

  async #commit({ entry, step, nonce = undefined }: Proposal): Promise<boolean> {
    if (this.#removed) throw new Refusal("not-found", "The game was deleted.");
    const at = Math.max(this.services.now(), this.state.at); // a clock may be set back
    const { state, events } = follow(this.deal, this.state, entry, at, step);
    const row = this.#rowAfter(state);
    const { version } = state;
    const stored = { table: this.id, version, at, entry, nonce: nonce ?? null };
    if (!(await this.services.store.append(row, stored))) {
      if (!(await this.services.store.table(this.id))) this.end(); // another tab deleted it
      return false;
    }
    this.row = row;
    this.#become(state, pageOf(state, entry, events), stored.nonce);
    this.services.publish({ kind: "entry", table: this.id, version });
    this.#tell();
    return true;
  }

  #rowAfter(state: TableState): TableRow {
    const status = statusOf(state);
    const ended = ["finished", "closed"].includes(status) && this.row.finishedAt === null;
    return {
      ...this.row,
      status,
      updatedAt: state.at,
      finishedAt: ended ? state.at : this.row.finishedAt,
      summary: summaryOf(state, this.row.host),
    };
  }

  #adopt({ at, entry, nonce }: EntryRow): void {
    const { state, events } = follow(this.deal, this.state, entry, at);
    this.row = this.#rowAfter(state);
    this.#become(state, pageOf(state, entry, events), nonce);
  }

  #become(state: TableState, page: Page, nonce: string | null): void {
    this.state = state;
    this.pages.push(page);
    if (nonce !== null) this.#nonces.set(nonce, state.version);
    this.#bots.cancelOutdated();
  }

  async #catchUp(): Promise<void> {
    for (const row of await this.services.store.entries(this.id, this.state.version)) {
      this.#adopt(row);
      this.#tell();
    }
  }

  // -- what follows from an entry

  async #goOn(): Promise<void> {
    this.#bots.goOn();
    if (statusOf(this.state) === "waiting" && isFull(this.state)) await this.#open();
    this.#bots.rouse();
  }

  /** From a full table to its first decision: announce the terms, wait for nonces, deal. */
  async #open(): Promise<void> {
    if (this.state.announced === null && !(await this.#commit({ entry: announce(this.deal, this.state) })))
      return this.#catchUp();
    const left = this.#noncesLeftMs();
    if (left > 0) {
      this.#dealTimer ??= setTimeout(() => {
        this.#dealTimer = null;
        void this.goOn().catch(() => undefined); // the next visit deals
      }, left);
    } else if (!(await this.#commit(begin(this.deal, this.state)))) await this.#catchUp();
  }

  #noncesLeftMs(): number {
    if (!noncesMissing(this.state)) return 0;
    const whole = this.services.nonceWaitMs;
    return Math.min(whole, this.state.announcedAt + whole - this.services.now());
  }

  // -- telling

  #tell(): void {
    const page = this.pages.at(-1);
    if (!page) return;
    for (const watcher of this.watchers) {
      const legal = legalNow(this.state, watcher.seat);
      watcher.send(this.#update(page, watcher.seat, legal));
    }
  }

  #update(page: Page, seat: number | null, legal: Move[] = []): ServerMessage {
    return updateOf(page, this.state.chairs.length, seat, legal);
  }

  /** Let a socket watch from now on, and send it the table, or the entries after a version. */
  watch(watcher: Watcher, seat: number | null, after: number | null, person: string): Promise<void> {
    return this.exclusively(() => {
      const { version } = this.state;
      const known = after !== null && after <= version ? after : null;
      watcher.seat = seat;
      this.watchers.add(watcher);
      this.#bots.goOn();
      if (known !== null && known < version) {
        watcher.send(this.#welcome(person, seat, { missed: known }));
        for (const page of this.pages.slice(known))
          watcher.send(this.#update(page, seat, page.version === version ? legalNow(this.state, seat) : []));
      } else watcher.send(this.#welcome(person, seat, { whole: known === null }));
      this.#bots.rouse();
    });
  }

  unwatch(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (!this.watchers.size) this.#bots.rest();
  }

  #welcome(person: string, seat: number | null, { whole = true, missed = -1 }): Welcome {
    const { state } = this;
    const behind = missed >= 0;
    return {
      type: "welcome",
      protocol: PROTOCOL,
      table: this.info(person),
      seat,
      version: behind ? missed : state.version,
      view: whole && !behind && state.game ? state.game.view(seat) : null,
      deciding: behind ? [] : [...decidingIn(state)],
      deadlines: noDeadlines(state.chairs.length),
      legal: behind ? [] : legalNow(state, seat),
      takeback: behind ? null : takebackOf(state),
      now: this.services.now(),
    };
  }

  info(person: string, rematch: string | null = null): TableInfo {
    return tableInfo(this.row, this.deal, this.state, person, rematch);
  }

  /** Send a message that is not stored to all who watch, in other tabs, too. */
  passOn(message: ServerMessage, seat: number | null = null): void {
    this.passOnHere(message, seat);
    this.services.publish({ kind: "message", table: this.id, message, seat });
  }

  passOnHere(message: ServerMessage, seat: number | null): void {
    for (const watcher of this.watchers) if (seat === null || !watcher.muted.has(seat)) watcher.send(message);
  }

  /** The table was deleted, here or in another tab. */
  end(): void {
    this.#removed = true;
    if (this.#dealTimer !== null) clearTimeout(this.#dealTimer);
    this.#bots.rest();
    for (const watcher of this.watchers) watcher.close(EVICTED, "the game was deleted");
    this.watchers.clear();
  }
}

export function summaryOf(state: TableState, person: string): Summary {
  const outcome = state.game?.outcome ?? null;
  return {
    names: state.chairs.map(({ name }) => name),
    mine: seatsOf(state, person),
    scores: outcome?.seats.map(({ total }) => total) ?? null,
    winners: outcome?.winners ?? null,
    tickets:
      outcome?.seats.map(({ tickets }) => [tickets.length, tickets.filter((one) => one.completed).length]) ??
      null,
    longest: outcome?.seats.flatMap(({ longest_path }, seat) => (longest_path ? [seat] : [])) ?? [],
    resigned: outcome?.resigned ?? [],
    stopped: outcome?.stopped ?? false,
  };
}
