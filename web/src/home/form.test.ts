import { describe, expect, it } from "vitest";

import type { BotInfo, EditionLine } from "../net/wire.ts";
import { firstBot, granted, wanted } from "./form.ts";

const ALVIN = { name: "alvin", doc: "" };
const EDITIONS: EditionLine[] = [
  { id: "old-west", name: "Old West", min_seats: 2, max_seats: 6, options: [ALVIN], learned: true },
  { id: "usa", name: "USA", min_seats: 2, max_seats: 5, options: [], learned: true },
];
const BOTS: BotInfo[] = [
  { name: "weak", character: "", learned: false },
  { name: "fair", character: "", learned: false },
  { name: "strong", character: "", learned: false },
];
const bot = { who: "bot", bot: "fair" } as const;

describe("a wish", () => {
  it("is at first the USA against a bot that is neither the weakest nor the strongest", () => {
    const wish = granted({}, EDITIONS, BOTS);
    expect(wish.edition).toBe("usa");
    expect(wish.chairs).toEqual([{ who: "me" }, bot]);
    const conductor = { name: "conductor", character: "", learned: false };
    expect(firstBot([conductor, ...BOTS])).toBe("conductor");
    expect(firstBot([])).toBe("");
  });

  it("loses what this server does not have", () => {
    const wish = granted(
      { edition: "moon", chairs: [{ who: "me" }, { who: "bot", bot: "gone" }], standIn: "gone", seed: "1" },
      EDITIONS,
      BOTS,
    );
    expect(wish).toMatchObject({ edition: "usa", chairs: [{ who: "me" }, bot], standIn: "fair", seed: "" });
  });

  it("fits the edition's number of seats, and who begins is one of them", () => {
    const chairs = Array.from({ length: 6 }, () => bot);
    expect(granted({ edition: "old-west", chairs, first: 5 }, EDITIONS, BOTS)).toMatchObject({ first: 5 });
    const fewer = granted({ edition: "usa", chairs, first: 5 }, EDITIONS, BOTS);
    expect(fewer.chairs).toHaveLength(5);
    expect(fewer.first).toBeNull();
    expect(granted({ chairs: [] }, EDITIONS, BOTS).chairs).toEqual([bot, bot]);
  });
});

describe("the table that is asked for", () => {
  it("leaves it to the server who may have hints, unless somebody says so", () => {
    const usa = EDITIONS[1] as EditionLine;
    expect(wanted(granted({}, EDITIONS, BOTS), usa, "Ana").hints).toBeNull();
    expect(wanted(granted({ hints: false }, EDITIONS, BOTS), usa, "Ana").hints).toBe(false);
  });

  it("is not listed if its cards are those of a seed", () => {
    const usa = EDITIONS[1] as EditionLine;
    const wish = granted({ listed: true }, EDITIONS, BOTS);
    expect(wanted(wish, usa, "Ana")).toMatchObject({ listed: true, seed: null });
    expect(wanted({ ...wish, seed: " 7 " }, usa, "Ana")).toMatchObject({ listed: false, seed: "7" });
    expect(wanted({ ...wish, seed: " " }, usa, "Ana")).toMatchObject({ listed: true, seed: null });
  });

  it("seats those of this screen where they were put", () => {
    const chairs = [bot, { who: "me" }, { who: "link" }, { who: "here", name: "Bob" }] as const;
    const wish = granted({ chairs: [...chairs] }, EDITIONS, BOTS);
    const table = wanted(wish, EDITIONS[1] as EditionLine, "Ana");
    expect(table.seats.map((seat) => seat.kind)).toEqual(["bot", "person", "person", "person"]);
    expect(table.mine).toEqual(["Ana", "Bob"]);
    expect(table.mine_seats).toEqual([1, 3]);
  });

  it("has the options that the edition has, and no clock or seed unless wished", () => {
    const wish = granted({ edition: "old-west", options: ["alvin", "ghost"] }, EDITIONS, BOTS);
    expect(wanted(wish, EDITIONS[0] as EditionLine, "Ana")).toMatchObject({
      edition: "old-west+alvin",
      move_seconds: null,
      seed: null,
    });
    expect(wanted(wish, EDITIONS[1] as EditionLine, "Ana").edition).toBe("usa");
    expect(wanted({ ...wish, clock: 60, seed: " 7 " }, EDITIONS[0] as EditionLine, "Ana")).toMatchObject({
      move_seconds: 60,
      seed: "7",
    });
  });
});
