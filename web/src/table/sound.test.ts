// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

import { set } from "../ui/settings.svelte.ts";

const started: number[] = [];
let time = 0;

class Player {
  state = "running";
  destination = {};
  get currentTime(): number {
    return time;
  }
}

class Tone {
  constructor(
    _player: Player,
    readonly options: { frequency?: number } = {},
  ) {}
  gain = { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  connect = (other: unknown): unknown => other;
  start = (): number => started.push(this.options.frequency ?? 0);
  stop = vi.fn();
}

beforeEach(() => {
  started.length = 0;
  time += 100; // whatever sounded before is over
  vi.stubGlobal("AudioContext", Player);
  vi.stubGlobal("OscillatorNode", Tone);
  vi.stubGlobal("GainNode", Tone);
});

const { play, soundOf } = await import("./sound.ts");

test("nothing is played unless sounds are on", () => {
  set("sound", false);
  play("turn");
  expect(started).toEqual([]);
});

test("a sound is not laid over another", () => {
  set("sound", true);
  play("card");
  expect(started).toHaveLength(1);
  play("end");
  expect(started).toHaveLength(1);
  time += 1;
  play("end");
  expect(started).toHaveLength(5);
});

test("trains are heard rather than the cards that pay for them", () => {
  const card = { kind: "card", from: { seat: 0 }, to: "discards", color: 1, count: 3 } as const;
  expect(soundOf([card])).toBe("card");
  expect(soundOf([card, { kind: "trains", seat: 0, route: 4 }])).toBe("trains");
  expect(soundOf([{ kind: "score", seat: 0, by: 7 }])).toBeNull();
});
