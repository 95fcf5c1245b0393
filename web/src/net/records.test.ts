import { expect, it } from "vitest";

import fixture from "./records.fixture.json";
import {
  COST,
  DRAFT,
  EVENT,
  type Layout,
  LINE,
  PLAN,
  PROBLEM,
  readRecord,
  REASON,
  STATE,
  STORY,
  TALLY,
  TURNING,
  VERDICT,
  VIEW,
} from "./records.ts";

const layouts: Record<string, Layout<unknown>> = {
  state: STATE,
  view: VIEW,
  tally: TALLY,
  event: EVENT,
  plan: PLAN,
  cost: COST,
  line: LINE,
  reason: REASON,
  verdict: VERDICT,
  story: STORY,
  turning: TURNING,
  draft: DRAFT,
  problem: PROBLEM,
};
const AT = 3; // a record need not begin where the memory does

/** JSON has no number of 64 bits. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));

it.each(Object.entries(fixture))("the record %s is read as NumPy reads it", (name, { bytes, values }) => {
  const data = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
  const memory = new Uint8Array(AT + data.length);
  memory.set(data, AT);
  const layout = layouts[name];
  if (!layout) throw new Error(`no layout of ${name}`);
  expect(layout.size).toBe(data.length);
  expect(plain(readRecord(layout, new DataView(memory.buffer), AT))).toEqual(values);
});
