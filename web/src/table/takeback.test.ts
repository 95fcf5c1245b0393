import { expect, test } from "vitest";

import type { TableInfo, Takeback } from "../net/wire.ts";
import { choiceOf } from "./takeback.ts";

const table = (...mine: number[]): TableInfo =>
  ({
    status: "running",
    seats: [0, 1, 2].map((seat) => ({ kind: "person", mine: mine.includes(seat) })),
  }) as TableInfo;

const takeback = (asked: boolean, ...waiting: number[]): Takeback => ({
  seat: 0,
  version: 9,
  decisions: 1,
  asked,
  waiting,
});

test("a decision of one's own is taken back at once, or with the consent of the others", () => {
  expect(choiceOf(table(0), takeback(false))).toEqual({ does: "take-back", seat: 0 });
  expect(choiceOf(table(0), takeback(false, 1, 2))).toEqual({ does: "ask", seat: 0 });
  expect(choiceOf(table(0), takeback(true, 2))).toEqual({ does: "wait", seats: [2] });
  expect(choiceOf(table(0), takeback(true))).toEqual({ does: "take-back", seat: 0 }); // the others have left
});

test("those who are asked answer, once", () => {
  expect(choiceOf(table(1), takeback(true, 1, 2))).toEqual({ does: "answer", seat: 1, asker: 0 });
  expect(choiceOf(table(1), takeback(true, 2))).toBeNull();
  expect(choiceOf(table(1), takeback(false, 1, 2))).toBeNull();
});

test("there is nothing to do where nothing can be taken back, and for spectators", () => {
  expect(choiceOf(table(0), null)).toBeNull();
  expect(choiceOf(table(), takeback(true, 1))).toBeNull();
  expect(choiceOf({ ...table(0), status: "finished" }, takeback(false))).toBeNull();
});
