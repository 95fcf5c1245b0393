// A finished game of this browser as an address, which holds all of it: others keep, replay and review it in theirs.

import { BadAddress, compress, decompress, listOf, text, whole } from "../net/compressed.ts";
import type { Color, LocalGame } from "../net/wire.ts";

const FORMAT = 1;
const COLORS: readonly Color[] = ["blue", "red", "green", "yellow", "black", "purple"];
const REASONS = ["called", "left", "time"] as const;

type Entry = LocalGame["log"][number]["entry"];

/** The part of an address that holds a game; `query` names the moment: "?v=12&review=1". */
export function encodeGame(game: LocalGame, query: string): Promise<string> {
  const { edition, fingerprint, seats, log, secret, seed, first, stand_in } = game;
  const bots = [...new Set(log.flatMap(({ entry }) => ("bot" in entry ? [entry.bot] : [])))];
  // Most entries are decisions: these are short.
  const rows = log.map(({ entry }) =>
    entry.kind === "acted" ? [entry.seat, bots.indexOf(entry.bot), entry.action, ...entry.chances] : entry,
  );
  return compress({
    ...{ v: FORMAT, e: edition, f: fingerprint, b: bots, l: rows, q: query, at: log.at(-1)?.at ?? 0 },
    ...{ s: seats.map((seat) => (seat.kind === "bot" ? seat.bot : 0)), i: stand_in ?? "" },
    ...{ x: secret ?? null, d: seed ?? null, o: first ?? null },
  });
}

/** Throws `BadAddress`. Whether its moves are those of a game is found when it is kept. */
export async function decodeGame(address: string): Promise<{ game: LocalGame; query: string }> {
  const data = await decompress(address);
  if (typeof data["v"] === "number" && data["v"] > FORMAT) throw new BadAddress("newer");
  const bots = listOf(data["b"], text);
  const at = whole(data["at"]);
  const log = listOf(data["l"], (row) => ({ at, entry: entryOf(row, bots) }));
  const [secret, seed] = [orNull(data["x"], text), orNull(data["d"], text)];
  if ((secret === null) === (seed === null)) throw new BadAddress("damaged");
  const game: LocalGame = {
    ...{ edition: text(data["e"]), fingerprint: text(data["f"]), log, secret, seed },
    seats: listOf(data["s"], (seat) =>
      seat === 0 ? ({ kind: "person" } as const) : ({ kind: "bot", bot: text(seat) } as const),
    ),
    ...{ first: orNull(data["o"], whole), stand_in: text(data["i"]) },
  };
  return { game, query: text(data["q"]) };
}

const orNull = <Item>(value: unknown, read: (value: unknown) => Item): Item | null =>
  value === null ? null : read(value);

const oneOf = <Item extends string>(value: unknown, known: readonly Item[]): Item => {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new BadAddress("damaged");
  return found;
};

function entryOf(row: unknown, bots: readonly string[]): Entry {
  if (Array.isArray(row)) {
    const [seat = -1, bot = -1, action = -1, ...chances] = listOf(row, whole);
    const known = bots[bot];
    if (known === undefined || action < 0) throw new BadAddress("damaged");
    return { kind: "acted", seat, action, chances, bot: known };
  }
  if (typeof row !== "object" || row === null) throw new BadAddress("damaged");
  const one = row as Record<string, unknown>;
  switch (one["kind"]) {
    case "sat": {
      const [name, color] = [text(one["name"]), oneOf(one["color"], COLORS)];
      return { kind: "sat", seat: whole(one["seat"]), name, color, pledge: orNull(one["pledge"], text) };
    }
    case "left":
    case "came-back":
      return { kind: one["kind"], seat: whole(one["seat"]) };
    case "stood-in": {
      const reason = oneOf(one["reason"], REASONS);
      return { kind: "stood-in", seat: whole(one["seat"]), bot: text(one["bot"]), reason };
    }
    case "announced":
      return { kind: "announced", text: text(one["text"]) };
    case "nonce-added":
      return { kind: "nonce-added", seats: listOf(one["seats"], whole), nonce: text(one["nonce"]) };
    case "dealt":
      return { kind: "dealt", chances: listOf(one["chances"], whole) };
    case "taken-back": {
      const [version, decisions] = [whole(one["version"]), whole(one["decisions"])];
      return { kind: "taken-back", seat: whole(one["seat"]), version, decisions };
    }
    case "resigned": {
      const ends = one["ends"] === true;
      return { kind: "resigned", seat: whole(one["seat"]), bot: text(one["bot"]), ends };
    }
    default:
      throw new BadAddress("damaged");
  }
}
