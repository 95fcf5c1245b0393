import { expect, it } from "vitest";

import fixture from "./records.fixture.json";
import * as records from "./records.ts";

type Reader = (data: DataView, at?: number) => unknown;

const AT = 3; // a record need not begin where the memory does

/** JSON has no number of 64 bits. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));

it.each(Object.entries(fixture))("the record %s is read as NumPy reads it", (name, { bytes, values }) => {
  const data = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
  const memory = new Uint8Array(AT + data.length);
  memory.set(data, AT);
  const all: Record<string, unknown> = { ...records };
  expect(all[`${name.toUpperCase()}_SIZE`]).toBe(data.length);
  expect(plain((all[`read${name}`] as Reader)(new DataView(memory.buffer), AT))).toEqual(values);
});
