// Data as a short text for an address: JSON, compressed, in base64. What is read may come from anybody.

const PLAIN = "0"; // the first sign of a text: how the rest is written
const DEFLATED = "1";
const MOST_BYTES = 1 << 20; // of a text once it is read: one that unpacks to more must not block the page

/** An address that cannot be read: damaged, or of a later version of Macaz. */
export class BadAddress extends Error {
  constructor(readonly kind: "damaged" | "newer") {
    super(`the address is ${kind}`);
  }
}

export async function compress(data: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  if (!("CompressionStream" in globalThis)) return PLAIN + toBase64(bytes);
  return DEFLATED + toBase64(await through(bytes, new CompressionStream("deflate-raw")));
}

/** Throws `BadAddress`. */
export async function decompress(text: string): Promise<Record<string, unknown>> {
  if (text && text[0] !== PLAIN && text[0] !== DEFLATED) throw new BadAddress("newer");
  let data: unknown;
  try {
    const bytes = fromBase64(text.slice(1));
    const plain = text[0] === PLAIN ? bytes : await through(bytes, new DecompressionStream("deflate-raw"));
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch (problem) {
    throw problem instanceof BadAddress ? problem : new BadAddress("damaged");
  }
  if (typeof data !== "object" || data === null) throw new BadAddress("damaged");
  return data as Record<string, unknown>;
}

// -- parts of what was read: each throws `BadAddress` for anything else

export function listOf<Item>(value: unknown, read: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new BadAddress("damaged");
  return value.map(read);
}

/** A number from 0 on. */
export function whole(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new BadAddress("damaged");
  return value as number;
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new BadAddress("damaged");
  return value;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MOST_BYTES) throw new BadAddress("damaged");
    parts.push(value);
  }
}

function toBase64(bytes: Uint8Array): string {
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
