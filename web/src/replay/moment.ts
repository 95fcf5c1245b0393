// The address of a moment of a game: its version, the eyes, and whether its review is open.

import type { Eyes } from "./frames.ts";

/** "?v=12&eyes=1&review=1"; the default eyes are left out. */
export const momentQuery = (version: number, eyes: Eyes | null = null, review = false): string =>
  `?v=${version}${eyes === null ? "" : `&eyes=${eyes}`}${review ? "&review=1" : ""}`;

/** Whether an address opens the review. */
export const reviewIn = (search: string): boolean => new URLSearchParams(search).get("review") === "1";

/** The eyes in an address, or null. */
export function eyesIn(search: string): Eyes | null {
  const named = new URLSearchParams(search).get("eyes");
  if (named === "all" || named === "spectator") return named;
  return named !== null && /^\d$/.test(named) ? Number(named) : null;
}

/** The part of an address that names a moment; empty if there is none. */
export function momentIn(search: string): string {
  const version = new URLSearchParams(search).get("v");
  return version !== null && /^\d+$/.test(version)
    ? momentQuery(Number(version), eyesIn(search), reviewIn(search))
    : "";
}
