// Whole games of Python's, repeated at a local table's game; tests/page/test_local_games.py writes them.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { describe, expect, test } from "vitest";

import { EditionData } from "../src/local/edition.ts";
import { Dealer, type Share } from "../src/local/fair.ts";
import { type Eyes, Game, IllegalAction } from "../src/local/game.ts";
import { Kernel } from "../src/local/kernel.ts";
import { announcement, recordText } from "../src/local/record.ts";
import type { TableState } from "../src/local/state.ts";
import { type Made, undoableAfter } from "../src/local/takeback.ts";
import type { Aids, GameEvent, GameView, MapFile, Move, Outcome, Situation } from "../src/net/wire.ts";

interface Moment {
  seat: number | null;
  action: number | null;
  chances: number[];
  deciding: number[];
  /** by eyes */
  events: GameEvent[][];
  situations: Situation[];
  large: {
    views: GameView[];
    /** by seat */
    legal: Move[][];
    aids: Omit<Aids, "version" | "seat">[];
    illegal: [seat: number, action: number, reason: string | null][];
  } | null;
}

/** A game in which decisions are taken back and seats resign. */
interface Noted {
  entries: [what: "act" | "take-back" | "resign", seat: number, number: number, retractable: number][];
  outcome: Outcome;
  record: string;
}

interface Played {
  title: string;
  map: string;
  table: string;
  seats: number;
  names: string[];
  first: number | null;
  seed: string | null;
  secret: string | null;
  shares: Share[] | null;
  date: string | null;
  announcement: string | null;
  moments: Moment[];
  /** so many moments were over when the unfinished game was written */
  middle: number;
  unfinished: string;
  record: string;
  noted: Noted;
}

const folder = process.env["MACAZ_LOCAL"] ?? "";
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".game")) : [];
const read = (name: string): Buffer => readFileSync(join(folder, name));
const parsed = (name: string): unknown => JSON.parse(read(name).toString());

/** As `toEqual`, which is slow where all is equal. */
function same(found: unknown, wanted: unknown, what: string): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found, what).toEqual(wanted);
}

function reasonOf(game: Game, seat: number, action: number): string | null {
  try {
    game.clone().push(seat, action);
  } catch (error) {
    if (error instanceof IllegalAction) return error.reason;
    throw error;
  }
  throw new Error(`action ${action} of seat ${seat} is legal`);
}

function compare(game: Game, moment: Moment, what: string): void {
  const seats = Array.from({ length: game.seats }, (_, seat) => seat);
  const eyes: Eyes[] = [...seats, null, "all"];
  const happened = game.takeEvents();
  same(game.deciding, moment.deciding, `${what}: deciding`);
  const told = eyes.map((who) => happened.map((event) => game.narrowed(event, who)));
  same(told, moment.events, `${what}: events`);
  const situations = eyes.map((who) => game.situation(who));
  same(situations, moment.situations, `${what}: situations`);
  if (!moment.large) return;
  const { views, legal, aids, illegal } = moment.large;
  for (const [i, who] of eyes.entries()) same(game.view(who), views[i], `${what}: view of ${who}`);
  for (const seat of seats) {
    same(game.legal(seat), legal[seat], `${what}: legal moves of ${seat}`);
    same(game.aids(seat), { seat, ...aids[seat] }, `${what}: aids of ${seat}`);
  }
  for (const [seat, action, reason] of illegal)
    expect(reasonOf(game, seat, action), `${what}: action ${action} of ${seat}`).toBe(reason);
}

/** The same decisions, taken back and resigned from as at a local table. */
function repeated(start: Game, dealer: Dealer, { entries }: Noted): Game {
  let game = start;
  let undoable: readonly Made[] = [];
  for (const [what, seat, number, retractable] of entries) {
    const before = game;
    game = game.clone();
    if (what === "act") {
      game.push(seat, number);
      const chances = game.deal(dealer);
      const state = { version: 0, undoable, game: before } as unknown as TableState;
      const step = { game, events: game.takeEvents() };
      undoable = undoableAfter(state, { kind: "acted", seat, action: number, chances, bot: "" }, step);
    } else if (what === "take-back") {
      game = undoable.at(-number)?.game.clone() ?? game;
      game.tookBack(before);
      undoable = undoable.slice(0, -number);
    } else {
      game.resign(seat, number === 1);
      undoable = [];
    }
    expect(undoable).toHaveLength(retractable);
  }
  return game;
}

describe.skipIf(!folder)("a local game is the game that the server plays", async () => {
  const kernel = folder ? await Kernel.load(read(process.env["MACAZ_KERNEL"] ?? "")) : undefined;
  test.each(files)("%s", (file) => {
    if (!kernel) throw new Error("no kernel");
    const played = parsed(file) as Played;
    const { seats, first, names, date, title } = played;
    const edition = new EditionData(parsed(played.map) as MapFile);
    const bytes = read(played.table);
    edition.add(seats, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
    const dealer =
      played.seed === null ? Dealer.of(played.secret ?? "", played.shares) : Dealer.seeded(played.seed);
    const game = new Game(kernel, edition, seats, first);
    const again = new Game(kernel, edition, seats, first); // with the outcomes as they are written down
    const begun = game.clone();
    begun.deal(dealer);
    begun.takeEvents();
    const noted = repeated(begun, dealer, played.noted);
    same(noted.outcome, played.noted.outcome, `${title}: the outcome after a resignation`);
    expect(recordText(noted, { names, dealer, date })).toBe(played.noted.record);
    for (const [i, moment] of played.moments.entries()) {
      const what = `${title}, ${i}`;
      if (moment.seat !== null) game.push(moment.seat, moment.action ?? -1);
      same(game.deal(dealer), moment.chances, `${what}: chance`);
      compare(game, moment, what);
      if (moment.seat !== null) again.push(moment.seat, moment.action ?? -1);
      for (const outcome of moment.chances) again.pushChance(outcome);
      same(again.snapshot(), game.snapshot(), `${what}: the state of a replay`);
      if (i + 1 === played.middle) expect(recordText(game, { names, dealer, date })).toBe(played.unfinished);
    }
    expect(game.over).toBe(true);
    const record = recordText(game, { names, dealer, date });
    expect(record).toBe(played.record);
    writeFileSync(join(folder, file.replace(".game", ".record")), record);
    if (played.announcement !== null) {
      const terms = { map: edition.map, names, first, shares: dealer.shares };
      expect(announcement(terms, dealer.commitment)).toBe(played.announcement);
    }
  });
});
