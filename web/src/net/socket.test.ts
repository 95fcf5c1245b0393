// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { type Listener, TableSocket } from "./socket.ts";
import type { ClientMessage } from "./wire.ts";

/** The WebSocket, and the server behind it. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  said: ClientMessage[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor() {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }

  cut(code: number): void {
    this.readyState = 3;
    this.onclose({ code });
  }

  get kinds(): string[] {
    return this.said.map((message) => message.type);
  }
}

const welcome = (seat: number | null) => ({ type: "welcome", seat, version: 3 });
const refused = (code: string, nonce: string | null = null) => ({
  type: "refused",
  code,
  message: "no",
  nonce,
});

let socket: TableSocket;
let told: string[];

function server(): FakeSocket {
  const last = FakeSocket.all.at(-1);
  if (!last) throw new Error("there is no connection");
  return last;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  told = [];
  const tell = (what: string) => () => void told.push(what);
  const listener: Listener = {
    welcome: tell("welcome"),
    update: tell("update"),
    refused: tell("refused"),
    reaction: tell("reaction"),
    rematch: tell("rematch"),
    presence: tell("presence"),
    signedOut: tell("signed out"),
    changed: () => undefined,
  };
  socket = new TableSocket("t", listener);
  socket.watch(0);
  server().open();
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a hello that is refused", () => {
  test("is said again when it was too fast, once, whatever else was refused with it", () => {
    server().tell(refused("too-fast"));
    server().tell(refused("too-fast"));
    vi.advanceTimersByTime(1500);
    expect(server().kinds).toEqual(["hello", "hello"]);
    server().tell(welcome(0));
    vi.advanceTimersByTime(1500);
    expect([socket.connection, server().kinds.length, told]).toEqual(["open", 2, ["welcome"]]);
  });

  test("is said again for other eyes on a socket that is open", () => {
    server().tell(welcome(0));
    socket.watch(1);
    server().tell(refused("too-fast"));
    vi.advanceTimersByTime(1500);
    expect(server().said.at(-1)).toMatchObject({ type: "hello", seat: 1 });
  });

  test("is the last when the seat is no longer mine", () => {
    server().tell(refused("not-allowed"));
    vi.advanceTimersByTime(60_000);
    expect([socket.connection, FakeSocket.all.length, server().kinds]).toEqual(["moved", 1, ["hello"]]);
  });
});

test("a look that was too fast is asked for again", () => {
  server().tell(welcome(0));
  socket.look();
  server().tell(refused("too-fast"));
  vi.advanceTimersByTime(1500);
  expect(server().kinds).toEqual(["hello", "look", "look"]);
});

test("an action is forgotten with the seat it was for", () => {
  server().tell(welcome(0));
  socket.act(5, 3);
  expect(socket.pending).not.toBeNull();
  server().cut(4009);
  expect([socket.connection, socket.pending]).toEqual(["moved", null]);
});

test("a session that has ended is not connected again", () => {
  server().tell(welcome(0));
  server().cut(4001);
  vi.advanceTimersByTime(60_000);
  expect([told, FakeSocket.all.length]).toEqual([["welcome", "signed out"], 1]);
});

describe("a socket that is not opened", () => {
  const answer = (me: object | null) =>
    vi.fn(() => Promise.resolve(new Response(JSON.stringify({ me }), { status: 200 })));

  test.each([
    [null, ["signed out"], 2],
    [{ name: "Ana" }, [], 3],
  ])("is tried again unless the person is unknown: %o", async (me, expected, sockets) => {
    vi.stubGlobal("fetch", answer(me));
    server().cut(1006);
    await vi.advanceTimersByTimeAsync(600);
    server().cut(1006);
    await vi.advanceTimersByTimeAsync(1100);
    expect([told, FakeSocket.all.length]).toEqual([expected, sockets]);
  });

  test("is tried again while there is no answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    server().cut(1006);
    await vi.advanceTimersByTimeAsync(600);
    server().cut(1006);
    await vi.advanceTimersByTimeAsync(1100);
    expect([told, FakeSocket.all.length]).toEqual([[], 3]);
  });
});

test("an action that could not be kept is sent again as it was", () => {
  server().tell(welcome(0));
  socket.act(5, 3);
  const [first] = server().said.slice(-1);
  server().tell(refused("storage", socket.pending?.nonce));
  vi.advanceTimersByTime(1500);
  expect(server().kinds).toEqual(["hello", "act", "act"]);
  expect(server().said.at(-1)).toEqual(first);
});

test("a tab in the background, which beats once a minute, is not silent; one that hears nothing is", () => {
  server().tell(welcome(0));
  vi.setSystemTime(Date.now() + 40_000);
  vi.advanceTimersByTime(25_000);
  expect(socket.connection).toBe("open");
  vi.advanceTimersByTime(50_000);
  expect(socket.connection).toBe("lost");
});

test("the silence before a break is not held against the next connection", () => {
  server().tell(welcome(0));
  server().cut(1006);
  vi.setSystemTime(Date.now() + 300_000);
  vi.advanceTimersByTime(600);
  const next = server();
  next.open();
  vi.advanceTimersByTime(30_000);
  expect([FakeSocket.all.length, next.kinds[0]]).toEqual([2, "hello"]);
  expect(next.kinds).toContain("ping");
});

describe("a nonce for the deal", () => {
  const nonces = (): ClientMessage[] => server().said.filter(({ type }) => type === "add-nonce");

  beforeEach(() => {
    socket.watch(0);
    server().open();
    server().tell(welcome(0));
    socket.addNonce("ab");
  });

  test("is told, and told again where it may yet be taken", () => {
    server().tell(refused("storage"));
    vi.advanceTimersByTime(2000);
    expect(nonces()).toEqual([
      { type: "add-nonce", nonce: "ab" },
      { type: "add-nonce", nonce: "ab" },
    ]);
  });

  test("that comes too late is not reported", () => {
    told = [];
    server().tell(refused("not-now"));
    vi.advanceTimersByTime(20_000);
    expect(nonces()).toHaveLength(1);
    expect(told).toEqual([]);
    server().tell(refused("not-now")); // of something else
    expect(told).toEqual(["refused"]);
  });

  test("that was taken is not mistaken for what is refused later", () => {
    server().tell({ type: "update", version: 4, events: [{ type: "nonce-added", seats: [0, 2] }] });
    told = [];
    server().tell(refused("not-now"));
    expect(told).toEqual(["refused"]);
  });
});

test("the server is told whether the page can be seen", () => {
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(server().said.at(-1)).toEqual({ type: "visible", visible: false });
  server().cut(1006);
  vi.advanceTimersByTime(1000);
  server().open();
  expect(server().kinds).toEqual(["hello", "visible"]); // a new connection counts as visible
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(server().said).toContainEqual({ type: "visible", visible: true });
  hidden.mockRestore();
});
