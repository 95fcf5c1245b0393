// The local tables as the page sees them: starts their worker when they are first asked for, and again after a crash.

import { Refusal } from "../net/refusal.ts";
import type { LocalHost } from "../net/local.ts";
import type { Transport } from "../net/transport.ts";
import type { ClientMessage, ServerMessage } from "../net/wire.ts";
import type { FromHost, Notice, ToHost } from "./messages.ts";

const RESTARTING = 1012; // the close code for a host that starts again
const PING_MS = 10_000;

interface Request {
  method: string;
  path: string;
  body: unknown;
  resolve: (answer: unknown) => void;
  reject: (problem: Refusal) => void;
  /** it was sent to a worker that crashed */
  repeated: boolean;
}

export class LocalTables implements LocalHost {
  #worker: Worker | null = null;
  #lastId = 0;
  #answered = true; // the last ping
  readonly #requests = new Map<number, Request>();
  readonly #sockets = new Map<number, LocalSocket>();

  constructor(
    readonly data: string,
    readonly onNotice: (notice: Notice) => void,
  ) {
    setInterval(() => this.#checkAlive(), PING_MS);
  }

  request(method: string, path: string, body?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ask(++this.#lastId, { method, path, body, resolve, reject, repeated: false });
    });
  }

  connect(): Transport {
    const number = ++this.#lastId;
    const socket = new LocalSocket(
      (message) => this.#tell({ kind: "say", socket: number, message }),
      () => {
        this.#sockets.delete(number);
        this.#tell({ kind: "close", socket: number });
      },
    );
    this.#sockets.set(number, socket);
    this.#tell({ kind: "open", socket: number });
    return socket;
  }

  #ask(id: number, request: Request): void {
    const { method, path, body } = request;
    this.#requests.set(id, request);
    this.#tell({ kind: "request", id, method, path, body });
  }

  #tell(message: ToHost): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<FromHost>) => this.#hear(event.data);
    worker.onerror = () => {
      if (this.#worker === worker) this.#startAgain();
    };
    worker.postMessage({ kind: "start", data: this.data } satisfies ToHost);
    this.#answered = true;
    return worker;
  }

  /** The worker crashed. What only reads is asked for once more; the tables are opened again by their sockets. */
  #startAgain(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const requests = [...this.#requests];
    const sockets = [...this.#sockets.values()];
    this.#requests.clear();
    this.#sockets.clear();
    for (const [id, request] of requests) {
      if (request.method === "GET" && !request.repeated) this.#ask(id, { ...request, repeated: true });
      else request.reject(new Refusal("closing", "The tables of this browser are being opened again."));
    }
    for (const socket of sockets) socket.closed(RESTARTING);
  }

  /** A worker can end without a word. */
  #checkAlive(): void {
    if (!this.#worker) return;
    if (!this.#answered) return this.#startAgain();
    this.#answered = false;
    this.#tell({ kind: "ping" });
  }

  #hear(message: FromHost): void {
    this.#answered = true;
    switch (message.kind) {
      case "answer":
        return this.#requestOf(message.id)?.resolve(message.answer);
      case "refused": {
        const { code, message: why, taken } = message;
        return this.#requestOf(message.id)?.reject(new Refusal(code, why, { taken }));
      }
      case "message":
        return this.#sockets.get(message.socket)?.onmessage(message.message);
      case "closed":
        this.#sockets.get(message.socket)?.closed(message.code);
        this.#sockets.delete(message.socket);
        return;
      case "notice":
        return this.onNotice(message.notice);
      case "pong":
        return;
    }
  }

  #requestOf(id: number): Request | undefined {
    const found = this.#requests.get(id);
    this.#requests.delete(id);
    return found;
  }
}

/** A connection to the worker. It is open from the next task on, when it can be listened to. */
class LocalSocket implements Transport {
  readonly remote = false;
  isOpen = false;
  onopen = (): void => undefined;
  onmessage = (_message: ServerMessage): void => undefined;
  onclose = (_code: number): void => undefined;
  #ended = false;

  constructor(
    readonly send: (message: ClientMessage) => void,
    readonly onEnd: () => void,
  ) {
    setTimeout(() => {
      if (this.#ended) return;
      this.isOpen = true;
      this.onopen();
    });
  }

  close(): void {
    if (this.#ended) return;
    this.#end();
    this.onEnd();
  }

  /** The worker closed it. */
  closed(code: number): void {
    this.#end();
    this.onclose(code);
  }

  #end(): void {
    this.#ended = true;
    this.isOpen = false;
  }
}
