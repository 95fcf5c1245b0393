import { expect, it } from "vitest";

import { handHidden } from "./hidden-hand.ts";

const line = (version: number, seat: number | null) => ({ version, seat, at: 0, sentences: ["…"] });

it("cards stay in sight while no other player here is to decide", () => {
  expect(handHidden({ next: null, seat: 0, log: [line(1, 0), line(2, 1)] }, 0)).toBe(false);
});

it("cards stay in sight after my own move, and are hidden when another player has moved", () => {
  expect(handHidden({ next: 2, seat: 0, log: [line(1, 1), line(2, 0)] }, 0)).toBe(false);
  expect(handHidden({ next: 2, seat: 0, log: [line(1, 1), line(2, 0), line(3, 1)] }, 0)).toBe(true);
});

it("cards are in sight for a player who came to look at them while another is to decide", () => {
  expect(handHidden({ next: 2, seat: 0, log: [line(2, 0), line(3, 1)] }, 3)).toBe(false);
  expect(handHidden({ next: 2, seat: 0, log: [line(2, 0), line(3, 1), line(4, 1)] }, 3)).toBe(true);
});
