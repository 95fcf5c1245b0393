// The connection to one table. It reconnects, and sends an action again until it is answered.

import { SvelteSet } from "svelte/reactivity";

import { get } from "./api.ts";
import { inBrowser, localHost } from "./local.ts";
import { hasServer } from "./place.ts";
import { ServerSocket, type Transport } from "./transport.ts";
import type {
  ClientMessage,
  Presence,
  Reaction,
  Refused,
  Rematch,
  ServerMessage,
  Sign,
  Update,
  Welcome,
  Whoami,
} from "./wire.ts";

const SIGNED_OUT = 4001; // the close code for a session that has ended
const SEAT_MOVED = 4009; // the close code for a seat that went to another device
const ABNORMAL = 1006; // the close code for a connection that was lost
const PING_MS = 25_000;
const SILENCE_MS = 90_000; // more than a minute: a background page runs its timers once a minute
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
const RETRY_MS = 1000;
const RETRYABLE = ["storage", "too-fast"]; // refusals after which the same message is sent again
const NO_ACCESS = ["not-allowed", "not-found"]; // refusals of a hello if the table may no longer be watched

export type Connection = "connecting" | "open" | "lost" | "moved";

/** Receives what the socket reports. */
export interface Listener {
  welcome(welcome: Welcome): void;
  update(update: Update): void;
  refused(refused: Refused): void;
  reaction(reaction: Reaction): void;
  rematch(rematch: Rematch): void;
  presence(presence: Presence): void;
  /** the session has ended: nothing more will be received */
  signedOut(): void;
  /** the connection, or whether an action is under way, changed */
  changed(): void;
}

type Act = Extract<ClientMessage, { type: "act" }>;

export class TableSocket {
  connection: Connection = "connecting";
  /** the action that was sent and is not answered yet */
  pending: Act | null = null;
  readonly muted = new SvelteSet<number>();

  #socket: Transport | null = null;
  #seat: number | null = null;
  #version: number | null = null;
  #welcomed = false; // the last hello was answered
  #helloTimer = 0;
  #lookPending = false;
  #nonce: string | null = null; // for the deal, sent and not answered yet
  #lastMessageAt = 0;
  #retryDelay = FIRST_DELAY_MS;
  #ended = false;
  readonly #pingTimer: number;
  readonly #onWake = (): void => this.#reconnectNow();
  readonly #onVisible = (): void => {
    this.#sayVisible();
    this.#reconnectNow();
  };
  readonly #onOffline = (): void => {
    if (this.#socket?.remote) this.#disconnect();
  };

  constructor(
    readonly table: string,
    readonly listener: Listener,
  ) {
    this.#pingTimer = window.setInterval(() => this.#checkAlive(), PING_MS);
    addEventListener("online", this.#onWake);
    addEventListener("offline", this.#onOffline);
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  /** Watch as a seat, or as a spectator (null), starting with the whole view. */
  watch(seat: number | null): void {
    this.#seat = seat;
    this.#version = null;
    if (this.#socket?.isOpen) this.#hello();
    else if (!this.#socket) this.#connect();
  }

  /** Request the whole view; one request at a time is enough. */
  look(): void {
    if (this.#lookPending) return;
    this.#lookPending = true;
    this.#send({ type: "look" });
  }

  act(action: number, version: number): void {
    if (this.pending) return;
    this.pending = { type: "act", action, version, nonce: nonce() };
    this.#send(this.pending);
    this.listener.changed();
  }

  /** Send the nonce that was pledged for the deal. Sending it twice is no error. */
  addNonce(nonce: string): void {
    this.#nonce = nonce;
    this.#send({ type: "add-nonce", nonce });
  }

  react(sign: Sign): void {
    this.#send({ type: "react", sign });
  }

  mute(seat: number, muted: boolean): void {
    if (muted) this.muted.add(seat);
    else this.muted.delete(seat);
    this.#send({ type: "mute", seat, muted });
  }

  /** Close the connection, and do not reconnect. */
  close(): void {
    this.#ended = true;
    clearInterval(this.#pingTimer);
    removeEventListener("online", this.#onWake);
    removeEventListener("offline", this.#onOffline);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#socket?.close();
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.isOpen) this.#socket.send(message);
  }

  #connect(): void {
    if (this.#ended) return;
    const local = !hasServer() || inBrowser(this.table);
    const socket = local ? localHost(this.table).connect() : new ServerSocket();
    this.#socket = socket;
    this.#lastMessageAt = Date.now();
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#lastMessageAt = Date.now();
      this.#hello();
    };
    socket.onmessage = (message) => this.#receive(message);
    socket.onclose = (code) => {
      if (this.#socket !== socket) return;
      if (code === SEAT_MOVED) return this.#seatMoved();
      if (code === SIGNED_OUT) return this.#signedOut();
      if (socket.remote && !opened) void this.#checkSession();
      this.#socket = null;
      this.#lookPending = false;
      this.#setConnection("lost");
      setTimeout(() => this.#socket ?? this.#connect(), this.#retryDelay);
      this.#retryDelay = Math.min(2 * this.#retryDelay, LONGEST_DELAY_MS);
    };
  }

  #signedOut(): void {
    if (this.#ended) return;
    this.close();
    this.listener.signedOut();
  }

  /** A browser does not say why a socket was not opened: the session may have ended. */
  async #checkSession(): Promise<void> {
    const answer = await get<Whoami>("/whoami").catch(() => null); // without an answer, the next try asks again
    if (answer && !answer.me) this.#signedOut();
  }

  #setConnection(connection: Connection): void {
    if (this.#ended) return;
    this.connection = connection;
    this.listener.changed();
  }

  /** The seat may no longer be watched here: nothing more will be answered. */
  #seatMoved(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#lookPending = false;
    this.pending = null;
    this.#setConnection("moved");
    socket?.close();
  }

  /** The server tells those who do not see the page of their turn. */
  #sayVisible(): void {
    if (this.#socket?.remote) this.#send({ type: "visible", visible: !document.hidden });
  }

  #hello(): void {
    this.#welcomed = false;
    this.#lookPending = true; // the welcome answers as a look does
    const hello = { table: this.table, seat: this.#seat, after: this.#version, presence: true };
    this.#send({ type: "hello", ...hello });
    if (document.hidden) this.#sayVisible(); // a new connection counts as visible
    for (const seat of this.muted) this.#send({ type: "mute", seat, muted: true });
    if (this.pending) this.#send(this.pending);
  }

  #checkAlive(): void {
    if (this.#socket && Date.now() - this.#lastMessageAt > SILENCE_MS) this.#disconnect();
    this.#send({ type: "ping" });
  }

  /** The device woke up, or the network is back: reconnect without waiting for the timer. */
  #reconnectNow(): void {
    if (document.hidden || this.connection === "moved") return;
    this.#retryDelay = FIRST_DELAY_MS;
    if (!this.#socket) this.#connect();
    else this.#send({ type: "ping" });
  }

  /** Treat the connection as closed now: without a network, the closing would not be answered. */
  #disconnect(): void {
    const socket = this.#socket;
    socket?.close();
    socket?.onclose(ABNORMAL);
  }

  #receive(message: ServerMessage): void {
    this.#lastMessageAt = Date.now();
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "update":
        return this.#update(message);
      case "done":
        return this.#actionAnswered(message.nonce);
      case "refused":
        return this.#refused(message);
      case "reaction":
        return this.listener.reaction(message);
      case "rematch":
        return this.listener.rematch(message);
      case "presence":
        return this.listener.presence(message);
    }
  }

  #welcome(welcome: Welcome): void {
    this.#retryDelay = FIRST_DELAY_MS;
    this.#lookPending = false;
    this.#setConnection("open");
    if (welcome.seat !== this.#seat) return; // for the seat that was watched before
    this.#welcomed = true;
    this.#version = Math.max(this.#version ?? 0, welcome.version);
    this.listener.welcome(welcome);
  }

  #update(update: Update): void {
    if (this.#version !== null && update.version <= this.#version) return;
    this.#version = update.version;
    for (const event of update.events)
      if (event.type === "nonce-added" && event.seats.includes(this.#seat ?? -1)) this.#nonce = null;
    this.listener.update(update);
  }

  #actionAnswered(nonce: string): void {
    if (this.pending?.nonce !== nonce) return;
    this.pending = null;
    this.listener.changed();
  }

  #refused(message: Refused): void {
    const again = RETRYABLE.includes(message.code);
    if (message.nonce) {
      if (again) return this.#actAgain(message.nonce);
      this.#actionAnswered(message.nonce);
    }
    this.#lookPending = false;
    if (!message.nonce && !this.#welcomed) {
      if (NO_ACCESS.includes(message.code)) return this.#seatMoved();
      if (again) return this.#helloAgain();
    }
    if (!message.nonce && this.#nonce !== null) return this.#nonceRefused(this.#nonce, again);
    if (message.code === "too-fast")
      setTimeout(() => this.look(), RETRY_MS); // the refused message may have been a look
    else this.listener.refused(message);
    if (message.nonce) this.look(); // the legal moves here are out of date
  }

  /** It came too late, which the table shows; or it is sent again. */
  #nonceRefused(nonce: string, again: boolean): void {
    this.#nonce = null;
    if (again) setTimeout(() => this.addNonce(nonce), RETRY_MS);
  }

  #actAgain(nonce: string): void {
    setTimeout(() => {
      if (this.pending?.nonce === nonce) this.#send(this.pending);
    }, RETRY_MS);
  }

  /** Once, even if several messages sent with the hello were refused. */
  #helloAgain(): void {
    if (this.#helloTimer) return;
    this.#helloTimer = window.setTimeout(() => {
      this.#helloTimer = 0;
      if (!this.#welcomed && !this.#ended) this.#hello();
    }, RETRY_MS);
  }
}

/** Unique among all actions of a seat; pages without TLS have no randomUUID. */
function nonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
