// What a browser checks of a deal after the game: that its own nonce is in it, and that the first hands
// follow from it. `macaz verify` checks every card.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { type KeptNonce, pledgeOf } from "./nonce.ts";

/** What a seat added to a deal. */
export interface Share {
  pledge: string | null;
  nonce: string | null;
}

/** The deck as the edition has it: how many cards of each kind, and what a record calls them. */
export interface Deck {
  cards: readonly number[];
  words: readonly string[];
}

export type Verdict = "proved" | "missing" | "broken";

/** The key from which everything that chance decides follows. */
export function dealKey(secret: Uint8Array, shares: readonly Share[]): Uint8Array {
  const parts = shares.map(({ pledge, nonce }) => {
    if (nonce !== null) return concatBytes(Uint8Array.of(2), hexToBytes(nonce));
    return Uint8Array.of(pledge === null ? 0 : 1);
  });
  return hmac(sha256, secret, concatBytes(utf8ToBytes("macaz deal 1"), ...parts));
}

/** The result of the index-th random choice, among `ways` equally likely ones. */
export function draw(key: Uint8Array, index: number, ways: number): number {
  const limit = 2n ** 64n - (2n ** 64n % BigInt(ways));
  for (let block = 0; ; block += 1) {
    const counts = new DataView(new ArrayBuffer(12));
    counts.setBigUint64(0, BigInt(index));
    counts.setUint32(8, block);
    const message = concatBytes(utf8ToBytes("macaz chance 1"), new Uint8Array(counts.buffer));
    const digest = new DataView(hmac(sha256, key, message).slice().buffer);
    for (let at = 0; at < digest.byteLength; at += 8) {
      const number = digest.getBigUint64(at);
      if (number < limit) return Number(number % BigInt(ways));
    }
  }
}

/** Whether a record contains the announcement, and its deal was made with the stored nonce. */
export function checkRecord(record: string, kept: KeptNonce, deck: Deck): Verdict {
  const [head = "", body = ""] = record.split("\n\n", 2);
  const lines = head.split("\n");
  const value = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
  const shares: Share[] = Array.from({ length: Number(value("seats")) }, (_, seat) => {
    const [pledge, nonce] = [value(`pledge ${seat + 1}`), value(`nonce ${seat + 1}`)];
    return {
      pledge: pledge === undefined || pledge === "none" ? null : pledge,
      nonce: nonce === undefined || nonce === "missing" ? null : nonce,
    };
  });
  const mine = shares.filter(({ pledge }) => pledge === kept.pledge);
  const announced = (kept.announcement ?? "").split("\n").filter((line) => line !== "");
  if (!mine.length || !announced.every((line) => lines.includes(line))) return "broken";
  if (mine.some(({ nonce }) => nonce === null)) return "missing";
  const secret = hexToBytes(value("secret") ?? "");
  const fits = shares.every(({ pledge, nonce }) => nonce === null || pledgeOf(hexToBytes(nonce)) === pledge);
  if (!fits || bytesToHex(sha256(secret)) !== value("commitment")) return "broken";
  return handsFollow(body.split("\n"), dealKey(secret, shares), shares.length, deck) ? "proved" : "broken";
}

/** Whether the first player and the first hands follow from this key. */
function handsFollow(lines: readonly string[], key: Uint8Array, seats: number, deck: Deck): boolean {
  const left = [...deck.cards];
  let index = 0;
  for (const line of lines) {
    const first = /^begin: first (\d+)$/.exec(line);
    const hand = /^cards .*: (deal [a-z]+(?:; deal [a-z]+)*)$/.exec(line);
    if (first) {
      if (draw(key, index++, seats) !== Number(first[1]) - 1) return false;
    } else if (hand) {
      for (const item of (hand[1] ?? "").split("; ")) {
        let way = draw(
          key,
          index++,
          left.reduce((sum, count) => sum + count, 0),
        );
        const kind = left.findIndex((count) => (way -= count) < 0);
        if (item !== `deal ${deck.words[kind]}`) return false;
        left[kind] = (left[kind] ?? 0) - 1;
      }
    } else break;
  }
  return index > seats;
}
