// A state drawn from those that give a view, as src/macaz/game/worlds.py draws one.

import { VIEW } from "../net/records.ts";
import type { EditionData } from "./edition.ts";
import type { Kernel } from "./kernel.ts";
import { BadPosition } from "./position-reader.ts";

const WORD_BYTES = 8;

/** The record of a state; `words` begin its stream of random numbers: the same words give the same state. */
export function drawWorld(
  kernel: Kernel,
  edition: EditionData,
  seats: number,
  view: Uint8Array,
  words: readonly (number | bigint)[],
): Uint8Array {
  if (view.length !== VIEW.size) throw new Error("the record of a view has another size");
  const specs = kernel.constant("specs", edition.table(seats).array("spec"));
  const views = kernel.scratch("views", 1);
  const states = kernel.scratch("states", 1);
  const dice = kernel.scratch("dice", 1);
  views.bytes.set(view);
  states.bytes.fill(0);
  for (const [i, word] of words.entries()) dice.data.setBigInt64(i * WORD_BYTES, BigInt(word), true);
  const reason = kernel.call("draw_world", specs, views, states, kernel.scratch("rooms", 1), dice);
  if (reason !== 0) throw new BadPosition(`no state gives the view: ${reason}`);
  return states.bytes.slice();
}
