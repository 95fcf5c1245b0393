// The table of an analysis, as the components of a table know one: it shows the node that is looked at, at the side
// of the seat that decides, and a decision becomes a node.

import { IllegalAction } from "../local/game.ts";
import { LOCAL } from "../local/host.ts";
import type { LocalHost } from "../net/local.ts";
import { notFound, Refusal } from "../net/refusal.ts";
import type { Transport } from "../net/transport.ts";
import {
  type Aids,
  type ClientMessage,
  type GameEvent,
  PROTOCOL,
  type ServerMessage,
  type TableInfo,
  type Update,
  type Updates,
  type Welcome,
} from "../net/wire.ts";
import type { Board } from "./board.ts";

/** The ids of the tables of analyses begin with it. */
export const PREFIX = `${LOCAL}study-`;

/** What is looked at. */
interface Looked {
  readonly board: Board;
  readonly node: number;
  /** the seat at whose side the table is shown */
  readonly seat: number;
}

export class StudyHost implements LocalHost {
  /** counts what was shown, as a log counts its entries */
  #version = 0;
  #port: Port | null = null;
  #looked: Looked;

  constructor(
    readonly id: string,
    looked: Looked,
    /** is told of a decision of the seat that is shown */
    readonly ondecided: (action: number) => void,
  ) {
    this.#looked = looked;
  }

  /** Show another node, or another seat. */
  show(looked: Looked): void {
    this.#looked = looked;
    this.#version += 1;
    this.#port?.welcome(this.#welcome());
  }

  async request(method: string, address: string): Promise<unknown> {
    const [, what = ""] = /^\/tables\/[^/]+(?:\/([^?]*))?/.exec(address) ?? [];
    const { board, node, seat } = this.#looked;
    if (method !== "GET") throw new Refusal("no-server", "That needs a server.");
    switch (what) {
      case "":
        return this.info();
      case "map":
        return board.edition.map;
      case "plate":
        return board.edition.plate;
      case "aids": {
        const game = board.game(node);
        if (game.over) throw new Refusal("not-now", "The game is over.");
        return { version: this.#version, ...game.aids(seat) } satisfies Aids;
      }
      case "updates":
        return { updates: [this.#update(board.events(node))], version: this.#version } satisfies Updates;
      default:
        return Promise.reject(notFound());
    }
  }

  connect = (): Transport => {
    this.#port = new Port((port, message) => this.#hear(port, message));
    return this.#port;
  };

  #hear(port: Port, message: ClientMessage): void {
    if (message.type === "hello" || message.type === "look") return port.welcome(this.#welcome());
    if (message.type !== "act") return;
    const { action, nonce } = message;
    port.onmessage({ type: "done", nonce, version: this.#version });
    try {
      this.ondecided(action);
    } catch (problem) {
      if (!(problem instanceof IllegalAction)) throw problem;
      const why = "The rules do not allow that now.";
      port.onmessage({ type: "refused", code: "illegal", message: why, nonce, reason: problem.reason ?? "" });
    }
  }

  #welcome(): Welcome {
    const { board, node, seat } = this.#looked;
    const game = board.game(node);
    return {
      type: "welcome",
      protocol: PROTOCOL,
      table: this.info(),
      seat,
      version: this.#version,
      view: game.view(seat),
      deciding: game.deciding,
      deadlines: board.start.names.map(() => null),
      legal: game.legal(seat),
      takeback: null,
      now: Date.now(),
    };
  }

  #update(events: GameEvent[]): Update {
    const { board, node, seat } = this.#looked;
    const game = board.game(node);
    return {
      ...{ type: "update", version: this.#version, at: Date.now(), by: null, events },
      ...{ situation: game.situation(seat), deciding: game.deciding, legal: [] },
      ...{ deadlines: board.start.names.map(() => null), takeback: null, view: null },
    };
  }

  /** The table: the seat that is shown is that of the person here. */
  info(): TableInfo {
    const { board, seat } = this.#looked;
    const { map } = board.edition;
    const { names, colors } = board.start;
    return {
      ...{ id: this.id, edition: map.id, title: map.title, fingerprint: map.fingerprint },
      ...{ status: "running", version: this.#version, host: true, listed: false, first: null },
      ...{ move_seconds: null, stand_in: "", patience: 0, absence: 0, delay: 0, reactions: false },
      ...{ hints: false, seeded: true, origin: "browser", commitment: "", announcement: null },
      ...{ created_at: 0, previous: null, rematch: null, placed: false },
      seats: names.map((name, i) => ({
        ...{ kind: "person", name, color: colors[i] ?? "blue", bot: null, reason: null },
        ...{ mine: i === seat, kept: false, nonce: "none", shared_with: [] },
      })),
    };
  }
}

/** A connection within this thread. It is answered at once, so that nothing flickers. */
class Port implements Transport {
  readonly remote = false;
  isOpen = false;
  onopen = (): void => undefined;
  onmessage = (_message: ServerMessage): void => undefined;
  onclose = (_code: number): void => undefined;

  constructor(readonly hear: (port: Port, message: ClientMessage) => void) {
    queueMicrotask(() => {
      this.isOpen = true;
      this.onopen();
    });
  }

  send(message: ClientMessage): void {
    if (this.isOpen) this.hear(this, message);
  }

  welcome(welcome: Welcome): void {
    if (this.isOpen) this.onmessage(welcome);
  }

  close(): void {
    this.isOpen = false;
  }
}
