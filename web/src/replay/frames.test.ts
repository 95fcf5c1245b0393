import { describe, expect, test } from "vitest";

import { piecesOf } from "../game/pieces.ts";
import type { EditionMap, GameEvent, GameView, TableEvent, TableInfo, Update } from "../net/wire.ts";
import { eyesOf, firstUpdate, frameIndex, framesOf, turnFrom } from "./frames.ts";
import { curve } from "./plot.ts";

const nine = Array.from({ length: 9 }, () => 0);
const first = {
  phase: "choose",
  turn: 0,
  row: nine,
  discards: nine,
  revealed: nine,
  laid: nine,
  deck_size: 90,
  seats: [0, 1].map(() => ({ hand_size: 4, seen: nine, routes: [], marks: [], score: 0, trains: 45 })),
} as unknown as GameView;
const map = { routes: [{ length: 3 }, { length: 6 }], rules: { stations: 0 } } as EditionMap;

const update = (
  version: number,
  events: (GameEvent | TableEvent)[],
  phase: GameView["phase"] = "turn",
): Update => ({
  type: "update",
  version,
  at: 0,
  by: null,
  events,
  situation: { phase, turn: 0, revealed: nine, laid: nine } as unknown as Update["situation"],
  deciding: [0],
  deadlines: [],
  legal: [],
  takeback: null,
  view: null,
});

const drawn = (seat: number): GameEvent => ({ type: "blind-drawn", seat, color: null });
const ended = (seat: number): GameEvent => ({ type: "turn-ended", seat });
const updates = [
  update(1, [{ type: "sat-down", seat: 0, name: "Ana", color: "blue" }]),
  update(
    2,
    [
      { type: "game-began", first: 0 },
      { type: "card-dealt", seat: 0, color: 1 },
    ],
    "choose",
  ),
  update(3, [drawn(0)]),
  update(4, [drawn(0), ended(0)]),
  update(5, [drawn(1)]),
  update(6, [drawn(1), ended(1)]),
];
const frames = framesOf(first, updates, map, { sentences: (events) => events.map(({ type }) => type) });

describe("the moments of a game", () => {
  test("begin with the deal, and each follows from the one before", () => {
    expect(firstUpdate(updates)?.version).toBe(2);
    expect(frames.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    expect(frames.map(({ view }) => view.deck_size)).toEqual([90, 89, 88, 87, 86]);
    expect(frames.map(({ seat }) => seat)).toEqual([null, 0, 0, 1, 1]);
    expect(frames[2]?.sentences).toEqual(["blind-drawn", "turn-ended"]);
  });

  test("are counted in turns", () => {
    expect(frames.map(({ turn }) => turn)).toEqual([0, 1, 1, 2, 2]);
  });

  test("are found by their version; what is outside leads to an end", () => {
    expect([0, 1, 2, 4, 99].map((version) => frameIndex(frames, version))).toEqual([0, 0, 0, 2, 4]);
  });

  test("lead from turn to turn", () => {
    expect(turnFrom(frames, 0, 1)).toBe(2);
    expect(turnFrom(frames, 2, 1)).toBe(4);
    expect(turnFrom(frames, 4, -1)).toBe(2);
    expect(turnFrom(frames, 2, -1)).toBe(0);
  });

  test("are those of the game as it was played in the end, and say that a move was taken back", () => {
    const back = update(7, [{ type: "taken-back", seat: 0, version: 3, decisions: 4 }]);
    const again = [
      ...updates,
      { ...back, view: { ...first, phase: "turn" as const } },
      update(8, [drawn(0)]),
    ];
    const played = framesOf(first, again, map, { sentences: (events) => events.map(({ type }) => type) });
    expect(played.map(({ version }) => version)).toEqual([2, 7, 8]);
    expect(played.map(({ view }) => view.deck_size)).toEqual([90, 90, 89]);
    expect(played.map(({ turn }) => turn)).toEqual([0, 1, 1]);
    expect(played[1]?.sentences).toEqual(["taken-back"]);
  });

  test("there are none before a game", () => {
    expect(framesOf(first, updates.slice(0, 1), map, { sentences: () => [] })).toEqual([]);
  });
});

describe("whose eyes", () => {
  const info = (status: string, mine: boolean[]): TableInfo =>
    ({ status, seats: mine.map((own) => ({ mine: own })) }) as unknown as TableInfo;

  test("are all, after the end", () => {
    expect(eyesOf(info("finished", [true, false]))).toEqual(["all", 0, 1, "spectator"]);
  });

  test("are mine during a game, unless others look frameIndex this screen too", () => {
    expect(eyesOf(info("running", [false, true]))).toEqual([1, "spectator"]);
    expect(eyesOf(info("running", [true, true]))).toEqual(["spectator"]);
    expect(eyesOf(info("running", [false, false]))).toEqual(["spectator"]);
  });
});

test("a line has a step where a score changes", () => {
  expect(curve([0, 0, 5, 5], 10, 60)).toBe("M0 60H2V30H3");
  expect(curve([-3], 10, 60)).toBe("M0 60H1"); // below nothing there is no room
});

test("what lies on the board", () => {
  const seats = [
    { routes: [1], marks: [7] },
    { routes: [], marks: [] },
  ] as unknown as GameView["seats"];
  expect(piecesOf({ ...first, seats }, map)).toEqual({
    owners: [null, 0],
    marks: [{ city: 7, seat: 0 }],
    markKind: "marker",
  });
});
