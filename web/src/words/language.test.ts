import { expect, test, vi } from "vitest";

import { language, refusal, setLanguage, setLanguageOrFallback, t } from "./words.ts";

vi.mock("./ro.ts", () => {
  throw new Error("it did not arrive");
});

test("another language steps in for one whose words cannot be had", async () => {
  await expect(setLanguage("ro")).rejects.toThrow();
  await setLanguageOrFallback("ro");
  expect(language()).toBe("en");
  expect(t("cancel")).toBe("Cancel");
});

test("what the server says to programs is not said to people", async () => {
  await setLanguage("en");
  const said = "Expected `int`, got `str` at `$.seat`";
  expect(refusal({ code: "bad-message", message: said })).toBe(t("code.bad-message"));
  expect(refusal({ code: "taken", message: "Seat 2 is taken by Ana." })).toBe("Seat 2 is taken by Ana.");
});
