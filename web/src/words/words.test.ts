import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import en from "./en.ts";
import ro from "./ro.ts";

type Words = Record<string, string | Record<string, string>>;
const LANGUAGES: Record<string, Words> = { en, ro };
const wire = readFileSync(new URL("../net/wire.ts", import.meta.url), "utf8");

/** The literals of a union type, or the tags of a union of messages, as the wire declares them. */
function literals(type: string): string[] {
  const body = new RegExp(`export type ${type} =([^;]*);`).exec(wire)?.[1] ?? "";
  const names = [...body.matchAll(/^ {2}\| (\w+)/gm)].map((found) => found[1]);
  const tags = names.map(
    (name) => new RegExp(`interface ${name} \\{\\s*type: "([^"]+)"`).exec(wire)?.[1] ?? "",
  );
  return [...body.matchAll(/"([^"]+)"/g)].map((found) => found[1] ?? "").concat(tags);
}

const texts = (entry: string | Record<string, string>): string[] =>
  typeof entry === "string" ? [entry] : Object.values(entry);
const parts = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "").sort();

test("both languages have the same keys", () => {
  expect(Object.keys(ro).sort()).toEqual(Object.keys(en).sort());
});

describe.each(Object.entries(LANGUAGES))("%s", (language, words) => {
  test("no text is empty, and none shouts", () => {
    for (const [key, entry] of Object.entries(words)) {
      for (const text of texts(entry)) expect(text.trim(), key).not.toBe("");
      for (const text of texts(entry)) expect(text, key).not.toContain("!");
    }
  });

  test("a counted noun has every form of its language", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(words)) {
      if (typeof entry !== "string") expect(Object.keys(entry).sort(), key).toEqual([...forms].sort());
    }
  });

  test("what the server can say has a text", () => {
    const needed = [
      ...literals("Code").map((code) => `code.${code}`),
      ...literals("Sign").map((sign) => `sign.${sign}`),
      ...literals("Color").map((color) => `color.${color}`),
      ...literals("Status").map((status) => `status.${status}`),
      ...literals("GameEvent")
        .concat(literals("TableEvent"))
        .filter(
          (event) =>
            !["card-dealt", "row-filled", "turn-ended", "terms-announced", "nonce-added"].includes(event),
        )
        .map((event) => `event.${event}`),
      ...literals("Move").map((move) => `move.${move}`),
      ...Array.from({ length: 10 }, (_, card) => `card.${card - 1}`),
      ...Array.from({ length: 9 }, (_, card) => `one-card.${card}`),
    ];
    expect(needed.length).toBeGreaterThan(60);
    expect(needed.filter((key) => !(key in words))).toEqual([]);
  });
});

test.each(Object.keys(LANGUAGES))("a key of %s is in one area only", (language) => {
  const folder = new URL(`./${language}/`, import.meta.url);
  const keys = readdirSync(folder).flatMap((name) =>
    Object.keys(JSON.parse(readFileSync(new URL(name, folder), "utf8")) as object),
  );
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

test("a text has the same parts in both languages", () => {
  for (const [key, entry] of Object.entries(en)) {
    const other = (ro as Words)[key];
    if (other === undefined) continue;
    for (const text of texts(other)) {
      for (const part of parts(text)) expect(texts(entry).flatMap(parts), `${key}: ${text}`).toContain(part);
    }
    if (typeof entry === "string" && typeof other === "string")
      expect(parts(other), key).toEqual(parts(entry));
  }
});
