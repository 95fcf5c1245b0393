// Names of players at a local table.

import { Refusal } from "../net/refusal.ts";

const LONGEST = 24;
// Letters without ink that are neither spaces nor format characters: Hangul fillers, empty Braille.
const BLANK = "\\u115f\\u1160\\u3164\\uffa0\\u2800";
const HIDDEN = new RegExp(`[\\p{C}\\p{Z}${BLANK}]+`, "gu");
const UNSEEN = new RegExp(`[\\p{M}\\p{C}\\p{Z}${BLANK}]`, "gu");

const visible = (text: string): string => text.normalize("NFD").replace(UNSEEN, "");

/** A name as it is shown: no line breaks, nothing invisible, nothing that turns text around. */
export function oneLine(text: string): string {
  const shown = text.replace(HIDDEN, " ").trim();
  if (!visible(shown)) throw new Refusal("bad-value", "A name needs at least one letter that can be seen.");
  if ([...shown].length > LONGEST) throw new Refusal("bad-value", `A name has at most ${LONGEST} letters.`);
  return shown;
}

/** Equal for names that cannot be told apart. No stranger sits at a local table, so letters of other
 * scripts that look the same, with which a name could be forged, are not compared. */
export const alike = (name: string): string => visible(name.normalize("NFKC")).toLowerCase();

/** Refuse a name that looks like another one at the same table. */
export function checkName(name: string, others: readonly (string | null)[]): void {
  const taken = others.find((other) => other !== null && alike(other) === alike(name));
  if (taken == null) return;
  const message = `“${taken}” is at this table already. Choose a name that does not look like it.`;
  throw new Refusal("name-taken", message, { taken });
}
