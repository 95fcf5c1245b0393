// The open tables of the first page: which are shown, and what they say.

import type { TableLine } from "../net/wire.ts";
import { listedName } from "../words/names.ts";
import { count, duration, listed, t } from "../words/words.ts";

export const SHOWN = 3; // tables before all are asked for

/** The tables of others: those with a free seat first, then those to watch; each group newest first. */
export const offered = (tables: readonly TableLine[]): TableLine[] =>
  tables
    .filter(({ mine }) => !mine.length)
    .toSorted((a, b) => Number(b.free.length > 0) - Number(a.free.length > 0));

/** The names of those who sit there, for a sentence. */
export const namesAt = ({ names }: TableLine): string =>
  listed(names.flatMap((name) => (name === null ? [] : [listedName(name)])));

/** Free seats, or how it stands; and the clock. */
export function aboutTable({ free, status, move_seconds }: TableLine): string {
  const seats = free.length ? count(free.length, "lobby.free") : t(`status.${status}`);
  return `${seats} · ${move_seconds === null ? t("clock.0") : duration(move_seconds)}`;
}
