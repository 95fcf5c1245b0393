// Slots of cards that lie face up. The server only counts the cards; players remember where each one lay.

/** A card's kind, or null for a gap. */
export type Slot = number | null;

/**
 * The slots after the row changed: a card that is still there keeps its slot, one that is gone leaves a gap (the last
 * one of several alike), and new cards fill the first gaps.
 */
export function arrange(slots: readonly Slot[], row: readonly number[], size: number): Slot[] {
  const left = [...row];
  const after: Slot[] = Array.from({ length: size }, () => null);
  const stay = (place: number): void => {
    const card = slots[place] ?? null;
    if (card === null || !left[card]) return;
    left[card] -= 1;
    after[place] = card;
  };
  for (let place = 0; place < size; place++) stay(place);
  left.forEach((many, card) => {
    for (let n = 0; n < many; n++) {
      const gap = after.indexOf(null);
      if (gap >= 0) after[gap] = card;
    }
  });
  return after;
}

/** Whether the cards of the slots are those of a row. */
export const holds = (slots: readonly Slot[], row: readonly number[]): boolean =>
  row.every((many, color) => slots.filter((card) => card === color).length === many);

/** The slots that have a card, and not the one of before. */
export const filled = (before: readonly Slot[], after: readonly Slot[]): Set<number> =>
  new Set(after.flatMap((card, place) => (card !== null && before[place] !== card ? [place] : [])));
