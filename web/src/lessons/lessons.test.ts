import { expect, test } from "vitest";

import { LESSON_COUNT } from "../ui/lessons.ts";
import en from "./en.ts";
import { LESSONS } from "./lessons.ts";
import ro from "./ro.ts";

const parts = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort();

/** All texts, by their path. */
function texts(words: object, path = ""): [path: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]): [string, string][] =>
    typeof value === "string" ? [[`${path}${key}`, value]] : texts(value as object, `${path}${key}.`),
  );
}

test("there are as many lessons as the first page says", () => {
  expect(LESSONS).toHaveLength(LESSON_COUNT);
});

test("both languages have all sentences, with the same parts", () => {
  const [english, romanian] = [new Map(texts(en)), new Map(texts(ro))];
  expect([...romanian.keys()]).toEqual([...english.keys()]);
  for (const [path, text] of english) expect(parts(romanian.get(path) ?? ""), path).toEqual(parts(text));
  for (const [path, text] of [...english, ...romanian]) {
    expect(text.trim(), path).not.toBe("");
    expect(text, path).not.toContain("!");
  }
});
