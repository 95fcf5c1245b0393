import { describe, expect, test, vi } from "vitest";

import type { Me } from "../net/wire.ts";
import { type EntryRow, MemoryStore, SafeStore, type Store, type TableRow } from "./store.ts";

const row = (id: string, more: Partial<TableRow> = {}): TableRow => ({
  id,
  edition: "usa",
  title: "USA",
  fingerprint: "0",
  terms: { seats: [], standIn: "random", first: null, reactions: true },
  secret: "",
  host: "me",
  createdAt: 1,
  previous: null,
  seed: null,
  status: "waiting",
  updatedAt: 1,
  finishedAt: null,
  summary: { names: [], mine: [], scores: null, winners: null, tickets: null, longest: [] },
  ...more,
});
const entry = (table: string, version: number): EntryRow => ({
  table,
  version,
  at: version,
  entry: { kind: "closed" },
  nonce: null,
});
const versions = (rows: readonly EntryRow[]): number[] => rows.map(({ version }) => version);

describe("a store in memory", () => {
  test("a version is written once", async () => {
    const store = new MemoryStore();
    await store.create(row("a"));
    expect(await store.append(row("a"), entry("a", 1))).toBe(true);
    expect(await store.append(row("a"), entry("a", 1))).toBe(false);
    expect(await store.append(row("a"), entry("a", 3))).toBe(false);
    expect(await store.append(row("a"), entry("a", 2))).toBe(true);
    expect(versions(await store.entries("a", 0))).toEqual([1, 2]);
    expect(versions(await store.entries("a", 1))).toEqual([2]);
  });

  test("a table has one rematch", async () => {
    const store = new MemoryStore();
    await store.create(row("a"));
    expect(await store.create(row("b", { previous: "a" }))).toBe(true);
    expect(await store.create(row("c", { previous: "a" }))).toBe(false);
    expect((await store.tables()).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("a table that is removed is gone", async () => {
    const store = new MemoryStore();
    await store.create(row("a"));
    await store.append(row("a"), entry("a", 1));
    await store.remove("a");
    expect(await store.table("a")).toBeUndefined();
    expect(await store.tables()).toEqual([]);
    expect(await store.entries("a", 0)).toEqual([]);
  });
});

/** A database that stops to write. */
class Full extends MemoryStore {
  full = false;

  override append(table: TableRow, next: EntryRow): Promise<boolean> {
    return this.full ? Promise.reject(new Error("full")) : super.append(table, next);
  }
}

describe("a store that is full", () => {
  async function filled(): Promise<{ below: Full; store: Store; refused: ReturnType<typeof vi.fn> }> {
    const [below, refused] = [new Full(), vi.fn()];
    const store = new SafeStore(below, refused);
    await store.create(row("a"));
    await store.append(row("a"), entry("a", 1));
    below.full = true;
    return { below, store, refused };
  }

  test("goes on in memory, and says so once", async () => {
    const { store, refused } = await filled();
    expect(refused).not.toHaveBeenCalled();
    expect(await store.append(row("a", { status: "running" }), entry("a", 2))).toBe(true);
    expect(await store.append(row("a"), entry("a", 3))).toBe(true);
    expect(refused).toHaveBeenCalledOnce();
    expect(versions(await store.entries("a", 0))).toEqual([1, 2, 3]);
    expect(await store.append(row("a"), entry("a", 3))).toBe(false);
  });

  test("keeps to its own course when another tab writes on", async () => {
    const { below, store } = await filled();
    await store.append(row("a"), entry("a", 2));
    below.full = false;
    await below.append(row("a"), entry("a", 2));
    await below.append(row("a"), entry("a", 3));
    expect(versions(await store.entries("a", 0))).toEqual([1, 2]);
  });

  test("deletes in both", async () => {
    const { below, store } = await filled();
    await store.append(row("a"), entry("a", 2));
    await store.remove("a");
    expect(await store.tables()).toEqual([]);
    expect(await below.tables()).toEqual([]);
  });
});

test("a game goes on in memory when the database no longer answers", async () => {
  const [below, refused] = [new MemoryStore(), vi.fn()];
  const store = new SafeStore(below, refused);
  await store.create(row("a"));
  await store.append(row("a"), entry("a", 1));
  for (const method of ["me", "tables", "table", "entries", "append", "create", "remove"] as const)
    vi.spyOn(below, method).mockRejectedValue(new Error("closed"));
  expect(await store.append(row("a"), entry("a", 2))).toBe(true);
  expect(await store.append(row("a"), entry("a", 2))).toBe(false);
  expect(await store.append(row("a"), entry("a", 3))).toBe(true);
  expect(versions(await store.entries("a", 1))).toEqual([2, 3]);
  expect(await store.create(row("b"))).toBe(true);
  expect(await store.append(row("b"), entry("b", 1))).toBe(true);
  expect(refused).toHaveBeenCalledOnce();
});

test("a browser without a database has a person and tables for this visit", async () => {
  const refused = vi.fn();
  const store = await SafeStore.open(refused); // there is none under Node
  const me: Me = { name: "Ana", color: "red", created_at: 1, token: null };
  await store.setMe(me);
  expect(await store.me()).toEqual(me);
  expect(refused).toHaveBeenCalledOnce();
});
