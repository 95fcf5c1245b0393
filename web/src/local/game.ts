// One game: its state, what is legal, making moves, and what each seat may see of it, as src/macaz/game has them.

import { EVENT, readField, readRecord, STATE, TALLY, VIEW, type ViewRecord } from "../net/records.ts";
import type { Aids, GameEvent, GameView, Move, Outcome, Situation } from "../net/wire.ts";
import { aidsOf, knownOf, shortAt, wordAt } from "./aids.ts";
import {
  ACTIONS,
  CARDS,
  CHOOSE,
  DEAL_FIRST,
  DEAL_OFFER,
  DEAL_SETUP,
  E_GAME_ENDED,
  EVENTS,
  MOST_EVENTS,
  OFFERED,
  OVER,
  PRICE,
  REASONS,
  type WhyNot,
} from "./codes.ts";
import type { EditionData, TableData } from "./edition.ts";
import { eventData, kindIn, type RawEvent } from "./events.ts";
import type { Dealer } from "./fair.ts";
import type { Block, Kernel } from "./kernel.ts";
import { decode, type Decoded, kindOf, moveData, type Price } from "./moves.ts";
import { outcomeData } from "./outcome.ts";
import { seatsIn, situationData, ticketsAt, viewData } from "./view.ts";

const CHANCE = -1; // who is next, where it is no seat
const NO_ONE = -2;
const SPECTATOR = -1;
const FAR_BEHIND = -20_000; // points: fewer than any seat can have
const SCORE_BYTES = 2;

/** Who looks: a seat, a spectator (null), or, after the game, a client that may see all seats. */
export type Eyes = number | null | "all";

export type { RawEvent, WhyNot };

/** An action that is not legal now. `reason` is null for one that the table does not have. */
export class IllegalAction extends Error {
  constructor(
    readonly action: number,
    readonly reason: WhyNot | null,
  ) {
    super(`action ${action} is not legal now: ${reason ?? "there is no such action"}`);
    this.name = "IllegalAction";
  }
}

/** A decision of a seat, or a chance outcome (`seat` is null). */
export interface Step {
  readonly seat: number | null;
  readonly number: number;
}

/** Decisions that were made after `ply` steps of the history, and then taken back, with the notes among them. */
export interface TakenBack {
  readonly kind: "taken-back";
  readonly ply: number;
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
}

/** A seat that resigned after `ply` steps of the history. */
export interface Resignation {
  readonly kind: "resignation";
  readonly ply: number;
  readonly seat: number;
  readonly ends: boolean;
}

/** What a record has beside the history, oldest first. */
export type Note = TakenBack | Resignation;

/** A game of one edition at one table. Its state is kept here; the kernel's memory has it during a call only. */
export class Game {
  readonly history: Step[] = [];
  notes: readonly Note[] = [];
  private readonly table: TableData;
  private readonly specs: Block;
  private readonly state: Uint8Array;
  private actor: number;
  private chances = 0;
  private events: RawEvent[] = [];

  constructor(
    readonly kernel: Kernel,
    readonly edition: EditionData,
    readonly seats: number,
    /** the seat that begins; null: chance decides */
    readonly first: number | null = null,
  ) {
    this.table = edition.table(seats);
    this.specs = kernel.constant("specs", this.table.array("spec"));
    this.state = new Uint8Array(STATE.size);
    const states = this.load();
    kernel.call("new_game", this.specs, states, 0, first ?? -1);
    this.actor = this.keep(states, kernel.call("to_move", this.specs, states, 0));
  }

  /** An independent copy; events that are not taken yet are copied, too. */
  clone(): Game {
    const copy = new Game(this.kernel, this.edition, this.seats, this.first);
    copy.state.set(this.state);
    copy.history.push(...this.history);
    copy.events = [...this.events];
    copy.notes = this.notes;
    [copy.actor, copy.chances] = [this.actor, this.chances];
    return copy;
  }

  /** Put a position on the table, before the first step; `state` is a record as `snapshot` returns it. */
  place(state: Uint8Array): void {
    const states = this.load(state);
    this.actor = this.keep(states, this.kernel.call("to_move", this.specs, states, 0));
  }

  // -- the state of the game --------------------------------------------------------------------------------

  get over(): boolean {
    return this.actor === NO_ONE;
  }

  /** Whether a chance outcome is due. */
  get chancePending(): boolean {
    return this.actor === CHANCE;
  }

  /** The seats that may decide now: several only while setup tickets are chosen. */
  get deciding(): number[] {
    if (this.actor < 0) return [];
    return this.phase === CHOOSE
      ? seatsIn(readField(STATE, "choosing", this.data), this.seats)
      : [this.actor];
  }

  /** What is to be decided, by number: `codes.PHASES` has the names. */
  get phase(): number {
    return readField(STATE, "phase", this.data);
  }

  /** The record of the state. It has every hand: not for players. */
  snapshot(): Uint8Array {
    return this.state.slice();
  }

  /** The tickets that a seat may choose from now. */
  offer(seat: number): number[] {
    return ticketsAt(readField(STATE, "ticket", this.data), this.edition.map, OFFERED + seat);
  }

  /** What an action of a seat is, for the text of a record. */
  decode(seat: number, action: number): Decoded {
    return decode(this.table, action, this.offer(seat));
  }

  /** The result; null until the game is over. */
  get outcome(): Outcome | null {
    return this.over ? this.standing() : null;
  }

  /** The seats that resigned, in that order; they cannot win. */
  get resigned(): number[] {
    return this.notes.flatMap((note) => (note.kind === "resignation" ? [note.seat] : []));
  }

  /** The result if the game ended now. */
  private standing(): Outcome {
    const outcome = this.ranking(this.state);
    const { resigned } = this;
    if (!resigned.length) return outcome;
    // The ranking of the others is that of the rules, if those who resigned are far behind.
    const behind = this.snapshot();
    for (const seat of resigned)
      new DataView(behind.buffer).setInt16(STATE.fields.score[1] + SCORE_BYTES * seat, FAR_BEHIND, true);
    const { winners, tie_break } = this.ranking(behind);
    const stopped = this.notes.some((note) => note.kind === "resignation" && note.ends);
    return { ...outcome, winners, tie_break, resigned, stopped };
  }

  private ranking(state: Uint8Array): Outcome {
    const { kernel, specs, edition, table } = this;
    const tallies = kernel.scratch("tallies", 1);
    kernel.call("tally_up", specs, this.load(state), 0, kernel.scratch("works", 1), tallies);
    return outcomeData(readRecord(STATE, this.data), readRecord(TALLY, tallies.data), edition.map, table);
  }

  // -- moves ------------------------------------------------------------------------------------------------

  /** Let chance decide until a seat must, or the game is over; returns the outcomes. */
  deal(dealer: Dealer): number[] {
    const { kernel, specs } = this;
    const outcomes: number[] = [];
    while (this.chancePending) {
      const states = this.load();
      const way = dealer.draw(this.chances, kernel.callBig("chance_ways", specs, states, 0));
      const outcome = kernel.call("chance_outcome", specs, states, 0, way);
      this.applyChance(outcome);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** Make a seat's decision; chance that follows is left to `deal` or `pushChance`. */
  push(seat: number, action: number): void {
    const { kernel, specs } = this;
    const states = this.load();
    const now = kernel.call("reason_now", states, seat);
    if (now !== 0) throw new IllegalAction(action, REASONS[now] ?? null);
    if (kindOf(this.table, action) < 0) throw new IllegalAction(action, null);
    const reason = kernel.call("reason_not", specs, states, kernel.scratch("works", 1), seat, action);
    if (reason !== 0) throw new IllegalAction(action, REASONS[reason] ?? null);
    const events = kernel.scratch("events", MOST_EVENTS);
    const next = kernel.call("act", specs, states, 0, action, events);
    this.entered({ seat, number: action }, states, next, events);
  }

  /** Apply a chance outcome, for a replay. */
  pushChance(outcome: number): void {
    const { kernel, specs } = this;
    if (!this.chancePending) throw new Error("no chance outcome is due: a seat decides, or the game is over");
    if (kernel.call("outcome_weight", specs, this.load(), 0, outcome) === 0)
      throw new Error(`${outcome} is not a possible chance outcome now`);
    this.applyChance(outcome);
  }

  /** The outcomes that are possible now; none unless chance decides. */
  outcomes(): number[] {
    if (!this.chancePending) return [];
    const { kernel, specs, phase, seats } = this;
    const states = this.load();
    const tickets = phase === DEAL_SETUP || phase === DEAL_OFFER;
    const kinds = tickets ? this.edition.map.tickets.length : phase === DEAL_FIRST ? seats : CARDS;
    const all = Array.from({ length: kinds }, (_, outcome) => outcome);
    return all.filter((outcome) => kernel.call("outcome_weight", specs, states, 0, outcome) > 0);
  }

  private applyChance(outcome: number): void {
    const [states, events] = [this.load(), this.kernel.scratch("events", MOST_EVENTS)];
    const next = this.kernel.call("chance", this.specs, states, 0, outcome, events);
    this.chances += 1;
    this.entered({ seat: null, number: outcome }, states, next, events);
  }

  /** This game, to which another one was taken back: a note has what was played in the other. */
  tookBack(other: Game): void {
    const ply = this.history.length;
    const [steps, notes] = [other.history.slice(ply), other.notes.slice(this.notes.length)];
    this.notes = [...this.notes, { kind: "taken-back", ply, steps, notes }];
  }

  /** Let a seat resign: it cannot win any more. With `ends` the game is over. */
  resign(seat: number, ends: boolean): void {
    this.notes = [...this.notes, { kind: "resignation", ply: this.history.length, seat, ends }];
    if (!ends) return;
    this.data.setInt8(STATE.fields.phase[1], OVER);
    this.actor = NO_ONE;
    this.events.push(eventOf("game-ended", { outcome: this.standing() }));
  }

  /** Keep the state and the events after a step. */
  private entered(step: Step, states: Block, next: number, events: Block): void {
    this.actor = this.keep(states, next);
    // The kernel tells the seat that begins where chance decides it.
    if (!this.history.length && this.first !== null)
      this.events.push(eventOf("game-began", { seat: this.first }));
    this.history.push(step);
    for (let i = 0; i < MOST_EVENTS; i += 1) {
      const bytes = events.bytes.slice(i * EVENT.size, (i + 1) * EVENT.size);
      const kind = kindIn(new DataView(bytes.buffer));
      if (kind === 0) break;
      this.events.push({ bytes, outcome: kind === E_GAME_ENDED ? this.standing() : null });
    }
  }

  /** What happened since the last call, not narrowed. */
  takeEvents(): RawEvent[] {
    const taken = this.events;
    this.events = [];
    return taken;
  }

  // -- what each may see ------------------------------------------------------------------------------------

  /** An event as `eyes` may see it. */
  narrowed({ bytes, outcome }: RawEvent, eyes: Eyes): GameEvent {
    if (eyes === "all")
      return eventData(this.table, new DataView(bytes.buffer, bytes.byteOffset, EVENT.size), outcome);
    const events = this.kernel.scratch("events", 1);
    const shown = this.kernel.scratch("shown", 1);
    events.bytes.set(bytes);
    this.kernel.call("narrow_events", events, eyes ?? SPECTATOR, shown);
    return eventData(this.table, shown.data, outcome);
  }

  view(eyes: Eyes): GameView {
    const { outcome } = this;
    const paths = outcome ? this.longestPaths() : [];
    const data = (seat: number): GameView =>
      viewData(this.seen(seat), this.edition.map, this.table, outcome, paths);
    if (eyes !== "all") return data(eyes ?? SPECTATOR);
    const seats = Array.from(
      { length: this.seats },
      (_, seat) => data(seat).seats[seat] as GameView["seats"][0],
    );
    return { ...data(SPECTATOR), seats };
  }

  situation(eyes: Eyes): Situation {
    const seat = eyes === "all" || eyes === null ? SPECTATOR : eyes;
    return situationData(this.seen(seat), this.edition.map, this.table);
  }

  /** How many legal moves a seat has. */
  legalCount(seat: number): number {
    if (!this.deciding.includes(seat)) return 0;
    const { kernel, specs } = this;
    const [works, out] = [kernel.scratch("works", 1), kernel.scratch("out", ACTIONS)];
    return kernel.call("list_legal", specs, this.load(), 0, works, seat, out);
  }

  /** A seat's legal moves with their prices; none where it is not to decide. */
  legal(seat: number): Move[] {
    const count = this.legalCount(seat);
    const { kernel, specs, table } = this;
    const out = kernel.scratch("out", ACTIONS);
    const states = this.load();
    const ways = kernel.scratch("ways", PRICE * ACTIONS).first(PRICE * count);
    kernel.call("list_prices", specs, states, out, ways);
    const offer = this.offer(seat);
    const price = (i: number): Price => ({
      color: wordAt(ways, PRICE * i),
      cards: wordAt(ways, PRICE * i + 1),
      locomotives: wordAt(ways, PRICE * i + 2),
    });
    return Array.from({ length: count }, (_, i) => moveData(table, shortAt(out, i), offer, price(i)));
  }

  aids(seat: number): Omit<Aids, "version"> {
    return aidsOf(knownOf(this.kernel, this.edition, this.table, seat, this.viewRecord(seat)));
  }

  /** The record of a seat's view, for bots. */
  viewRecord(seat: number): Uint8Array {
    return this.redacted(seat).bytes.slice();
  }

  /** Each seat's longest path, if the edition counts it. */
  private longestPaths(): number[][] {
    if (!this.edition.map.rules.scorers.includes("longest-path")) return [];
    const { kernel, specs } = this;
    const [works, out] = [kernel.scratch("works", 1), kernel.scratch("out", ACTIONS)];
    return Array.from({ length: this.seats }, (_, seat) => {
      const length = kernel.call("list_trail", specs, this.load(), works, seat, out);
      return Array.from({ length }, (_, i) => shortAt(out, i));
    });
  }

  // -- the kernel's memory ----------------------------------------------------------------------------------

  private get data(): DataView {
    return new DataView(this.state.buffer);
  }

  /** Put a state, by default that of the game, into the kernel's memory. */
  private load(state = this.state): Block {
    const states = this.kernel.scratch("states", 1);
    states.bytes.set(state);
    return states;
  }

  /** Take the state after a call; returns who is next. */
  private keep(states: Block, next: number): number {
    this.state.set(states.bytes);
    return next;
  }

  /** The view of a seat, or of a spectator, in the kernel's memory. */
  private redacted(seat: number): Block {
    const views = this.kernel.scratch("views", 1);
    this.kernel.call("redact_state", this.load(), seat, views);
    return views;
  }

  private seen(seat: number): ViewRecord {
    return readRecord(VIEW, this.redacted(seat).data);
  }
}

/** An event that is not the kernel's: a first seat that was chosen beforehand, the end by a resignation. */
function eventOf(kind: GameEvent["type"], { seat = 0, outcome = null }: EventParts): RawEvent {
  const bytes = new Uint8Array(EVENT.size);
  bytes[EVENT.fields.kind[1]] = 1 + EVENTS.findIndex(({ type }) => type === kind);
  bytes[EVENT.fields.seat[1]] = seat;
  return { bytes, outcome };
}

interface EventParts {
  seat?: number;
  outcome?: Outcome | null;
}
