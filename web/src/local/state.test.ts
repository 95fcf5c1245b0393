import { expect, test } from "vitest";

import { hintsAllowed, type SeatTerms, type Terms } from "./state.ts";

const person: SeatTerms = { bot: null, keptFor: null };
const bot: SeatTerms = { bot: "planner", keptFor: null };
const allowed = (seats: SeatTerms[], hints?: Terms["hints"]): boolean =>
  hintsAllowed({
    seats,
    standIn: "planner",
    first: null,
    reactions: true,
    ...(hints === undefined ? {} : { hints }),
  });

test("hints are for one who plays against bots, unless the table says otherwise", () => {
  expect([allowed([person, bot]), allowed([bot, person, bot], null)]).toEqual([true, true]);
  expect([allowed([person, person]), allowed([person, bot, person], null), allowed([bot, bot])]).toEqual([
    false,
    false,
    false,
  ]);
  expect([allowed([person, bot], false), allowed([person, person], true)]).toEqual([false, true]);
});
