// The cards to animate for some changes: from which position on the screen to which.

import type { Change, Pile } from "../game/changes.ts";

export interface CardAnimation {
  id: number;
  /** null: its face is not known */
  color: number | null;
  from: Box;
  to: Box;
  delay: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Finds a place on the screen by its selectors, the best first; null if none is visible. */
type Finder = (selectors: readonly string[]) => Box | null;

const MOST = 6; // cards of one change: more could not be distinguished
const STAGGER = 0.35; // share of the time between the start of the first and of the last card

const name = (pile: Pile): string => `[data-pile="${typeof pile === "string" ? pile : `seat-${pile.seat}`}"]`;

/** Selectors of a pile, the most exact first. */
function places(pile: Pile, color: number | null, leaves: boolean): string[] {
  if (pile === "row")
    return [leaves ? '[data-pile="row"] [data-gap]' : '[data-pile="row"] [data-fresh]', name(pile)];
  if (typeof pile === "string") return [name(pile)];
  const hand = `[data-hand]${name(pile)}`;
  return [...(color === null ? [] : [`${hand} [data-color="${color}"]`]), hand, name(pile)];
}

/** The animations of changes that happen together. */
export function cardAnimations(
  changes: readonly Change[],
  find: Finder,
  ms: number,
  firstId: number,
): CardAnimation[] {
  const found: Omit<CardAnimation, "delay">[] = [];
  let id = firstId;
  for (const change of changes) {
    if (change.kind !== "card") continue;
    const from = find(places(change.from, change.color, true));
    const to = find(places(change.to, change.color, false));
    if (!from || !to) continue;
    for (let n = 0; n < Math.min(change.count, MOST); n++)
      found.push({ id: id++, color: change.color, from, to });
  }
  return found.map((animation, n) => ({
    ...animation,
    delay: found.length > 1 ? (n / (found.length - 1)) * STAGGER * ms : 0,
  }));
}
