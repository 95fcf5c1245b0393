// Reads an arrays file: named arrays of numbers or records, as src/macaz/kernel/arrays_file.py writes them.

const FORMAT = "macaz arrays 1";
const LENGTH_BYTES = 4;

/** An array of a file; `dtype` is a kind of number (i1, f4, …) or the name of a record of the kernel. */
export interface NamedArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** from its first element to the end of the file: how large a record is, the kernel says */
  readonly bytes: Uint8Array;
}

export interface ArraysFile {
  readonly arrays: Readonly<Record<string, NamedArray>>;
  readonly about: Readonly<Record<string, unknown>>;
}

interface Header {
  format: string;
  arrays: Record<string, { dtype: string; shape: number[]; at: number }>;
  about: Record<string, unknown>;
}

/** The arrays of a file. Their bytes are parts of it, not copies. */
export function readArrays(file: ArrayBuffer): ArraysFile {
  const length = new DataView(file).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(file, LENGTH_BYTES, length));
  const { format, arrays, about } = JSON.parse(text) as Header;
  if (format !== FORMAT) throw new Error(`an arrays file of the format ${format}, not ${FORMAT}`);
  const found = Object.entries(arrays).map(
    ([name, { dtype, shape, at }]) => [name, { dtype, shape, bytes: new Uint8Array(file, at) }] as const,
  );
  return { arrays: Object.fromEntries(found), about };
}
