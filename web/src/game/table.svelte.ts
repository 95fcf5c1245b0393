// One table as its page knows it: who sits there, the game, what I may do, and what I did.

import { get, Refusal } from "../net/api.ts";
import { type Connection, Line, type Listener } from "../net/line.ts";
import type {
  Aids,
  EditionMap,
  GameView,
  Move,
  Plate,
  Sign,
  TableInfo,
  Update,
  Updates,
  Welcome,
} from "../net/wire.ts";
import { editionName } from "../words/names.ts";
import { refusal } from "../words/words.ts";
import { unfold } from "./reduce.ts";
import { Speaker } from "./say.ts";
import { Stage } from "./stage.svelte.ts";

const SIGN_MS = 4000;
// After these the table itself is another: who sits where, whether it runs.
const TABLE_NEWS = ["sat-down", "got-up", "bot-stood-in", "person-came-back", "table-closed", "game-began", "game-ended"];

/** What happened in one entry of the table's log, in words. */
export interface LogLine {
  version: number;
  at: number;
  /** the seat it is about, if it is about one */
  seat: number | null;
  sentences: string[];
}

export interface ShownSign {
  id: number;
  seat: number;
  sign: Sign;
}

export class TableState implements Listener {
  info: TableInfo;
  /** whose eyes we see with; null: a spectator's */
  seat: number | null = $state(null);
  legal: readonly Move[] = $state.raw([]);
  deciding: readonly number[] = $state.raw([]);
  deadlines: readonly (number | null)[] = $state.raw([]);
  aids: Aids | null = $state.raw(null);
  log: readonly LogLine[] = $state.raw([]);
  signs: readonly ShownSign[] = $state.raw([]);
  /** on one screen: the hand is covered until the next person says they are here */
  covered: boolean = $state(false);
  connection: Connection = $state("connecting");
  /** an action is sent and not answered yet */
  acting: boolean = $state(false);
  /** the table of the next game, if somebody asked for one */
  rematchTable: string | null = $state(null);
  /** the server's clock less ours */
  skew: number = $state(0);
  /** when the last entry was made, by the server's clock */
  at: number = $state(0);
  readonly stage = new Stage();
  readonly speaker: Speaker;

  readonly #line: Line;
  readonly #complain: (text: string) => void;
  #version = 0;
  #latest: GameView | null = null;
  #logged = 0;
  #signId = 0;
  #aiding = false;

  /** What is needed to show a table. */
  static async open(id: string, complain: (text: string) => void): Promise<TableState> {
    const [info, map, plate] = await Promise.all([
      get<TableInfo>(`/tables/${id}`),
      get<EditionMap>(`/tables/${id}/map`),
      get<Plate>(`/tables/${id}/plate`),
    ]);
    return new TableState(named(info), { ...map, title: named(info).title }, plate, complain);
  }

  constructor(
    info: TableInfo,
    readonly map: EditionMap,
    readonly plate: Plate,
    complain: (text: string) => void,
  ) {
    this.info = $state.raw(info);
    this.speaker = new Speaker(map);
    this.speaker.names = info.seats.map((chair) => chair.name);
    this.rematchTable = info.rematch;
    this.#complain = complain;
    this.covered = info.status === "running" && this.here.length > 1;
    this.#line = new Line(info.id, this);
    this.#watch(this.mine[0] ?? null);
  }

  // -- what follows from it

  /** the seats that are mine */
  get mine(): number[] {
    return this.info.seats.flatMap((chair, i) => (chair.mine ? [i] : []));
  }

  /** those of them that people on this screen play themselves */
  get here(): number[] {
    return this.mine.filter((i) => !this.info.seats[i]?.bot);
  }

  /** the game as it is shown: it may be a moment behind while something is animated */
  get view(): GameView | null {
    return this.stage.view;
  }

  /** what I can do, once all that happened before has been shown */
  get offered(): readonly Move[] {
    const elsewhere = this.connection === "moved"; // the seat is played on another device
    return this.stage.busy || this.covered || this.acting || elsewhere ? [] : this.legal;
  }

  /** on one screen: the other person here who is to decide, if I am not */
  get next(): number | null {
    if (this.stage.busy || (this.seat !== null && this.deciding.includes(this.seat))) return null;
    return this.here.find((i) => i !== this.seat && this.deciding.includes(i)) ?? null;
  }

  /** the seat for which the screen waits while it is covered */
  get awaited(): number {
    const ready = this.here.find((i) => this.deciding.includes(i));
    return ready ?? this.seat ?? this.here[0] ?? 0;
  }

  get version(): number {
    return this.#version;
  }

  isMuted = (seat: number): boolean => this.#line.muted.has(seat);

  // -- what I do

  act = (move: Move): void => this.#line.act(move.action, this.#version);
  react = (sign: Sign): void => this.#line.react(sign);
  mute = (seat: number, muted: boolean): void => this.#line.mute(seat, muted);
  look = (): void => this.#line.look();

  /** The screen goes to another person: nothing is shown until they say they are here. */
  handOver = (): void => {
    this.covered = true;
  };

  uncover = (seat: number): void => {
    if (seat !== this.seat) this.#watch(seat);
    this.covered = false;
  };

  end = (): void => {
    this.#line.end();
    this.stage.set(null);
  };

  // -- what the line tells

  whole(welcome: Welcome): void {
    const began = this.info.status === "waiting" && welcome.table.status === "running";
    this.info = named(welcome.table);
    this.speaker.names = this.info.seats.map((chair) => chair.name);
    this.rematchTable ??= this.info.rematch;
    this.skew = welcome.now - Date.now();
    const { mine } = this;
    if (this.seat === null ? mine.length > 0 : !mine.includes(this.seat)) {
      if (began) this.covered = this.here.length > 1;
      return this.#watch(mine[0] ?? null); // I sat down or got up, here or on another device
    }
    if (this.info.status !== "running") this.covered = false;
    else if (began) this.covered = this.here.length > 1;
    const playing = this.info.status === "running" || this.info.status === "finished";
    if (playing && !welcome.view && !this.#latest) return this.look();
    if (welcome.version > this.#logged) void this.#refill(welcome.version);
    if (!welcome.view && welcome.version < this.#version) return; // what was missed follows
    this.#version = welcome.version;
    this.legal = welcome.legal;
    this.deciding = welcome.deciding;
    this.deadlines = welcome.deadlines;
    if (welcome.view) this.#show(welcome.view);
    this.#aid();
  }

  update(update: Update): void {
    this.#version = update.version;
    this.at = update.at;
    this.deciding = update.deciding;
    this.deadlines = update.deadlines;
    this.legal = update.legal;
    for (const event of update.events) if (event.type === "sat-down") this.speaker.names[event.seat] = event.name;
    if (update.version === this.#logged + 1) this.#tell([update]);
    else if (update.version > this.#logged) void this.#refill(update.version);
    if (this.#latest) {
      const views = unfold(this.#latest, update, this.map);
      this.#latest = views.at(-1) ?? this.#latest;
      this.stage.play(views);
    }
    if (update.events.some((event) => TABLE_NEWS.includes(event.type))) this.look();
    this.#aid();
  }

  refused(problem: { code: string; message: string }): void {
    if (problem.code !== "stale") this.#complain(refusal(problem));
  }

  reaction({ seat, sign }: { seat: number; sign: Sign }): void {
    const id = ++this.#signId;
    this.signs = [...this.signs, { id, seat, sign }];
    setTimeout(() => (this.signs = this.signs.filter((shown) => shown.id !== id)), SIGN_MS);
  }

  rematch({ table }: { table: string }): void {
    this.rematchTable = table;
  }

  changed(): void {
    this.connection = this.#line.connection;
    this.acting = this.#line.pending !== null;
  }

  // -- how it is done

  #watch(seat: number | null): void {
    this.seat = seat;
    this.#latest = null;
    this.stage.set(null); // the one before must not be seen, even for a moment
    this.legal = [];
    this.aids = null;
    this.log = [];
    this.#logged = 0;
    this.#line.watch(seat);
  }

  /** The whole view came. While what led to it is still being shown, it comes after that. */
  #show(view: GameView): void {
    const running = this.#latest !== null && this.stage.busy;
    this.#latest = view;
    if (running) this.stage.play([view]);
    else this.stage.set(view);
  }

  /** The log from where we have it. */
  async #refill(upto: number): Promise<void> {
    const { seat } = this;
    const after = this.#logged;
    this.#logged = Math.max(this.#logged, upto);
    const eyes = this.info.status === "finished" ? "all" : (seat ?? "spectator");
    try {
      const { updates } = await get<Updates>(`/tables/${this.info.id}/updates?eyes=${eyes}&after=${after}`);
      if (seat === this.seat) this.#tell(updates);
    } catch (problem) {
      if (seat === this.seat) this.#logged = after;
      if (!(problem instanceof Refusal)) throw problem;
    }
  }

  #tell(updates: readonly Update[]): void {
    const known = new Set(this.log.map((line) => line.version));
    const told = updates.filter((update) => !known.has(update.version)).map((update) => this.#lineOf(update));
    this.log = [...this.log, ...told.filter((line) => line.sentences.length)].sort((a, b) => a.version - b.version);
    const last = updates.at(-1);
    if (last) {
      this.#logged = Math.max(this.#logged, last.version);
      this.at = Math.max(this.at, last.at);
    }
  }

  #lineOf({ version, at, events }: Update): LogLine {
    const about = events.find((event) => "seat" in event);
    const seat = about && "seat" in about ? about.seat : null;
    return { version, at, seat, sentences: this.speaker.sentences(events) };
  }

  /** Ask what can be worked out from what this seat sees; the last question counts. */
  #aid(): void {
    if (this.seat === null || this.info.status !== "running" || this.#aiding) return;
    this.#aiding = true;
    setTimeout(() => void this.#askAids(), 30);
  }

  async #askAids(): Promise<void> {
    const { seat } = this;
    const version = this.#version;
    this.#aiding = false;
    if (seat === null) return;
    try {
      const aids = await get<Aids>(`/tables/${this.info.id}/aids?seat=${seat}`);
      if (seat === this.seat && aids.version >= (this.aids?.version ?? 0)) this.aids = aids;
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem; // a game can be played without aids
      if (problem.code === "too-fast" && version === this.#version) setTimeout(() => this.#aid(), 1000);
    }
  }
}

/** The server calls editions by their English names. */
const named = (info: TableInfo): TableInfo => ({ ...info, title: editionName(info.edition, info.title) });
