// The games of an analysis: a position, the decisions that were tried from it, and the luck between them.

import { Dealer } from "../local/fair.ts";
import { Game } from "../local/game.ts";
import type { EditionData } from "../local/edition.ts";
import type { Kernel } from "../local/kernel.ts";
import { type PositionData, type PositionProblem, Positions } from "../local/position.ts";
import { drawWorld } from "../local/world.ts";
import type { Color, GameEvent, Move } from "../net/wire.ts";
import { Tree, type Tried } from "./tree.ts";

const WORDS = 4; // random numbers that a drawn state begins with
const REDRAWS = 40; // tries to find other luck

/** From whose knowledge a position is analysed: all hands are open, or a seat's. */
export type Knowing = "all" | number;

/** What an analysis begins with. */
export interface Start {
  /** with its options */
  edition: string;
  fingerprint: string;
  names: readonly string[];
  colors: readonly Color[];
  position: PositionData;
  knowing: Knowing;
  /** all luck follows from it */
  seed: string;
}

/** A position that cannot occur in a game. */
export class Impossible extends Error {
  constructor(readonly problems: readonly PositionProblem[]) {
    super("the position cannot occur in a game");
  }
}

export class Board {
  tree: Tree;
  readonly positions: Positions;
  /** how many decisions did not fit the position, and were left out */
  readonly lost: number;
  readonly #root: Game;
  readonly #games = new Map<number, Game>();

  /** Throws `BadPosition` or `Impossible`. */
  constructor(
    readonly kernel: Kernel,
    readonly edition: EditionData,
    readonly start: Start,
    tree = new Tree(),
  ) {
    const seats = start.position.seats.length;
    this.positions = new Positions(kernel, edition, seats);
    const draft = this.positions.read(start.position);
    const problems = this.positions.problems(draft);
    if (problems.length) throw new Impossible(problems);
    this.#root = new Game(kernel, edition, seats);
    this.#root.place(this.#world(draft));
    this.#root.deal(Dealer.seeded(start.seed));
    this.#root.takeEvents();
    this.tree = new Tree();
    this.lost = this.#take(tree);
  }

  /** Whether hidden cards and tickets were drawn at random. */
  get assumed(): boolean {
    return this.start.knowing !== "all" || this.start.position.seat !== undefined;
  }

  /** The game at a node. It is not to be changed. */
  game(node: number): Game {
    const tried = this.tree.at(node);
    if (!tried) return this.#root;
    let found = this.#games.get(node);
    if (!found) {
      found = this.#after(tried);
      this.#games.set(node, found);
    }
    return found;
  }

  /** The move that led to a node. */
  move(node: number): Move | null {
    const tried = this.tree.at(node);
    if (!tried) return null;
    return (
      this.game(tried.parent)
        .legal(tried.seat)
        .find(({ action }) => action === tried.action) ?? null
    );
  }

  /** What happened in the step to a node, with all hands open. */
  events(node: number): GameEvent[] {
    const tried = this.tree.at(node);
    return tried ? this.#events(this.#after(tried)) : [];
  }

  /** Try a decision after a node; returns its node. Throws `IllegalAction`. */
  play(node: number, seat: number, action: number): number {
    return this.#add({ parent: node, seat, action, chances: this.#deal(node, seat, action, "") });
  }

  /** Let chance decide again after the decision that led to a node; returns the node of the new outcomes, or the same
   * one where chance gives nothing else. */
  redraw(node: number): number {
    const tried = this.tree.at(node);
    if (!tried?.chances.length) return node;
    const { parent, seat, action } = tried;
    const known = new Set(
      this.tree.children(parent).flatMap((one) => {
        const other = this.tree.at(one);
        return other?.seat === seat && other.action === action ? [String(other.chances)] : [];
      }),
    );
    for (let again = 1; again <= REDRAWS; again += 1) {
      const chances = this.#deal(parent, seat, action, ` ${known.size}.${again}`);
      if (!known.has(String(chances))) return this.#add({ ...tried, chances });
    }
    return node;
  }

  /** What chance could have given in the place of each outcome of a node. */
  luck(node: number): { phase: number; outcome: number; possible: number[] }[] {
    const tried = this.tree.at(node);
    if (!tried) return [];
    const game = this.game(tried.parent).clone();
    game.push(tried.seat, tried.action);
    return tried.chances.map((outcome) => {
      const found = { phase: game.phase, outcome, possible: game.outcomes() };
      game.pushChance(outcome);
      return found;
    });
  }

  /** Choose an outcome of chance; those after it are drawn again. Returns the node. */
  choose(node: number, at: number, outcome: number): number {
    const tried = this.tree.at(node);
    if (!tried) return node;
    const game = this.game(tried.parent).clone();
    game.push(tried.seat, tried.action);
    const chances = [...tried.chances.slice(0, at), outcome];
    for (const one of chances) game.pushChance(one);
    chances.push(...game.deal(this.#dealer(`${chances.join(",")}`)));
    return this.#add({ ...tried, chances });
  }

  /** Remove a node and what follows; returns the new numbers of the others. */
  remove(node: number): (node: number) => number {
    const { tree, moved } = this.tree.without(node);
    this.tree = tree;
    this.#games.clear();
    return moved;
  }

  /** The same analysis from another start: decisions that do not fit are left out. */
  from(change: Partial<Start>): Board {
    return new Board(this.kernel, this.edition, { ...this.start, ...change }, this.tree);
  }

  /** The position at a node as data: all of it, or what a seat may know. */
  positionAt(node: number, knowing: Knowing): PositionData {
    const game = this.game(node);
    if (knowing === "all") return this.positions.ofState(game.snapshot());
    return this.positions.ofView(game.viewRecord(knowing));
  }

  /** The state that is played on: what is hidden is drawn at random. */
  #world(draft: Uint8Array): Uint8Array {
    const { knowing, position } = this.start;
    if (position.seat !== undefined) return this.#drawn(this.positions.view(draft));
    const state = this.positions.state(draft);
    if (knowing === "all") return state;
    const game = new Game(this.kernel, this.edition, position.seats.length);
    game.place(state);
    return game.over ? state : this.#drawn(game.viewRecord(knowing));
  }

  #drawn(view: Uint8Array): Uint8Array {
    const chance = Dealer.seeded(`world ${this.start.seed}`);
    const words = Array.from({ length: WORDS }, (_, i) => chance.draw(i, 1n << 62n) + 1n);
    return drawWorld(this.kernel, this.edition, this.start.position.seats.length, view, words);
  }

  /** Take the decisions of a tree that fit; returns how many do not. */
  #take(tree: Tree): number {
    const nodes = new Map([[0, 0]]);
    let lost = 0;
    tree.tried.forEach((tried, i) => {
      const parent = nodes.get(tried.parent);
      const node = parent === undefined ? null : this.#fitting({ ...tried, parent });
      if (node === null) lost += 1;
      else nodes.set(i + 1, node);
    });
    return lost;
  }

  #fitting(tried: Tried): number | null {
    if (this.#fits(tried)) return this.#add(tried);
    const game = this.game(tried.parent);
    if (!game.legal(tried.seat).some(({ action }) => action === tried.action)) return null;
    return this.#add({ ...tried, chances: this.#deal(tried.parent, tried.seat, tried.action, "") });
  }

  #fits(tried: Tried): boolean {
    try {
      return !this.#after(tried).chancePending;
    } catch {
      return false; // another position, or other rules
    }
  }

  #after({ parent, seat, action, chances }: Tried): Game {
    const game = this.game(parent).clone();
    game.takeEvents();
    game.push(seat, action);
    for (const outcome of chances) game.pushChance(outcome);
    return game;
  }

  #events(game: Game): GameEvent[] {
    return game.takeEvents().map((event) => game.narrowed(event, "all"));
  }

  #deal(node: number, seat: number, action: number, again: string): number[] {
    const game = this.game(node).clone();
    game.push(seat, action);
    return game.deal(this.#dealer(again));
  }

  /** Moves that are tried at one node meet the same luck. */
  #dealer(again: string): Dealer {
    return Dealer.seeded(`luck ${this.start.seed} ${again}`);
  }

  #add(tried: Tried): number {
    const { tree, node } = this.tree.with(tried);
    this.tree = tree;
    return node;
  }
}
