// What a player can do about the decision that can be taken back now.

import type { TableInfo, Takeback } from "../net/wire.ts";

export type Choice =
  /** take it back, or ask the others whether they agree */
  | { does: "take-back" | "ask"; seat: number }
  /** the others are asked: `seats` have not answered */
  | { does: "wait"; seats: readonly number[] }
  /** answer for this seat, to the player of `asker` */
  | { does: "answer"; seat: number; asker: number };

export function choiceOf(info: TableInfo, takeback: Takeback | null): Choice | null {
  if (!takeback || info.status !== "running") return null;
  const { seat, asked, waiting } = takeback;
  if (info.seats[seat]?.mine) {
    if (asked && waiting.length) return { does: "wait", seats: waiting };
    return { does: waiting.length ? "ask" : "take-back", seat };
  }
  const own = waiting.find((i) => info.seats[i]?.mine);
  return asked && own !== undefined ? { does: "answer", seat: own, asker: seat } : null;
}
