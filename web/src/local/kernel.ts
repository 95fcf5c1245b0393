// The kernel: an instance of the WebAssembly module that the server runs, too, and arrays in its memory.

import type { NamedArray } from "./arrays.ts";

const SECTION = "macaz"; // the custom section in which the module describes its entries
const ALIGNED = 16;
const WORD = 8; // bytes of an argument
const WORDS = 96; // of the longest list of arguments

/** An argument of an entry: its name, the bytes of an element (empty: an integer), the number of axes. */
type Argument = readonly [name: string, size: number | "", axes: number];

interface Entry {
  readonly takes: readonly Argument[];
  readonly run: (words: number) => bigint;
}

/** An array in the memory of a kernel. It is never freed and never moves. */
export class Block {
  readonly bytes: Uint8Array;
  readonly data: DataView;

  constructor(
    memory: ArrayBuffer,
    readonly at: number,
    /** bytes of an element */
    readonly size: number,
    readonly shape: readonly number[],
  ) {
    const length = shape.reduce((product, n) => product * n, size);
    this.bytes = new Uint8Array(memory, at, length);
    this.data = new DataView(memory, at, length);
  }

  /** The first elements along the first axis. */
  first(count: number): Block {
    return new Block(this.bytes.buffer as ArrayBuffer, this.at, this.size, [count, ...this.shape.slice(1)]);
  }
}

/** An instance of the module. Its memory has a fixed size, so that arrays in it stay where they are. */
export class Kernel {
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly sizes = new Map<string, number>();
  private readonly memory: ArrayBuffer;
  private readonly words: number;
  private readonly big: BigInt64Array;
  private readonly known = new Map<string, Block>();
  private readonly constants = new WeakMap<NamedArray, Block>();
  private free: number;

  constructor(module: WebAssembly.Module) {
    const [section] = WebAssembly.Module.customSections(module, SECTION);
    if (!section) throw new Error("not a kernel: the module does not describe its entries");
    const told = JSON.parse(new TextDecoder().decode(section)) as { entries: Record<string, Argument[]> };
    const { exports } = new WebAssembly.Instance(module, {}); // it imports nothing
    this.entries = new Map(
      Object.entries(told.entries).map(([name, takes]) => [
        name,
        { takes, run: exports[name] as Entry["run"] },
      ]),
    );
    for (const [name, size] of Object.values(told.entries).flat())
      if (size !== "") this.sizes.set(name, size);
    this.memory = (exports["memory"] as WebAssembly.Memory).buffer;
    this.free = Number((exports["__heap_base"] as WebAssembly.Global).value);
    this.words = this.take(WORD * WORDS);
    this.big = new BigInt64Array(this.memory, this.words, WORDS);
  }

  /** Compile and start the module. A compiled one may be given to several workers. */
  static async load(module: WebAssembly.Module | BufferSource): Promise<Kernel> {
    return new Kernel(module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module));
  }

  /** Call an entry: integers as they are, arrays as blocks. */
  call(entry: string, ...args: readonly (number | bigint | Block)[]): number {
    return Number(this.callBig(entry, ...args));
  }

  /** The same, where the result may have more than 53 bits. */
  callBig(entry: string, ...args: readonly (number | bigint | Block)[]): bigint {
    const found = this.entries.get(entry);
    if (!found) throw new Error(`the kernel has no entry ${entry}`);
    const { takes, run } = found;
    if (args.length !== takes.length)
      throw new Error(`${entry} takes ${takes.length} arguments, not ${args.length}`);
    let n = 0;
    for (const [i, given] of args.entries()) {
      const [name, size, axes] = takes[i] as Argument;
      if (!(given instanceof Block)) {
        if (size !== "") throw new Error(`${entry}: ${name} is an array`);
        this.big[n++] = BigInt(given);
        continue;
      }
      if (given.size !== size || given.shape.length !== axes)
        throw new Error(`${entry}: not an array for ${name}`);
      this.big[n++] = BigInt(given.at);
      for (const length of given.shape) this.big[n++] = BigInt(length);
    }
    return run(this.words);
  }

  /** A new array of zeros for arguments of this name: `states`, `works`, … */
  block(argument: string, ...shape: number[]): Block {
    const size = this.sizes.get(argument);
    if (size === undefined) throw new Error(`the kernel takes no array ${argument}`);
    const bytes = shape.reduce((product, n) => product * n, size);
    return new Block(this.memory, this.take(bytes), size, shape);
  }

  /** The same array at each call: working memory, whose content another caller may overwrite. */
  scratch(argument: string, ...shape: number[]): Block {
    const key = `${argument} ${shape.join(" ")}`;
    const found = this.known.get(key) ?? this.block(argument, ...shape);
    this.known.set(key, found);
    return found;
  }

  /** An array of a file that never changes, for arguments of this name; it is copied in once. */
  constant(argument: string, array: NamedArray): Block {
    let found = this.constants.get(array);
    if (!found) {
      found = this.block(argument, ...array.shape);
      found.bytes.set(array.bytes.subarray(0, found.bytes.length));
      this.constants.set(array, found);
    }
    return found;
  }

  private take(size: number): number {
    const at = Math.ceil(this.free / ALIGNED) * ALIGNED;
    if (at + size > this.memory.byteLength)
      throw new Error(`the memory of the kernel has no room for ${size} bytes`);
    this.free = at + size;
    return at;
  }
}
