// A socket of a page: it watches one local table, from one seat or none.

import { Refusal } from "../net/refusal.ts";
import {
  type ClientMessage,
  type Code,
  type Hello,
  PROTOCOL,
  type ServerMessage,
  type Sign,
} from "../net/wire.ts";
import type { Host } from "./host.ts";
import { addNonce, decide, requireOwned } from "./seats.ts";
import type { Table, Watcher } from "./table.ts";

/** Codes that only a browser has, as a server would say it. */
const AS_SERVER: Partial<Record<Refusal["code"], Code>> = {
  offline: "storage",
  "no-server": "storage",
  "old-page": "bad-message", // whose words are: reload the page
  "old-game": "not-found",
};

export class Connection implements Watcher {
  seat: number | null = null;
  readonly muted = new Set<number>();
  #table: Table | null = null;
  #left = false;

  constructor(
    readonly host: Host,
    readonly person: string,
    readonly send: (message: ServerMessage) => void,
    readonly close: (code: number, reason: string) => void,
  ) {}

  /** Handle a message; a refusal is sent back. */
  async hear(message: ClientMessage): Promise<void> {
    try {
      await this.#handle(message);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      const { code, message: why, reason } = problem;
      const nonce = message.type === "act" ? message.nonce : null;
      this.send({ type: "refused", code: AS_SERVER[code] ?? (code as Code), message: why, nonce, reason });
    }
  }

  async #handle(message: ClientMessage): Promise<void> {
    switch (message.type) {
      case "hello":
        return this.#hello(message);
      case "look":
        return this.#atTable().watch(this, this.seat, null, this.person);
      case "act": {
        const [table, seat] = [this.#atTable(), this.#seated()];
        const version = await decide(table, this.person, seat, message);
        return this.send({ type: "done", nonce: message.nonce, version });
      }
      case "add-nonce": {
        const table = this.#atTable();
        this.#seated();
        return addNonce(table, this.person, message.nonce);
      }
      case "react":
        return this.#react(message.sign);
      case "mute":
        if (message.muted ?? true) this.muted.add(message.seat);
        else this.muted.delete(message.seat);
        return;
      case "ping":
        return this.send({ type: "pong", now: this.host.now() });
    }
  }

  #atTable(): Table {
    if (!this.#table) throw new Refusal("not-now", "Say hello to a table first.");
    return this.#table;
  }

  #seated(): number {
    if (this.seat === null) throw new Refusal("not-allowed", "You watch this table; you do not play here.");
    return this.seat;
  }

  async #hello({ table: id, seat = null, after = null, protocol = PROTOCOL }: Hello): Promise<void> {
    if (protocol !== PROTOCOL) throw new Refusal("bad-value", `This server speaks protocol ${PROTOCOL}.`);
    const table = await this.host.table(id);
    if (seat !== null) requireOwned(table.state, this.person, seat);
    if (this.#left) return; // while the table was loaded
    if (this.#table !== table) this.#unwatch();
    this.#table = table;
    this.muted.clear();
    await table.watch(this, seat, after, this.person);
  }

  #react(sign: Sign): void {
    const [table, seat] = [this.#atTable(), this.#seated()];
    if (!table.deal.terms.reactions) throw new Refusal("not-allowed", "There are no signs at this table.");
    table.passOn({ type: "reaction", seat, sign }, seat);
  }

  /** The page closed the socket: stop watching. */
  leave(): void {
    this.#left = true;
    this.#unwatch();
  }

  #unwatch(): void {
    this.#table?.unwatch(this);
    this.#table = null;
  }
}
