// What the list of unfinished games says of a game.

import { inBrowser } from "../net/local.ts";
import type { TableInfo, TableLine } from "../net/wire.ts";
import { listedName } from "../words/names.ts";
import { listed, t } from "../words/words.ts";

/** Who is to decide in a game; the seats that a bot plays may be those of people. */
export interface Deciding {
  seats: readonly number[];
  bots: boolean;
}

export const decidingIn = (seats: readonly number[], info: Pick<TableInfo, "seats">): Deciding => ({
  seats,
  bots: seats.length > 0 && seats.every((seat) => info.seats[seat]?.bot != null),
});

/** Whether a game stands still until it is opened: the bots of a browser think only while it is shown. */
const isPaused = ({ id }: TableLine, { bots }: Deciding): boolean => inBrowser(id) && bots;

export const isMine = (table: TableLine, deciding: Deciding): boolean =>
  !isPaused(table, deciding) && deciding.seats.some((seat) => table.mine.includes(seat));

export function stateOf(table: TableLine, deciding: Deciding): string {
  if (table.status === "waiting") return t("status.waiting");
  if (isPaused(table, deciding)) return t("go-on.paused");
  if (isMine(table, deciding)) return t("go-on.mine");
  const names = deciding.seats.map((seat) => listedName(table.names[seat] ?? t("somebody")));
  return names.length ? t("go-on.theirs", { names: listed(names) }) : t("status.running");
}

/** The names of all but the player, friends on the same screen included; `name` is the player's own. */
export function othersOf({ names, mine }: TableLine, name: string): string[] {
  const own = mine.find((seat) => names[seat] === name) ?? mine[0];
  return names.flatMap((other, seat) => (other !== null && seat !== own ? [listedName(other)] : []));
}
