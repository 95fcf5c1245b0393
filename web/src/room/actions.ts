import type { TableInfo } from "../net/wire.ts";

export type SeatAction = "bot-for-me" | "bot-for-them" | "come-back";

/** What I can do about a seat. `waited`: how many seconds it has been deciding; null: it is not. */
export function seatAction(info: TableInfo, seat: number, waited: number | null): SeatAction | null {
  const chair = info.seats[seat];
  if (info.status !== "running" || !chair || chair.kind === "bot") return null;
  if (chair.mine) return chair.bot ? "come-back" : "bot-for-me";
  const mayAsk = info.host || info.seats.some((other) => other.mine);
  const long = info.move_seconds === null && waited !== null && waited >= info.patience;
  return mayAsk && !chair.bot && long ? "bot-for-them" : null;
}
