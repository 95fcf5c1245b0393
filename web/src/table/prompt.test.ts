import { beforeAll, describe, expect, it } from "vitest";

import type { TableState } from "../game/table.svelte.ts";
import type { Move } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { lastRound, prompt, turnPrompt, windowTitle } from "./prompt.ts";

beforeAll(() => setLanguage("en"));

const NAMES = ["Ana", "Ben", "Cleo"];
const take: Move = { type: "take", action: 1, color: 2 };

function table(more: object = {}): TableState {
  return {
    view: { phase: "turn" },
    seat: 0,
    deciding: [0],
    legal: [take],
    next: null,
    covered: false,
    connection: "open",
    animator: { busy: false },
    info: { status: "running", title: "USA", seats: NAMES.map(() => ({ bot: null })) },
    people: { isAway: (seat: number) => seat === 2 },
    texts: { name: (seat: number) => NAMES[seat] },
    ...more,
  } as unknown as TableState;
}

describe("what is to do", () => {
  it("names what a turn allows, and nothing else", () => {
    expect(turnPrompt([take, { type: "draw-tickets", action: 2 }])).toBe(
      "Your turn: take cards or draw tickets.",
    );
    expect(turnPrompt([{ type: "pass", action: 2 }])).toBe("There is nothing you can do. Pass.");
  });

  it("is told by what is asked", () => {
    expect(prompt(table(), false)).toBe("Your turn: take cards.");
    expect(prompt(table({ view: { phase: "second" } }), false)).toBe("Take a second card.");
    expect(prompt(table(), true)).toBe("Choose a city for your station.");
  });

  it("is told of others, several if several decide", () => {
    expect(prompt(table({ deciding: [1], legal: [] }), false)).toBe("Ben decides.");
    const choosing = table({ deciding: [1, 2], legal: [], view: { phase: "choose" } });
    expect(prompt(choosing, false)).toBe("Still choosing tickets: Ben and Cleo.");
    expect(prompt(table({ deciding: [1, 2], legal: [] }), false)).toBe("Deciding: Ben and Cleo.");
  });

  it("says of others that they are away, if all are", () => {
    expect(prompt(table({ deciding: [2], legal: [] }), false)).toBe("Cleo is to decide, but is away.");
    const choosing = { deciding: [1, 2], legal: [], view: { phase: "choose" } };
    expect(prompt(table(choosing), false)).toBe("Still choosing tickets: Ben and Cleo.");
    const seats = NAMES.map((_, seat) => ({ bot: seat === 2 ? "greedy" : null }));
    const standIn = table({ deciding: [2], legal: [], info: { status: "running", seats } });
    expect(prompt(standIn, false)).toBe("Cleo decides.");
  });

  it("says of bots that they think, when they have been at it for some time", () => {
    const seats = [{ bot: null }, { bot: "master" }, { bot: "search" }];
    const info = { status: "running", title: "USA", seats };
    expect(prompt(table({ deciding: [1], legal: [], info }), false)).toBe("Ben decides.");
    expect(prompt(table({ deciding: [1], legal: [], info }), false, true)).toBe("Ben is thinking …");
    expect(prompt(table({ deciding: [1, 2], legal: [], info }), false, true)).toBe(
      "Thinking: Ben and Cleo …",
    );
    expect(prompt(table({ deciding: [1], legal: [] }), false, true)).toBe("Ben decides.");
    expect(prompt(table({ info }), false, true)).toBe("Your turn: take cards.");
  });

  it("is nothing of mine once the seat is played elsewhere", () => {
    expect(prompt(table({ connection: "moved" }), false)).toBe("Ana decides.");
  });

  it("hands the screen on, and says when a bot plays", () => {
    expect(prompt(table({ deciding: [1], legal: [], next: 1 }), false)).toBe("Ben is next, on this screen.");
    const seats = [{ bot: "greedy" }, { bot: null }, { bot: null }];
    const standIn = table({ legal: [], info: { status: "running", title: "USA", seats } });
    expect(prompt(standIn, false)).toBe("A bot plays for you.");
  });

  it("is over at the end", () => {
    expect(prompt(table({ view: { phase: "over" }, deciding: [], legal: [] }), false)).toBe(
      "The game is over.",
    );
  });
});

it("the title of the window says whose turn it is", () => {
  expect(windowTitle(table())).toBe("Your turn");
  expect(windowTitle(table({ deciding: [2], legal: [] }))).toBe("Cleo decides");
  expect(windowTitle(table({ deciding: [], legal: [] }))).toBe("USA");
});

it("the last round counts its turns", () => {
  expect(lastRound(0)).toBe("");
  expect(lastRound(1)).toBe("Last round: 1 turn left");
  expect(lastRound(3)).toBe("Last round: 3 turns left");
});
