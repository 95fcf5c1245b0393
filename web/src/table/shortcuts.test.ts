import { expect, it } from "vitest";

import { keysOf, shortcut } from "./shortcuts.ts";

const press = (key: string, more: object = {}) =>
  shortcut({ key, ctrlKey: false, altKey: false, metaKey: false, ...more });

it("digits take the cards of the row, counted from one", () => {
  expect(press("1")).toEqual({ does: "take", slot: 0 });
  expect(press("5")).toEqual({ does: "take", slot: 4 });
  expect(press("0")).toBeNull();
});

it("letters work with and without shift, and never with a modifier", () => {
  expect(press("d")).toEqual({ does: "deck" });
  expect(press("D")).toEqual({ does: "deck" });
  expect(press("r", { ctrlKey: true })).toBeNull();
  expect(press("t", { metaKey: true })).toBeNull();
});

it("names of keys are not taken for letters", () => {
  expect(press("Escape")).toEqual({ does: "back" });
  expect(press("Enter")).toBeNull();
  expect(press("Delete")).toBeNull();
  expect(press("constructor")).toBeNull();
});

it("every key that is listed does something", () => {
  for (const [key] of keysOf({ hints: true, stations: true })) {
    expect(press(key.startsWith("1") ? "1" : key === "Esc" ? "Escape" : key)).not.toBeNull();
  }
});

it("keys for what the table does not have are not listed", () => {
  const keys = (hints: boolean, stations: boolean) => keysOf({ hints, stations }).map(([key]) => key);
  expect(keys(true, true)).toEqual(expect.arrayContaining(["H", "S"]));
  expect(keys(false, true)).not.toContain("H");
  expect(keys(true, false)).not.toContain("S");
  expect(keys(false, false)).toHaveLength(keys(true, true).length - 2);
});
