// The bots of a local table: what each decides with the view of its seat, as src/macaz/bots does it.

import type { ArraysFile } from "./arrays.ts";
import {
  BOTS,
  CANDIDATES,
  CHUNK,
  COMPARED,
  END_NUMBERS,
  FORECASTS,
  INTENT_WORDS,
  NODES,
  SAMPLED,
  SEARCHED,
  SENSE_SIZE,
  SENSED_BY,
  TRIED_WORLDS,
  TRIES,
  TRY_NUMBERS,
  WISHES,
  WITHOUT_NETWORK,
  WORLDS,
} from "./codes.ts";
import { WorkingMemory, DICE_WORDS, element, fillOnes, WORD_BYTES } from "./working-memory.ts";
import type { TableData } from "./edition.ts";
import { Block, type Kernel } from "./kernel.ts";

// The arrays of a network file, in the order in which entries take them.
const WEIGHTS = ["columns", "factors", "weights", "biases", "speak", "speak_biases", "forecasts", "trust"];

/** How long to think about a decision: seconds, or an effort (playouts), which repeats from the same words. */
export type Limit = { readonly seconds: number } | { readonly effort: number };

/** Random integers from 1 to 2^32 - 1. */
export type Words = () => number;

/** What a bot is asked to decide. */
export interface Position {
  readonly table: TableData;
  readonly seat: number;
  /** the record of the seat's view */
  readonly view: Uint8Array;
  /** the seat's legal actions */
  readonly legal: readonly number[];
}

/** A decision that is being made, in steps of some milliseconds. */
export interface Thought {
  /** Think on; returns whether the decision is made. */
  step(): boolean;
  /** The action, once it is made. */
  readonly action: number;
}

/** Random words that follow from a seed of 64 bits (SplitMix64). */
export function wordsFrom(seed: bigint): Words {
  let state = BigInt.asUintN(64, seed);
  return () => {
    for (;;) {
      state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
      let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
      mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
      const word = Number((mixed ^ (mixed >> 31n)) >> 32n);
      if (word > 0) return word;
    }
  };
}

/** Make a decision without looking up between its steps. */
export function decide(thought: Thought): number {
  while (!thought.step());
  return thought.action;
}

const made = (action: number): Thought => ({ step: () => true, action });

/** Lets bots decide, in the memory of one kernel, which it shares with no other player.
 *
 * The memory has room for one network: a kernel is for the tables of one board. */
export class Players {
  readonly #kernel: Kernel;
  readonly #memory: WorkingMemory;
  readonly #network: readonly Block[] | null;
  readonly #layers: readonly Block[];

  /** `network` is the file of the network for the board, if there is one. */
  constructor(
    kernel: Kernel,
    network: ArraysFile | null,
    readonly now: () => number = () => performance.now() / 1000,
  ) {
    this.#kernel = kernel;
    this.#memory = new WorkingMemory(kernel);
    this.#network = network && WEIGHTS.map((name) => kernel.constant(name, arrayOf(network, name)));
    this.#layers = network ? this.#layersFor(network) : [];
  }

  /** Begin a decision of a bot, by its name. */
  think(bot: string, position: Position, words: Words, limit?: Limit): Thought {
    const kind = BOTS[bot];
    if (!kind) throw new Error(`no bot ${bot} plays here`);
    const [only] = position.legal;
    if (position.legal.length === 1 && only !== undefined) return made(only);
    const seconds = limit ?? { seconds: kind.seconds };
    switch (kind.how) {
      case "random":
        return made(position.legal[words() % position.legal.length] as number);
      case "styled":
        return made(this.styled(bot, position));
      case "search":
        return this.search(position, words, seconds);
      case "learned":
        if (!this.#network) return this.search(position, words, { effort: WITHOUT_NETWORK });
        return made(this.learned(position));
      case "expert":
        if (!this.#network) return this.search(position, words, seconds);
        return this.expert(position, words, seconds);
    }
  }

  /** What a player of a style decides. */
  styled(style: string, { table, seat, view }: Position): number {
    const [specs, guides] = this.#memory.board(table);
    const known = this.#memory.known(table, view, false);
    const { minds, dice, works } = this.#memory.games(WORLDS);
    fillOnes(dice);
    return this.#kernel.call(
      "choose_for",
      specs,
      guides,
      this.#memory.style(table, style),
      known,
      minds,
      dice,
      works,
      seat,
    );
  }

  /** What a network prefers. */
  learned(position: Position): number {
    const { table, seat } = position;
    const states = this.#evaluate(position);
    const { legal, wishes } = this.#questions();
    return this.#kernel.call(
      "choose_wished",
      ...this.#memory.board(table),
      states,
      legal.first(1),
      wishes.first(1),
      seat,
    );
  }

  /** Search in a tree of playouts; `seed` is that of the playouts' luck. */
  search(position: Position, words: Words, limit: Limit, seed = words() >>> 1): Thought {
    const { table, seat } = position;
    const kernel = this.#kernel;
    const began = this.now();
    const searches = this.#memory.searches(table);
    const games = this.#memory.games(WORLDS);
    const nodes = kernel.scratch("nodes", NODES);
    const board = this.#memory.board(table);
    this.#sample(position, words, games.worlds);
    fillWords(games.dice, words, 2);
    kernel.call("fill_worlds", board[0], games.worlds, searches, games.dice, SAMPLED, seat);
    kernel.call("begin_search", nodes, searches);
    const styles = this.#memory.playoutStyles(table);
    let playouts = 0;
    let first = began; // when the first playout began
    const grow = (count: number): void => {
      if (!playouts) first = this.now();
      const all = [...board, styles, ...Object.values(games), nodes, searches];
      kernel.call("search_on", ...all, seat, SEARCHED, seed, count);
      playouts += count;
    };
    /** How many playouts are left, and how many of them to make now. */
    const budget = (): [left: number, now: number] => {
      if ("effort" in limit) return [limit.effort - playouts, Math.min(limit.effort - playouts, CHUNK)];
      const now = this.now();
      const left = began + limit.seconds - now;
      return [playouts ? (left * playouts) / Math.max(now - first, 1e-6) : 1, CHUNK];
    };
    return {
      step: () => {
        const [left, count] = budget();
        if (left <= 0 || (playouts && kernel.call("search_lead", nodes) > left)) return true;
        grow(count);
        return false;
      },
      get action() {
        return kernel.call("best_searched", nodes);
      },
    };
  }

  /** Try the moves that a network prefers; `seed` is that of the tries' luck. */
  expert(position: Position, words: Words, limit: Limit, seed = words() >>> 1): Thought {
    const { table, seat } = position;
    const kernel = this.#kernel;
    const began = this.now();
    const board = this.#memory.board(table);
    const games = this.#memory.games(TRIED_WORLDS);
    const questions = this.#questions();
    const contests = kernel.scratch("contests", 1);
    contests.bytes.set(table.array("contests").bytes.subarray(0, contests.bytes.length));
    const most = "effort" in limit ? Math.min(COMPARED, Math.max(2, Math.floor(limit.effort / 2))) : COMPARED;
    const states = this.#evaluate(position);
    const asked = [states, questions.legal.first(1), questions.wishes.first(1)];
    const compared = kernel.call("list_contest", ...board, ...asked, contests, seat, most);
    if (compared === 1) return made(kernel.call("best_tried", contests));
    this.#sample(position, words, games.worlds);
    const searches = kernel.scratch("searches", 1);
    const drawn = kernel.scratch("dice", 1);
    fillWords(drawn, words, 1);
    kernel.call("fill_worlds", board[0], games.worlds, searches, drawn, SAMPLED, seat);
    fillOnes(games.dice);
    const tries = kernel.scratch("tries", CANDIDATES, TRY_NUMBERS);
    const all = [
      ...board,
      this.#memory.playoutStyles(table),
      ...Object.values(games),
      ...Object.values(questions),
    ];
    all.push(...(this.#network ?? []), ...this.#layers, contests, tries);
    const rounds = kernel.call("rounds_of", contests);
    let first = began; // when the first try began
    /** How many tries fit before a share of the limit is used, at the rate so far. */
    const left = (share: number): number => {
      const tried = kernel.call("tries_made", contests);
      if ("effort" in limit) return Math.ceil(limit.effort * share) - tried;
      const now = this.now();
      if (tried)
        return Math.trunc(((began + share * limit.seconds - now) * tried) / Math.max(now - first, 1e-6));
      first = now;
      return 1;
    };
    return {
      step: () => {
        const over = kernel.call("rounds_over", contests);
        if (over === rounds) return true;
        kernel.call("try_moves", ...all, seat, seed, left((over + 1) / rounds));
        return false;
      },
      get action() {
        return kernel.call("best_tried", contests);
      },
    };
  }

  #layersFor(network: ArraysFile): Block[] {
    const [inputs = 0] = arrayOf(network, "columns").shape;
    const [, width = 0] = arrayOf(network, "biases").shape;
    const longest = Math.max(inputs, width);
    return [
      this.#kernel.block("units", 2, width),
      this.#kernel.block("picked", longest),
      this.#kernel.block("amounts", longest),
      this.#kernel.block("values", TRIES, FORECASTS),
    ];
  }

  /** What a network is told and says, in the order in which entries take it. */
  #questions() {
    const kernel = this.#kernel;
    const words = kernel.scratch("row_words", TRIES, SENSE_SIZE / WORD_BYTES);
    return {
      rows: new Block(words.bytes.buffer as ArrayBuffer, words.at, SENSE_SIZE, [TRIES]),
      row_words: words,
      legal: kernel.scratch("legal", TRIES, INTENT_WORDS),
      wishes: kernel.scratch("wishes", TRIES, WISHES),
      endings: kernel.scratch("endings", TRIES, END_NUMBERS),
    };
  }

  /** Run the network on a position: its wishes and the legal intents are in the first rows of `questions`. */
  #evaluate({ table, seat, view }: Position): Block {
    if (!this.#network) throw new Error("there is no network for this board");
    const states = this.#memory.known(table, view, true);
    const games = this.#memory.games(WORLDS);
    const questions = Object.values(this.#questions());
    fillOnes(games.dice);
    this.#kernel.call(
      "show_to_network",
      ...this.#memory.board(table),
      this.#memory.style(table, SENSED_BY),
      states,
      ...Object.values(games),
      ...questions,
      this.#kernel.scratch("scripts", 1),
      seat,
    );
    this.#kernel.call("ask_network", ...this.#network, ...questions, ...this.#layers, 1);
    return states;
  }

  /** Draw the first worlds from those that give the view. */
  #sample({ table, view }: Position, words: Words, worlds: Block): void {
    const dice = this.#kernel.scratch("dice", 1);
    const rooms = this.#kernel.scratch("rooms", 1);
    for (let i = 0; i < SAMPLED; i += 1) {
      fillWords(dice, words, 1);
      const [specs] = this.#memory.board(table);
      if (this.#kernel.call("draw_world", specs, this.#memory.views(view), element(worlds, i), rooms, dice))
        throw new Error("no state gives this view");
    }
  }
}

function arrayOf(file: ArraysFile, name: string): ArraysFile["arrays"][string] {
  const found = file.arrays[name];
  if (!found) throw new Error(`the network file has no ${name}`);
  return found;
}

/** Begin streams of luck with random words. */
function fillWords(dice: Block, words: Words, count: number): void {
  for (let i = 0; i < count * DICE_WORDS; i += 1)
    dice.data.setBigInt64(i * WORD_BYTES, BigInt(words()), true);
}
