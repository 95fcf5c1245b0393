// Sessions at a server, repeated at the host of local tables; tests/page/test_local_tables.py writes them.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { afterEach, describe, expect, test, vi } from "vitest";

import type { Question } from "../src/local/bots.ts";
import type { Connection } from "../src/local/connection.ts";
import { Host } from "../src/local/host.ts";
import { Library } from "../src/local/library.ts";
import { decide, leave } from "../src/local/seats.ts";
import { type EntryRow, MemoryStore, type TableRow } from "../src/local/store.ts";
import type { Services, Table } from "../src/local/table.ts";
import { Refusal } from "../src/net/refusal.ts";
import type { ClientMessage, ServerMessage } from "../src/net/wire.ts";

type Step =
  | { do: "request"; method: string; path: string; body: unknown; refused: boolean; answer: unknown }
  | { do: "open" }
  | { do: "say"; socket: number; message: ClientMessage }
  /** until as many messages have come to each socket */
  | { do: "wait"; counts: number[] };

interface Session {
  title: string;
  /** the ids of the server's tables, in the order in which they were made */
  tables: string[];
  secrets: string[];
  /** what the bots decided, and as which versions */
  bots: [seat: number, action: number, version: number][];
  steps: Step[];
  /** by socket */
  heard: ServerMessage[][];
}

const folder = process.env["MACAZ_SESSIONS"] ?? "";
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".session")) : [];
const library = new Library(async (name) => {
  const bytes = readFileSync(join(folder, name));
  return Promise.resolve(new Uint8Array(bytes).buffer);
});

const TIMES = ["at", "now", "created_at", "updated_at", "finished_at", "announced_at"];
const SECRET_BYTES = 32;

const isIllegal = (found: unknown): found is { message: string } =>
  typeof found === "object" && found !== null && "code" in found && found.code === "illegal";

/** The same for what a server and a browser may say: without ids and times, and where it is hosted. */
function plain(value: unknown, tables: readonly string[]): unknown {
  const text = JSON.stringify(value, (key, found: unknown) => {
    if (TIMES.includes(key)) return 0;
    if (key === "origin") return "somewhere";
    if (isIllegal(found)) return { ...found, message: "" }; // the reason is there; its English words are the server's
    return key === "token" || key === "request" ? undefined : found;
  });
  return JSON.parse(tables.reduce((said, id, i) => said.replaceAll(id, `table ${i}`), text)) as unknown;
}

/** A record without what tells where and when it was played. */
const plainRecord = (text: string): string =>
  text
    .replace(/^played: .*\n/m, "")
    .replace(/^date: .*\n/m, "")
    .replace(/^end after .*\n/m, "");

function same(found: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, what).toEqual(wanted);
}

const PATIENCE_MS = 20_000;

async function until(done: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !done();) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** A host with its services, which a test can change. */
function newHost(more: Partial<Services> = {}): { host: Host; services: Services } {
  const services: Services = {
    store: new MemoryStore(),
    thinkers: { choose: ({ legal }) => Promise.resolve(legal[0] as number) },
    now: () => Date.now(),
    publish: () => undefined,
    whileAlone: (_name, action) => {
      action();
      return () => undefined;
    },
    botPaceMs: 0,
    nonceWaitMs: 0,
    ...more,
  };
  return { host: new Host(library, services), services };
}

/** Repeats a session at a host of its own. */
class Repeated {
  readonly tables: string[] = [];
  readonly heard: ServerMessage[][] = [];
  readonly #host: Host;
  readonly #sockets: Connection[] = [];
  #record = "";

  constructor(readonly session: Session) {
    const thinkers = { choose: (question: Question) => this.#decide(question) };
    this.#host = newHost({ thinkers, nonceWaitMs: 60_000 }).host;
  }

  /** What the server's bot decided, when all that came before it has happened here. */
  async #decide({ seat }: Question): Promise<number> {
    const now = this.#version();
    const decided = this.session.bots.find(([who, , version]) => who === seat && version > now);
    if (!decided) throw new Error(`the server's bot of seat ${seat} decides nothing after ${now}`);
    await this.#reached(decided[2] - 1);
    return decided[1];
  }

  /** Wait until a version has been told. */
  async #reached(version: number): Promise<void> {
    await until(() => this.#version() >= version, `version ${version}`);
  }

  /** The last version that was told. */
  #version(): number {
    const versions = this.heard.flatMap((some) => some.map((one) => ("version" in one ? one.version : 0)));
    return Math.max(0, ...versions);
  }

  /** The version before that of a decision, where the server made it. */
  #before(message: ClientMessage): number {
    if (message.type !== "act") return 0;
    const done = this.session.heard.flat().find((one) => one.type === "done" && one.nonce === message.nonce);
    return done?.type === "done" ? done.version - 1 : 0;
  }

  async run(): Promise<string> {
    await this.#host.request("POST", "/people", { name: "Ana", color: "blue" });
    for (const [number, step] of this.session.steps.entries()) await this.#do(step, number);
    const kinds = (heard: readonly ServerMessage[], kind: (type: string) => boolean): unknown[] =>
      heard.filter(({ type }) => kind(type));
    for (const [i, wanted] of this.session.heard.entries()) {
      // A bot may decide before or after an answer is sent: the order is that of each kind.
      const isAnswer = (type: string): boolean => type === "done" || type === "refused";
      for (const kind of [isAnswer, (type: string) => !isAnswer(type)])
        same(
          plain(kinds(this.heard[i] ?? [], kind), this.tables),
          plain(kinds(wanted, kind), this.session.tables),
          `socket ${i}`,
        );
    }
    return this.#record;
  }

  async #do(step: Step, number: number): Promise<void> {
    switch (step.do) {
      case "request":
        return this.#request(step, `${number}: ${step.method} ${step.path}`);
      case "open": {
        const heard: ServerMessage[] = [];
        this.heard.push(heard);
        const tell = (message: ServerMessage): void => void heard.push(structuredClone(message));
        this.#sockets.push(this.#host.connect(tell, () => expect.unreachable("closed")));
        return;
      }
      case "say":
        await this.#reached(this.#before(step.message));
        return this.#sockets[step.socket]?.hear(this.#here(step.message) as ClientMessage);
      case "wait":
        await until(
          () => this.heard.every((some, i) => some.length >= (step.counts[i] ?? 0)),
          `${number}: the messages ${step.counts.join()}`,
        );
    }
  }

  async #request(step: Extract<Step, { do: "request" }>, what: string): Promise<void> {
    let found: unknown;
    try {
      found = await this.#host.request(step.method, this.#here(step.path) as string, this.#here(step.body));
      expect(step.refused, what).toBe(false);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      found = { code: problem.code, message: problem.message, name: problem.taken };
      expect(step.refused, `${what}: ${problem.message}`).toBe(true);
    }
    const id = (found as { id?: unknown; commitment?: unknown } | null)?.id;
    if (typeof id === "string" && id.startsWith("local-") && !this.tables.includes(id)) this.tables.push(id);
    if (typeof found === "string" && typeof step.answer === "string") {
      this.#record = found;
      same(plainRecord(found), plainRecord(step.answer), what);
    } else same(plain(found, this.tables), plain(step.answer, this.session.tables), what);
  }

  /** With the ids of the tables here. */
  #here(value: unknown): unknown {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) return undefined;
    const here = this.session.tables.reduce((said, id, i) => said.replaceAll(id, this.tables[i] ?? id), text);
    return JSON.parse(here) as unknown;
  }
}

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!folder)("sessions at a server", () => {
  test.each(files)("%s", { timeout: 120_000 }, async (name) => {
    const session = JSON.parse(readFileSync(join(folder, name), "utf8")) as Session;
    const secrets = session.secrets.values();
    const random = crypto.getRandomValues.bind(crypto);
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      if (array?.byteLength !== SECRET_BYTES) return random(array);
      const secret = Buffer.from(secrets.next().value ?? "", "hex");
      (array as unknown as Uint8Array).set(secret);
      return array;
    });
    const record = await new Repeated(session).run();
    writeFileSync(join(folder, name.replace("session", "record")), record);
  });
});

/** A running game of this host, in which it is for a bot to decide, and a socket that watches it. */
async function atBotsTurn(host: Host): Promise<{ id: string; table: Table; open: () => Connection }> {
  await host.request("POST", "/people", { name: "Ana", color: "blue" });
  const seats = [{ kind: "person" }, { kind: "bot", bot: "conductor" }];
  const body = { edition: "tiny", seats, first: 1 };
  const { id } = (await host.request("POST", "/tables", body)) as { id: string };
  const open = (): Connection => {
    const socket = host.connect(
      () => undefined,
      () => undefined,
    );
    void socket.hear({ type: "hello", table: id, seat: 0 });
    return socket;
  };
  const table = await host.table(id);
  const first = table.state.game?.legal(0)[0]?.action;
  if (first !== undefined)
    await decide(table, "me", 0, { type: "act", action: first, version: table.state.version, nonce: "n" });
  return { id, table, open };
}

describe.skipIf(!folder)("a host", () => {
  test("asks a bot again if the table is left and watched again at once", async () => {
    const asked = vi.fn(({ legal }: Question) => Promise.resolve(legal[0] as number));
    const { host } = newHost({ thinkers: { choose: asked }, botPaceMs: 300 });
    const { table, open } = await atBotsTurn(host);
    const before = table.state.version;
    const socket = open();
    await until(() => asked.mock.calls.length > 0, "a question");
    socket.leave();
    open();
    await until(() => table.state.version > before, "a decision of the bot");
  });

  test("a socket that is closed while its table is loaded does not watch it", async () => {
    const { host } = newHost();
    const { table, open } = await atBotsTurn(host);
    open().leave();
    await table.exclusively(() => undefined);
    expect(table.watchers.size).toBe(0);
  });

  test("entries never go back in time", async () => {
    let now = 2000;
    const { host, services } = newHost({ now: () => (now -= 100) });
    const { id } = await atBotsTurn(host);
    const times = (await services.store.entries(id, 0)).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("lists have tables in the order in which they were made", async () => {
    const { host } = newHost({ now: () => 1000 }); // all in one millisecond
    await host.request("POST", "/people", { name: "Ana", color: "blue" });
    const made: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const body = { edition: "tiny", seats: [{ kind: "person" }, { kind: "person" }] };
      made.unshift(((await host.request("POST", "/tables", body)) as { id: string }).id);
    }
    const { tables } = (await host.request("GET", "/me/tables")) as { tables: { id: string }[] };
    expect(tables.map(({ id }) => id)).toEqual(made);
  });

  test("a game that is sent to a server stays as it is until a decision", async () => {
    const { host } = newHost({ botPaceMs: 50 });
    const { id, table, open } = await atBotsTurn(host);
    open();
    const sent = await host.request("GET", `/tables/${id}/export`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await host.request("GET", `/tables/${id}/export`)).toEqual(sent);
    const { version } = table.state;
    open(); // the page is opened again: it was not sent
    await until(() => table.state.version > version, "a decision of the bot");
  });

  test.each<[string, (row: TableRow, entries: EntryRow[]) => void]>([
    ["another map", (row) => (row.fingerprint = "another")],
    ["a log with gaps", (_row, entries) => entries.splice(2, 1)],
  ])("a game of %s is not opened, and can be deleted", async (_what, change) => {
    const { host, services } = newHost();
    const { id } = await atBotsTurn(host);
    const row = structuredClone(await services.store.table(id));
    const entries = await services.store.entries(id, 0);
    if (!row) throw new Error("there is no table");
    change(row, entries);
    const store = new MemoryStore();
    vi.spyOn(store, "entries").mockResolvedValue(entries);
    await store.create(row);
    const later = newHost({ store }).host;
    await expect(later.request("GET", `/tables/${id}`)).rejects.toMatchObject({ code: "old-game" });
    await later.request("DELETE", `/tables/${id}`);
    expect(await store.tables()).toEqual([]);
    await expect(later.request("DELETE", `/tables/${id}`)).rejects.toMatchObject({ code: "not-found" });
  });

  test("a person's own seat among those of a screen is stored, and moves on in a rematch", async () => {
    const { host, services } = newHost();
    await host.request("POST", "/people", { name: "Ana", color: "blue" });
    const body = {
      edition: "tiny",
      seats: [{ kind: "person" }, { kind: "person" }],
      mine: ["Bogdan", "Ana"],
      mine_seats: [0, 1],
    };
    const { id } = (await host.request("POST", "/tables", body)) as { id: string };
    await host.request("POST", `/tables/${id}/close`);
    await host.request("PUT", "/me", { name: "Bogdan", color: "blue" });
    const again = (await host.request("POST", `/tables/${id}/rematch`)) as { id: string };
    const own = async (table: string): Promise<unknown> => (await services.store.table(table))?.own;
    expect([await own(id), await own(again.id)]).toEqual([1, 0]);
  });

  test("a table that another tab deleted is not written again", async () => {
    const { host, services } = newHost();
    const { id, table } = await atBotsTurn(host);
    await services.store.remove(id);
    await expect(leave(table, "me", 0)).rejects.toMatchObject({ code: "not-found" });
    expect(await services.store.tables()).toEqual([]);
  });

  test("data files of another kernel are refused", async () => {
    const other = new Library(async (name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const index = { ...(JSON.parse(text) as object), sources: "another" };
      return Promise.resolve(new TextEncoder().encode(JSON.stringify(index)).buffer);
    });
    await expect(other.index()).rejects.toMatchObject({ code: "old-page" });
  });
});

test("there are sessions where they are expected", () => {
  if (folder) expect(files.length).toBeGreaterThan(4);
});
