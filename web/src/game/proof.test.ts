import { readFileSync } from "node:fs";

import { beforeEach, expect, test, vi } from "vitest";

import { pledgeOf } from "../local/fair.ts";
import { keptFor, newPledge, nonceToTell } from "./nonce.ts";
import { checkRecord, type Deck } from "./proof.ts";

interface Vectors {
  record: { text: string; announcement: string; nonces: (string | null)[]; deck: Deck };
}

// The library's own tests read the same file: tests/game/test_nonces.py.
const vectors = JSON.parse(
  readFileSync(new URL("../../../tests/golden/nonces.json", import.meta.url), "utf8"),
) as Vectors;
const { text, announcement, nonces, deck } = vectors.record;

const kept = (seat: number): { pledge: string; nonce: string; announcement: string } => {
  const nonce = nonces[seat] ?? "";
  return { pledge: pledgeOf(nonce), nonce, announcement };
};

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

test("a nonce is kept, and told only where its pledge was announced for a seat of mine", () => {
  const [mine, other] = [newPledge(), newPledge()];
  expect(mine).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(mine);
  const said = `first: chance\npledge 1: none\npledge 2: ${mine}\ncommitment: 00\n`;
  expect(nonceToTell(said, [0])).toBeNull();
  expect(nonceToTell(said.replace(mine, "0".repeat(64)), [1])).toBeNull();
  const nonce = nonceToTell(said, [0, 1]) ?? "";
  expect(pledgeOf(nonce)).toBe(mine);
  expect(keptFor(said, [1])).toEqual({ pledge: mine, nonce, announcement: said });
  expect(nonceToTell(said.replace("commitment: 00", "commitment: 11"), [1])).toBe(nonce);
  expect(keptFor(said, [1])?.announcement).toBe(said); // the first that was told counts
});

test("where nothing may be kept, a nonce is known until the page is closed", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("not allowed");
    },
    setItem: () => {
      throw new Error("not allowed");
    },
  });
  const pledge = newPledge();
  expect(nonceToTell(`pledge 1: ${pledge}\n`, [0])).toMatch(/^[0-9a-f]{64}$/);
});

test("a record is proved to a player who added to its deal", () => {
  expect(checkRecord(text, kept(0), deck)).toBe("proved");
  expect(checkRecord(text, kept(1), deck)).toBe("missing");
});

test.each([
  ["another term", (record: string) => record.replace("seat 1: Ana", "seat 1: Eve")],
  ["another secret", (record: string) => record.replace(/^secret: ..../m, "secret: 0000")],
  ["another nonce", (record: string) => record.replace(/^nonce 1: ..../m, "nonce 1: 0000")],
  ["another pledge", (record: string) => record.replace(/^pledge 1: ..../m, "pledge 1: 0000")],
  ["another first seat", (record: string) => record.replace(/first (\d)$/m, (_, n) => `first ${3 - n}`)],
  ["another card", (record: string) => record.replace(/^(cards .*: deal )\w+/m, "$1nothing")],
  ["no hands", (record: string) => record.replace(/^cards .*\n/gm, "")],
])("%s is found", (_, forge) => {
  expect(forge(text)).not.toBe(text);
  expect(checkRecord(forge(text), kept(0), deck)).toBe("broken");
});

test("a deal without the nonce that was told is found", () => {
  const dropped = text.replace(/^nonce 1: .*$/m, "nonce 1: missing");
  expect(checkRecord(dropped, kept(0), deck)).toBe("missing");
});
