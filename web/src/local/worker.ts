// The entry of the worker that hosts the local tables.

import { Refusal } from "../net/refusal.ts";
import type { Connection } from "./connection.ts";
import { Host } from "./host.ts";
import { fetchFrom, Library } from "./library.ts";
import type { FromHost, Notice, ToHost } from "./messages.ts";
import { SafeStore } from "./store.ts";
import type { News } from "./table.ts";
import { BotWorker, type ToBots } from "./thinkers.ts";

const CHANNEL = "macaz-tables";
const BOT_PACE_MS = 600;
const NONCE_WAIT_MS = 5000;

const tell = (message: FromHost): void => postMessage(message);
const notice = (said: Notice): void => tell({ kind: "notice", notice: said });

/** Run an action while no other tab does so under this name. Where there are no locks, all tabs do. */
function whileAlone(name: string, action: () => void): () => void {
  // Only pages with TLS, or of this computer, have locks.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) {
    action();
    return () => undefined;
  }
  const gone = new AbortController();
  let release = (): void => undefined;
  const held = (): Promise<void> => {
    action();
    return new Promise((resolve) => (release = resolve));
  };
  locks.request(name, { signal: gone.signal }, held).catch(() => undefined); // it was given up
  return () => {
    gone.abort();
    release();
  };
}

async function start(data: string): Promise<Host> {
  const library = new Library(fetchFrom(data));
  const channel = new BroadcastChannel(CHANNEL);
  const thinkers = new BotWorker(async () => {
    const module = await library.module();
    const worker = new Worker(new URL("./bot-worker.ts", import.meta.url), { type: "module" });
    worker.postMessage({ kind: "start", module, data } satisfies ToBots);
    return worker;
  }, notice);
  const host = new Host(library, {
    store: await SafeStore.open(() => notice({ kind: "not-stored" })),
    thinkers,
    now: () => Date.now(),
    publish: (news) => channel.postMessage(news),
    whileAlone,
    botPaceMs: BOT_PACE_MS,
    nonceWaitMs: NONCE_WAIT_MS,
  });
  channel.onmessage = (event: MessageEvent<News>) => void host.hear(event.data);
  return host;
}

let started: Promise<Host>;
const sockets = new Map<number, Connection>();

async function hear(message: ToHost): Promise<void> {
  switch (message.kind) {
    case "start":
      started = start(message.data);
      return;
    case "request":
      return answer(message);
    case "open": {
      const { socket } = message;
      const host = await started;
      const connection = host.connect(
        (said) => tell({ kind: "message", socket, message: said }),
        (code, reason) => tell({ kind: "closed", socket, code, reason }),
      );
      sockets.set(socket, connection);
      return;
    }
    case "say":
      await started;
      return sockets.get(message.socket)?.hear(message.message);
    case "close":
      await started;
      sockets.get(message.socket)?.leave();
      sockets.delete(message.socket);
      return;
    case "ping":
      return tell({ kind: "pong" });
  }
}

async function answer({ id, method, path, body }: Extract<ToHost, { kind: "request" }>): Promise<void> {
  try {
    const host = await started;
    tell({ kind: "answer", id, answer: await host.request(method, path, body) });
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    const { code, message, taken } = problem;
    tell({ kind: "refused", id, code, message, taken });
  }
}

// What is not a refusal is a failure of this worker: the page starts another.
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  reportError(event.reason);
});
addEventListener("message", (event: MessageEvent<ToHost>) => void hear(event.data));
