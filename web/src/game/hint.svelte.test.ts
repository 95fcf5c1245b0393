// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Position, Wanted } from "../analysis/types.ts";
import { SOURCES } from "../local/codes.ts";
import { Refusal } from "../net/refusal.ts";
import type { Advice, Move, PackedView } from "../net/wire.ts";
import { Hint } from "./hint.svelte.ts";
import type { TableState } from "./table.svelte.ts";

const MOVES: Move[] = [
  { type: "blind", action: 1 },
  { type: "take", action: 2, color: 5 },
];
const ADVICE = {
  seat: 0,
  moves: [
    { action: 2, loss: 0 },
    { action: 99, loss: 0.1 },
    { action: 1, loss: 0.2 },
  ],
  costs: [{ ticket: 3, cards: 2, turns: 2 }],
} as unknown as Advice;
const PROGRESS = { tries: [4], lines: new Uint8Array(), outcomes: new Float32Array() };

const analyse = vi.hoisted(() => vi.fn());
vi.mock("../analysis/analyse.ts", () => ({ analyse }));

let table: {
  version: number;
  offered: Move[];
  info: { id: string; hints: boolean; seats: { bot: string | null }[] };
};
let hint: Hint;
let answers: Record<string, () => Response>;
let closed: number;

const packed = (version: number, sources = SOURCES): PackedView => ({
  version,
  seat: 0,
  record: "AAEC",
  sources,
});
const asked = (): string[] =>
  vi.mocked(fetch).mock.calls.map(([path]) => String(path).split("/").at(-1) ?? "");
/** What the last analysis was given. */
const wanted = (): Wanted => (analyse.mock.lastCall as [Position, Wanted])[1];

beforeEach(() => {
  closed = 0;
  analyse.mockReset();
  analyse.mockImplementation(() => ({ close: () => (closed += 1) }));
  table = {
    version: 7,
    offered: MOVES,
    info: { id: "t", hints: true, seats: [{ bot: null }] },
  };
  Object.assign(table.info, { status: "running", edition: "europe", fingerprint: "f" });
  answers = {
    "packed-view?seat=0": () => Response.json(packed(table.version)),
    "advice?seat=0": () => Response.json({ version: table.version, advice: ADVICE }),
  };
  vi.stubGlobal(
    "fetch",
    vi.fn((path: string) => Promise.resolve((answers[path.split("/").at(-1) ?? ""] as () => Response)())),
  );
  hint = new Hint(Object.assign(table, { seat: 0, legal: MOVES }) as unknown as TableState);
});
afterEach(() => vi.unstubAllGlobals());

it("is found here, from what the seat may know", async () => {
  await hint.ask();
  const [position] = analyse.mock.lastCall as [Position];
  expect(position).toEqual({
    edition: "europe",
    fingerprint: "f",
    seats: 1,
    view: new Uint8Array([0, 1, 2]),
  });
  expect([hint.open, hint.advice]).toEqual([true, null]);
  wanted().onadvice(ADVICE, PROGRESS, false);
  expect(hint.suggestions.map(({ move }) => move.type)).toEqual(["take", "blind"]);
  expect([hint.cost(3)?.cards, hint.done]).toEqual([2, false]);
  wanted().onadvice(ADVICE, PROGRESS, true);
  expect(hint.done).toBe(true);
  expect(asked()).toEqual(["packed-view?seat=0"]);
});

it("keeps a move that is looked at in the list", async () => {
  const many = Array.from({ length: 7 }, (_, i): Move => ({ type: "take", action: i, color: i }));
  Object.assign(table, { legal: many });
  const advice = (order: number[]): Advice =>
    ({ ...ADVICE, moves: order.map((action, at) => ({ action, loss: at / 10 })) }) as unknown as Advice;
  const shown = (): number[] => hint.suggestions.map(({ move }) => move.action);
  await hint.ask();
  wanted().onadvice(advice([0, 1, 2, 3, 4, 5, 6]), PROGRESS, false);
  expect(shown()).toEqual([0, 1, 2, 3, 4]);
  hint.looked = 4;
  wanted().onadvice(advice([0, 1, 5, 2, 6, 3, 4]), PROGRESS, false);
  expect(shown()).toEqual([0, 1, 5, 2, 6, 4]);
  hint.looked = null;
  expect(shown()).toEqual([0, 1, 5, 2, 6]);
});

it("does not change the list while the player reaches for a move", async () => {
  vi.useFakeTimers();
  const order = (): number[] => hint.suggestions.map(({ move }) => move.action);
  const turned = {
    ...ADVICE,
    moves: [
      { action: 1, loss: 0 },
      { action: 2, loss: 0.3 },
    ],
  } as unknown as Advice;
  await hint.ask();
  wanted().onadvice(ADVICE, PROGRESS, false);
  hint.reach();
  wanted().onadvice(turned, PROGRESS, false);
  vi.advanceTimersByTime(900);
  hint.reach();
  vi.advanceTimersByTime(900);
  expect(order()).toEqual([2, 1]);
  vi.advanceTimersByTime(200);
  expect(order()).toEqual([1, 2]);
  // nothing that was found is lost when it is closed meanwhile
  hint.reach();
  wanted().onadvice(ADVICE, PROGRESS, false);
  hint.close();
  expect(order()).toEqual([2, 1]);
  vi.useRealTimers();
});

it("ends when it is closed, and goes on from there when it is opened again", async () => {
  await hint.ask();
  wanted().onadvice(ADVICE, PROGRESS, false);
  hint.toggle();
  expect([hint.open, closed]).toEqual([false, 1]);
  expect(hint.cost(3)).toBeDefined();
  await hint.ask();
  expect(wanted().from).toBe(PROGRESS);
  wanted().onadvice(ADVICE, PROGRESS, true);
  hint.close();
  await hint.ask();
  expect(analyse).toHaveBeenCalledTimes(2); // it was precise enough
});

it("is gone with its version", async () => {
  await hint.ask();
  wanted().onadvice(ADVICE, PROGRESS, true);
  table.version = 8;
  expect([hint.advice, hint.cost(3), hint.suggestions]).toEqual([null, undefined, []]);
});

it("is put away when there is nothing to decide any more", async () => {
  await hint.ask();
  hint.refresh();
  expect(hint.open).toBe(true);
  table.offered = [];
  hint.refresh();
  expect([hint.open, closed]).toEqual([false, 1]);
  hint.toggle();
  expect(hint.open).toBe(false);
});

it("is found again when others have decided meanwhile", async () => {
  await hint.ask();
  const before = wanted();
  table.version = 8;
  hint.refresh();
  hint.refresh();
  await vi.waitFor(() => expect(analyse).toHaveBeenCalledTimes(2));
  expect([closed, wanted().from]).toEqual([1, undefined]);
  before.onadvice(ADVICE, PROGRESS, true); // too late
  expect(hint.advice).toBeNull();
  hint.close();
  table.version = 9;
  hint.refresh();
  expect(asked()).toHaveLength(2);
});

it("comes from the server where this browser cannot find it", async () => {
  await hint.ask();
  wanted().onproblem?.(new Refusal("failed", "no workers"));
  await vi.waitFor(() => expect(hint.advice).not.toBeNull());
  expect([hint.done, asked()]).toEqual([true, ["packed-view?seat=0", "advice?seat=0"]]);
});

it("comes from the server where this page is older than the kernel", async () => {
  answers["packed-view?seat=0"] = () => Response.json(packed(7, "another kernel"));
  await hint.ask();
  expect(analyse).not.toHaveBeenCalled();
  expect(hint.advice?.seat).toBe(0);
});

it("is not for tables without hints, nor while a bot plays for me", () => {
  expect(hint.allowed).toBe(true);
  table.info.seats = [{ bot: "greedy" }];
  expect(hint.allowed).toBe(false);
  table.info = { ...table.info, hints: false, seats: [{ bot: null }] };
  expect(hint.allowed).toBe(false);
});

it("says why there is none, and can be asked again", async () => {
  const refused = (): Response =>
    Response.json({ code: "too-many", message: "busy", request: null }, { status: 503 });
  answers["packed-view?seat=0"] = refused;
  await hint.ask();
  expect([hint.open, hint.problem?.code]).toEqual([true, "too-many"]);
  answers["packed-view?seat=0"] = () => Response.json(packed(7));
  answers["advice?seat=0"] = refused;
  await hint.ask();
  wanted().onproblem?.(new Refusal("failed", "no workers"));
  await vi.waitFor(() => expect(hint.problem?.code).toBe("too-many"));
});
