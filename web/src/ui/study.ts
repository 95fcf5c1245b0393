// Links to the analysis board.

import { href } from "./router.svelte.ts";

/** The address of the board at a moment of a table, with all hands open or from what a seat knows. */
export const studyHref = (table: string, version: number, eyes: "all" | number): string =>
  href(`/analysis?table=${encodeURIComponent(table)}&v=${version}&eyes=${eyes}`);
