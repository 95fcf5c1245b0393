// The log of a local table: everything that ever changed it, one numbered entry after the other. The
// entries are those of a served table (src/macaz/server/entries.py), and are stored as they are here.

import type { BotStoodIn, Color } from "../net/wire.ts";

/** A person took a seat. */
export interface Sat {
  kind: "sat";
  seat: number;
  person: string;
  name: string;
  color: Color;
  /** of the nonce that their page adds to the deal */
  pledge: string | null;
}

/** A seat became free again, before the game. */
export interface Left {
  kind: "left";
  seat: number;
}

/** A bot plays for the person of a seat, until they come back. */
export interface StoodIn {
  kind: "stood-in";
  seat: number;
  bot: string;
  reason: BotStoodIn["reason"];
}

/** The person of a seat plays it again. */
export interface CameBack {
  kind: "came-back";
  seat: number;
}

/** The terms of the game were announced, the commitment to its deals among them. */
export interface Announced {
  kind: "announced";
  text: string;
  /** by seat, from now on fixed; null where a seed decides */
  pledges: (string | null)[] | null;
}

/** The nonce that was pledged for these seats was revealed. */
export interface NonceAdded {
  kind: "nonce-added";
  seats: number[];
  nonce: string;
}

/** The game began: outcomes of chance up to the first decision. */
export interface Dealt {
  kind: "dealt";
  chances: number[];
}

/** A seat decided; the outcomes of chance that followed, up to the next decision. */
export interface Acted {
  kind: "acted";
  seat: number;
  action: number;
  chances: number[];
  /** the bot that decided; empty: a person */
  bot: string;
}

/** The last decisions were taken back: one of this seat, and the answers of bots to it. */
export interface TakenBack {
  kind: "taken-back";
  seat: number;
  /** of the first of them */
  version: number;
  decisions: number;
}

/** The person of a seat resigned: a bot plays it from now on, or the game ended. */
export interface Resigned {
  kind: "resigned";
  seat: number;
  bot: string;
  ends: boolean;
}

/** The table was closed before its end. */
export interface Closed {
  kind: "closed";
}

export type Entry =
  Sat | Left | StoodIn | CameBack | Announced | NonceAdded | Dealt | Acted | TakenBack | Resigned | Closed;
