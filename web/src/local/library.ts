// The data files that local tables need: the kernel, maps, compiled rules and networks (src/macaz/server/data_files.py).

import { Refusal } from "../net/refusal.ts";
import type { DataIndex, MapFile, PuzzleList } from "../net/wire.ts";
import { SOURCES } from "./codes.ts";
import { EditionData } from "./edition.ts";
import { Kernel } from "./kernel.ts";

const INDEX = "index.json";
const MODULE = "module"; // its key among what was asked for

const LATE_MS = 250; // after which the page is told of a download that has not begun

/** Tells how much of a file has arrived. */
export type Progress = (bytes: number) => void;

/** Reads a data file; rejects with a `Refusal` if it does not arrive. */
export type ReadFile = (name: string, progress?: Progress) => Promise<ArrayBuffer>;

export class Library {
  readonly #read: ReadFile;
  readonly #asked = new Map<string, Promise<unknown>>();
  #kernel: Promise<Kernel> | null = null;

  /** `module` is the compiled kernel, where it is there already. */
  constructor(read: ReadFile, module?: WebAssembly.Module) {
    this.#read = read;
    if (module) this.#asked.set(MODULE, Promise.resolve(module));
  }

  index(): Promise<DataIndex> {
    return this.#once(INDEX, async () => {
      const index = parsed(await this.#read(INDEX)) as DataIndex;
      // The decoders of a page fit one kernel; the files of a newer one would be misread.
      if (index.sources !== SOURCES)
        throw new Refusal("old-page", "There is a newer version of this page: reload it.");
      return index;
    });
  }

  /** The compiled module: workers can share it. */
  module(): Promise<WebAssembly.Module> {
    return this.#once(MODULE, async () => {
      const { kernel } = await this.index();
      return WebAssembly.compile(await this.#read(kernel));
    });
  }

  /** The instance of the module that all tables of a worker share. */
  kernel(): Promise<Kernel> {
    this.#kernel ??= this.module().then((module) => Kernel.load(module));
    this.#kernel.catch(() => (this.#kernel = null));
    return this.#kernel;
  }

  /** An edition by its qualified id, with its map and its drawn board. */
  edition(name: string): Promise<EditionData> {
    return this.#once(`edition ${name}`, async () => {
      const { maps } = await this.index();
      const file = Object.hasOwn(maps, name) ? maps[name] : undefined;
      if (file === undefined) throw new Refusal("bad-value", `There is no edition '${name}' here.`);
      return new EditionData(parsed(await this.#read(file)) as MapFile);
    });
  }

  /** The same, with the compiled rules for a number of seats. */
  async editionFor(name: string, seats: number): Promise<EditionData> {
    const edition = await this.edition(name);
    await this.#once(`table ${name} ${seats}`, async () => {
      const { tables } = await this.index();
      const file = tables[name]?.[seats];
      if (file === undefined) {
        const { min_seats, max_seats } = edition.map.rules;
        const { title } = edition.map;
        throw new Refusal("bad-value", `${title} is for ${min_seats} to ${max_seats}, not ${seats}.`);
      }
      edition.add(seats, await this.#read(file));
    });
    return edition;
  }

  /** The puzzles of all editions. */
  puzzles(): Promise<PuzzleList> {
    return this.#once("puzzles", async () => {
      const { puzzles } = await this.index();
      return parsed(await this.#read(puzzles)) as PuzzleList;
    });
  }

  /** The network for an edition's board; null if there is none. */
  async network(name: string, progress: (done: number, bytes: number) => void): Promise<ArrayBuffer | null> {
    const found = (await this.index()).networks[name];
    if (!found) return null;
    const { file, bytes } = found;
    // Nothing is said of a network that is in the cache.
    const late = setTimeout(() => progress(0, bytes), LATE_MS);
    const arrived = (done: number): void => {
      clearTimeout(late);
      progress(done, bytes);
    };
    return this.#once(file, () => this.#read(file, arrived)).finally(() => clearTimeout(late));
  }

  /** What was asked for before is not asked for again, unless it failed. */
  #once<Found>(key: string, find: () => Promise<Found>): Promise<Found> {
    const known = this.#asked.get(key) as Promise<Found> | undefined;
    if (known) return known;
    const found = find();
    this.#asked.set(key, found);
    found.catch(() => this.#asked.delete(key));
    return found;
  }
}

const parsed = (bytes: ArrayBuffer): unknown => JSON.parse(new TextDecoder().decode(bytes)) as unknown;

/** Read data files over the network, or from the browser's cache. `base` is the address of their folder. */
export function fetchFrom(base: string): ReadFile {
  return async (name, progress) => {
    let response: Response;
    try {
      response = await fetch(new URL(name, base));
      if (response.ok) return await (progress ? counted(response, progress) : response.arrayBuffer());
    } catch {
      throw new Refusal("offline", `${name} did not arrive`);
    }
    throw new Refusal("failed", `${name}: ${response.status}`);
  };
}

/** The body of a response; `progress` is called as it arrives. */
async function counted(response: Response, progress: Progress): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let done = 0;
  const reader = response.body?.getReader();
  if (!reader) return response.arrayBuffer();
  for (;;) {
    const { value } = await reader.read();
    if (!value) return new Blob(parts).arrayBuffer();
    parts.push(value);
    progress((done += value.length));
  }
}
