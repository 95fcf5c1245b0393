import { beforeAll, describe, expect, it } from "vitest";

import { REASON_CODES } from "../local/codes.ts";
import type { EditionMap, Reason } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { reasonWords } from "./reasons.ts";
import { GameTexts } from "./texts.ts";

const texts = new GameTexts({
  cities: ["Berlin", "Roma", "Wien"].map((label) => ({ name: label, label, lat: 0, lon: 0 })),
  routes: [{ a: 0, b: 2, length: 3, color: 4, kind: "track", locomotives: 0, lane: 0 }],
  tickets: [
    { a: 0, b: 1, points: 9, deck: "normal" },
    { a: 1, b: 2, points: 5, deck: "normal" },
  ],
} as unknown as EditionMap);
texts.names = ["Ana", "Ben"];

const NONE: Reason = {
  code: "points",
  route: null,
  ticket: null,
  other: null,
  seat: null,
  color: null,
  city: null,
  amount: null,
  of: null,
  share: null,
  instead: null,
};
const said = (reason: Partial<Reason>): string => reasonWords(texts, { ...NONE, ...reason });

const serves: Partial<Reason> = { code: "serves-ticket", ticket: 0, route: 0 };
const contested: Partial<Reason> = { code: "contested", route: 0, share: 0.38 };
const needed: Partial<Reason> = { code: "needed-card", ticket: 0, route: 0, color: 4, amount: 1 };
const keeps: Partial<Reason> = { code: "keeps-cards", color: 7, amount: 2 };
const fewTurns: Partial<Reason> = { code: "few-turns", seat: 1, of: 4 };

/** A reason with everything that some reason has. */
const full = (code: Reason["code"]): Reason => ({
  ...NONE,
  ...{ code, route: 0, ticket: 0, other: 1, seat: 1, color: 2, city: 2 },
  ...{ amount: 3, of: 5, share: 0.5, instead: 0.25 },
});

describe("in English", () => {
  beforeAll(() => setLanguage("en"));

  it("a number has its noun, and another sentence where it is zero", () => {
    expect(said({ ...serves, amount: 3 })).toBe(
      "It lies on the cheapest way for Berlin – Roma; without it the way takes 3 trains more.",
    );
    expect(said({ ...serves, amount: 1 })).toContain("takes 1 train more");
    expect(said({ ...serves, amount: 0 })).toContain("another is as short");
    expect(said({ ...fewTurns, amount: 0 })).toBe("This may well be the last turn: Ben has 4 trains.");
  });

  it("names a player, or others", () => {
    expect(said({ ...contested, seat: 1 })).toBe(
      "Ben took it within two turns in 38% of the tries with another move.",
    );
    expect(said(contested)).toContain("Others took it");
  });

  it("counts cards by their colour", () => {
    expect(said({ ...needed, of: 3 })).toBe(
      "A cheapest way for Berlin – Roma goes by Berlin – Wien: it takes 3 green cards; in hand: 1.",
    );
    expect(said(keeps)).toBe("It keeps 2 red cards in hand.");
    expect(said({ ...keeps, route: 0, ticket: 0, color: 8, amount: 1 })).toBe(
      "It keeps 1 locomotive for Berlin – Wien, on a cheapest way for Berlin – Roma.",
    );
    expect(said({ code: "can-wait", route: 0, ticket: 0, share: 0 })).toContain("in no try");
  });
});

describe("in Romanian", () => {
  beforeAll(() => setLanguage("ro"));

  it("a number has the form of its noun", () => {
    expect(said({ ...serves, amount: 1 })).toContain("drumul cere cu 1 vagon mai mult.");
    expect(said({ ...serves, amount: 4 })).toContain("drumul cere cu 4 vagoane mai mult.");
    expect(said({ code: "points", route: 0, amount: 21 })).toBe("Aduce imediat 21 de puncte.");
    expect(said({ code: "many-turns", amount: 26 })).toContain("cam 26 de ture");
  });

  it("a card agrees with its colour", () => {
    expect(said({ ...needed, of: 3 })).toContain("cere 3 cărți verzi; în mână: 1.");
    expect(said(keeps)).toBe("Păstrează în mână 2 cărți roșii.");
    expect(said({ ...keeps, color: 6, amount: 1 })).toBe("Păstrează în mână 1 carte neagră.");
    expect(said({ code: "can-pay", color: 3, route: 0, ticket: 0 })).toContain("Cu o carte albă");
  });
});

describe.each(["en", "ro"] as const)("%s", (language) => {
  beforeAll(() => setLanguage(language));

  it.each(REASON_CODES)("%s is a whole sentence", (code) => {
    const words = reasonWords(texts, full(code));
    expect(words).toMatch(/^\p{Lu}.*\.$/u);
    expect(words).not.toMatch(/[{}]|because|undefined|null/);
  });
});
