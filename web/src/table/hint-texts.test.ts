import { beforeAll, describe, expect, it } from "vitest";

import { setLanguage } from "../words/words.ts";
import { chanceWords, costWords } from "./hint-texts.ts";

describe("in English", () => {
  beforeAll(() => setLanguage("en"));

  it("a chance is told in per cent", () => {
    expect(chanceWords({ chance: 0.526 })).toBe("53% to win");
  });

  it("a ticket costs cards and turns, or turns alone", () => {
    expect(costWords({ cards: 3, turns: 4 })).toBe("3 cards, 4 turns");
    expect(costWords({ cards: 0, turns: 1 })).toBe("only to be claimed: 1 turn");
  });
});

describe("in Romanian", () => {
  beforeAll(() => setLanguage("ro"));

  it("numbers have their forms", () => {
    expect(chanceWords({ chance: 0.04 })).toBe("4\u00a0% șanse de câștig");
    expect(costWords({ cards: 1, turns: 2 })).toBe("1 carte, 2 ture");
  });
});
