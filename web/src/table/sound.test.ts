// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

import { set } from "../ui/settings.svelte.ts";

const started: number[] = [];
const levels: number[] = [];
let time = 0;

class Player {
  state = "running";
  destination = {};
  sampleRate = 100;
  get currentTime(): number {
    return time;
  }
  createBuffer = (_channels: number, length: number): object => ({
    getChannelData: () => new Float32Array(length),
  });
}

class Node {
  gain = {
    setValueAtTime: vi.fn(),
    linearRampToValueAtTime: (level: number): number => levels.push(level),
    exponentialRampToValueAtTime: vi.fn(),
  };
  connect = (other: unknown): unknown => other;
  start = (at: number): number => started.push(at);
  stop = vi.fn();
}

beforeEach(() => {
  started.length = 0;
  levels.length = 0;
  time += 100; // whatever sounded before is over
  vi.stubGlobal("AudioContext", Player);
  for (const name of ["OscillatorNode", "GainNode", "AudioBufferSourceNode", "BiquadFilterNode"])
    vi.stubGlobal(name, Node);
});

const { play, soundOf } = await import("./sound.ts");

test("nothing is played unless sounds are on", () => {
  set("sound", "off");
  play("turn");
  expect(started).toEqual([]);
});

test("soft is softer", () => {
  set("sound", "soft");
  play("card");
  time += 1;
  set("sound", "full");
  play("card");
  const [soft = 0, full = 0] = levels;
  expect(soft).toBeGreaterThan(0);
  expect(full).toBeGreaterThan(soft);
});

test("a card is not heard over another sound; my turn is, after it", () => {
  set("sound", "full");
  play("trains");
  const knocks = started.length;
  play("card");
  expect(started).toHaveLength(knocks);
  play("turn");
  expect(started.length).toBeGreaterThan(knocks);
  expect(started[knocks]).toBeGreaterThan(Math.max(...started.slice(0, knocks)));
});

test("trains are heard rather than the cards that pay for them", () => {
  const card = { kind: "card", from: { seat: 0 }, to: "discards", color: 1, count: 3 } as const;
  expect(soundOf([card])).toBe("card");
  expect(soundOf([card, { kind: "trains", seat: 0, route: 4 }])).toBe("trains");
  expect(soundOf([{ kind: "score", seat: 0, by: 7 }])).toBeNull();
});
