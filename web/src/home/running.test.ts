// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from "vitest";

import type { SeatInfo, TableLine } from "../net/wire.ts";
import { setLanguage, t } from "../words/words.ts";
import { decidingIn, isMine, othersOf, stateOf } from "./running.ts";

beforeAll(() => setLanguage("en"));

const line = (more: Partial<TableLine> = {}): TableLine =>
  ({ id: "local-1", status: "running", names: ["Ana", "Conductor"], mine: [0], ...more }) as TableLine;
const info = (...bots: (string | null)[]) => ({ seats: bots.map((bot) => ({ bot }) as SeatInfo) });

describe("the state of a game", () => {
  it("is that it goes on when it is opened, while only bots of this browser decide", () => {
    const bots = decidingIn([1], info(null, "conductor"));
    expect(stateOf(line(), bots)).toBe(t("go-on.paused"));
    expect(stateOf(line({ id: "t1" }), bots)).toBe(t("go-on.theirs", { names: "Conductor" }));
    const standIn = decidingIn([0], info("conductor", "conductor"));
    expect(stateOf(line(), standIn)).toBe(t("go-on.paused"));
    expect(isMine(line(), standIn)).toBe(false);
  });

  it("is that it is the player's turn, also while a bot decides as well", () => {
    for (const deciding of [[0], [0, 1]])
      expect(stateOf(line(), decidingIn(deciding, info(null, "conductor")))).toBe(t("go-on.mine"));
  });

  it("is that it runs, until it is known who decides", () => {
    expect(stateOf(line(), decidingIn([], info()))).toBe(t("status.running"));
  });
});

describe("the others of a game", () => {
  it("are also the friends on this screen", () => {
    const table = line({ names: ["Bogdan", "Ana", "Conductor"], mine: [0, 1] });
    expect(othersOf(table, "Ana")).toEqual(["Bogdan", "Conductor"]);
    expect(othersOf(table, "renamed")).toEqual(["Ana", "Conductor"]);
  });

  it("are not free seats", () => {
    expect(othersOf(line({ names: ["Ana", null] }), "Ana")).toEqual([]);
  });
});
