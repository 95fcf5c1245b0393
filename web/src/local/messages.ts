// What a page and the worker of its local tables tell each other.

import type { ClientMessage, ServerMessage } from "../net/wire.ts";
import type { Refusal } from "../net/refusal.ts";

/** The page to the worker. `socket` numbers the connections of a page, `id` its requests. */
export type ToHost =
  /** the first message: the address of the folder of the data files */
  | { kind: "start"; data: string }
  | { kind: "request"; id: number; method: string; path: string; body: unknown }
  | { kind: "open"; socket: number }
  | { kind: "say"; socket: number; message: ClientMessage }
  | { kind: "close"; socket: number }
  | { kind: "ping" };

/** What concerns the page as a whole. */
export type Notice =
  /** the browser stores nothing: games are lost when the page is closed */
  | { kind: "not-stored" }
  /** a network is on its way; `done` equals `bytes` at the end */
  | { kind: "loading"; bot: string; done: number; bytes: number }
  /** a bot plays without its network, which could not be fetched */
  | { kind: "no-network"; bot: string };

/** The worker to the page. */
export type FromHost =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "refused"; id: number; code: Refusal["code"]; message: string; taken: string | null }
  | { kind: "message"; socket: number; message: ServerMessage }
  | { kind: "closed"; socket: number; code: number; reason: string }
  | { kind: "notice"; notice: Notice }
  | { kind: "pong" };
