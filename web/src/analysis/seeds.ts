// Seeds that follow from what an analysis is about, as src/macaz/help/seeds.py.

import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A seed of 63 bits, derived from these values. */
export function seedOf(...parts: readonly (bigint | number | string)[]): bigint {
  const written = parts.map((part) => (typeof part === "string" ? `'${part}'` : String(part)));
  const digest = sha256(utf8ToBytes(`(${written.join(", ")})`));
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0) >> 1n;
}
