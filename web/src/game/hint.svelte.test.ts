// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Hint as AdviceToSeat, Move } from "../net/wire.ts";
import { Hint } from "./hint.svelte.ts";
import type { TableState } from "./table.svelte.ts";

const MOVES: Move[] = [
  { type: "blind", action: 1 },
  { type: "take", action: 2, color: 5 },
];
const ADVICE = {
  version: 7,
  advice: {
    seat: 0,
    moves: [{ action: 2 }, { action: 99 }, { action: 1 }],
    costs: [{ ticket: 3, cards: 2, turns: 2 }],
  },
} as unknown as AdviceToSeat;

let table: { version: number; offered: Move[]; info: { hints: boolean; seats: { bot: string | null }[] } };
let hint: Hint;
let answer: () => Response;

beforeEach(() => {
  answer = () => Response.json(ADVICE);
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(answer())),
  );
  table = { version: 7, offered: MOVES, info: { hints: true, seats: [{ bot: null }] } };
  Object.assign(table.info, { id: "t", status: "running" });
  hint = new Hint(Object.assign(table, { seat: 0, legal: MOVES }) as unknown as TableState);
});
afterEach(() => vi.unstubAllGlobals());

it("names moves of mine, the best first", async () => {
  await hint.ask();
  expect(fetch).toHaveBeenCalledWith("/api/v1/tables/t/advice?seat=0", { method: "GET" });
  expect(hint.suggestions.map(({ move }) => move.type)).toEqual(["take", "blind"]);
  expect(hint.cost(3)?.cards).toBe(2);
});

it("is asked for once, however often it is looked at, and gone with its version", async () => {
  await hint.ask();
  hint.toggle();
  expect(hint.open).toBe(false);
  expect(hint.cost(3)).toBeDefined();
  hint.toggle();
  expect(hint.open).toBe(true);
  expect(fetch).toHaveBeenCalledTimes(1);
  table.version = 8;
  expect([hint.advice, hint.cost(3), hint.suggestions]).toEqual([null, undefined, []]);
});

it("is put away when there is nothing to decide any more", async () => {
  await hint.ask();
  hint.refresh();
  expect(hint.open).toBe(true);
  table.offered = [];
  hint.refresh();
  expect(hint.open).toBe(false);
  hint.toggle();
  expect(hint.open).toBe(false);
});

it("is requested again when others have decided meanwhile", async () => {
  const late = hint.ask();
  table.version = 8;
  answer = () => Response.json({ ...ADVICE, version: 8 });
  hint.refresh();
  hint.refresh();
  await late;
  await vi.waitFor(() => expect(hint.advice).not.toBeNull());
  hint.refresh();
  expect(fetch).toHaveBeenCalledTimes(2);
  hint.close();
  table.version = 9;
  hint.refresh();
  expect(fetch).toHaveBeenCalledTimes(2);
});

it("is not for tables without hints, nor while a bot plays for me", () => {
  expect(hint.allowed).toBe(true);
  table.info.seats = [{ bot: "greedy" }];
  expect(hint.allowed).toBe(false);
  table.info = { ...table.info, hints: false, seats: [{ bot: null }] };
  expect(hint.allowed).toBe(false);
});

it("says why there is none, and can be asked again", async () => {
  answer = () => Response.json({ code: "too-many", message: "busy", request: null }, { status: 503 });
  await hint.ask();
  expect([hint.open, hint.problem?.code]).toEqual([true, "too-many"]);
  answer = () => Response.json(ADVICE);
  await hint.ask();
  expect([hint.problem, hint.advice?.seat]).toEqual([null, 0]);
});
