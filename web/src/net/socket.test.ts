// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Line, type Listener } from "./socket.ts";
import type { ClientMessage } from "./wire.ts";

/** The other end of the line, as a test plays it. */
class Wire {
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = 0;
  said: ClientMessage[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor() {
    Wire.all.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = Wire.OPEN;
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

let line: Line;
let told: string[];

function wire(): Wire {
  const last = Wire.all.at(-1);
  if (!last) throw new Error("nobody has connected");
  return last;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  Wire.all = [];
  told = [];
  const tell = (what: string) => () => void told.push(what);
  const listener: Listener = {
    whole: tell("whole"),
    update: tell("update"),
    refused: tell("refused"),
    reaction: tell("reaction"),
    rematch: tell("rematch"),
    signedOut: tell("signed out"),
    changed: () => undefined,
  };
  line = new Line("t", listener);
  line.watch(0);
  wire().open();
});

afterEach(() => {
  line.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a hello that is refused", () => {
  test("is said again when it was too fast, once, whatever else was refused with it", () => {
    wire().tell(refused("too-fast"));
    wire().tell(refused("too-fast"));
    vi.advanceTimersByTime(1500);
    expect(wire().kinds).toEqual(["hello", "hello"]);
    wire().tell(welcome(0));
    vi.advanceTimersByTime(1500);
    expect([line.connection, wire().kinds.length, told]).toEqual(["open", 2, ["whole"]]);
  });

  test("is said again for other eyes on a line that is open", () => {
    wire().tell(welcome(0));
    line.watch(1);
    wire().tell(refused("too-fast"));
    vi.advanceTimersByTime(1500);
    expect(wire().said.at(-1)).toMatchObject({ type: "hello", seat: 1 });
  });

  test("is the last when the seat is no longer mine", () => {
    wire().tell(refused("not-allowed"));
    vi.advanceTimersByTime(60_000);
    expect([line.connection, Wire.all.length, wire().kinds]).toEqual(["moved", 1, ["hello"]]);
  });
});

test("a look that was too fast is asked for again", () => {
  wire().tell(welcome(0));
  line.look();
  wire().tell(refused("too-fast"));
  vi.advanceTimersByTime(1500);
  expect(wire().kinds).toEqual(["hello", "look", "look"]);
});

test("an action is forgotten with the seat it was for", () => {
  wire().tell(welcome(0));
  line.act(5, 3);
  expect(line.pending).not.toBeNull();
  wire().cut(4009);
  expect([line.connection, line.pending]).toEqual(["moved", null]);
});

test("a session that has ended is not connected again", () => {
  wire().tell(welcome(0));
  wire().cut(4001);
  vi.advanceTimersByTime(60_000);
  expect([told, Wire.all.length]).toEqual([["whole", "signed out"], 1]);
});

describe("a socket that is not opened", () => {
  const answer = (me: object | null) =>
    vi.fn(() => Promise.resolve(new Response(JSON.stringify({ me }), { status: 200 })));

  test.each([
    [null, ["signed out"], 2],
    [{ name: "Ana" }, [], 3],
  ])("is tried again unless nobody is known: %o", async (me, expected, sockets) => {
    vi.stubGlobal("fetch", answer(me));
    wire().cut(1006);
    await vi.advanceTimersByTimeAsync(600);
    wire().cut(1006);
    await vi.advanceTimersByTimeAsync(1100);
    expect([told, Wire.all.length]).toEqual([expected, sockets]);
  });

  test("is tried again while there is no answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    wire().cut(1006);
    await vi.advanceTimersByTimeAsync(600);
    wire().cut(1006);
    await vi.advanceTimersByTimeAsync(1100);
    expect([told, Wire.all.length]).toEqual([[], 3]);
  });
});

test("an action that could not be kept is sent again as it was", () => {
  wire().tell(welcome(0));
  line.act(5, 3);
  const [first] = wire().said.slice(-1);
  wire().tell(refused("storage", line.pending?.nonce));
  vi.advanceTimersByTime(1500);
  expect(wire().kinds).toEqual(["hello", "act", "act"]);
  expect(wire().said.at(-1)).toEqual(first);
});

test("a tab in the background, which beats once a minute, is not silent; one that hears nothing is", () => {
  wire().tell(welcome(0));
  vi.setSystemTime(Date.now() + 40_000);
  vi.advanceTimersByTime(25_000);
  expect(line.connection).toBe("open");
  vi.advanceTimersByTime(50_000);
  expect(line.connection).toBe("lost");
});

test("the silence before a break is not held against the next connection", () => {
  wire().tell(welcome(0));
  wire().cut(1006);
  vi.setSystemTime(Date.now() + 300_000);
  vi.advanceTimersByTime(600);
  const next = wire();
  next.open();
  vi.advanceTimersByTime(30_000);
  expect([Wire.all.length, next.kinds[0]]).toEqual([2, "hello"]);
  expect(next.kinds).toContain("ping");
});

describe("a nonce for the deal", () => {
  const nonces = (): ClientMessage[] => wire().said.filter(({ type }) => type === "add-nonce");

  beforeEach(() => {
    line.watch(0);
    wire().open();
    wire().tell(welcome(0));
    line.addNonce("ab");
  });

  test("is told, and told again where it may yet be taken", () => {
    wire().tell(refused("storage"));
    vi.advanceTimersByTime(2000);
    expect(nonces()).toEqual([
      { type: "add-nonce", nonce: "ab" },
      { type: "add-nonce", nonce: "ab" },
    ]);
  });

  test("that comes too late is no trouble to anybody", () => {
    told = [];
    wire().tell(refused("not-now"));
    vi.advanceTimersByTime(20_000);
    expect(nonces()).toHaveLength(1);
    expect(told).toEqual([]);
    wire().tell(refused("not-now")); // of something else
    expect(told).toEqual(["refused"]);
  });

  test("that was taken is not mistaken for what is refused later", () => {
    wire().tell({ type: "update", version: 4, events: [{ type: "nonce-added", seats: [0, 2] }] });
    told = [];
    wire().tell(refused("not-now"));
    expect(told).toEqual(["refused"]);
  });
});
