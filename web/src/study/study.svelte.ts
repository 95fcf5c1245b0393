// An analysis as it is shown: what is looked at, the table of it, and the address that holds it all.

import { TableState } from "../game/table.svelte.ts";
import { addLocalHost } from "../net/local.ts";
import { notify } from "../ui/notices.svelte.ts";
import { editionName } from "../words/names.ts";
import type { Saved } from "./address.ts";
import type { Board, Knowing } from "./board.ts";
import { PREFIX, StudyHost } from "./host.ts";

let made = 0;

export class Study {
  board: Board = $state.raw() as Board;
  /** the node that is looked at */
  node: number = $state(0);
  /** the node that it is compared with */
  other: number | null = $state(null);
  /** the seat that the player has chosen among those that are to decide */
  #chosen: number | null = $state(null);
  /** counts changes of the lines */
  #changed = $state(0);
  readonly table: TableState;
  readonly #host: StudyHost;

  constructor(board: Board, { node, other }: Pick<Saved, "node" | "other">) {
    this.board = board;
    this.node = board.tree.has(node) ? node : 0;
    this.other = other !== null && board.tree.has(other) ? other : null;
    const id = `${PREFIX}${(made += 1)}`;
    this.#host = new StudyHost(id, this.#looked, (action) => this.#play(action));
    addLocalHost(id, this.#host);
    const { map, plate } = board.edition;
    const title = editionName(map.id, map.title);
    this.table = new TableState({ ...this.#host.info(), title }, { ...map, title }, plate, notify);
  }

  /** the seat at whose side the table is shown: one that is to decide */
  get seat(): number {
    const game = this.board.game(this.node);
    if (this.#chosen !== null && game.deciding.includes(this.#chosen)) return this.#chosen;
    return game.deciding[0] ?? this.#chosen ?? 0;
  }

  get saved(): Saved {
    void this.#changed;
    const { board, node, other } = this;
    return { start: board.start, tree: board.tree, node, other };
  }

  get over(): boolean {
    return this.board.game(this.node).over;
  }

  /** Look at a node. */
  go = (node: number): void => {
    if (!this.board.tree.has(node)) return;
    this.node = node;
    if (this.other === node) this.other = null;
    this.#show();
  };

  back = (): void => {
    const parent = this.board.tree.at(this.node)?.parent;
    if (parent !== undefined) this.go(parent);
  };

  /** Go on along the line that was tried last. */
  forward = (): void => {
    const next = this.board.tree.children(this.node).at(-1);
    if (next !== undefined) this.go(next);
  };

  /** Look from the side of a seat that is to decide. */
  sit = (seat: number): void => {
    this.#chosen = seat;
    this.#show();
  };

  redraw = (): void => this.go(this.board.redraw(this.node));
  choose = (at: number, outcome: number): void => this.go(this.board.choose(this.node, at, outcome));

  /** Remove a node and what follows it. */
  remove = (node: number): void => {
    const parent = this.board.tree.at(node)?.parent ?? 0;
    const gone = this.board.tree.path(this.node).includes(node);
    const at = gone ? parent : this.node;
    const lost = this.other === null || this.board.tree.path(this.other).includes(node);
    const moved = this.board.remove(node);
    this.other = this.other === null || lost ? null : moved(this.other);
    this.go(moved(at));
  };

  /** Make the decision of a seat, wherever it comes from. */
  play = (action: number): void => this.#play(action);

  /** Compare this node with another one, or with none. */
  compare = (other: number | null): void => {
    this.other = other === this.node ? null : other;
  };

  /** Look with open hands, or from what a seat knows at the first node. */
  know = (knowing: Knowing): void => this.#restart({ knowing });

  /** Draw what is hidden again. */
  redeal = (): void => this.#restart({ seed: `${Number.parseInt(this.board.start.seed, 10) + 1 || 1}` });

  end = (): void => this.table.end();

  get #looked(): { board: Board; node: number; seat: number } {
    const { board, node, seat } = this;
    return { board, node, seat };
  }

  #play(action: number): void {
    this.go(this.board.play(this.node, this.seat, action));
  }

  #restart(change: Parameters<Board["from"]>[0]): void {
    const board = this.board.from(change);
    this.board = board;
    if (!board.tree.has(this.node) || board.lost) this.node = 0;
    if (this.other !== null && (!board.tree.has(this.other) || board.lost)) this.other = null;
    this.#show();
  }

  #show(): void {
    this.#changed += 1;
    this.#host.show(this.#looked);
  }
}
