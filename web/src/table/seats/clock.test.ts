import { expect, test } from "vitest";

import { left } from "./clock.ts";

test("a clock counts minutes and seconds, and hours when there are any", () => {
  expect(left(65_000).text).toBe("1:05");
  expect(left(3_600_000).text).toBe("1:00:00");
  expect(left(59_001).text).toBe("1:00"); // a begun second is still there
});

test("it is urgent only in the last seconds, and never below nothing", () => {
  expect(left(10_000).urgent).toBe(false);
  expect(left(9_000).urgent).toBe(true);
  expect(left(-5_000)).toEqual({ days: 0, text: "0:00", urgent: true });
});

test("long times are told in days", () => {
  expect(left(3.5 * 86_400_000)).toEqual({ days: 3, text: "", urgent: false });
  expect(left(1.5 * 86_400_000).text).toBe("36:00:00");
});
