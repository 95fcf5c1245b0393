// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { type Listener, TableSocket } from "../net/socket.ts";
import type { EditionMap, GameView, Plate, TableInfo, Update, Welcome } from "../net/wire.ts";
import { settings } from "../ui/settings.svelte.ts";
import { setLanguage } from "../words/words.ts";
import { newPledge } from "./nonce.ts";
import { TableState } from "./table.svelte.ts";

let aidsVersion = 1;
vi.mock("../net/api.ts", () => ({
  Refusal: class extends Error {},
  get: (path: string) =>
    Promise.resolve(
      path.includes("/aids") ? { version: aidsVersion } : { updates: [{ version: 1, at: 1, events: [] }] },
    ),
}));

const seats = ["Ana", "Ben"].map((name, i) => ({ name, mine: i === 0, bot: null, kind: "person" }));
const info = (status: string) =>
  ({ id: "t", status, seats, edition: "usa", title: "USA", rematch: null }) as unknown as TableInfo;
const map = {
  cities: [{ label: "Roma" }, { label: "Paris" }, { label: "Wien" }],
  routes: [],
  tickets: [],
  rules: { row: 5 },
} as unknown as EditionMap;
const view = (alvin_city: number, more: object = {}): GameView =>
  ({
    phase: "turn",
    turn: 0,
    row: [],
    discards: [],
    revealed: [],
    laid: [],
    seats: [],
    deck_size: 0,
    alvin_city,
    alvin_holder: null,
    outcome: null,
    ...more,
  }) as unknown as GameView;

const welcome = (version: number, more: object = {}): Welcome =>
  ({
    type: "welcome",
    seat: 0,
    version,
    now: 0,
    table: info("running"),
    view: view(0),
    deciding: [0],
    deadlines: [],
    legal: [],
    ...more,
  }) as unknown as Welcome;
const update = (version: number, events: object[], deciding: number[]): Update =>
  ({
    type: "update",
    version,
    at: version,
    events,
    deciding,
    deadlines: [null, version],
    legal: [],
    situation: null,
  }) as unknown as Update;
const moved = (seat: number, city: number) => ({ type: "alvin-moved", seat, city });
const ended = { type: "game-ended", outcome: { winners: [1] } };

let table: TableState & Listener;
const told = (): string[] => table.log.flatMap((line) => line.sentences);

beforeAll(() => setLanguage("en"));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "WebSocket",
    class {
      static readonly OPEN = 1;
      close(): void {
        /* there is no server */
      }
    },
  );
  settings.speed = "normal";
  table = new TableState(info("running"), map, {} as Plate, () => undefined);
  table.welcome(welcome(1));
});

afterEach(() => {
  table.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what is told, and who decides, keep step with what is shown; the clock does not wait", () => {
  table.update(update(2, [moved(0, 1)], [1]));
  table.update(update(3, [moved(1, 2)], [0]));
  expect(told()).toEqual(["Ana moved Alvin to Paris."]);
  expect([table.deciding, table.version, table.deadlines]).toEqual([[1], 2, [null, 3]]);
  table.animator.skip();
  expect(told()).toEqual(["Ana moved Alvin to Paris.", "Ben moved Alvin to Wien."]);
  expect([table.deciding, table.version]).toEqual([[0], 3]);
});

test("the face-up cards have their slots of the version that is shown", async () => {
  await vi.advanceTimersByTimeAsync(0); // until the entries before are there
  table.update(update(2, [{ type: "row-filled", color: 4 }], [0]));
  table.update(update(3, [{ type: "row-filled", color: 1 }], [0]));
  expect([table.version, table.slots]).toEqual([2, [4, null, null, null, null]]);
  table.animator.skip();
  expect([table.version, table.slots]).toEqual([3, [4, 1, null, null, null]]);
});

test("advice waits until that is shown for which it holds", async () => {
  await vi.advanceTimersByTimeAsync(50);
  expect(table.aids?.version).toBe(1);
  aidsVersion = 3;
  table.update(update(2, [moved(0, 1)], [1]));
  table.update(update(3, [moved(1, 2)], [0]));
  await vi.advanceTimersByTimeAsync(50);
  expect([table.animator.busy, table.aids?.version]).toEqual([true, 1]);
  table.animator.skip();
  expect(table.aids?.version).toBe(3);
});

test("who won is told when the scores have been counted, which begins once", () => {
  table.update(update(2, [moved(0, 1), ended], []));
  table.animator.skip();
  expect(told()).toEqual(["Ana moved Alvin to Paris.", "The game is over."]);
  table.counted = 4;
  table.welcome(welcome(2, { table: info("finished"), view: view(1, { phase: "over" }) }));
  expect(table.counted).toBe(4);
  table.counted = Infinity;
  expect(told().at(-1)).toBe("The game is over. Won by Ben.");
});

test("nothing is counted for those who come later, or want nothing to move", () => {
  table.welcome(welcome(2, { table: info("finished"), view: view(1, { phase: "over" }) }));
  expect(table.counted).toBe(Infinity);
  settings.speed = "off";
  table.update(update(3, [ended], []));
  expect(table.counted).toBe(Infinity);
});

test("a seat that is left is free, not the one who left it", () => {
  expect(table.texts.event({ type: "got-up", seat: 1 })).toBe("Seat 2 is free again.");
});

test("a muted seat is shown at once", () => {
  const seen: boolean[] = [];
  const stop = $effect.root(() => {
    $effect(() => void seen.push(table.isMuted(1)));
  });
  flushSync();
  table.mute(1, true);
  flushSync();
  stop();
  expect(seen).toEqual([false, true]);
});

test("the nonce of a seat of mine is told when its pledge has been announced, and not before", () => {
  const said = vi.spyOn(TableSocket.prototype, "addNonce");
  const pledge = newPledge();
  const announced = (seat: number): string => `pledge ${seat}: ${pledge}\ncommitment: 00\n`;
  const waiting = (announcement: string | null): Welcome =>
    welcome(2, { table: { ...info("waiting"), announcement }, view: null, deciding: [] });
  table.welcome(waiting(null));
  table.update(update(3, [{ type: "terms-announced", text: announced(2) }], []));
  expect(said).not.toHaveBeenCalled(); // it is Ben's seat
  table.welcome(waiting(null));
  table.update(update(4, [{ type: "terms-announced", text: announced(1) }], []));
  expect(said).toHaveBeenCalledTimes(1);
  expect(table.info.announcement).toBe(announced(1));
  table.welcome(waiting(announced(1))); // after a lost connection
  expect(said).toHaveBeenCalledTimes(2);
  expect(said.mock.calls[0]).toEqual(said.mock.calls[1]);
  expect(said.mock.calls[0]?.[0]).toMatch(/^[0-9a-f]{64}$/);
  table.welcome(welcome(5, { table: { ...info("running"), announcement: announced(1) } }));
  expect(said).toHaveBeenCalledTimes(2);
});
