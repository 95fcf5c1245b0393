// The lines of a log, those of one turn together.

import type { LogLine } from "../game/log.svelte.ts";

interface Turn {
  seat: number | null;
  lines: LogLine[];
}

/** Lines that follow each other and are about the same seat are one turn. */
export function turns(log: readonly LogLine[]): Turn[] {
  const found: Turn[] = [];
  for (const line of log) {
    const last = found.at(-1);
    if (last && last.seat === line.seat && line.seat !== null) last.lines.push(line);
    else found.push({ seat: line.seat, lines: [line] });
  }
  return found;
}
