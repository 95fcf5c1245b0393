import { readFileSync } from "node:fs";

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";

import { dealKey, Dealer, newNonce, pledgeOf, type Share } from "./fair.ts";

interface Vectors {
  pledges: { nonce: string; pledge: string }[];
  deals: {
    secret: string;
    shares: Share[];
    key: string;
    draws: { index: number; ways: number; way: number }[];
  }[];
}

// The library's own tests read the same file: tests/game/test_nonces.py.
const vectors = JSON.parse(
  readFileSync(new URL("../../../tests/golden/nonces.json", import.meta.url), "utf8"),
) as Vectors;

test("pledges, keys and draws are those of the library", () => {
  for (const { nonce, pledge } of vectors.pledges) expect(pledgeOf(nonce)).toBe(pledge);
  for (const { secret, shares, key, draws } of vectors.deals) {
    expect(bytesToHex(dealKey(hexToBytes(secret), shares))).toBe(key);
    const dealer = Dealer.of(secret, shares);
    for (const { index, ways, way } of draws) expect(dealer.draw(index, BigInt(ways))).toBe(BigInt(way));
  }
});

test("a secret is new, and its commitment the hash of it", () => {
  const dealer = Dealer.random();
  expect(dealer.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(dealer.secret).not.toBe(Dealer.random().secret);
  expect(Dealer.of("00".repeat(32)).commitment).toBe(
    "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
  );
});

test("a nonce changes the deal, and must be the one that was pledged", () => {
  const nonce = newNonce();
  const dealer = Dealer.random();
  const draws = (of: Dealer): bigint[] => [0, 1, 2, 3].map((index) => of.draw(index, 1n << 60n));
  const shared = dealer.withShares([{ pledge: pledgeOf(nonce), nonce }]);
  expect(shared.secret).toBe(dealer.secret);
  expect(draws(shared)).not.toEqual(draws(dealer));
  expect(draws(dealer.withShares([{ pledge: null, nonce: null }]))).not.toEqual(draws(dealer));
  expect(() => dealer.withShares([{ pledge: pledgeOf(newNonce()), nonce }])).toThrow("pledged");
});

test("a draw has no bias: numbers beyond the last whole multiple are rejected", () => {
  const dealer = Dealer.seeded("bias");
  const ways = (1n << 63n) + 1n; // nearly half of all numbers are rejected
  for (let index = 0; index < 40; index += 1) expect(dealer.draw(index, ways)).toBeLessThan(ways);
});
