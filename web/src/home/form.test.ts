// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";

import type { BotInfo, EditionLine } from "../net/wire.ts";
import {
  botsOn,
  type Chair,
  clashingChair,
  downloads,
  firstBot,
  type GameForm,
  loadForm,
  placeFor,
  saveForm,
  tableRequest,
  validForm,
} from "./form.ts";

const ALVIN = { name: "alvin", doc: "" };
const EDITIONS: EditionLine[] = [
  {
    id: "old-west",
    name: "Old West",
    min_seats: 2,
    max_seats: 6,
    options: [ALVIN],
    learned: true,
    author: "",
    sentences: {},
  },
  {
    id: "usa",
    name: "USA",
    min_seats: 2,
    max_seats: 5,
    options: [],
    learned: true,
    author: "",
    sentences: {},
  },
];
const BOTS: BotInfo[] = [
  { name: "weak", character: "", learned: false },
  { name: "fair", character: "", learned: false },
  { name: "strong", character: "", learned: false },
];
const bot = { who: "bot", bot: "fair" } as const;

describe("a form", () => {
  it("is at first the USA against a bot that is neither the weakest nor the strongest", () => {
    const form = validForm({}, EDITIONS, BOTS);
    expect(form.edition).toBe("usa");
    expect(form.chairs).toEqual([{ who: "me" }, bot]);
    const conductor = { name: "conductor", character: "", learned: false };
    expect(firstBot([conductor, ...BOTS])).toBe("conductor");
    expect(firstBot([])).toBe("");
  });

  it("loses what this server does not have", () => {
    const form = validForm(
      { edition: "moon", chairs: [{ who: "me" }, { who: "bot", bot: "gone" }], standIn: "gone", seed: "1" },
      EDITIONS,
      BOTS,
    );
    expect(form).toMatchObject({ edition: "usa", chairs: [{ who: "me" }, bot], standIn: "fair", seed: "1" });
  });

  it("fits the edition's number of seats, and who begins is one of them", () => {
    const chairs = Array.from({ length: 6 }, () => bot);
    expect(validForm({ edition: "old-west", chairs, first: 5 }, EDITIONS, BOTS)).toMatchObject({ first: 5 });
    const fewer = validForm({ edition: "usa", chairs, first: 5 }, EDITIONS, BOTS);
    expect(fewer.chairs).toHaveLength(5);
    expect(fewer.first).toBeNull();
    expect(validForm({ chairs: [] }, EDITIONS, BOTS).chairs).toEqual([bot, bot]);
  });
});

describe("the table that is asked for", () => {
  it("leaves it to the host of the table who may have hints, unless the form says so", () => {
    const usa = EDITIONS[1] as EditionLine;
    expect(tableRequest(validForm({}, EDITIONS, BOTS), usa, "Ana").hints).toBeNull();
    expect(tableRequest(validForm({ hints: false }, EDITIONS, BOTS), usa, "Ana").hints).toBe(false);
  });

  it("keeps its seed when another map is chosen, but not until the next game", () => {
    const form = validForm({ edition: "usa", seed: "7" }, EDITIONS, BOTS);
    expect(validForm({ ...form, edition: "old-west" }, EDITIONS, BOTS).seed).toBe("7");
    saveForm(form);
    expect(loadForm()).toMatchObject({ edition: "usa", seed: "" });
  });

  it("is not listed if its cards are those of a seed", () => {
    const usa = EDITIONS[1] as EditionLine;
    const form = validForm({ listed: true }, EDITIONS, BOTS);
    expect(tableRequest(form, usa, "Ana")).toMatchObject({ listed: true, seed: null });
    expect(tableRequest({ ...form, seed: " 7 " }, usa, "Ana")).toMatchObject({ listed: false, seed: "7" });
    expect(tableRequest({ ...form, seed: " " }, usa, "Ana")).toMatchObject({ listed: true, seed: null });
  });

  it("seats those of this screen where they were put", () => {
    const chairs = [bot, { who: "me" }, { who: "link" }, { who: "here", name: "Bob" }] as const;
    const form = validForm({ chairs: [...chairs] }, EDITIONS, BOTS);
    const table = tableRequest(form, EDITIONS[1] as EditionLine, "Ana");
    expect(table.seats.map((seat) => seat.kind)).toEqual(["bot", "person", "person", "person"]);
    expect(table.mine).toEqual(["Ana", "Bob"]);
    expect(table.mine_seats).toEqual([1, 3]);
  });

  it("has the options that the edition has, and no clock or seed unless wished", () => {
    const form = validForm({ edition: "old-west", options: ["alvin", "ghost"] }, EDITIONS, BOTS);
    expect(tableRequest(form, EDITIONS[0] as EditionLine, "Ana")).toMatchObject({
      edition: "old-west+alvin",
      move_seconds: null,
      seed: null,
    });
    expect(tableRequest(form, EDITIONS[1] as EditionLine, "Ana").edition).toBe("usa");
    expect(
      tableRequest({ ...form, clock: 60, seed: " 7 " }, EDITIONS[0] as EditionLine, "Ana"),
    ).toMatchObject({
      move_seconds: 60,
      seed: "7",
    });
  });
});

describe("where a game is played", () => {
  const local = { editions: EDITIONS, bots: BOTS.filter(({ name }) => name !== "strong") };
  const here = (change: Partial<GameForm>): string => placeFor(validForm(change, EDITIONS, BOTS), local);

  it("in this browser, if all play there and nothing needs a server", () => {
    expect(here({ chairs: [{ who: "me" }, { who: "here", name: "Bo" }] })).toBe("browser");
    expect(here({ seed: "7" })).toBe("browser");
    expect(here({ hints: true })).toBe("browser");
  });

  it("at the server, if it was chosen or something needs it", () => {
    expect(here({ atServer: true })).toBe("server");
    expect(here({ chairs: [{ who: "me" }, { who: "link" }] })).toBe("server");
    expect(here({ chairs: [{ who: "me" }, { who: "bot", bot: "strong" }] })).toBe("server");
    expect(here({ standIn: "strong" })).toBe("server");
    expect(here({ clock: 60 })).toBe("server");
    expect(here({ delay: 30 })).toBe("server");
    expect(here({ listed: true })).toBe("server");
    expect(placeFor(validForm({}, EDITIONS, BOTS), { editions: [], bots: [] })).toBe("server");
  });
});

describe("a name that looks like another one", () => {
  const clash = (chairs: Chair[], like: string) => clashingChair(validForm({ chairs }, EDITIONS, BOTS), like);
  const friend = (name: string): Chair => ({ who: "here", name });

  it("is to be changed by the friend who has it", () => {
    expect(clash([{ who: "me" }, friend(" ana")], "Ana")).toBe(1);
    expect(clash([friend("Ana"), { who: "me" }], "Ana")).toBe(0);
    expect(clash([{ who: "me" }, friend("Ion"), friend("ion")], "Ion")).toBe(2);
  });

  it("is the player's own if no friend has it", () => {
    expect(clash([{ who: "me" }, bot], "Fair")).toBeNull();
    expect(clash([{ who: "me" }, friend("Ion"), bot], "Fair")).toBeNull();
  });
});

describe("on a board without a network", () => {
  const learned = (name: string): BotInfo => ({ name, character: "", learned: true });
  const bots = [
    ...BOTS,
    learned("learned"),
    { name: "master", character: "", learned: false },
    learned("expert"),
  ];
  const [west] = EDITIONS as [EditionLine];
  const editions = [...EDITIONS, { ...west, id: "own", learned: false }];
  const names = (line: { learned: boolean }) => botsOn(bots, line).map(({ name }) => name);

  it("bots that play with what they learned are not offered", () => {
    expect(names({ learned: true })).toEqual(["weak", "fair", "strong", "learned", "master", "expert"]);
    expect(names({ learned: false })).toEqual(["weak", "fair", "strong", "master"]);
  });

  it("the next weaker bot plays instead of one that was chosen for another board", () => {
    const chairs: Chair[] = ["learned", "expert", "weak"].map((name) => ({ who: "bot", bot: name }));
    const played = (edition: string) => validForm({ edition, chairs, standIn: "expert" }, editions, bots);
    expect(played("usa")).toMatchObject({ chairs, standIn: "expert" });
    const instead = ["strong", "master", "weak"].map((name) => ({ who: "bot", bot: name }));
    expect(played("own")).toMatchObject({ chairs: instead, standIn: "master" });
  });

  it("the first opponent is one that is offered there", () => {
    const strange = [learned("conductor"), ...BOTS];
    expect(validForm({ edition: "own" }, editions, strange).chairs[1]).toEqual(bot);
  });
});

it("bots with a network are downloaded, where there is one for the board", () => {
  const bots = [...BOTS, { name: "learned", character: "", learned: true }];
  const form = validForm({ chairs: [{ who: "me" }, { who: "bot", bot: "learned" }, bot] }, EDITIONS, bots);
  const usa = EDITIONS[1] as EditionLine;
  expect(downloads(form, usa, { editions: EDITIONS, bots })).toEqual(["learned"]);
  expect(downloads(form, { ...usa, learned: false }, { editions: EDITIONS, bots })).toEqual([]);
  expect(downloads(validForm({}, EDITIONS, bots), usa, { editions: EDITIONS, bots })).toEqual([]);
});
