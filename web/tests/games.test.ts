// Whole games as the server sent them to several watchers; tests/page/test_reduce.py writes them.

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { viewsAfter } from "../src/game/reduce.ts";
import type { EditionMap, GameView, Update } from "../src/net/wire.ts";

interface Watched {
  title: string;
  map: EditionMap;
  updates: Update[];
  /** the server's views after each update */
  views: GameView[];
}

const path = process.env["MACAZ_GAMES"];
const games = path ? (JSON.parse(readFileSync(path, "utf8")) as Watched[]) : [];

/** At the end hidden cards and tickets become public without an event: the page requests them. */
function asTold(view: GameView, told: GameView): GameView {
  if (view.phase !== "over") return view;
  const seats = view.seats.map((seat, i) => {
    const { hand, tickets, offer } = told.seats[i] ?? seat;
    return { ...seat, hand: hand && seat.hand, tickets: tickets && seat.tickets, offer: offer && seat.offer };
  });
  return { ...view, seats, longest_paths: told.longest_paths };
}

describe.skipIf(!path)("the page sees a game as the server does", () => {
  test.each(games)("$title", ({ map, updates, views }) => {
    let [view] = views as [GameView];
    for (const [i, update] of updates.entries()) {
      if (i === 0) continue; // the deal, with which the page gets its first view
      const before = JSON.stringify(view);
      const after = viewsAfter(view, update, map).at(-1);
      const server = views[i];
      if (!after || !server) throw new Error("an update leads to a view");
      const told = update.events.map((event) => event.type).join(", ");
      expect(after, `version ${update.version}: ${told}`).toEqual(asTold(server, after));
      expect(JSON.stringify(view), "the view before is not touched").toBe(before);
      view = after;
    }
    expect(view.phase).toBe("over");
  });
});
