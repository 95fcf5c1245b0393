// The nonces that this browser adds to deals, so that no host can choose the cards: docs/fairness.md.

import { sha256 } from "@noble/hashes/sha2.js"; // pages without TLS have no crypto.subtle
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { save, load } from "../ui/storage.ts";

const KEY = "macaz-nonces";
const MOST = 60; // nonces that are kept, the latest; each is looked at for the last time when its game ends
const NONCE_BYTES = 32;

export interface KeptNonce {
  pledge: string;
  nonce: string;
  /** what was announced when the nonce was told */
  announcement?: string;
}

let known: KeptNonce[] = []; // where the browser may save nothing, until the page is closed

const all = (): KeptNonce[] => {
  const stored = load(KEY);
  return Array.isArray(stored) ? (stored as KeptNonce[]) : known;
};

function store(nonces: KeptNonce[]): void {
  known = nonces.slice(-MOST);
  save(KEY, known);
}

export const pledgeOf = (nonce: Uint8Array): string =>
  bytesToHex(sha256(concatBytes(utf8ToBytes("macaz pledge 1"), nonce)));

/** A new nonce, of which only the pledge is told for now. Kept first: an answer may be lost. */
export function newPledge(): string {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const pledge = pledgeOf(nonce);
  store([...all(), { pledge, nonce: bytesToHex(nonce) }]);
  return pledge;
}

/** The nonce that this browser pledged for one of these seats, by what was announced. */
export function keptFor(announcement: string, seats: readonly number[]): KeptNonce | null {
  const lines = announcement.split("\n");
  const fits = ({ pledge }: KeptNonce): boolean =>
    seats.some((seat) => lines.includes(`pledge ${seat + 1}: ${pledge}`));
  return all().find(fits) ?? null;
}

/** The same, to be told now: what was announced is kept with it, for the check after the game. */
export function nonceToTell(announcement: string, seats: readonly number[]): string | null {
  const found = keptFor(announcement, seats);
  if (!found) return null;
  if (found.announcement === undefined)
    store(all().map((one) => (one.pledge === found.pledge ? { ...one, announcement } : one)));
  return found.nonce;
}
