// Where local tables are kept: IndexedDB, or memory where the browser allows no storage or it is full.

import type { Me, Status } from "../net/wire.ts";
import type { Entry } from "./entries.ts";
import type { Terms } from "./state.ts";

/** What lists and statistics show of a table without replaying it. All lists are by seat. */
export interface Summary {
  names: (string | null)[];
  /** the seats that are played on this screen */
  mine: number[];
  scores: number[] | null;
  winners: number[] | null;
  /** tickets kept, and completed of these */
  tickets: [kept: number, completed: number][] | null;
  /** the seats with the bonus for the longest path */
  longest: number[];
  /** the seats that resigned; games of before have none */
  resigned?: number[];
  /** whether a resignation ended the game before its end */
  stopped?: boolean;
}

/** A table. Only what is below `own` changes. */
export interface TableRow {
  id: string;
  edition: string;
  title: string;
  fingerprint: string;
  terms: Terms;
  /** of the deals, in hexadecimal */
  secret: string;
  host: string;
  createdAt: number;
  /** the table that this one is a rematch of */
  previous: string | null;
  seed: string | null;
  /** the record of the state with which the game begins, for a lesson; other games begin with a deal */
  position?: Uint8Array;
  /** of several seats on one screen, that of the person whose browser it is; games of before have none */
  own?: number;
  status: Status;
  updatedAt: number;
  finishedAt: number | null;
  summary: Summary;
}

/** An entry of a log. `nonce` is that of the message it came from, which is done once. */
export interface EntryRow {
  table: string;
  version: number;
  at: number;
  entry: Entry;
  nonce: string | null;
}

export interface Store {
  me(): Promise<Me | null>;
  setMe(me: Me): Promise<void>;
  tables(): Promise<TableRow[]>;
  table(id: string): Promise<TableRow | undefined>;
  /** Write a new table. False, and nothing is written, if it is a rematch of a table that has one. */
  create(row: TableRow): Promise<boolean>;
  /** Write the next entry of a log. False, and nothing is written, if another tab was first, with an entry or by
   * deleting the table. */
  append(row: TableRow, entry: EntryRow): Promise<boolean>;
  /** The entries of a log after a version. */
  entries(table: string, after: number): Promise<EntryRow[]>;
  remove(table: string): Promise<void>;
}

/** A store in memory. `below` has what was stored before storage was refused or full. */
export class MemoryStore implements Store {
  readonly #below: Store | null;
  readonly #rows = new Map<string, TableRow>();
  readonly #entries = new Map<string, EntryRow[]>();
  readonly #removed = new Set<string>();
  #me: Me | null = null;

  constructor(below: Store | null = null) {
    this.#below = below;
  }

  async me(): Promise<Me | null> {
    return this.#me ?? (await this.#read((store) => store.me(), null));
  }

  setMe(me: Me): Promise<void> {
    this.#me = me;
    return Promise.resolve();
  }

  async tables(): Promise<TableRow[]> {
    const below = await this.#read((store) => store.tables(), []);
    const kept = below.filter(({ id }) => !this.#rows.has(id) && !this.#removed.has(id));
    return [...kept, ...this.#rows.values()];
  }

  async table(id: string): Promise<TableRow | undefined> {
    if (this.#removed.has(id)) return undefined;
    return this.#rows.get(id) ?? (await this.#read((store) => store.table(id), undefined));
  }

  async create(row: TableRow): Promise<boolean> {
    const known = row.previous === null ? [] : await this.tables();
    if (known.some(({ previous }) => previous === row.previous)) return false;
    this.#rows.set(row.id, row);
    return true;
  }

  async append(row: TableRow, entry: EntryRow): Promise<boolean> {
    if (this.#removed.has(row.id)) return false;
    const last = await this.#lastVersion(row.id);
    if (last !== null && last !== entry.version - 1) return false;
    this.#rows.set(row.id, row);
    this.#entries.set(row.id, [...(this.#entries.get(row.id) ?? []), entry]);
    return true;
  }

  async entries(table: string, after: number): Promise<EntryRow[]> {
    if (this.#removed.has(table)) return [];
    const own = this.#entries.get(table) ?? [];
    const first = own[0]?.version ?? Infinity;
    const below = await this.#read((store) => store.entries(table, after), []);
    // What other tabs store after the first entry here belongs to another course of the game.
    return [
      ...below.filter(({ version }) => version < first),
      ...own.filter(({ version }) => version > after),
    ];
  }

  /** Null if it cannot be known: the log is in a store that no longer answers. */
  async #lastVersion(table: string): Promise<number | null> {
    const own = this.#entries.get(table)?.at(-1);
    if (own) return own.version;
    if (!this.#below || this.#rows.has(table)) return 0; // it was made here
    const below = await this.#read((store) => store.entries(table, 0), null);
    return below && (below.at(-1)?.version ?? 0);
  }

  async remove(table: string): Promise<void> {
    this.#rows.delete(table);
    this.#entries.delete(table);
    this.#removed.add(table);
    await this.#read((store) => store.remove(table), undefined);
  }

  async #read<Found>(read: (store: Store) => Promise<Found>, otherwise: Found): Promise<Found> {
    if (!this.#below) return otherwise;
    return read(this.#below).catch(() => otherwise);
  }
}

const NAME = "macaz";
const VERSION = 1;
const ME = "me";

/** A store in the browser's database. Its methods reject where the browser refuses, or storage is full. */
export class DatabaseStore implements Store {
  #opened: Promise<IDBDatabase> | null = null;

  private constructor() {}

  static async open(): Promise<DatabaseStore> {
    const store = new DatabaseStore();
    await store.#database();
    return store;
  }

  /** The connection; it is opened again if it was closed. */
  #database(): Promise<IDBDatabase> {
    this.#opened ??= this.#open();
    this.#opened.catch(() => (this.#opened = null));
    return this.#opened;
  }

  async #open(): Promise<IDBDatabase> {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => {
      const database = opening.result;
      database.createObjectStore("people");
      const tables = database.createObjectStore("tables", { keyPath: "id" });
      tables.createIndex("previous", "previous", { unique: true });
      database.createObjectStore("entries", { keyPath: ["table", "version"] });
    };
    const database = await answer(opening);
    const closed = (): void => void (this.#opened = null);
    database.onclose = closed;
    // Another tab has a newer page, which may change the database. To open the old one then fails.
    database.onversionchange = () => {
      database.close();
      closed();
    };
    return database;
  }

  async me(): Promise<Me | null> {
    const people = (await this.#database()).transaction("people").objectStore("people");
    return ((await answer(people.get(ME))) as Me | undefined) ?? null;
  }

  async setMe(me: Me): Promise<void> {
    const change = (await this.#database()).transaction("people", "readwrite");
    change.objectStore("people").put(me, ME);
    await committed(change);
  }

  async tables(): Promise<TableRow[]> {
    const tables = (await this.#database()).transaction("tables").objectStore("tables");
    return ((await answer(tables.getAll())) as StoredRow[]).map(unpacked);
  }

  async table(id: string): Promise<TableRow | undefined> {
    const tables = (await this.#database()).transaction("tables").objectStore("tables");
    const found = (await answer(tables.get(id))) as StoredRow | undefined;
    return found && unpacked(found);
  }

  async create(row: TableRow): Promise<boolean> {
    const change = (await this.#database()).transaction("tables", "readwrite");
    change.objectStore("tables").add(packed(row));
    return unlessTaken(change);
  }

  async append(row: TableRow, entry: EntryRow): Promise<boolean> {
    const change = (await this.#database()).transaction(["tables", "entries"], "readwrite");
    const tables = change.objectStore("tables");
    if ((await answer(tables.getKey(row.id))) === undefined) return false; // another tab deleted it
    change.objectStore("entries").add(entry);
    tables.put(packed(row));
    return unlessTaken(change);
  }

  async entries(table: string, after: number): Promise<EntryRow[]> {
    const entries = (await this.#database()).transaction("entries").objectStore("entries");
    return (await answer(entries.getAll(entriesOf(table, after + 1)))) as EntryRow[];
  }

  async remove(table: string): Promise<void> {
    const change = (await this.#database()).transaction(["tables", "entries"], "readwrite");
    change.objectStore("tables").delete(table);
    change.objectStore("entries").delete(entriesOf(table, 0));
    await committed(change);
  }
}

/** A row without the key of an index that must be unique: a table that is no rematch has none. */
type StoredRow = Omit<TableRow, "previous"> & { previous?: string };

function packed({ previous, ...row }: TableRow): StoredRow {
  return previous === null ? row : { ...row, previous };
}

const unpacked = ({ previous, ...row }: StoredRow): TableRow => ({ ...row, previous: previous ?? null });

const entriesOf = (table: string, from: number): IDBKeyRange =>
  IDBKeyRange.bound([table, from], [table, Infinity]);

function answer<Result>(asked: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the database gave no answer"));
  });
}

function committed(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () => reject(change.error ?? new Error("the database did not commit"));
  });
}

/** Whether a change was committed; false if a key in it was taken. */
async function unlessTaken(change: IDBTransaction): Promise<boolean> {
  try {
    await committed(change);
    return true;
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === "ConstraintError") return false;
    throw problem;
  }
}

/** A store that goes on in memory when the one below refuses to write; `onRefused` is called once. */
export class SafeStore implements Store {
  #store: Store;
  #refused = false;
  readonly #onRefused: () => void;

  constructor(store: Store, onRefused: () => void) {
    this.#store = store;
    this.#onRefused = onRefused;
  }

  /** The browser's database; memory, if it refuses. */
  static async open(onRefused: () => void): Promise<SafeStore> {
    const database = await DatabaseStore.open().catch(() => null);
    const store = new SafeStore(database ?? new MemoryStore(), onRefused);
    if (!database) store.#refuse();
    return store;
  }

  me = (): Promise<Me | null> => this.#try((store) => store.me());
  setMe = (me: Me): Promise<void> => this.#try((store) => store.setMe(me));
  tables = (): Promise<TableRow[]> => this.#try((store) => store.tables());
  table = (id: string): Promise<TableRow | undefined> => this.#try((store) => store.table(id));
  create = (row: TableRow): Promise<boolean> => this.#try((store) => store.create(row));
  append = (row: TableRow, entry: EntryRow): Promise<boolean> =>
    this.#try((store) => store.append(row, entry));
  entries = (table: string, after: number): Promise<EntryRow[]> =>
    this.#try((store) => store.entries(table, after));
  remove = (table: string): Promise<void> => this.#try((store) => store.remove(table));

  async #try<Found>(action: (store: Store) => Promise<Found>): Promise<Found> {
    if (this.#refused) return action(this.#store);
    try {
      return await action(this.#store);
    } catch {
      if (!this.#refused) {
        this.#store = new MemoryStore(this.#store);
        this.#refuse();
      }
      return action(this.#store);
    }
  }

  #refuse(): void {
    this.#refused = true;
    this.#onRefused();
  }
}
