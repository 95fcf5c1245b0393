// The socket to one table: it connects again by itself, and an action is sent until it is answered.

const MOVED = 4009; // the close code for a seat that went to another device
const PING_MS = 25_000;
const SILENCE_MS = 60_000;
const AGAIN = ["storage", "too-fast"]; // refusals of an action that may yet be done

export class Line {
  /** `heard` has a function for each kind of news: whole, update, refused, reaction, rematch, state. */
  constructor(table, heard) {
    Object.assign(this, { table, heard, seat: null, version: null, pending: null, wait: 500 });
    this.muted = new Set();
    setInterval(() => this.#pulse(), PING_MS);
  }

  /** Watch with the eyes of a seat, or of a spectator (null); news begin after a version. */
  watch(seat, version) {
    Object.assign(this, { seat, version });
    if (this.socket?.readyState === WebSocket.OPEN) this.#hello();
    else if (!this.socket) this.#connect();
  }

  /** Ask for the whole view; one question at a time is enough. */
  look() {
    if (this.looking) return;
    this.looking = true;
    this.#say({ type: "look" });
  }

  act(action, version) {
    if (this.pending) return;
    this.pending = { type: "act", action, version, nonce: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`.replace(".", "") };
    this.#say(this.pending);
  }

  react(sign) {
    this.#say({ type: "react", sign });
  }

  mute(seat, muted) {
    this.muted[muted ? "add" : "delete"](seat);
    this.#say({ type: "mute", seat, muted });
  }

  #say(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #connect() {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/socket`);
    this.socket = socket;
    socket.onopen = () => this.#hello();
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      this.socket = null;
      this.looking = false;
      if (event.code === MOVED) return this.heard.state("moved");
      this.heard.state("lost");
      setTimeout(() => this.socket ?? this.#connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 10_000);
    };
  }

  #hello() {
    this.looking = true; // the welcome answers as a look does
    this.#say({ type: "hello", table: this.table, seat: this.seat, after: this.version });
    for (const seat of this.muted) this.#say({ type: "mute", seat });
    if (this.pending) this.#say(this.pending);
  }

  #pulse() {
    if (this.socket && Date.now() - this.last > SILENCE_MS) this.socket.close();
    this.#say({ type: "ping" });
  }

  #hear(message) {
    this.last = Date.now();
    const hear = {
      welcome: () => this.#welcome(message),
      update: () => this.#update(message),
      done: () => this.#settle(message.nonce),
      refused: () => this.#refused(message),
      reaction: () => this.heard.reaction(message),
      rematch: () => this.heard.rematch(message),
    };
    hear[message.type]?.();
  }

  #welcome(welcome) {
    this.wait = 500;
    this.heard.state("open");
    this.looking = false;
    if (welcome.seat !== this.seat) return; // of the eyes before
    const playing = ["running", "finished"].includes(welcome.table.status);
    if (playing && !welcome.view) return this.look(); // what was missed follows; then all of it
    const behind = this.version > welcome.version; // more happened since it was asked for
    this.version = Math.max(this.version, welcome.version);
    this.heard.whole(welcome);
    if (behind) this.look();
  }

  #update(update) {
    if (this.version !== null && update.version <= this.version) return;
    this.version = update.version;
    this.heard.update(update);
    this.look();
  }

  #settle(nonce) {
    if (this.pending?.nonce === nonce) this.pending = null;
    this.look();
  }

  #refused(message) {
    if (message.nonce && AGAIN.includes(message.code)) {
      setTimeout(() => this.pending?.nonce === message.nonce && this.#say(this.pending), 1000);
      return;
    }
    this.looking = false;
    if (message.nonce) this.#settle(message.nonce);
    if (message.code === "too-fast") setTimeout(() => this.look(), 1000); // it may have been a look
    else this.heard.refused(message);
  }
}
