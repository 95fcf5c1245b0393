// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";

import type { SeatInfo, TableInfo } from "../net/wire.ts";
import { seatAction, seatActionKey } from "./actions.ts";

const chair = (more: Partial<SeatInfo>): SeatInfo => ({
  kind: "person",
  name: "Ana",
  color: "blue",
  bot: null,
  reason: null,
  mine: false,
  kept: false,
  nonce: "none",
  shared_with: [],
  ...more,
});

function table(seats: SeatInfo[], more: Partial<TableInfo> = {}): TableInfo {
  return {
    status: "running",
    host: false,
    move_seconds: null,
    patience: 300,
    absence: 120,
    seats,
    ...more,
  } as TableInfo;
}

const MINE = chair({ mine: true });
const THEIRS = chair({ name: "Bob" });

describe("what can be done about a seat", () => {
  it("is nothing before and after the game, and for a bot's own seat", () => {
    expect(seatAction(table([MINE], { status: "waiting" }), 0, null)).toBeNull();
    expect(seatAction(table([MINE], { status: "finished" }), 0, null)).toBeNull();
    expect(seatAction(table([MINE, chair({ kind: "bot", bot: "greedy" })]), 1, 999)).toBeNull();
  });

  it("is to leave mine to a bot, and to take it back", () => {
    expect(seatAction(table([MINE]), 0, null)).toBe("bot-for-me");
    expect(seatAction(table([chair({ mine: true, bot: "greedy" })]), 0, null)).toBe("come-back");
  });

  it("is to call a bot for another player only after the host's patience, where no clock does", () => {
    const seats = [MINE, THEIRS];
    expect(seatAction(table(seats), 1, 299)).toBeNull();
    expect(seatAction(table(seats), 1, 300)).toBe("bot-for-them");
    expect(seatAction(table(seats), 1, null)).toBeNull();
    expect(seatAction(table(seats, { move_seconds: 60 }), 1, 999)).toBeNull();
    expect(seatAction(table([MINE, chair({ bot: "greedy", reason: "left" })]), 1, 999)).toBeNull();
  });

  it("is not for those who resigned, nor for a host who is behind", () => {
    const seats = [chair({ mine: true, bot: "greedy", reason: "resigned" }), THEIRS, THEIRS];
    expect(seatAction(table(seats), 1, 300)).toBeNull();
    expect(seatAction(table(seats, { host: true }), 1, 300)).toBeNull();
    expect(seatAction(table([THEIRS, THEIRS], { host: true }), 1, 300)).toBe("bot-for-them");
    expect(seatAction(table([THEIRS, THEIRS], { host: true, delay: 60 }), 1, 300)).toBeNull();
  });

  it("is to call a bot for a player who is away sooner than for one who thinks", () => {
    const seats = [MINE, THEIRS];
    expect(seatAction(table(seats), 1, 10, 119)).toBeNull();
    expect(seatAction(table(seats), 1, 10, 120)).toBe("bot-for-them");
    expect(seatAction(table(seats, { move_seconds: 86_400 }), 1, 10, 9999)).toBeNull();
    expect(seatAction(table([THEIRS]), 0, 10, 9999)).toBeNull();
  });

  it("is named, where several seats are mine", () => {
    expect(seatActionKey(table([MINE, THEIRS]), "bot-for-me")).toBe("room.bot-for-me");
    expect(seatActionKey(table([MINE, THEIRS]), "come-back")).toBe("room.come-back");
    expect(seatActionKey(table([MINE, MINE]), "bot-for-me")).toBe("room.bot-for-them");
    expect(seatActionKey(table([MINE, MINE]), "come-back")).toBe("room.come-back-named");
  });

  it("is not for those who only watch", () => {
    expect(seatAction(table([THEIRS]), 0, 999)).toBeNull();
    expect(seatAction(table([THEIRS], { host: true }), 0, 999)).toBe("bot-for-them");
  });
});
