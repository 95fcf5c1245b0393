import { expect, test } from "vitest";

import type { LogLine } from "../game/log.svelte.ts";
import { turns } from "./turns.ts";

const line = (version: number, seat: number | null): LogLine => ({ version, seat, at: 0, sentences: ["."] });

test("what one seat does in a row is one turn; a line without a seat stands alone", () => {
  const log = [line(3, null), line(4, null), line(5, 0), line(6, 0), line(7, 1), line(8, 0)];
  expect(turns(log).map(({ seat, lines }) => [seat, lines.length])).toEqual([
    [null, 1],
    [null, 1],
    [0, 2],
    [1, 1],
    [0, 1],
  ]);
});
