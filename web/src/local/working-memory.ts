// What the players and the analysis work on in the memory of a kernel.

import { SEATS, SENSED_BY, TRIES, WORLDS } from "./codes.ts";
import type { TableData } from "./edition.ts";
import { Block, type Kernel } from "./kernel.ts";

export const WORD_BYTES = 8;
export const DICE_WORDS = 4;

/** The arrays of a kernel that a decision needs; what a call wrote there, the next one overwrites. */
export class WorkingMemory {
  constructor(readonly kernel: Kernel) {}

  /** The compiled rules of a table, and what the players derive from its map. */
  board(table: TableData): [specs: Block, guides: Block] {
    return [
      this.kernel.constant("specs", table.array("spec")),
      this.kernel.constant("guides", table.array("guide")),
    ];
  }

  style(table: TableData, name: string): Block {
    const styles = this.kernel.constant("styles", table.array("styles"));
    const at = (table.file.about["styles"] as string[]).indexOf(name);
    if (at < 0) throw new Error(`there is no style ${name}`);
    return element(styles, at);
  }

  /** The style of playouts, for each seat. */
  playoutStyles(table: TableData): Block {
    const styles = this.kernel.scratch("styles", SEATS);
    const style = this.style(table, SENSED_BY).bytes;
    for (let seat = 0; seat < SEATS; seat += 1) styles.bytes.set(style, seat * style.length);
    return styles;
  }

  /** The numbers that a search begins with. */
  searches(table: TableData): Block {
    const searches = this.kernel.scratch("searches", 1);
    searches.bytes.set(table.array("searches").bytes.subarray(0, searches.bytes.length));
    return searches;
  }

  /** What games under way are played on, in the order in which entries take it. */
  games(worlds: number) {
    const { kernel } = this;
    return {
      states: kernel.scratch("states", TRIES),
      worlds: kernel.scratch("worlds", WORLDS).first(worlds),
      minds: kernel.scratch("minds", 2 * SEATS),
      dice: kernel.scratch("dice", TRIES + 1),
      works: kernel.scratch("works", 1),
      tallies: kernel.scratch("tallies", 1),
    };
  }

  views(view: Uint8Array): Block {
    const views = this.kernel.scratch("views", 1);
    views.bytes.set(view);
    return views;
  }

  /** What the seat knows, as a state; `counted`: the hidden tickets are assigned, too. */
  known(table: TableData, view: Uint8Array, counted: boolean): Block {
    const states = this.kernel.scratch("positions", 1);
    states.bytes.fill(0);
    this.kernel.call("tell_known", this.board(table)[0], this.views(view), states, Number(counted));
    return states;
  }
}

/** One element of an array of one axis, as an array. */
export function element(block: Block, i: number): Block {
  return new Block(block.bytes.buffer as ArrayBuffer, block.at + i * block.size, block.size, [1]);
}

/** Begin streams of luck that no player without chance draws from, and that must not be zero. */
export function fillOnes(dice: Block): void {
  const words = new BigInt64Array(dice.bytes.buffer, dice.at, dice.bytes.length / WORD_BYTES);
  words.fill(1n);
}
