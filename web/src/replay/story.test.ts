import { beforeAll, expect, it } from "vitest";

import type { Review, SeatReview, TicketReview } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { fateOf, storyOf } from "./story.ts";

beforeAll(() => setLanguage("en"));

const REVIEW = { winners: [0] } as Review;
const SEAT = { seat: 0, deal: 0.06, skill: -0.12, luck: 0.31 } as SeatReview;
const TICKET = { fate: "missed", joined: false, spaces: 5, cards: 2, stations: 0, turns: 3 } as TicketReview;

it("says how a player fared", () => {
  expect(storyOf(REVIEW, SEAT, "Ana", false)).toBe(
    "Ana won. The first deal was good (+6%), decisions cost 12%, and luck and the others gave 31%.",
  );
  expect(storyOf({ winners: [0, 1] } as Review, { ...SEAT, deal: 0, luck: -0.2 }, "Ana", false)).toBe(
    "Ana shared the win. The first deal was an average one, decisions cost 12%, and luck and the others took 20%.",
  );
  expect(storyOf(REVIEW, { ...SEAT, seat: 1, deal: -0.1, skill: -0.001, luck: 0.01 }, "Bo", false)).toBe(
    "Bo lost. The first deal was poor (\u221210%), no decision clearly cost anything, and luck and the others changed little.",
  );
  expect(storyOf(REVIEW, { ...SEAT, seat: 1 }, "Bo", true)).toContain("Bo resigned.");
});

it("says by how much a ticket was missed", () => {
  expect(fateOf(TICKET)).toBe("missed; 5 trains and 2 cards short, 3 turns away");
  expect(fateOf({ ...TICKET, spaces: null })).toBe("missed; no way was left");
  expect(fateOf({ ...TICKET, fate: "dropped", joined: true })).toBe(
    "given back; its cities are joined all the same",
  );
  expect(fateOf({ ...TICKET, fate: "completed", joined: true })).toBe("completed");
});
