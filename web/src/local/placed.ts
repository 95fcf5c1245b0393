// A host of tables in the page's own thread, in memory only, whose games begin with a position: lessons, puzzles.

import type { LocalHost } from "../net/local.ts";
import type { Transport } from "../net/transport.ts";
import type { ClientMessage, Color, GameEvent, Move, ServerMessage, Update, Updates } from "../net/wire.ts";
import type { Connection } from "./connection.ts";
import type { Entry } from "./entries.ts";
import { Dealer } from "./fair.ts";
import { Host } from "./host.ts";
import type { Library } from "./library.ts";
import { ME, newState, type Terms } from "./state.ts";
import { MemoryStore } from "./store.ts";
import { summaryOf, type Table } from "./table.ts";

const OPPONENT = "apprentice";
const PACE_MS = 600; // before an opponent's move

/** A position on the table, and the seat of the player. */
export interface Placed {
  /** with its options */
  edition: string;
  fingerprint: string;
  seats: number;
  seat: number;
  /** the kernel's record of the state */
  state: Uint8Array;
  /** of the cards and tickets that come */
  seed: string;
}

export interface Player {
  name: string;
  color: Color;
}

/** What the player's decision led to. */
type Decided = (events: readonly GameEvent[], version: number) => void;

export class PlacedTables implements LocalHost {
  /** is told of each decision of the player */
  ondecided: Decided = () => undefined;
  protected readonly host: Host;
  readonly #prefix: string;
  readonly #library: Library;
  readonly #store = new MemoryStore();
  readonly #resting = new Set<() => void>(); // the opponents' moves that wait
  #resumed = true;
  #made = 0;

  /** The ids of the tables begin with `prefix`. */
  constructor(library: Library, prefix: string) {
    this.#library = library;
    this.#prefix = prefix;
    this.host = new Host(library, {
      store: this.#store,
      thinkers: { choose: (question, signal) => this.#reply(question.legal, signal) },
      now: () => Date.now(),
      publish: () => undefined,
      whileAlone: (_name, action) => {
        action();
        return () => undefined;
      },
      botPaceMs: PACE_MS,
      nonceWaitMs: 0,
    });
  }

  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.host.request(method, path, body);
    if (!/^\/tables\/[^/]+\/updates\b/.test(path)) return answer;
    // That the player sat down is no news there.
    const { updates, version } = answer as Updates;
    const told = updates.map((update) => ({
      ...update,
      events: update.events.filter(({ type }) => type !== "sat-down"),
    }));
    return { updates: told, version } satisfies Updates;
  }

  connect = (): Transport =>
    new Port(this.host, (events, version) => {
      this.ondecided(events, version);
    });

  /** Make a table in a position, or as far as `entries` went; returns its id. Rejects if these do not fit it. */
  async open(placed: Placed, player: Player, entries: readonly Entry[] = []): Promise<string> {
    const { edition, fingerprint, seats, seat: own, state, seed } = placed;
    const { map } = await this.#library.editionFor(edition, seats);
    const terms: Terms = {
      seats: Array.from({ length: seats }, (_, seat) => ({
        bot: seat === own ? null : OPPONENT,
        keptFor: null,
      })),
      standIn: OPPONENT,
      first: null,
      reactions: false,
      hints: false, // the panel says what to do
    };
    const id = `${this.#prefix}${(this.#made += 1)}`;
    const now = Date.now();
    const row = {
      ...{
        id,
        edition,
        fingerprint,
        terms,
        seed,
        title: map.title,
        host: ME,
        previous: null,
        createdAt: now,
      },
      ...{ secret: Dealer.seeded(seed).secret, position: state, own },
      ...{
        status: "waiting" as const,
        updatedAt: now,
        finishedAt: null,
        summary: summaryOf(newState(terms), ME),
      },
    };
    await this.#store.create(row);
    const sat: Entry = { kind: "sat", seat: own, person: ME, ...player, pledge: null };
    for (const [at, entry] of (entries.length ? entries : [sat]).entries())
      await this.#store.append(row, { table: id, version: at + 1, at: now, entry, nonce: null });
    await (await this.host.table(id)).goOn();
    return id;
  }

  /** The entries of a table before a version, or all of them. */
  async entries(id: string, before = Infinity): Promise<Entry[]> {
    const rows = await this.#store.entries(id, 0);
    return rows.filter(({ version }) => version < before).map(({ entry }) => entry);
  }

  table = (id: string): Promise<Table> => this.host.table(id);

  /** Let the opponents wait while the player reads, or go on. */
  set resumed(on: boolean) {
    this.#resumed = on;
    if (!on) return;
    for (const go of this.#resting) go();
    this.#resting.clear();
  }

  /** An opponent draws from the deck; any other move where that is not legal. */
  async #reply(legal: readonly number[], signal: AbortSignal): Promise<number> {
    if (!this.#resumed)
      await new Promise<void>((resolve) => {
        this.#resting.add(resolve);
        signal.addEventListener("abort", () => resolve());
      });
    signal.throwIfAborted();
    const moves = await this.#movesOf(legal);
    return (moves.find(({ type }) => type === "blind") ?? moves[0])?.action ?? (legal[0] as number);
  }

  async #movesOf(legal: readonly number[]): Promise<Move[]> {
    const { state } = await this.host.table(`${this.#prefix}${this.#made}`);
    const moves = (state.game?.deciding ?? []).flatMap((seat) => state.game?.legal(seat) ?? []);
    return moves.filter(({ action }) => legal.includes(action));
  }
}

/** A socket to such a table, in this thread. */
class Port implements Transport {
  readonly remote = false;
  isOpen = false;
  onopen = (): void => undefined;
  onmessage = (_message: ServerMessage): void => undefined;
  onclose = (_code: number): void => undefined;
  readonly #connection: Connection;
  readonly #decided: Decided;
  #last: Update | null = null;

  constructor(host: Host, decided: Decided) {
    this.#decided = decided;
    this.#connection = host.connect(
      (message) => this.#receive(message),
      (code) => this.onclose(code),
    );
    queueMicrotask(() => {
      this.isOpen = true;
      this.onopen();
    });
  }

  send(message: ClientMessage): void {
    void this.#connection.hear(message);
  }

  close(): void {
    this.isOpen = false;
    this.#connection.leave();
  }

  /** Of a decision come its update, then `done` with its version. */
  #receive(message: ServerMessage): void {
    this.onmessage(message);
    if (message.type === "update") this.#last = message;
    else if (message.type === "done" && this.#last?.version === message.version)
      this.#decided(this.#last.events as GameEvent[], message.version);
  }
}
