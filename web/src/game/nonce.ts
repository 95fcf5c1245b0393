// The nonces that this browser adds to deals, so that no host can choose the cards: docs/fairness.md.

import { newNonce, pledgeOf } from "../local/fair.ts";
import { load, save } from "../ui/storage.ts";

const KEY = "macaz-nonces";
const MOST = 60; // the most nonces that are stored, the latest; a nonce is needed until its game ends

export interface KeptNonce {
  pledge: string;
  nonce: string;
  /** the announcement for which the nonce was sent */
  announcement?: string;
}

let known: KeptNonce[] = []; // used where the browser allows no storage

const all = (): KeptNonce[] => {
  const stored = load(KEY);
  return Array.isArray(stored) ? (stored as KeptNonce[]) : known;
};

function store(nonces: KeptNonce[]): void {
  known = nonces.slice(-MOST);
  save(KEY, known);
}

/** Make and store a nonce, and return its pledge. It is stored before it is sent: an answer may be lost. */
export function newPledge(): string {
  const nonce = newNonce();
  const pledge = pledgeOf(nonce);
  store([...all(), { pledge, nonce }]);
  return pledge;
}

/** The nonce whose pledge stands in the announcement for one of these seats. */
export function keptFor(announcement: string, seats: readonly number[]): KeptNonce | null {
  const lines = announcement.split("\n");
  const fits = ({ pledge }: KeptNonce): boolean =>
    seats.some((seat) => lines.includes(`pledge ${seat + 1}: ${pledge}`));
  return all().find(fits) ?? null;
}

/** That nonce, to be sent now. The announcement is stored with it, for the check after the game. */
export function nonceToTell(announcement: string, seats: readonly number[]): string | null {
  const found = keptFor(announcement, seats);
  if (!found) return null;
  if (found.announcement === undefined)
    store(all().map((one) => (one.pledge === found.pledge ? { ...one, announcement } : one)));
  return found.nonce;
}
