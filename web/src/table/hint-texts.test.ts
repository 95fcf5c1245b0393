import { beforeAll, describe, expect, it } from "vitest";

import { setLanguage } from "../words/words.ts";
import { costWords, gainWords } from "./hint-texts.ts";

describe("in English", () => {
  beforeAll(() => setLanguage("en"));

  it("a gain is told in chance and points", () => {
    expect(gainWords({ gain: 0.041, points: 2.8 })).toBe("+4% to win, +3 points");
    expect(gainWords({ gain: -0.02, points: -1.2 })).toBe("−2% to win, −1 point");
  });

  it("what rounds to nothing is not told", () => {
    expect(gainWords({ gain: 0.03, points: 0.2 })).toBe("+3% to win");
    expect(gainWords({ gain: -0.004, points: 2 })).toBe("+2 points");
    expect(gainWords({ gain: -0.004, points: -0.4 })).toBe("about as good as any");
  });

  it("a ticket costs cards and turns, or turns alone", () => {
    expect(costWords({ cards: 3, turns: 4 })).toBe("3 cards, 4 turns");
    expect(costWords({ cards: 0, turns: 1 })).toBe("only to be claimed: 1 turn");
  });
});

describe("in Romanian", () => {
  beforeAll(() => setLanguage("ro"));

  it("numbers have their forms", () => {
    expect(gainWords({ gain: 0.04, points: 21 })).toBe("+4\u00a0% șanse de câștig, +21 de puncte");
    expect(costWords({ cards: 1, turns: 2 })).toBe("1 carte, 2 ture");
  });
});
