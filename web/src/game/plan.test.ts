// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";

import type { Move } from "../net/wire.ts";
import { settings } from "../ui/settings.svelte.ts";
import type { Place } from "./places.ts";
import { Plan } from "./plan.svelte.ts";
import type { TableState } from "./table.svelte.ts";

const route = (a: number, b: number, color: number, kind = "track") => ({
  a,
  b,
  color,
  kind,
  length: 2,
  locomotives: 0,
  lane: 0,
});
const claim = (action: number, at: number, color: number, cards: number, locomotives: number): Move => ({
  type: "claim",
  action,
  route: at,
  color,
  cards,
  locomotives,
});
const station = (action: number, city: number, color: number): Move => ({
  type: "station",
  action,
  city,
  color,
  cards: 1,
  locomotives: 0,
});

const ROUTES = [route(0, 1, 7), route(0, 1, 6), route(1, 2, -1, "tunnel"), route(0, 2, 3)];
const MOVES: Move[] = [
  { type: "blind", action: 1 },
  { type: "take", action: 2, color: 5 },
  claim(10, 0, 7, 1, 1),
  claim(11, 0, 7, 2, 0),
  claim(12, 1, 6, 2, 0),
  claim(13, 2, 7, 2, 0),
  station(20, 2, 7),
];

let done: Move[];
let explained: Place[];
let plan: Plan;
let table: {
  version: number;
  slots: (number | null)[] | null;
  legal: Move[];
  offered: Move[];
  view: { phase: string; row: number[] } & Record<string, unknown>;
};

const press = (pointerType: string): boolean =>
  dispatchEvent(new PointerEvent("pointerdown", { pointerType }));

beforeEach(() => {
  settings.confirm = "always";
  settings.returns = false;
  done = [];
  explained = [];
  const nothing = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  table = {
    version: 1,
    slots: null,
    legal: MOVES,
    offered: MOVES,
    view: {
      phase: "turn",
      turn: 0,
      claiming: null,
      laid: nothing,
      revealed: nothing,
      row: [0, 1, 0, 0, 0, 2, 0, 0, 2],
      seats: [{ hand: [0, 0, 0, 0, 0, 0, 3, 4, 1] }],
    },
  };
  const rest = {
    seat: 0,
    covered: false,
    acting: false,
    aids: null,
    animator: { busy: false },
    map: { routes: ROUTES, tickets: [], rules: { row: 5 } },
    act: (move: Move) => done.push(move),
  };
  plan = new Plan(Object.assign(table, rest) as unknown as TableState, (place) => explained.push(place));
});

describe("what serves the player's tickets", () => {
  const aid = (ticket: number, way: number[], about = {}) => ({
    ticket,
    way,
    offered: false,
    state: "open",
    spaces: 2,
    stations: 0,
    ...about,
  });
  const withAids = (...tickets: object[]): void => {
    const stations = [{ city: 2, rescues: [4] }];
    const seats = [{ routes: [3] }, { routes: [] }];
    Object.assign(table, { aids: { tickets, stations }, view: { ...table.view, seats } });
  };

  it("is the unclaimed routes of the ways to open tickets, the lanes beside them, and stations", () => {
    withAids(aid(4, [0, 3]), aid(5, [0, 2]), aid(6, [2], { state: "done" }), aid(7, [2], { offered: true }));
    expect([...plan.serving.routes]).toEqual([
      [0, [4, 5]],
      [1, [4, 5]],
      [2, [5]],
    ]);
    expect([...plan.serving.cities]).toEqual([[2, [4]]]);
  });

  it("is nothing while the player is not to decide", () => {
    withAids(aid(4, [0]));
    table.offered = [];
    expect(plan.serving.routes.size).toBe(0);
  });
});

describe("a place that the player picks", () => {
  it("asks how to pay, the sensible way first, for the lane beside it too", () => {
    plan.pick({ route: 0 });
    expect(plan.question).toBe("place");
    expect(plan.lanes.map(({ route: lane, ways }) => [lane, ways.map((way) => way.action)])).toEqual([
      [0, [11, 10]],
      [1, [12]],
    ]);
    expect(done).toEqual([]);
  });

  it("shows the picked lane first, and the other one even if only that can be claimed", () => {
    plan.pick({ route: 1 });
    expect(plan.lanes.map((lane) => lane.route)).toEqual([1, 0]);
    table.offered = table.legal = [claim(12, 1, 6, 2, 0)];
    plan.pick({ route: 0 });
    expect(plan.lanes.map((lane) => lane.route)).toEqual([1]);
  });

  it("shows the cheaper lane first where the lane is not certain", () => {
    table.offered = table.legal = [claim(10, 0, 7, 1, 1), claim(12, 1, 6, 2, 0)];
    plan.pick({ route: 0 }, false);
    expect(plan.lanes.map((lane) => lane.route)).toEqual([1, 0]);
    expect(plan.chosenLane).toBeNull();
    table.offered = table.legal = [claim(12, 1, 6, 2, 0), claim(11, 0, 7, 2, 0)]; // of red, more is left over
    plan.pick({ route: 1 }, false);
    expect(plan.lanes.map((lane) => lane.route)).toEqual([0, 1]);
    plan.pick({ route: 1 });
    expect([plan.chosenLane, plan.lanes[0]?.route]).toEqual([1, 1]);
  });

  it("is explained where there is nothing to do", () => {
    plan.pick({ route: 3 });
    expect(explained).toEqual([{ route: 3 }]);
    expect(plan.question).toBeNull();
  });

  it("is forgotten step by step", () => {
    plan.building = true;
    plan.pick({ city: 2 });
    expect(plan.question).toBe("place");
    expect(plan.back()).toBe(true);
    expect([plan.picked, plan.building]).toEqual([null, true]);
    expect(plan.back()).toBe(true);
    expect(plan.building).toBe(false);
    expect(plan.back()).toBe(false);
  });

  it("is forgotten when it can no longer be done", () => {
    plan.pick({ route: 0 });
    table.offered = table.legal = [{ type: "blind", action: 1 }];
    plan.discardStale();
    expect(plan.picked).toBeNull();
  });
});

describe("who likes it sensible", () => {
  beforeEach(() => (settings.confirm = "never"));

  it("pays at once for the lane that was picked", () => {
    plan.pick({ route: 0 });
    expect(done.map((move) => move.action)).toEqual([11]);
  });

  it("is asked which lane, unless it is clear", () => {
    plan.pick({ route: 0 }, false);
    expect([plan.question, done]).toEqual(["place", []]);
    table.offered = table.legal = [claim(12, 1, 6, 2, 0)];
    plan.pick({ route: 1 }, false);
    expect(done.map((move) => move.action)).toEqual([12]);
  });

  it("draws tickets at once", () => {
    plan.choose({ type: "draw-tickets", action: 30 });
    expect([plan.question, done.length]).toEqual([null, 1]);
  });

  it("is asked about a tunnel, and about a station that was not started", () => {
    plan.pick({ route: 2 });
    plan.pick({ city: 2 });
    expect(done).toEqual([]);
    plan.building = true;
    plan.pick({ city: 2 });
    expect(done.map((move) => move.action)).toEqual([20]);
  });
});

describe("who confirms on touch only", () => {
  beforeEach(() => {
    settings.confirm = "touch";
    plan.setRow(table.view.row);
  });

  it("takes a card with one click of a mouse, and is asked how to pay for a route", () => {
    press("mouse");
    plan.take(2);
    plan.pick({ route: 1 });
    expect([plan.question, done.map((move) => move.action)]).toEqual(["place", [2]]);
  });

  const way = claim(12, 1, 6, 2, 0);
  it.each([
    ["the only payment", [way], { route: 1 }, true],
    ["several payments", [way, claim(15, 1, 6, 1, 1)], { route: 1 }, false],
    ["another lane", [way, claim(11, 0, 7, 2, 0)], { route: 1 }, false],
    ["a tunnel", [claim(13, 2, 7, 2, 0)], { route: 2 }, false],
    ["a station", [station(20, 2, 7)], { city: 2 }, false],
  ])(
    "claims a route with one click of a mouse if there is nothing to choose: %s",
    (_, moves, place, claimed) => {
      press("mouse");
      table.offered = table.legal = moves;
      plan.pick(place);
      expect([plan.question, done]).toEqual(claimed ? [null, moves] : ["place", []]);
    },
  );

  it("is shown whose marker takes the points of a route", () => {
    press("mouse");
    table.offered = table.legal = [way];
    Object.assign(plan.table.map.rules, { markers: true });
    Object.assign(table.view, { seats: [{ hand: [], marks: [0] }, { marks: [1] }] });
    plan.pick({ route: 1 });
    expect([plan.question, done]).toEqual(["place", []]);
  });

  it("takes a card with the second tap of a finger, of the same card", () => {
    press("touch");
    plan.take(2);
    plan.take(1);
    expect([plan.taking, done]).toEqual([1, []]);
    plan.take(1);
    expect([plan.taking, done.map((move) => move.action)]).toEqual([null, [2]]);
    table.offered = table.legal = [claim(12, 1, 6, 2, 0)];
    plan.pick({ route: 1 });
    expect([plan.question, done.length]).toEqual(["place", 1]);
  });

  it("leaves a card that was tapped", () => {
    press("touch");
    plan.take(2);
    expect([plan.back(), plan.taking, done]).toEqual([true, null, []]);
  });
});

describe("drawing tickets", () => {
  const draw: Move = { type: "draw-tickets", action: 30 };
  beforeEach(() => (table.offered = table.legal = [...MOVES, draw]));

  it("is asked about, and can be left", () => {
    plan.choose(draw);
    expect([plan.question, done]).toEqual(["draw", []]);
    expect(plan.back()).toBe(true);
    expect(plan.question).toBeNull();
    plan.choose(draw);
    plan.act(draw);
    expect([plan.question, done]).toEqual([null, [draw]]);
  });

  it("is forgotten when something else is picked, or it is no longer offered", () => {
    plan.choose(draw);
    plan.pick({ route: 0 });
    plan.back();
    expect(plan.question).toBeNull();
    plan.choose(draw);
    table.offered = table.legal = MOVES;
    plan.discardStale();
    expect(plan.drawing).toBe(false);
  });

  it("alone is asked about: a card is drawn at once", () => {
    plan.choose({ type: "blind", action: 1 });
    expect(done.map((move) => move.action)).toEqual([1]);
  });
});

describe("what the player considers", () => {
  const actions = (): number[] => plan.considered.map((move) => move.action);

  it("is everything, until a place is picked or a station is to be built", () => {
    expect(plan.considered).toEqual(MOVES);
    plan.building = true;
    expect(actions()).toEqual([20]);
    plan.pick({ city: 2 });
    expect(actions()).toEqual([20]);
    plan.pick({ route: 1 });
    expect(actions()).toEqual([12, 10, 11]);
  });

  it("is drawing tickets, while that is to be confirmed", () => {
    const draw: Move = { type: "draw-tickets", action: 30 };
    table.offered = table.legal = [...MOVES, draw];
    plan.choose(draw);
    expect(actions()).toEqual([30]);
  });
});

describe("returned tickets", () => {
  const moves: Move[] = [7, 4].map((ticket) => ({ type: "return", action: 40 + ticket, ticket }));
  beforeEach(() => {
    table.offered = table.legal = moves;
    table.view.phase = "return";
  });

  it("go back in the order of the list, each once", () => {
    plan.decideUnasked();
    plan.decideUnasked(); // the answer has not come yet
    expect([plan.question, done.map((move) => move.action)]).toEqual([null, [47]]);
    table.version = 2;
    table.offered = [];
    plan.decideUnasked();
    expect(done).toHaveLength(1);
    table.offered = moves.slice(1);
    plan.decideUnasked();
    expect(done.map((move) => move.action)).toEqual([47, 44]);
  });

  it("are asked about if the player wants to choose", () => {
    settings.returns = true;
    plan.decideUnasked();
    expect([plan.question, done]).toEqual(["return", []]);
  });
});

describe("a marker", () => {
  const skip: Move = { type: "skip-marker", action: 50 };
  const mark: Move = { type: "mark", action: 51, city: 1, color: 3, cards: 2, locomotives: 0 };
  beforeEach(() => {
    table.view.phase = "mark";
  });

  it("is not asked about if it cannot be paid", () => {
    table.offered = table.legal = [skip];
    plan.decideUnasked();
    expect([plan.question, done]).toEqual([null, [skip]]);
  });

  it("is asked about if it can", () => {
    table.offered = table.legal = [mark, skip];
    plan.decideUnasked();
    expect([plan.question, done]).toEqual(["mark", []]);
  });
});

describe("the map", () => {
  it("lets routes glow, and cities only when a station is to be built", () => {
    expect([...plan.choosable.routes]).toEqual([0, 1, 2]);
    expect([...plan.choosable.cities]).toEqual([]);
    plan.building = true;
    expect([...plan.choosable.routes]).toEqual([]);
    expect([...plan.choosable.cities]).toEqual([2]);
  });
});

describe("the row", () => {
  it("gives the card at a place, if it may be taken", () => {
    plan.setRow(table.view.row);
    expect(plan.slots).toEqual([1, 5, 5, 8, 8]);
    expect(plan.take(3)).toBe(false);
    expect(plan.take(2)).toBe(true);
    expect(done).toEqual([]); // every move is confirmed
    expect(plan.take(2)).toBe(true);
    expect(done.map((move) => move.action)).toEqual([2]);
  });

  it("has its gap where the card was taken", () => {
    plan.setRow(table.view.row);
    plan.take(1);
    plan.setRow([0, 1, 0, 0, 0, 1, 0, 0, 2]);
    expect(plan.slots).toEqual([1, 5, null, 8, 8]);
    plan.setRow([0, 1, 0, 0, 1, 1, 0, 0, 2]);
    expect(plan.slots).toEqual([1, 5, 4, 8, 8]);
    expect([...plan.filled]).toEqual([2]);
  });

  it("lies as all see it, unless the row is already another one", () => {
    plan.setRow(table.view.row);
    table.slots = [8, 5, 1, 5, 8];
    plan.setRow(table.view.row);
    expect(plan.slots).toEqual([8, 5, 1, 5, 8]);
    plan.setRow([0, 1, 0, 0, 0, 1, 0, 0, 2]);
    expect(plan.slots).toEqual([8, 5, 1, null, 8]);
  });
});
