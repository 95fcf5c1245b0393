// Reasons for a move: found by the kernel, read from its records.

import { readRecord, REASON, type ReasonRecord } from "../net/records.ts";
import type { Reason } from "../net/wire.ts";
import { LENGTHS, REASON_CODES, REASONS_WEIGHED, STATES_STUDIED } from "./codes.ts";
import type { Block, Kernel } from "./kernel.ts";

/**
 * Why the move of line `one` is better than that of line `other` (-1: than the best other move), the
 * weightiest reason first. `known` is what the seat knows (`tell_known`), `lines` has all moves.
 */
export function reasonsFor(
  kernel: Kernel,
  specs: Block,
  known: Block,
  lines: Block,
  seat: number,
  one: number,
  other = -1,
): Reason[] {
  const states = kernel.scratch("states", STATES_STUDIED);
  const reasons = kernel.scratch("reasons", REASONS_WEIGHED + 1);
  states.bytes.set(known.bytes.subarray(0, known.size));
  const study = [
    states,
    kernel.scratch("works", 1),
    kernel.scratch("tallies", 1),
    kernel.scratch("networks", 1),
    kernel.scratch("plans", STATES_STUDIED),
    kernel.scratch("ways", LENGTHS),
    reasons,
  ];
  const found = kernel.call("list_reasons_for", specs, ...study, lines, seat, one, other);
  return Array.from({ length: found }, (_, i) =>
    reasonOf(readRecord(REASON, reasons.data, i * reasons.size)),
  );
}

/** A number that a record has; null for one that it does not have. */
const known = (value: number): number | null => (value < 0 ? null : value);

function reasonOf(record: ReasonRecord): Reason {
  const code = REASON_CODES[record.code - 1];
  if (code === undefined) throw new Error(`the kernel gave an unknown reason: ${record.code}`);
  return {
    code,
    route: known(record.route),
    ticket: known(record.ticket),
    other: known(record.other),
    seat: known(record.seat),
    color: known(record.color),
    city: known(record.city),
    amount: known(record.amount),
    of: known(record.of),
    share: known(record.share),
    instead: known(record.instead),
  };
}
