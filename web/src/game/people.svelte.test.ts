import { beforeAll, describe, expect, it } from "vitest";

import type { Presence, SeatPresence } from "../net/wire.ts";
import { setLanguage } from "../words/words.ts";
import { People } from "./people.svelte.ts";

beforeAll(() => setLanguage("en"));

const HERE: SeatPresence = { here: true, since: null };
const gone = (since: number | null): SeatPresence => ({ here: false, since });
const told = (seats: (SeatPresence | null)[], more: Partial<Presence> = {}): Presence => ({
  type: "presence",
  seats,
  watching: [],
  more: 0,
  ...more,
});
const MINUTE = 60_000;

describe("who is at the table", () => {
  it("is not known before the server says it, and without a connection", () => {
    const people = new People();
    expect([people.words(0, 0), people.watching, people.awayFor(0, 0)]).toEqual(["", "", null]);
    people.hear(told([HERE], { watching: ["Zoe"] }), 0);
    people.forget();
    expect([people.words(0, 0), people.watching, people.isAway(0)]).toEqual(["", "", false]);
  });

  it("is told in words", () => {
    const people = new People();
    people.hear(told([HERE, null, gone(0), gone(null)]), 59_000);
    const at = (now: number): string[] => [0, 1, 2, 3].map((seat) => people.words(seat, now));
    expect(at(59_000)).toEqual(["here", "", "away", "away"]);
    expect(at(MINUTE)).toEqual(["here", "", "away for 1 minute", "away"]);
    expect(at(125 * MINUTE)).toEqual(["here", "", "away for 2 hours", "away"]);
    expect(at(72 * 60 * MINUTE)).toEqual(["here", "", "away for 3 days", "away"]);
  });

  it("counts an absence from its beginning, or from when this page saw it", () => {
    const people = new People();
    people.hear(told([gone(1000), gone(null)]), 5000);
    people.hear(told([gone(1000), gone(null)], { watching: ["Zoe"] }), 8000);
    expect([people.awayFor(0, 9000), people.awayFor(1, 9000)]).toEqual([8, 4]);
    people.hear(told([HERE, HERE]), 9000);
    expect(people.awayFor(0, 9000)).toBeNull();
  });

  it("lets a player wait, until the other has come and gone again", () => {
    const people = new People();
    people.hear(told([gone(0)]), 0);
    people.wait(0, 60, 0);
    expect([people.isWaiting(0, 59_999), people.isWaiting(0, MINUTE)]).toEqual([true, false]);
    people.hear(told([HERE]), 0);
    people.hear(told([gone(0)]), 0);
    expect(people.isWaiting(0, 1)).toBe(false);
  });

  it("names those who watch, and counts the others", () => {
    const people = new People();
    people.hear(told([], { watching: ["Dan", "Zoe"] }), 0);
    expect(people.watching).toBe("Watching: Dan and Zoe");
    people.hear(told([], { watching: ["Dan", "Zoe"], more: 3 }), 0);
    expect(people.watching).toBe("Watching: Dan, Zoe, and 3 more");
    people.hear(told([], { more: 3 }), 0);
    expect(people.watching).toBe("3 people watch");
  });
});
