// Advice, as src/macaz/help/advice has it, from the kernel's records.

import { aidsOf, costsOf, knownOf } from "../local/aids.ts";
import { NOTHING, OFFERED } from "../local/codes.ts";
import type { Kernel } from "../local/kernel.ts";
import { decode, moveText } from "../local/moves.ts";
import { ticketsAt } from "../local/view.ts";
import { LINE, type LineRecord, readField, readRecord, VIEW } from "../net/records.ts";
import type { Suggestion } from "../net/wire.ts";
import { type Comparer, lineCount, type Place, seatOf } from "./compare.ts";
import type { Ranked, Stand } from "./jobs.ts";

/** What does not depend on the tries: how the tickets stand, what they cost, what a tunnel may cost. */
export function standOf(kernel: Kernel, { edition, table, view }: Place): Stand {
  const seat = seatOf(view);
  if (seat < 0) return { seat: null, tickets: [], costs: [], stations: [], tunnels: [] };
  const known = knownOf(kernel, edition, table, seat, view);
  const { tickets, stations, tunnels } = aidsOf(known);
  return { seat, tickets, costs: costsOf(known, tickets), stations, tunnels };
}

/** The figures of ranked lines, with the best moves and those that are kept. */
export function figuresOf(
  comparer: Comparer,
  place: Place,
  lines: Uint8Array,
  most: number,
): Ranked["figures"] {
  const { seats } = place.table;
  const found = recordsOf(lines);
  const leader = found.find(({ rank }) => rank === 0);
  if (!leader) throw new Error("there is always a line");
  const shown = found
    .flatMap(({ action, rank, kept }, i) => (action !== NOTHING && (rank < most || kept) ? [i] : []))
    .sort((a, b) => (found[a]?.rank ?? 0) - (found[b]?.rank ?? 0));
  const reasons = comparer.reasons(place, lines, shown);
  const text = textsOf(place);
  return {
    chances: leader.chances.slice(0, seats),
    scores: leader.points.slice(0, seats).map((points) => points / Math.max(leader.tries, 1)),
    tries: found.reduce((sum, { tries }) => sum + tries, 0),
    moves: shown.map((i, at): Suggestion => {
      const { action, chance, error, loss, doubt, margin, tries } = found[i] as LineRecord;
      const told = { chance, error, loss, doubt, margin, tries };
      return { action, text: text(action), ...told, reasons: reasons[at] ?? [] };
    }),
  };
}

function recordsOf(lines: Uint8Array): LineRecord[] {
  const data = new DataView(lines.buffer, lines.byteOffset, lines.byteLength);
  return Array.from({ length: lineCount(lines) }, (_, i) => readRecord(LINE, data, i * LINE.size));
}

/** The texts of actions, as records have them. */
function textsOf({ edition, table, view }: Place): (action: number) => string {
  const data = new DataView(view.buffer, view.byteOffset, VIEW.size);
  const offer = ticketsAt(readField(VIEW, "ticket", data), edition.map, OFFERED + seatOf(view));
  return (action) => moveText(edition.map, decode(table, action, offer));
}
