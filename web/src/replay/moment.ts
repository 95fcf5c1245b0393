// The address of a moment of a game: its version, and whose eyes it is seen with.

import type { Eyes } from "./frames.ts";

/** "?v=12&eyes=1"; eyes that are everybody's first choice need not be named. */
export const momentQuery = (version: number, eyes: Eyes | null = null): string =>
  `?v=${version}${eyes === null ? "" : `&eyes=${eyes}`}`;

/** The eyes that an address names, or null. */
export function eyesIn(search: string): Eyes | null {
  const named = new URLSearchParams(search).get("eyes");
  if (named === "all" || named === "spectator") return named;
  return named !== null && /^\d$/.test(named) ? Number(named) : null;
}

/** What an address says of a moment, and nothing else of it; empty if it names none. */
export function momentIn(search: string): string {
  const version = new URLSearchParams(search).get("v");
  return version !== null && /^\d+$/.test(version) ? momentQuery(Number(version), eyesIn(search)) : "";
}
