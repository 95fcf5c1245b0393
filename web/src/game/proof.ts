// What a browser checks of a deal after the game: that its own nonce is in it, and that the first hands
// follow from it. `macaz verify` checks every card.

import { Dealer, fitsPledge, type Share } from "../local/fair.ts";
import type { KeptNonce } from "./nonce.ts";

/** The deck as the edition has it: how many cards of each kind, and what a record calls them. */
export interface Deck {
  cards: readonly number[];
  words: readonly string[];
}

export type Verdict = "proved" | "missing" | "broken";

/** Whether a record contains the announcement, and its deal was made with the stored nonce. */
export function checkRecord(record: string, kept: KeptNonce, deck: Deck): Verdict {
  const [head = "", body = ""] = record.split("\n\n", 2);
  const lines = head.split("\n");
  const value = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2);
  const shares: Share[] = Array.from({ length: Number(value("seats")) }, (_, seat) => {
    const [pledge, nonce] = [value(`pledge ${seat + 1}`), value(`nonce ${seat + 1}`)];
    return {
      pledge: pledge === undefined || pledge === "none" ? null : pledge,
      nonce: nonce === undefined || nonce === "missing" ? null : nonce,
    };
  });
  const mine = shares.filter(({ pledge }) => pledge === kept.pledge);
  const announced = (kept.announcement ?? "").split("\n").filter((line) => line !== "");
  if (!mine.length || !announced.every((line) => lines.includes(line))) return "broken";
  if (mine.some(({ nonce }) => nonce === null)) return "missing";
  if (!shares.every(fitsPledge)) return "broken";
  const dealer = Dealer.of(value("secret") ?? "", shares);
  if (dealer.commitment !== value("commitment")) return "broken";
  return handsFollow(body.split("\n"), dealer, shares.length, deck) ? "proved" : "broken";
}

/** Whether the first player and the first hands are as this dealer deals them. */
function handsFollow(lines: readonly string[], dealer: Dealer, seats: number, deck: Deck): boolean {
  const left = [...deck.cards];
  const draw = (ways: number): number => Number(dealer.draw(index++, BigInt(ways)));
  let index = 0;
  for (const line of lines) {
    const first = /^begin: first (\d+)$/.exec(line);
    const hand = /^cards .*: (deal [a-z]+(?:; deal [a-z]+)*)$/.exec(line);
    if (first) {
      if (draw(seats) !== Number(first[1]) - 1) return false;
    } else if (hand) {
      for (const item of (hand[1] ?? "").split("; ")) {
        let way = draw(left.reduce((sum, count) => sum + count, 0));
        const kind = left.findIndex((count) => (way -= count) < 0);
        if (item !== `deal ${deck.words[kind]}`) return false;
        left[kind] = (left[kind] ?? 0) - 1;
      }
    } else break;
  }
  return index > seats;
}
