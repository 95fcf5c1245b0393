// The terms of a table in words.

import type { TableInfo } from "../net/wire.ts";
import { duration, t } from "../words/words.ts";

type Terms = Pick<TableInfo, "move_seconds" | "delay" | "hints" | "seeded"> &
  Partial<Pick<TableInfo, "first" | "listed">>;

export function termsOf({ first = null, listed = false, ...table }: Terms): string[] {
  return [
    table.move_seconds === null ? t("clock.0") : t("room.clock", { time: duration(table.move_seconds) }),
    ...(first === null ? [] : [t("room.first", { n: first + 1 })]),
    ...(table.delay ? [t("room.delay", { time: duration(table.delay) })] : []),
    ...(table.hints ? [t("room.hints")] : []),
    ...(listed ? [t("listed")] : []),
    ...(table.seeded ? [t("room.seeded")] : []),
  ];
}
