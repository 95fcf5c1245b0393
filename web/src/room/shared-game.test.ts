import { expect, test } from "vitest";

import { BadAddress, compress, decompress } from "../net/compressed.ts";
import type { LocalGame } from "../net/wire.ts";
import { decodeGame, encodeGame } from "./shared-game.ts";

const entries: LocalGame["log"][number]["entry"][] = [
  { kind: "sat", seat: 0, name: "Ș", color: "green", pledge: "ab" },
  { kind: "left", seat: 0 },
  { kind: "announced", text: "terms" },
  { kind: "nonce-added", seats: [0], nonce: "cd" },
  { kind: "dealt", chances: [1, 2] },
  { kind: "acted", seat: 1, action: 7, chances: [], bot: "greedy" },
  { kind: "acted", seat: 0, action: 8, chances: [3], bot: "" },
  { kind: "stood-in", seat: 0, bot: "greedy", reason: "called" },
  { kind: "came-back", seat: 0 },
  { kind: "taken-back", seat: 0, version: 7, decisions: 1 },
  { kind: "resigned", seat: 0, bot: "greedy", ends: true },
];
const game: LocalGame = {
  ...{ edition: "usa", fingerprint: "0123456789abcdef", secret: "ef", seed: null, first: null },
  seats: [{ kind: "person" }, { kind: "bot", bot: "greedy" }],
  stand_in: "conductor",
  log: entries.map((entry) => ({ at: 5, entry })),
};

test("an address holds a game and its moment", async () => {
  const text = await encodeGame(game, "?v=3&review=1");
  expect(text).toMatch(/^[\w-]+$/);
  expect(await decodeGame(text)).toEqual({ game, query: "?v=3&review=1" });
});

test("whatever is no game is refused", async () => {
  const data = await decompress(await encodeGame(game, ""));
  for (const change of [
    { l: [[0, 5, 1]] }, // no such bot
    { l: [[0, 0]] },
    { l: [{ kind: "closed" }] },
    { l: [{ kind: "sat", seat: 0, name: 1, color: "green", pledge: null }] },
    { l: [{ kind: "sat", seat: -1, name: "A", color: "pink", pledge: null }] },
    { l: [null] },
    { s: [1] },
    { x: null },
    { d: "both" },
    { o: "first" },
  ])
    await expect(decodeGame(await compress({ ...data, ...change }))).rejects.toThrow(BadAddress);
  await expect(decodeGame(await compress({ ...data, v: 2 }))).rejects.toMatchObject({ kind: "newer" });
  await expect(decodeGame("1damaged")).rejects.toMatchObject({ kind: "damaged" });
});
