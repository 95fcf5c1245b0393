import { beforeAll, describe, expect, it } from "vitest";

import type { EditionMap, GameEvent } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { GameTexts } from "./texts.ts";

const texts = new GameTexts({
  cities: ["Roma", "Wien"].map((label) => ({ name: label, label, lat: 0, lon: 0 })),
  routes: [{ a: 0, b: 1, length: 4, color: 7, kind: "track", locomotives: 0, lane: 0 }],
  tickets: [],
} as unknown as EditionMap);
texts.names = ["Ana", "Ben"];

const taken: GameEvent = { type: "card-taken", seat: 0, color: 3 };
const drawn: GameEvent = { type: "blind-drawn", seat: 0, color: 8 };
const shuffled: GameEvent = { type: "deck-shuffled", size: 45 };
const claimed: GameEvent = {
  type: "route-claimed",
  seat: 0,
  route: 0,
  color: 7,
  cards: 3,
  locomotives: 1,
  points: [7, 21],
};

describe("in English", () => {
  beforeAll(() => setLanguage("en"));

  it("events are sentences, and a number has its noun", () => {
    expect(texts.sentences([taken, drawn, shuffled, claimed])).toEqual([
      "Ana took a white card.",
      "Ana drew a locomotive from the deck.",
      "The discards were shuffled into a new deck of 45 cards.",
      "Ana claimed Roma – Wien with 3 red and 1 locomotive for 7 points; Ben scored 21 points.",
    ]);
  });
});

describe("in Romanian", () => {
  beforeAll(() => setLanguage("ro"));

  it("a card agrees with its colour, and a number with its noun", () => {
    expect(texts.sentences([taken, drawn, shuffled, claimed])).toEqual([
      "Ana a luat o carte albă.",
      "Ana a tras din pachet o locomotivă.",
      "Cărțile jucate au fost amestecate într-un pachet nou: 45 de cărți.",
      "Ana a ocupat ruta Roma – Wien cu 3 × roșu și 1 locomotivă și a primit 7 puncte; Ben a primit 21 de puncte.",
    ]);
  });
});
