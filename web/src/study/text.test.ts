import { expect, test } from "vitest";

import words from "../words/ro.ts";
import study from "./ro.ts";

// A number whose noun has one form only: from twenty on there must be a "de" between them, and 1 wants a singular.
// The end of a range of players is neither.
const UNCOUNTED = /(?<!–)\{(?:n|have|want|most|amount|of)\} (?!din |și )\p{Letter}/u;

function* textsIn(entry: unknown): Generator<string> {
  if (typeof entry === "string") yield entry;
  else for (const value of Object.values(entry as object)) yield* textsIn(value);
}

test("in Romanian, what is counted has all its forms", () => {
  const single = Object.values(words).filter((entry) => typeof entry === "string");
  for (const text of [...single, ...textsIn(study)]) expect(text).not.toMatch(UNCOUNTED);
});
