// The lines of an analysis: decisions that were tried, as a tree. Node 0 is where it begins.

/** A decision that was tried after another node, and what chance gave then. */
export interface Tried {
  readonly parent: number;
  readonly seat: number;
  readonly action: number;
  readonly chances: readonly number[];
}

export class Tree {
  readonly #tried: readonly Tried[];

  /** Node n is element n - 1. A parent comes before its children. */
  constructor(tried: readonly Tried[] = []) {
    if (tried.some(({ parent }, i) => !(parent >= 0 && parent <= i))) throw new Error("not a tree");
    this.#tried = tried;
  }

  get tried(): readonly Tried[] {
    return this.#tried;
  }

  /** The decision that led to a node; null for the first. */
  at(node: number): Tried | null {
    return this.#tried[node - 1] ?? null;
  }

  has = (node: number): boolean => node === 0 || this.at(node) !== null;

  children(node: number): number[] {
    return this.#tried.flatMap(({ parent }, i) => (parent === node ? [i + 1] : []));
  }

  /** From the first node to this one, both included. */
  path(node: number): number[] {
    const found: number[] = [];
    for (let at: number | null = node; at !== null; at = this.at(at)?.parent ?? null) found.unshift(at);
    return found;
  }

  /** The node where the ways to two nodes part. */
  fork(one: number, other: number): number {
    const among = new Set(this.path(other));
    return this.path(one).findLast((node) => among.has(node)) ?? 0;
  }

  /** The tree with a decision, and its node: that of the same decision with the same luck, if it is there. */
  with(tried: Tried): { tree: Tree; node: number } {
    const known = this.#tried.findIndex((one) => same(one, tried));
    if (known >= 0) return { tree: this, node: known + 1 };
    return { tree: new Tree([...this.#tried, tried]), node: this.#tried.length + 1 };
  }

  /** The tree without a node and all that follows it, and the new numbers of the others. */
  without(node: number): { tree: Tree; moved: (node: number) => number } {
    const gone = new Set([node]);
    const numbers = new Map([[0, 0]]);
    const rest: Tried[] = [];
    this.#tried.forEach((tried, i) => {
      const at = i + 1;
      if (gone.has(at) || gone.has(tried.parent)) gone.add(at);
      else {
        rest.push({ ...tried, parent: numbers.get(tried.parent) ?? 0 });
        numbers.set(at, rest.length);
      }
    });
    const parent = this.at(node)?.parent ?? 0;
    return { tree: new Tree(rest), moved: (one) => numbers.get(one) ?? numbers.get(parent) ?? 0 };
  }
}

const same = (one: Tried, other: Tried): boolean =>
  one.parent === other.parent &&
  one.seat === other.seat &&
  one.action === other.action &&
  String(one.chances) === String(other.chances);
