import { expect, test } from "vitest";

import { botCharacter, botName, botTitle, editionNote, listedName, seatName } from "./names.ts";
import { setLanguage } from "./words.ts";

const bot = (name: string, kind: string) => seatName({ kind: "bot", name, bot: kind });

test("a bot has a name in each language, and keeps its number", async () => {
  await setLanguage("en");
  expect([bot("Greedy", "greedy"), bot("Random 2", "random")]).toEqual(["Greedy", "Random 2"]);
  await setLanguage("ro");
  expect([bot("Greedy", "greedy"), bot("Random 2", "random")]).toEqual(["Lacomul", "Zăpăcitul 2"]);
  expect(botTitle("greedy")).toBe("Lacomul · destul de ușor");
});

test("a bot says how it plays: in words of ours, or in the server's", async () => {
  await setLanguage("en");
  expect([botTitle("expert"), botTitle("clever")]).toEqual(["Expert · hardest", "Clever"]);
  expect(botCharacter({ name: "expert", character: "Strong.", learned: true })).toMatch(/millions of games/);
  expect(botCharacter({ name: "clever", character: "Thinks.", learned: true })).toBe("Thinks.");
});

test("a bot without words of ours is called as the server calls it", async () => {
  await setLanguage("ro");
  expect(botName("clever:3")).toBe("Clever");
  expect(bot("Clever 1", "clever:3")).toBe("Clever 1");
  expect(bot("Ana", "greedy")).toBe("Ana");
});

test("people keep their names, also while a bot plays for them", async () => {
  await setLanguage("ro");
  expect(seatName({ kind: "person", name: "Greedy", bot: null })).toBe("Greedy");
  expect(seatName({ kind: "person", name: "Greedy", bot: "greedy" })).toBe("Greedy");
  expect(seatName({ kind: "person", name: null, bot: null })).toBeNull();
});

test("in a list, bots are known by their names", async () => {
  await setLanguage("ro");
  const names = ["Greedy", "Random 2", "Ana", "Ana 2", "greedy", "Greedy Ana"];
  expect(names.map(listedName)).toEqual(["Lacomul", "Zăpăcitul 2", "Ana", "Ana 2", "greedy", "Greedy Ana"]);
});

test("the sentence of a map is in the language of the page, or in English", async () => {
  const both = { sentences: { en: "Islands.", ro: "Insule." } };
  await setLanguage("ro");
  expect(editionNote(both)).toBe("Insule.");
  expect(editionNote({ sentences: { en: "Islands." } })).toBe("Islands.");
  expect(editionNote({ sentences: {} })).toBeNull();
  await setLanguage("en");
  expect(editionNote(both)).toBe("Islands.");
});
