// The tables of lessons: as other local tables, but each begins with a position, and they are kept in memory only.

import type { Entry } from "../local/entries.ts";
import { Dealer } from "../local/fair.ts";
import { Host, LOCAL } from "../local/host.ts";
import type { Connection } from "../local/connection.ts";
import type { Library } from "../local/library.ts";
import { newState, type Terms } from "../local/state.ts";
import { MemoryStore } from "../local/store.ts";
import { summaryOf, type Table } from "../local/table.ts";
import type { LocalHost } from "../net/local.ts";
import type { Transport } from "../net/transport.ts";
import type { ClientMessage, Color, GameEvent, Move, ServerMessage, Update, Updates } from "../net/wire.ts";
import { fits, type Scene, type Wanted } from "./lessons.ts";
import { type Position, POSITIONS } from "./states.ts";

/** The ids of the tables of lessons begin with it. */
export const PREFIX = `${LOCAL}lesson-`;
export const SEAT = 0; // of the player
const ME = "me"; // the person of a local host
const OPPONENT = "apprentice";
const PACE_MS = 600; // before the opponent's move

export interface Player {
  name: string;
  color: Color;
}

/** What the player's decision led to. */
export type Decided = (events: readonly GameEvent[], version: number) => void;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class LessonTables implements LocalHost {
  /** is told of each decision of the player */
  ondecided: Decided = () => undefined;
  readonly #library: Library;
  readonly #store = new MemoryStore();
  readonly #host: Host;
  readonly #resting = new Set<() => void>(); // the opponent's moves that wait
  #resumed = true;
  #made = 0;

  constructor(library: Library) {
    this.#library = library;
    this.#host = new Host(library, {
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
    const answer = await this.#host.request(method, path, body);
    if (!/^\/tables\/[^/]+\/updates\b/.test(path)) return answer;
    // That the player sat down is no news in a lesson.
    const { updates, version } = answer as Updates;
    const told = updates.map((update) => ({
      ...update,
      events: update.events.filter(({ type }) => type !== "sat-down"),
    }));
    return { updates: told, version } satisfies Updates;
  }

  connect = (): Transport =>
    new Port(this.#host, (events, version) => {
      this.ondecided(events, version);
    });

  /** Make a table in a position, or as far as `entries` went; returns its id. Rejects if these do not fit it. */
  async open({ position, seed }: Scene, player: Player, entries: readonly Entry[] = []): Promise<string> {
    const { edition, fingerprint, seats, state }: Position = POSITIONS[position];
    const { map } = await this.#library.editionFor(edition, seats);
    const terms: Terms = {
      seats: Array.from({ length: seats }, (_, seat) => ({
        bot: seat === SEAT ? null : OPPONENT,
        keptFor: null,
      })),
      standIn: OPPONENT,
      first: null,
      reactions: false,
      hints: false, // the lesson itself says what to do
    };
    const id = `${PREFIX}${(this.#made += 1)}`;
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
      ...{ secret: Dealer.seeded(seed).secret, position: bytesOf(state), own: SEAT },
      ...{
        status: "waiting" as const,
        updatedAt: now,
        finishedAt: null,
        summary: summaryOf(newState(terms), ME),
      },
    };
    await this.#store.create(row);
    const sat: Entry = { kind: "sat", seat: SEAT, person: ME, ...player, pledge: null };
    for (const [at, entry] of (entries.length ? entries : [sat]).entries())
      await this.#store.append(row, { table: id, version: at + 1, at: now, entry, nonce: null });
    await (await this.#host.table(id)).goOn();
    return id;
  }

  /** The entries of a table before a version, or all of them. */
  async entries(id: string, before = Infinity): Promise<Entry[]> {
    const rows = await this.#store.entries(id, 0);
    return rows.filter(({ version }) => version < before).map(({ entry }) => entry);
  }

  /** The legal moves of the player that lead to what is wanted: each is tried, in a copy of the game. */
  async answers(id: string, wanted: Wanted): Promise<Move[]> {
    const { deal, state } = await this.#host.table(id);
    const { game } = state;
    if (!game) return [];
    return game.legal(SEAT).filter(({ action }) => {
      const copy = game.clone();
      copy.push(SEAT, action);
      copy.deal(deal.dealerOf(state));
      const events = copy.takeEvents().map((event) => copy.narrowed(event, SEAT));
      return events.some((event) => fits(event, wanted, deal.edition.map));
    });
  }

  table = (id: string): Promise<Table> => this.#host.table(id);

  /** Let the opponent wait while the player reads, or go on. */
  set resumed(on: boolean) {
    this.#resumed = on;
    if (!on) return;
    for (const go of this.#resting) go();
    this.#resting.clear();
  }

  /** The opponent draws from the deck; any other move where that is not legal. */
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
    const { state } = await this.#host.table(`${PREFIX}${this.#made}`);
    const moves = (state.game?.deciding ?? []).flatMap((seat) => state.game?.legal(seat) ?? []);
    return moves.filter(({ action }) => legal.includes(action));
  }
}

/** A socket to a table of a lesson, in this thread. */
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
