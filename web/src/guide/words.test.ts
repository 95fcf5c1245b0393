import { expect, test } from "vitest";

import type { EditionMap, GameView } from "../net/wire.ts";
import en from "../words/en/guide.json";
import ro from "../words/ro/guide.json";
import { setLanguage } from "../words/words.ts";
import { numbersOf } from "./chapters.ts";

await setLanguage("en");
const map = { rules: { route_points: [] as number[] }, cities: [] as EditionMap["cities"] } as EditionMap;
const parts = Object.keys(numbersOf({} as GameView, map));
const needed = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();

test.each(Object.keys(en) as (keyof typeof en)[])(
  "%s speaks of the same numbers in both languages",
  (key) => {
    expect(needed(ro[key])).toEqual(needed(en[key]));
    expect(parts).toEqual(expect.arrayContaining(needed(en[key])));
  },
);
