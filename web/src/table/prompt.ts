// One line that says what the player is to do, or who is to decide.

import type { TableState } from "../game/table.svelte.ts";
import type { Move } from "../net/wire.ts";
import { count, type Key, language, listed, maybe, t } from "../words/words.ts";

const OWN: Record<string, Key> = {
  choose: "prompt.choose",
  start: "prompt.start",
  second: "prompt.second",
  keep: "prompt.keep",
  return: "prompt.return",
  tunnel: "prompt.tunnel",
  mark: "prompt.mark",
  alvin: "prompt.alvin",
};

const DOES: [Move["type"][], Key][] = [
  [["take", "blind"], "does.cards"],
  [["claim"], "does.claim"],
  [["draw-tickets"], "does.tickets"],
  [["station"], "does.station"],
];

const listedOr = (things: readonly string[]): string =>
  new Intl.ListFormat(language(), { type: "disjunction" }).format(things);

/** The prompt of a whole turn. */
export function turnPrompt(moves: readonly Move[]): string {
  const types = new Set(moves.map((move) => move.type));
  if (types.has("pass")) return t("prompt.pass");
  const does = DOES.filter(([kinds]) => kinds.some((kind) => types.has(kind))).map(([, key]) => t(key));
  return does.length ? t("prompt.turn", { does: listedOr(does) }) : t("prompt.mine");
}

/** Whether the player of this screen is to decide. */
export const isMine = (table: TableState): boolean =>
  table.seat !== null &&
  table.deciding.includes(table.seat) &&
  table.legal.length > 0 &&
  table.connection !== "moved";

/** Whether only bots are to decide. */
export const botsDecide = ({ info, deciding }: TableState): boolean =>
  info.status === "running" && deciding.length > 0 && deciding.every((seat) => info.seats[seat]?.bot);

/** @param long whether the bots have been thinking for some time */
export function prompt(table: TableState, building: boolean, long = false): string {
  const { view, seat, texts } = table;
  if (!view) return "";
  if (view.phase === "over" || table.info.status === "finished") return t("prompt.over");
  if (table.next !== null) return t("prompt.next", { name: texts.name(table.next) });
  if (isMine(table)) {
    if (building) return t("prompt.building");
    const own = OWN[view.phase];
    return own ? t(own) : turnPrompt(table.legal);
  }
  if (seat !== null && table.info.seats[seat]?.bot) return t("prompt.stand-in");
  const names = listed(table.deciding.map(texts.name));
  if (!names) return "";
  if (table.deciding.every((each) => !table.info.seats[each]?.bot && table.people.isAway(each)))
    return table.deciding.length > 1
      ? t("presence.waiting-several", { names })
      : t("presence.waiting-unknown", { name: names });
  if (long && botsDecide(table))
    return t(table.deciding.length > 1 ? "prompt.thinking.several" : "prompt.thinking", { names });
  return (
    maybe(`prompt.${view.phase}.other`, { names }) ??
    t(table.deciding.length > 1 ? "prompt.others" : "prompt.other", { names })
  );
}

/** For the title of the window. */
export function windowTitle(table: TableState): string {
  const { info, deciding, texts } = table;
  if (info.status === "running" && isMine(table) && !table.covered) return t("title.mine");
  if (info.status === "running" && deciding.length === 1)
    return t("title.other", { name: texts.name(deciding[0] ?? 0) });
  return info.title;
}

/** "Last round: 2 turns left", or nothing before it. */
export const lastRound = (turns: number): string =>
  turns ? t("last-round", { turns: count(turns, "turns") }) : "";
