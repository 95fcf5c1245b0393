import { beforeEach, expect, test } from "vitest";

import type { TableLine } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { aboutTable, namesAt, offered } from "./lobby.ts";

const line = (id: string, more: Partial<TableLine>): TableLine =>
  ({
    id,
    status: "waiting",
    names: ["Ana", null],
    free: [1],
    mine: [],
    move_seconds: null,
    ...more,
  }) as TableLine;

beforeEach(() => setLanguage("en"));

test("tables with a free seat come before those to watch, and one's own are elsewhere", () => {
  const tables = [
    line("runs", { status: "running", free: [] }),
    line("mine", { mine: [0] }),
    line("new", {}),
    line("old", {}),
  ];
  expect(offered(tables).map(({ id }) => id)).toEqual(["new", "old", "runs"]);
});

test("a table says its seats and its clock", () => {
  expect(aboutTable(line("a", {}))).toBe("1 seat free · no clock");
  expect(aboutTable(line("b", { free: [1, 2], move_seconds: 60 }))).toBe("2 seats free · 1 minute");
  expect(aboutTable(line("c", { status: "running", free: [], move_seconds: 30 }))).toBe(
    "running · 30 seconds",
  );
});

test("only taken seats have names", () => {
  expect(namesAt(line("a", { names: ["Ana", null, "Greedy"] }))).toBe("Ana and Greedy");
});
