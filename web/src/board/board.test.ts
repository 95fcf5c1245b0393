import { describe, expect, it } from "vitest";

import { NO_PLACES, type Places } from "../game/places.ts";
import type { Plate } from "../net/wire.ts";
import { BoardState, FRAME } from "./board.svelte.ts";
import { Geometry } from "./geometry.ts";

// Two cities 200 apart with two lanes of four spaces between them, and a third city far below.
const lane = (y: number) => ({
  path: `M110 ${y}L290 ${y}`,
  spaces: [130, 175, 220, 265].map((x) => ({ x, y, angle: 0 })),
});
const city = (x: number, y: number) => ({ x, y, label_x: x, label_y: y - 14, anchor: "middle" as const });
const plate: Plate = {
  width: 1600,
  height: 1000,
  space_length: 40,
  space_width: 13,
  lane_step: 17,
  city_radius: 10,
  label_size: 20,
  cities: [city(100, 100), city(300, 100), city(200, 800)],
  tracks: [
    lane(91.5),
    lane(108.5),
    { path: "M100 110L400 450L200 790", spaces: [{ x: 400, y: 450, angle: 90 }] },
  ],
  land: "",
  lakes: "",
  borders: "",
  provinces: "",
  graticule: "",
};

const all: Places = { routes: new Set([0, 1, 2]), cities: new Set() };
const only = (...routes: number[]): Places => ({ routes: new Set(routes), cities: new Set() });

function board(width = 1200, height = 800, choosable: Places = NO_PLACES): BoardState {
  const state = new BoardState(new Geometry(plate), () => choosable);
  state.resize(width, height);
  return state;
}

describe("the camera", () => {
  it("shows the whole board with its frame at first", () => {
    const { camera } = board();
    expect(camera.scale).toBeCloseTo(1200 / (1600 + 2 * FRAME));
    expect(camera.x).toBeCloseTo(FRAME * camera.scale);
    // the spare height is the same above and below
    expect(camera.y).toBeCloseTo((800 - 1000 * camera.scale) / 2);
  });

  it("shows a phone a board large enough to read, from its middle", () => {
    const state = board(390, 400);
    expect(state.camera.scale).toBe(0.6);
    expect(state.toPlate(195, 200)).toEqual({ x: expect.closeTo(800), y: expect.closeTo(500) });
  });

  it("brings several places into view, and forgets them with the next size", () => {
    const state = board(390, 300);
    state.show([{ city: 0 }, { city: 2 }]);
    for (const place of [plate.cities[0], plate.cities[2]]) {
      const { x, y } = state.toView(place ?? { x: 0, y: 0 });
      expect(Math.min(x, y, 390 - x, 300 - y)).toBeGreaterThan(20);
    }
    state.resize(390, 700);
    expect(state.camera).toEqual(board(390, 700).camera);
  });

  it("keeps places in view when it is told the same size again", () => {
    const state = board(390, 300);
    state.show([{ city: 0 }, { city: 2 }]);
    const { camera } = state;
    state.resize(390, 300);
    expect(state.camera).toEqual(camera);
  });

  it("stays where the player moved it", () => {
    const state = board(390, 300);
    state.zoom(1.5);
    const { scale } = state.camera;
    state.resize(390, 500);
    expect(state.camera.scale).toBe(scale);
  });

  it("fills the height of a tall phone", () => {
    expect(board(390, 700).camera.scale).toBeCloseTo(700 / (1000 + 2 * FRAME));
  });

  it("keeps what is under the pointer there while it comes closer", () => {
    const state = board();
    const before = state.toPlate(500, 300);
    state.zoom(2, 500, 300);
    expect(state.toPlate(500, 300)).toEqual({ x: expect.closeTo(before.x), y: expect.closeTo(before.y) });
  });

  it("goes no farther than where all is seen, and no closer than where a space fills the hand", () => {
    const state = board();
    state.zoom(0.01);
    expect(state.camera.scale).toBeCloseTo(state.fitScale);
    state.zoom(1000);
    expect(state.camera.scale).toBeCloseTo(state.closestScale);
  });

  it("is not dragged off the board", () => {
    const state = board();
    state.zoom(2);
    state.pan(1e6, 1e6);
    const { scale } = state.camera;
    expect(state.camera).toEqual({ x: FRAME * scale, y: FRAME * scale, scale });
    state.pan(-1e6, -1e6);
    const end = state.toView({ x: 1600 + FRAME, y: 1000 + FRAME });
    expect(end).toEqual({ x: expect.closeTo(1200), y: expect.closeTo(800) });
  });

  it("stays in the middle along the side that all fits in", () => {
    const state = board();
    const { y } = state.camera;
    state.pan(0, 50);
    expect(state.camera.y).toBe(y);
  });

  it("fits a new size of the view until the player has moved it, and then keeps its middle", () => {
    const state = board();
    state.resize(600, 800);
    expect(state.camera.scale).toBeGreaterThan(state.fitScale); // as narrow as a phone
    state.resize(1200, 800);
    expect(state.camera.scale).toBeCloseTo(state.fitScale);
    state.zoom(3, 900, 400);
    const middle = state.toPlate(600, 400);
    state.resize(1000, 700);
    expect(state.toPlate(500, 350)).toEqual({ x: expect.closeTo(middle.x), y: expect.closeTo(middle.y) });
  });

  it("brings what lies outside into the view", () => {
    const state = board();
    state.zoom(3, 0, 0);
    expect(state.toView(state.geometry.at({ city: 2 })).y).toBeGreaterThan(800);
    state.reveal({ city: 2 });
    expect(state.toView(state.geometry.at({ city: 2 })).y).toBeLessThan(800);
  });
});

describe("pointing", () => {
  const hit = (state: BoardState, x: number, y: number) => {
    const point = state.toView({ x, y });
    return state.hit(point.x, point.y);
  };

  it("finds the nearer of two lanes, within a space, in a gap and beside", () => {
    const state = board();
    expect(hit(state, 175, 92)).toEqual({ route: 0 });
    expect(hit(state, 197.5, 108)).toEqual({ route: 1 });
    expect(hit(state, 175, 99.9)).toEqual({ route: 0 });
    expect(hit(state, 175, 100.1)).toEqual({ route: 1 });
  });

  it("finds a city rather than the track that ends at it", () => {
    expect(hit(board(), 103, 100)).toEqual({ city: 0 });
  });

  it("reaches 12 pixels around a track at any scale, and not 13", () => {
    for (const factor of [1, 4]) {
      const state = board();
      state.zoom(factor, 0, 0);
      const edge = state.toView({ x: 175, y: 91.5 - 6.5 });
      expect(state.hit(edge.x, edge.y - 11.9)).toEqual({ route: 0 });
      expect(state.hit(edge.x, edge.y - 12.1)).toBeNull();
    }
  });

  it("prefers what can be chosen, even where something else is nearer", () => {
    const state = board(1200, 800, only(1));
    expect(hit(state, 175, 92)).toEqual({ route: 1 });
  });

  it("still finds the others where nothing near can be chosen", () => {
    const state = board(1200, 800, only(1));
    expect(hit(state, 400, 450)).toEqual({ route: 2 });
    expect(state.canChoose({ route: 2 })).toBe(false);
  });

  it("tells lanes apart with a mouse, and with a finger only close up", () => {
    const state = board(390, 400);
    expect([state.tellsLanesApart("mouse"), state.tellsLanesApart("touch")]).toEqual([true, false]);
    state.zoom(3);
    expect(state.tellsLanesApart("touch")).toBe(true);
  });

  it("finds nothing far from everything", () => {
    expect(hit(board(), 1200, 600)).toBeNull();
  });
});

describe("the keyboard", () => {
  const right = { x: 1, y: 0 };
  const down = { x: 0, y: 1 };

  it("begins at what is nearest to the middle, and goes on in each direction", () => {
    const state = board(1200, 800, all);
    state.step(right);
    expect(state.focused).toEqual({ route: 2 });
    state.step({ x: 0, y: -1 });
    expect(state.focused).toEqual({ route: 1 });
    state.step({ x: 0, y: -1 });
    expect(state.focused).toEqual({ route: 0 });
    state.step(down);
    expect(state.focused).toEqual({ route: 1 });
  });

  it("stays where there is nothing in that direction", () => {
    const state = board(1200, 800, only(0, 1));
    state.step(right);
    const before = state.focused;
    state.step(right);
    expect(state.focused).toEqual(before);
  });

  it("tells that there is nothing to choose", () => {
    expect(board().step(right)).toBe(false);
    expect(board(1200, 800, all).step(right)).toBe(true);
  });

  it("goes through everything in turn, and round", () => {
    const state = board(1200, 800, all);
    const seen = Array.from({ length: 4 }, () => {
      state.turn(1);
      return state.focused;
    });
    expect(seen).toEqual([{ route: 0 }, { route: 1 }, { route: 2 }, { route: 0 }]);
    state.turn(-1);
    expect(state.focused).toEqual({ route: 2 });
  });

  it("points no longer at what cannot be chosen any more", () => {
    let choosable = all;
    const state = new BoardState(new Geometry(plate), () => choosable);
    state.resize(1200, 800);
    state.turn(1);
    choosable = only(2);
    expect(state.focused).toBeNull();
  });
});
