import { expect, test } from "vitest";

import { checkName, oneLine } from "./names.ts";

test("a name is one line of what can be seen", () => {
  expect(oneLine("  Ana\n\u202eMaria ")).toBe("Ana Maria");
  expect(() => oneLine("\u200b \u3164")).toThrow("can be seen");
  expect(() => oneLine("x".repeat(25))).toThrow("24");
});

test("names at a table differ", () => {
  expect(() => checkName("ana", ["Bob", null, "Ána"])).toThrow("Ána");
  expect(() => checkName("Ana", ["Bob", null])).not.toThrow();
});
