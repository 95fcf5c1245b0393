// The state of a local table as the fold of its log: seats, game, and since when each seat is to decide.
// There is no storage here: `follow` returns the state after an entry. Live play, a reload and the entries
// of other tabs all go through it.

import type { Color, SeatInfo, Status } from "../net/wire.ts";
import type { Acted, Announced, Dealt, Entry, Resigned, TakenBack } from "./entries.ts";
import type { Dealer, Share } from "./fair.ts";
import type { EditionData } from "./edition.ts";
import type { RawEvent } from "./events.ts";
import { Game } from "./game.ts";
import type { Kernel } from "./kernel.ts";
import { announcement } from "./record.ts";
import { type Made, undoableAfter } from "./takeback.ts";

export const ME = "me"; // the only person of a browser
export const COLORS: readonly Color[] = ["blue", "red", "green", "yellow", "black", "purple"];

/** Who may have a seat: a bot, any person, or one person only (in a rematch). */
export interface SeatTerms {
  bot: string | null;
  keptFor: string | null;
}

/** The options of a table. They never change. */
export interface Terms {
  seats: SeatTerms[];
  standIn: string;
  first: number | null;
  reactions: boolean;
  /** whether players may ask for hints; not given: only where a single person plays */
  hints?: boolean | null;
}

/** Whether players may ask for hints. */
export const hintsAllowed = ({ hints, seats }: Terms): boolean =>
  hints ?? seats.filter(({ bot }) => bot === null).length === 1;

/** Who sits on a seat. `bot` decides for it now, if there is one. */
export interface Chair {
  name: string | null;
  color: Color;
  person: string | null;
  bot: string | null;
  /** why a bot stands in, or plays to the end */
  reason: SeatInfo["reason"];
  /** of the nonce that the person's page adds to the deal */
  pledge: string | null;
}

/** What a decision, or the first deal, led to. */
export interface Step {
  game: Game;
  events: readonly RawEvent[];
}

/** A table after so many entries of its log. */
export interface TableState {
  chairs: readonly Chair[];
  version: number;
  at: number;
  /** it is never changed: a decision is made in a clone of it */
  game: Game | null;
  announced: string | null;
  announcedAt: number;
  /** by seat: what its person adds to the deal, from the announcement on; null where a seed decides */
  shares: readonly Share[] | null;
  closed: boolean;
  /** the decisions since something was revealed, oldest first */
  undoable: readonly Made[];
  /** by seat: the version and the time at which its person or bot was asked to decide, if it was */
  since: readonly (readonly [version: number, at: number] | null)[];
}

/** What the game of a table is made of, and how its cards are dealt, which is kept secret. */
export class Deal {
  constructor(
    readonly kernel: Kernel,
    readonly edition: EditionData,
    readonly terms: Terms,
    readonly dealer: Dealer,
    /** the position with which the game begins; null: cards are dealt */
    readonly position: Uint8Array | null = null,
  ) {}

  /** The dealer of the game, with the nonces that were added. */
  dealerOf({ shares }: TableState): Dealer {
    return shares ? this.dealer.withShares(shares) : this.dealer;
  }

  newGame(): Game {
    const game = new Game(this.kernel, this.edition, this.terms.seats.length, this.terms.first);
    if (this.position) game.place(this.position);
    return game;
  }
}

const isFree = ({ person, bot }: Chair): boolean => person === null && bot === null;
export const isFull = ({ chairs }: TableState): boolean => !chairs.some(isFree);
export const freeSeats = ({ chairs }: TableState): number[] =>
  chairs.flatMap((chair, seat) => (isFree(chair) ? [seat] : []));
export const seatsOf = ({ chairs }: TableState, person: string): number[] =>
  chairs.flatMap((chair, seat) => (chair.person === person ? [seat] : []));

export function statusOf({ closed, game }: TableState): Status {
  if (closed) return "closed";
  if (!game) return "waiting";
  return game.over ? "finished" : "running";
}

/** Whether a pledged nonce has not been added yet. */
export const noncesMissing = ({ shares }: TableState): boolean =>
  shares?.some(({ pledge, nonce }) => pledge !== null && nonce === null) ?? false;

export const decidingIn = ({ closed, game }: TableState): readonly number[] =>
  closed || !game ? [] : game.deciding;

/** Whether the question that a seat was asked with that version still waits for its bot. */
export const asksBot = ({ since, chairs }: TableState, seat: number, version: number): boolean =>
  since[seat]?.[0] === version && Boolean(chairs[seat]?.bot);

/** The table before its first entry. */
export function newState({ seats }: Terms): TableState {
  const names = seats.map(({ bot }) => bot && capitalized(bot));
  const chairs = seats.map(({ bot }, seat) => ({
    // Bots of one kind are numbered, as the names in a record are distinct.
    name: bot && numbered(names, seat),
    color: COLORS[seat] ?? "blue",
    person: null,
    bot,
    reason: null,
    pledge: null,
  }));
  return {
    chairs,
    version: 0,
    at: 0,
    game: null,
    announced: null,
    announcedAt: 0,
    shares: null,
    closed: false,
    undoable: [],
    since: seats.map(() => null),
  };
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function numbered(names: readonly (string | null)[], seat: number): string {
  const same = (name: string | null): boolean => name === names[seat];
  const several = names.filter(same).length > 1;
  return `${names[seat] ?? ""}${several ? ` ${names.slice(0, seat + 1).filter(same).length}` : ""}`;
}

/** The wanted colour if no person has it, else the seat's own or the first that is free. */
export function freeColor({ chairs }: TableState, wanted: Color, seat: number): Color {
  const taken = chairs.flatMap(({ person, color }, i) => (i !== seat && person !== null ? [color] : []));
  const own = chairs[seat]?.color ?? wanted;
  return [wanted, own, ...COLORS].find((color) => !taken.includes(color)) ?? wanted;
}

/** Give a bot another colour if the person who sat down has its own. */
function recolored(chairs: readonly Chair[], seat: number, old: Color): Chair[] {
  const changed = [...chairs];
  changed.forEach((chair, i) => {
    if (i === seat || !chair.bot || chair.person || chair.color !== changed[seat]?.color) return;
    const used = changed.filter((one) => !isFree(one)).map(({ color }) => color);
    const spare = [old, ...COLORS].find((color) => !used.includes(color));
    if (spare) changed[i] = { ...chair, color: spare };
  });
  return changed;
}

// -- the game

/** The names of the seats, as the record has them. */
export const gameNames = ({ chairs }: TableState): string[] =>
  chairs.map(({ name }, seat) => name ?? `Seat ${seat + 1}`);

const stepOf = (game: Game): Step => ({ game, events: game.takeEvents() });

/** The first deal, and the entry of it. */
export function begin(deal: Deal, state: TableState): { step: Step; entry: Dealt } {
  const game = deal.newGame();
  const chances = game.deal(deal.dealerOf(state));
  return { step: stepOf(game), entry: { kind: "dealt", chances } };
}

/** A decision, and the entry of it; throws `IllegalAction`. */
export function act(
  deal: Deal,
  state: TableState,
  seat: number,
  action: number,
  bot: string,
): { step: Step; entry: Acted } {
  const game = forked(state);
  game.push(seat, action);
  const chances = game.deal(deal.dealerOf(state));
  return { step: stepOf(game), entry: { kind: "acted", seat, action, chances, bot } };
}

function forked({ game }: TableState): Game {
  if (!game) throw new Error("a decision before the deal");
  return game.clone();
}

/** The announcement that is made before the first deal. */
export function announce(deal: Deal, state: TableState): Announced {
  const { dealer, edition, terms } = deal;
  if (dealer.seed !== null) {
    const text = `The cards of this game are those of the seed ${dealer.seed}.\n`;
    return { kind: "announced", text, pledges: null };
  }
  const pledges = state.chairs.map(({ pledge }) => pledge);
  const shares = pledges.map((pledge) => ({ pledge, nonce: null }));
  const published = { map: edition.map, names: gameNames(state), first: terms.first, shares };
  const text = announcement(published, dealer.commitment);
  return { kind: "announced", text, pledges };
}

// -- the fold

/** The state after an entry, and what happened in the game. `known` is the step of it, where it is known already. */
export function follow(
  deal: Deal,
  state: TableState,
  entry: Entry,
  at: number,
  known?: Step,
): { state: TableState; events: readonly RawEvent[] } {
  const version = state.version + 1;
  let events: readonly RawEvent[] = [];
  let after: TableState = { ...state, version, at };
  if (entry.kind === "dealt" || entry.kind === "acted") {
    const step = known ?? replay(deal, state, entry);
    after = { ...after, game: step.game, undoable: undoableAfter(state, entry, step) };
    ({ events } = step);
  } else if (entry.kind === "taken-back") {
    const made = state.undoable.at(-entry.decisions);
    if (!made || !state.game) throw new Error("there is nothing to take back");
    const game = made.game.clone();
    game.tookBack(state.game);
    after = { ...after, game, undoable: state.undoable.slice(0, -entry.decisions) };
  } else if (entry.kind === "resigned") {
    const game = forked(state);
    game.resign(entry.seat, entry.ends);
    events = game.takeEvents();
    const chairs = withChair(state, entry.seat, { bot: entry.bot, reason: "resigned" });
    after = { ...after, chairs, game, undoable: [] };
  } else after = { ...after, ...changed(state, entry, at) };
  return { state: { ...after, since: sinceWhen(state, after, entry) }, events };
}

function changed(
  state: TableState,
  entry: Exclude<Entry, Dealt | Acted | TakenBack | Resigned>,
  at: number,
): Partial<TableState> {
  switch (entry.kind) {
    case "sat": {
      const { seat, person, name, color, pledge } = entry;
      const old = state.chairs[seat]?.color ?? color;
      const sat = { person, name, color, pledge, bot: null, reason: null };
      return { chairs: recolored(withChair(state, seat, sat), seat, old) };
    }
    case "left": {
      const left = { name: null, person: null, bot: null, reason: null, pledge: null };
      return { chairs: withChair(state, entry.seat, left) };
    }
    case "stood-in":
      return { chairs: withChair(state, entry.seat, { bot: entry.bot, reason: entry.reason }) };
    case "came-back":
      return { chairs: withChair(state, entry.seat, { bot: null, reason: null }) };
    case "announced": {
      const shares = entry.pledges?.map((pledge) => ({ pledge, nonce: null })) ?? null;
      return { announced: entry.text, announcedAt: at, shares };
    }
    case "nonce-added": {
      const { seats, nonce } = entry;
      const added = (share: Share, seat: number): Share =>
        seats.includes(seat) ? { ...share, nonce } : share;
      return { shares: state.shares?.map(added) ?? null };
    }
    case "closed":
      return { closed: true };
  }
}

const withChair = ({ chairs }: TableState, seat: number, change: Partial<Chair>): Chair[] =>
  chairs.map((chair, i) => (i === seat ? { ...chair, ...change } : chair));

function replay(deal: Deal, state: TableState, entry: Dealt | Acted): Step {
  const game = entry.kind === "dealt" ? deal.newGame() : forked(state);
  if (entry.kind === "acted") game.push(entry.seat, entry.action);
  for (const outcome of entry.chances) game.pushChance(outcome);
  return stepOf(game);
}

/** Since when each seat is to decide; a decision, a deal or a change of player resets it. */
function sinceWhen(before: TableState, after: TableState, entry: Entry): TableState["since"] {
  const deciding = decidingIn(after);
  const changes = ["acted", "stood-in", "came-back", "taken-back", "resigned"];
  const touched = changes.includes(entry.kind) && "seat" in entry ? entry.seat : null;
  return after.chairs.map((_, seat) => {
    if (!deciding.includes(seat)) return null;
    const known = before.since[seat];
    return known && seat !== touched ? known : ([after.version, after.at] as const);
  });
}
