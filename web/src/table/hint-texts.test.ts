import { beforeAll, describe, expect, it } from "vitest";

import { setLanguage } from "../words/words.ts";
import { costWords, figureWords, sureWords } from "./hint-texts.ts";

const BEST = { chance: 0.58, error: 0.014, loss: 0, doubt: 0 };
const CLOSE = { chance: 0.57, error: 0.02, loss: 0.01, doubt: 0.008 };
const UNKNOWN = { chance: 0.58, error: 0.06, loss: 0.001, doubt: 0.05 };
const WORSE = { chance: 0.54, error: 0.02, loss: 0.04, doubt: 0.01 };
const OPEN = { chance: 0.53, error: 0.03, loss: 0.05, doubt: 0.03 };

describe("in English", () => {
  beforeAll(() => setLanguage("en"));

  it("the best move has its chance, the others what they lose, each with its uncertainty", () => {
    expect(figureWords([BEST, CLOSE, WORSE, OPEN])).toEqual(["58% ± 3", "as good", "−4% ± 2", "−5% ± 6"]);
  });

  it("a move is as good only where that is known", () => {
    expect(figureWords([BEST, UNKNOWN, CLOSE])).toEqual(["58% ± 3", "0% ± 10", "−1% ± 2"]);
    const lost = { chance: 0, error: 0.001, loss: 0, doubt: 0.001 };
    expect(figureWords([lost, lost])).toEqual(["0%", "0%"]);
  });

  it("an equal that stands first has the chance of the best move", () => {
    expect(figureWords([{ ...CLOSE, loss: 0.004, chance: 0.576 }, BEST])).toEqual(["58% ± 4", "as good"]);
  });

  it("a figure that says nothing yet is not shown", () => {
    const few = { chance: 0.2, error: 0.4, loss: 0.31, doubt: 0.71 };
    expect(figureWords([{ ...BEST, error: 0.24 }, few])).toEqual(["58% ± 48", "not known yet"]);
  });

  it("what is certain has no uncertainty", () => {
    expect(figureWords([{ chance: 1, error: 0, loss: 0, doubt: 0 }])).toEqual(["100%"]);
    expect(figureWords([])).toEqual([]);
  });

  it("tries say how sure the figures are", () => {
    expect(sureWords(120, false)).toBe("still thinking: 120 tries");
    expect(sureWords(1024, true)).toBe("1,024 tries");
  });

  it("a ticket costs cards and turns, or turns alone", () => {
    expect(costWords({ cards: 3, turns: 4 })).toBe("3 cards, 4 turns");
    expect(costWords({ cards: 0, turns: 1 })).toBe("only to be claimed: 1 turn");
  });
});

describe("in Romanian", () => {
  beforeAll(() => setLanguage("ro"));

  it("numbers have their forms", () => {
    expect(figureWords([BEST, CLOSE, WORSE])).toEqual(["58\u00a0% ± 3", "la fel de bună", "−4\u00a0% ± 2"]);
    expect(sureWords(120, false)).toBe("încă se caută: 120 de încercări");
    expect(costWords({ cards: 1, turns: 2 })).toBe("1 carte, 2 ture");
  });
});
