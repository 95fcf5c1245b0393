// The socket to one table: it connects again by itself, and an action is sent until it is answered.

import { SvelteSet } from "svelte/reactivity";

import { get } from "./api.ts";
import type {
  ClientMessage,
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
const MOVED = 4009; // the close code for a seat that went to another device
const PING_MS = 25_000;
const SILENCE_MS = 90_000; // more than a minute, which is how often a page in the background beats
const WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const AGAIN_MS = 1000;
const AGAIN = ["storage", "too-fast"]; // refusals of what may yet be done
const GONE = ["not-allowed", "not-found"]; // refusals of a hello by one who may no longer watch

export type Connection = "connecting" | "open" | "lost" | "moved";

/** Who listens, and to what. */
export interface Listener {
  whole(welcome: Welcome): void;
  update(update: Update): void;
  refused(refused: Refused): void;
  reaction(reaction: Reaction): void;
  rematch(rematch: Rematch): void;
  /** the session has ended: nothing more will come */
  signedOut(): void;
  /** the connection, or whether an action is under way, changed */
  changed(): void;
}

type Act = Extract<ClientMessage, { type: "act" }>;

export class Line {
  connection: Connection = "connecting";
  /** the action that was sent and is not answered yet */
  pending: Act | null = null;
  readonly muted = new SvelteSet<number>();

  #socket: WebSocket | null = null;
  #seat: number | null = null;
  #version: number | null = null;
  #greeted = false; // the last hello was answered
  #retry = 0;
  #looking = false;
  #nonce: string | null = null; // for the deal, told and not answered yet
  #heard = 0;
  #wait = WAIT_MS;
  #ended = false;
  readonly #pulse: number;
  readonly #wake = (): void => this.#hurry();
  readonly #sleep = (): void => this.#drop();

  constructor(
    readonly table: string,
    readonly listener: Listener,
  ) {
    this.#pulse = window.setInterval(() => this.#beat(), PING_MS);
    addEventListener("online", this.#wake);
    addEventListener("offline", this.#sleep);
    document.addEventListener("visibilitychange", this.#wake);
  }

  /** Watch with the eyes of a seat, or of a spectator (null), from the whole view on. */
  watch(seat: number | null): void {
    this.#seat = seat;
    this.#version = null;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#hello();
    else if (!this.#socket) this.#connect();
  }

  /** Ask for the whole view; one question at a time is enough. */
  look(): void {
    if (this.#looking) return;
    this.#looking = true;
    this.#say({ type: "look" });
  }

  act(action: number, version: number): void {
    if (this.pending) return;
    this.pending = { type: "act", action, version, nonce: nonce() };
    this.#say(this.pending);
    this.listener.changed();
  }

  /** Tell the nonce that was pledged for the deal. Told twice it is no error. */
  addNonce(nonce: string): void {
    this.#nonce = nonce;
    this.#say({ type: "add-nonce", nonce });
  }

  react(sign: Sign): void {
    this.#say({ type: "react", sign });
  }

  mute(seat: number, muted: boolean): void {
    if (muted) this.muted.add(seat);
    else this.muted.delete(seat);
    this.#say({ type: "mute", seat, muted });
  }

  /** Go away for good. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#pulse);
    removeEventListener("online", this.#wake);
    removeEventListener("offline", this.#sleep);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#socket?.close();
  }

  #say(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    if (this.#ended) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/v1/socket`);
    this.#socket = socket;
    this.#heard = Date.now();
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.#heard = Date.now();
      this.#hello();
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as ServerMessage);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      if (event.code === MOVED) return this.#moved();
      if (event.code === SIGNED_OUT) return this.#signedOut();
      if (!opened) void this.#checkSession();
      this.#socket = null;
      this.#looking = false;
      this.#is("lost");
      setTimeout(() => this.#socket ?? this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
    };
  }

  #signedOut(): void {
    if (this.#ended) return;
    this.end();
    this.listener.signedOut();
  }

  /** A browser does not say why a socket was not opened: it may be that the session has ended meanwhile. */
  async #checkSession(): Promise<void> {
    const answer = await get<Whoami>("/whoami").catch(() => null); // without an answer, the next try asks again
    if (answer && !answer.me) this.#signedOut();
  }

  #is(connection: Connection): void {
    if (this.#ended) return;
    this.connection = connection;
    this.listener.changed();
  }

  /** What was watched is no longer for these eyes: nothing more will be answered. */
  #moved(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#looking = false;
    this.pending = null;
    this.#is("moved");
    socket?.close();
  }

  #hello(): void {
    this.#greeted = false;
    this.#looking = true; // the welcome answers as a look does
    this.#say({ type: "hello", table: this.table, seat: this.#seat, after: this.#version });
    for (const seat of this.muted) this.#say({ type: "mute", seat, muted: true });
    if (this.pending) this.#say(this.pending);
  }

  #beat(): void {
    if (this.#socket && Date.now() - this.#heard > SILENCE_MS) this.#drop();
    this.#say({ type: "ping" });
  }

  /** The device woke up, or the network is back: no need to wait until somebody notices. */
  #hurry(): void {
    if (document.hidden || this.connection === "moved") return;
    this.#wait = WAIT_MS;
    if (!this.#socket) this.#connect();
    else this.#say({ type: "ping" });
  }

  /** A connection without a network, or that says nothing, is given up before its closing is answered. */
  #drop(): void {
    const socket = this.#socket;
    socket?.close();
    socket?.onclose?.(new CloseEvent("close"));
  }

  #hear(message: ServerMessage): void {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "update":
        return this.#update(message);
      case "done":
        return this.#settle(message.nonce);
      case "refused":
        return this.#refused(message);
      case "reaction":
        return this.listener.reaction(message);
      case "rematch":
        return this.listener.rematch(message);
    }
  }

  #welcome(welcome: Welcome): void {
    this.#wait = WAIT_MS;
    this.#looking = false;
    this.#is("open");
    if (welcome.seat !== this.#seat) return; // of the eyes before
    this.#greeted = true;
    this.#version = Math.max(this.#version ?? 0, welcome.version);
    this.listener.whole(welcome);
  }

  #update(update: Update): void {
    if (this.#version !== null && update.version <= this.#version) return;
    this.#version = update.version;
    for (const event of update.events)
      if (event.type === "nonce-added" && event.seats.includes(this.#seat ?? -1)) this.#nonce = null;
    this.listener.update(update);
  }

  #settle(nonce: string): void {
    if (this.pending?.nonce !== nonce) return;
    this.pending = null;
    this.listener.changed();
  }

  #refused(message: Refused): void {
    const again = AGAIN.includes(message.code);
    if (message.nonce) {
      if (again) return this.#actAgain(message.nonce);
      this.#settle(message.nonce);
    }
    this.#looking = false;
    if (!message.nonce && !this.#greeted) {
      if (GONE.includes(message.code)) return this.#moved();
      if (again) return this.#helloAgain();
    }
    if (!message.nonce && this.#nonce !== null) return this.#nonceRefused(this.#nonce, again);
    if (message.code === "too-fast")
      setTimeout(() => this.look(), AGAIN_MS); // it may have been a look
    else this.listener.refused(message);
    if (message.nonce) this.look(); // what is offered here is not what is legal there
  }

  /** It came too late, which the table shows; or it may be told once more. */
  #nonceRefused(nonce: string, again: boolean): void {
    this.#nonce = null;
    if (again) setTimeout(() => this.addNonce(nonce), AGAIN_MS);
  }

  #actAgain(nonce: string): void {
    setTimeout(() => {
      if (this.pending?.nonce === nonce) this.#say(this.pending);
    }, AGAIN_MS);
  }

  /** Once, however much of what was said with the hello was refused as well. */
  #helloAgain(): void {
    if (this.#retry) return;
    this.#retry = window.setTimeout(() => {
      this.#retry = 0;
      if (!this.#greeted && !this.#ended) this.#hello();
    }, AGAIN_MS);
  }
}

/** Unique among all that this seat ever does; pages without TLS have no randomUUID. */
function nonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
