import { expect, test } from "vitest";

import { readArrays } from "./arrays.ts";

/** A file with a header and bytes behind it, as src/macaz/kernel/arrays_file.py writes it. */
function file(header: object, bytes: readonly number[], at: number): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const made = new Uint8Array(at + bytes.length);
  new DataView(made.buffer).setUint32(0, text.length, true);
  made.set(text, 4);
  made.set(bytes, at);
  return made.buffer;
}

test("arrays are found by name, and nothing is copied", () => {
  const arrays = {
    one: { dtype: "i2", shape: [2], at: 256 },
    two: { dtype: "spec", shape: [1], at: 272 },
  };
  const bytes = [1, 0, 2, 0, ...Array<number>(12).fill(0), 7, 8, 9];
  const made = file({ format: "macaz arrays 1", arrays, about: { name: "București" } }, bytes, 256);
  const { arrays: found, about } = readArrays(made);
  expect(about).toEqual({ name: "București" });
  expect(Object.keys(found)).toEqual(["one", "two"]);
  expect(found["one"]).toMatchObject({ dtype: "i2", shape: [2] });
  expect([...(found["one"]?.bytes.subarray(0, 4) ?? [])]).toEqual([1, 0, 2, 0]);
  expect([...(found["two"]?.bytes ?? [])]).toEqual([7, 8, 9]);
  expect(found["two"]?.bytes.buffer).toBe(made);
});

test("a file of another format is refused", () => {
  const made = file({ format: "macaz arrays 2", arrays: {}, about: {} }, [], 256);
  expect(() => readArrays(made)).toThrow("macaz arrays 2");
});
