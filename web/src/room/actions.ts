// Actions on seats and tables.

import { newPledge } from "../game/nonce.ts";
import { post, recordOf } from "../net/api.ts";
import type { TableInfo } from "../net/wire.ts";
import { attempt } from "../ui/attempt.ts";
import { navigate } from "../ui/router.svelte.ts";
import { baseEdition } from "../words/names.ts";
import type { Key } from "../words/words.ts";

type SeatAction = "bot-for-me" | "bot-for-them" | "come-back";

/**
 * The action that this player has on a seat.
 *
 * @param waited seconds that it has been deciding; null: it is not, or is not to be looked at
 * @param away seconds that the person for whom the table waits has been away; null: they are here
 */
export function seatAction(
  info: TableInfo,
  seat: number,
  waited: number | null,
  away: number | null = null,
): SeatAction | null {
  const chair = info.seats[seat];
  if (info.status !== "running" || !chair || chair.kind === "bot") return null;
  if (chair.reason === "resigned") return null;
  if (chair.mine) return chair.bot ? "come-back" : "bot-for-me";
  const own = info.seats.filter(({ mine }) => mine);
  const mayAsk = own.length ? own.some(({ reason }) => reason !== "resigned") : info.host && !info.delay;
  const long = (waited ?? 0) >= info.patience || (away !== null && away >= info.absence);
  return mayAsk && !chair.bot && info.move_seconds === null && long ? "bot-for-them" : null;
}

/** Whether a resignation of a seat ends the game: if fewer than two people are left in it. */
export const endsWithout = ({ seats }: TableInfo, seat: number): boolean =>
  seats.filter(({ kind, reason }, i) => kind === "person" && reason !== "resigned" && i !== seat).length < 2;

/** What the button of an action says. Of several seats of one's own, "me" is not enough. */
export function seatActionKey(info: TableInfo, action: SeatAction): Key {
  if (info.seats.filter((seat) => seat.mine).length < 2) return `room.${action}`;
  return action === "come-back" ? "room.come-back-named" : "room.bot-for-them";
}

/** Create a table with the same players and terms, and go there. */
export async function rematch(table: string): Promise<void> {
  const next = await attempt(() => post<TableInfo>(`/tables/${table}/rematch`, { pledge: newPledge() }));
  if (next) navigate(`/tables/${next.id}`);
}

/** Save the record of a game that is in this browser as a file. A server sends it as one. */
export async function downloadRecord({ id, edition }: TableInfo): Promise<void> {
  const text = await attempt(() => recordOf(id));
  if (text === undefined) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `macaz-${baseEdition(edition)}-${id}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}
