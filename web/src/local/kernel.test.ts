import { readFileSync } from "node:fs";

import { beforeAll, expect, test } from "vitest";

import { EVENT, PLAN, SPEC, STATE, TALLY, VIEW } from "../net/records.ts";
import { OVER, REASONS } from "./codes.ts";
import { Kernel } from "./kernel.ts";

const code = readFileSync(new URL("../../../src/macaz/kernel/macaz.wasm", import.meta.url));
let kernel: Kernel;

beforeAll(async () => {
  kernel = await Kernel.load(code);
});

test("the module's records are as large as those that the page reads", () => {
  const sizes = { states: STATE, views: VIEW, specs: SPEC, tallies: TALLY, events: EVENT, plans: PLAN };
  for (const [name, { size }] of Object.entries(sizes)) expect(kernel.block(name, 1).size, name).toBe(size);
});

test("an entry reads and writes arrays", () => {
  const states = kernel.block("states", 1);
  const views = kernel.block("views", 1);
  states.data.setInt8(STATE.fields.phase[1], OVER);
  expect(REASONS[kernel.call("reason_now", states, 0)]).toBe("game-over");
  kernel.call("redact_state", states, -1, views);
  expect(views.data.getInt8(VIEW.fields.phase[1])).toBe(OVER);
  expect(views.data.getInt8(VIEW.fields.seat[1])).toBe(-1);
});

test("blocks do not overlap; scratch memory is always the same, constants are copied once", () => {
  const [one, two] = [kernel.block("out", 5), kernel.block("out", 5)];
  expect(two.at).toBeGreaterThanOrEqual(one.at + one.bytes.length);
  expect(kernel.scratch("out", 5)).toBe(kernel.scratch("out", 5));
  expect(kernel.scratch("out", 5)).not.toBe(kernel.scratch("out", 6));
  const array = { dtype: "i2", shape: [2], bytes: Uint8Array.of(1, 2, 3, 4, 5) };
  expect([...kernel.constant("out", array).bytes]).toEqual([1, 2, 3, 4]);
  expect(kernel.constant("out", array)).toBe(kernel.constant("out", array));
  expect(one.first(2).bytes.length).toBe(4);
});

test("wrong calls are refused before they reach the kernel", () => {
  const states = kernel.scratch("states", 1);
  expect(() => kernel.call("no_such_entry")).toThrow("no_such_entry");
  expect(() => kernel.call("reason_now", states)).toThrow("2 arguments");
  expect(() => kernel.call("reason_now", 1, 0)).toThrow("states is an array");
  expect(() => kernel.call("reason_now", kernel.scratch("views", 1), 0)).toThrow("states");
  expect(() => kernel.call("reason_now", states, states)).toThrow("seat");
  expect(() => kernel.block("no such array", 1)).toThrow("no such array");
  expect(() => kernel.block("works", 1000)).toThrow("no room");
});

test("a compiled module can be shared", async () => {
  const module = await WebAssembly.compile(code);
  const [one, two] = [await Kernel.load(module), await Kernel.load(module)];
  one.scratch("states", 1).bytes.fill(1);
  expect(two.scratch("states", 1).bytes.every((byte) => byte === 0)).toBe(true);
});
