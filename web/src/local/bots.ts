// The bots of a local table: which of them think now, and what becomes of their decisions.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { decision } from "./proposal.ts";
import { asksBot, decidingIn } from "./state.ts";
import type { Table } from "./table.ts";

/** A decision that a bot is asked for. It contains what the seat sees, never the state of the game. */
export interface Question {
  edition: string;
  seats: number;
  seat: number;
  bot: string;
  /** the record of the seat's view */
  view: Uint8Array;
  legal: number[];
  /** hexadecimal */
  seed: string;
}

/** Answers questions: a worker of its own, or the same thread in tests. */
export interface Thinkers {
  /** The action that a bot chooses. Rejects if it cannot; when the signal is aborted, it stops thinking. */
  choose(question: Question, signal: AbortSignal): Promise<number>;
}

const TRIES = 2; // before another bot decides
const LAST_RESORT = "random";
const SEED_DIGITS = 16;

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Bots {
  readonly #table: Table;
  /** by seat and version of the question */
  readonly #thinking = new Map<string, AbortController>();
  #alone = false; // no other tab lets the bots of this table think
  #paused = false;
  #giveUp: (() => void) | null = null;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Ask the bots that are to decide, unless they are asked already; only while the table is watched. */
  rouse(): void {
    const { state, watchers, services, id } = this.#table;
    if (!watchers.size || this.#paused) return;
    const asked = decidingIn(state).filter((seat) => state.chairs[seat]?.bot);
    if (!asked.length) return;
    this.#giveUp ??= services.whileAlone(`macaz-bots-${id}`, () => {
      this.#alone = true;
      void this.#table.catchUp(); // another tab may have had it until now
    });
    if (!this.#alone) return;
    for (const seat of asked) {
      const version = state.since[seat]?.[0];
      if (version === undefined || this.#thinking.has(`${seat} ${version}`)) continue;
      void this.#think(seat, version);
    }
  }

  /** Cancel the questions that the table no longer asks. */
  cancelOutdated(): void {
    for (const [question, thought] of this.#thinking) {
      const [seat = 0, version = 0] = question.split(" ").map(Number);
      if (!asksBot(this.#table.state, seat, version)) thought.abort();
    }
  }

  /** Stop thinking: the table is no longer watched here. */
  rest(): void {
    for (const thought of this.#thinking.values()) thought.abort();
    this.#thinking.clear(); // who comes back at once asks again
    this.#alone = false;
    this.#giveUp?.();
    this.#giveUp = null;
  }

  /** Stop thinking until `goOn`: the game is on its way to a server. */
  pause(): void {
    this.#paused = true;
    this.rest();
  }

  goOn(): void {
    this.#paused = false;
  }

  async #think(seat: number, version: number): Promise<void> {
    const key = `${seat} ${version}`;
    const thought = new AbortController();
    this.#thinking.set(key, thought);
    // A pace that does not depend on the thinking: that would tell something of a bot's hand.
    const paced = sleep(this.#table.services.botPaceMs);
    try {
      const { action, bot } = await this.#ask(seat, version, thought.signal);
      await paced;
      await this.#table.change((state) => {
        if (thought.signal.aborted || !asksBot(state, seat, version)) return null;
        return decision(this.#table.deal, state, seat, action, { bot });
      });
    } catch (problem) {
      if (!thought.signal.aborted) throw problem;
    } finally {
      if (this.#thinking.get(key) === thought) this.#thinking.delete(key);
    }
  }

  /** The decision, and the bot that made it: another one where the seat's own fails. */
  async #ask(seat: number, version: number, signal: AbortSignal): Promise<{ action: number; bot: string }> {
    const { deal, state, services } = this.#table;
    const { game } = state;
    const bot = state.chairs[seat]?.bot;
    if (!game || !bot) throw new Error("only a bot that is to decide is asked");
    const legal = game.legal(seat).map(({ action }) => action);
    const question = {
      edition: deal.edition.map.id,
      seats: game.seats,
      seat,
      view: game.viewRecord(seat),
      legal,
      // It cannot be foreseen, and is the same again after a reload.
      seed: seedOf(deal.dealer.secret, version),
    };
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        const action = await services.thinkers.choose({ ...question, bot }, signal);
        if (legal.includes(action)) return { action, bot };
      } catch {
        signal.throwIfAborted();
      }
    }
    const action = legal[Number.parseInt(question.seed.slice(0, 8), 16) % legal.length];
    if (action === undefined) throw new Error("a seat that is to decide has a legal move");
    return { action, bot: LAST_RESORT };
  }
}

function seedOf(secret: string, version: number): string {
  const key = concatBytes(hexToBytes(secret), utf8ToBytes(` bot ${version}`));
  return bytesToHex(sha256(key)).slice(0, SEED_DIGITS);
}
