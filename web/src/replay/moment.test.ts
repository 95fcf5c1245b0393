import { expect, test } from "vitest";

import { eyesIn, momentIn, momentQuery, reviewIn } from "./moment.ts";

test("an address names a moment, and the eyes it is seen with", () => {
  expect(momentQuery(12)).toBe("?v=12");
  expect(momentQuery(12, 1)).toBe("?v=12&eyes=1");
  expect(momentQuery(12, "all")).toBe("?v=12&eyes=all");
  expect(momentQuery(12, null, true)).toBe("?v=12&review=1");
});

test("what was written is read back", () => {
  for (const eyes of [0, 3, "all", "spectator"] as const) expect(eyesIn(momentQuery(7, eyes))).toBe(eyes);
  expect(eyesIn(momentQuery(7))).toBeNull();
  for (const review of [true, false]) expect(reviewIn(momentQuery(7, 0, review))).toBe(review);
  for (const search of ["", "?eyes=", "?eyes=everybody", "?eyes=-1", "?eyes=1.5"])
    expect(eyesIn(search)).toBeNull();
});

test("a moment passes through a link; nothing else does", () => {
  expect(momentIn("?v=12&eyes=1")).toBe("?v=12&eyes=1");
  expect(momentIn("?v=12&review=1&x=2")).toBe("?v=12&review=1");
  expect(momentIn("?utm=x&v=5&eyes=unknown")).toBe("?v=5");
  for (const search of ["", "?eyes=1", "?v=soon", "?v=-1", "?v="]) expect(momentIn(search)).toBe("");
});
