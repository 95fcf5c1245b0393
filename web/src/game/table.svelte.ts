// The state of one table: its seats, the game, the legal moves, and the connection.

import { get } from "../net/api.ts";
import { type Connection, type Listener, TableSocket } from "../net/socket.ts";
import type {
  Aids,
  EditionMap,
  GameView,
  Move,
  Plate,
  Presence,
  Sign,
  TableInfo,
  Takeback,
  Update,
  Welcome,
} from "../net/wire.ts";
import { pace } from "../ui/settings.svelte.ts";
import { signed } from "../ui/signed.svelte.ts";
import { editionName, seatName } from "../words/names.ts";
import { refusal } from "../words/words.ts";
import { TableAids } from "./aids.svelte.ts";
import { Animator, type DecisionState } from "./animator.svelte.ts";
import { paceOf } from "./bot-pace.ts";
import { stepsOf } from "./changes.ts";
import { Log, type LogLine } from "./log.svelte.ts";
import { nonceToTell } from "./nonce.ts";
import { People } from "./people.svelte.ts";
import { Row } from "./row.svelte.ts";
import type { Slot } from "./slots.ts";
import { GameTexts } from "./texts.ts";

const SIGN_MS = 4000; // for which a player's sign is shown
// Events after which the data of the table (seats, status) must be requested again.
const TABLE_NEWS = [
  "sat-down",
  "got-up",
  "bot-stood-in",
  "person-came-back",
  "player-resigned",
  "table-closed",
  "game-began",
  "game-ended",
];

interface ShownSign {
  id: number;
  seat: number;
  sign: Sign;
}

export class TableState implements Listener {
  info: TableInfo;
  /** the seat whose view is shown; null: a spectator's */
  seat: number | null = $state(null);
  deadlines: readonly (number | null)[] = $state.raw([]);
  /** the log up to the version that is shown; the result is added when the scores have been counted */
  readonly log: readonly LogLine[] = $derived.by(() =>
    this.#log.linesUpTo(this.version, this.counted === Infinity),
  );
  signs: readonly ShownSign[] = $state.raw([]);
  /** the decision that its player can take back now, and whether the others are asked */
  takeback: Takeback | null = $state.raw(null);
  /** on a shared screen: everything is hidden until the next player confirms that they are there */
  covered: boolean = $state(false);
  connection: Connection = $state("connecting");
  /** an action is sent and not answered yet */
  acting: boolean = $state(false);
  /** the table of the rematch, if there is one */
  rematchTable: string | null = $state(null);
  /** the server's clock minus that of this browser, in milliseconds */
  skew: number = $state(0);
  /** how many steps of the final scores have been shown; infinity: all of them */
  counted: number = $state(Infinity);
  readonly animator = new Animator();
  readonly texts: GameTexts;
  readonly people = new People();

  readonly #socket: TableSocket;
  readonly #log: Log;
  readonly #row: Row;
  readonly #aidsSource: TableAids;
  readonly #notify: (text: string) => void;
  #version = 0;
  #latest: GameView | null = null;
  #signId = 0;

  /** Request all that is needed to show a table. */
  static async open(id: string, notify: (text: string) => void): Promise<TableState> {
    const [info, map, plate] = await Promise.all([
      get<TableInfo>(`/tables/${id}`),
      get<EditionMap>(`/tables/${id}/map`),
      get<Plate>(`/tables/${id}/plate`),
    ]);
    return new TableState(withLocalNames(info), { ...map, title: withLocalNames(info).title }, plate, notify);
  }

  constructor(
    info: TableInfo,
    readonly map: EditionMap,
    readonly plate: Plate,
    notify: (text: string) => void,
  ) {
    this.info = $state.raw(info);
    this.texts = new GameTexts(map);
    this.texts.names = info.seats.map((chair) => chair.name);
    this.#row = new Row(map.rules.row);
    this.#log = new Log(info.id, this.texts, (updates) => this.#row.add(updates));
    this.#aidsSource = new TableAids(info.id, () => this.version);
    this.rematchTable = info.rematch;
    this.#notify = notify;
    this.covered = info.status === "running" && this.localSeats.length > 1;
    this.#socket = new TableSocket(info.id, this);
    this.#watch(this.mine[0] ?? null);
  }

  // -- derived from the state

  /** the seats that are mine */
  get mine(): number[] {
    return this.info.seats.flatMap((chair, i) => (chair.mine ? [i] : []));
  }

  /** those of them that are played on this screen, not by bots */
  get localSeats(): number[] {
    return this.mine.filter((i) => !this.info.seats[i]?.bot);
  }

  /** the view that is shown: while something is animated, it is behind the newest */
  get view(): GameView | null {
    return this.animator.view;
  }

  /** the seats that are to decide in the view that is shown */
  get deciding(): readonly number[] {
    return this.animator.decision.deciding;
  }

  get legal(): readonly Move[] {
    return this.animator.decision.legal;
  }

  /** the version that is shown */
  get version(): number {
    return this.animator.decision.version;
  }

  /** where the face-up cards lie at the version that is shown, if that is known already */
  get slots(): readonly Slot[] | null {
    return this.#row.at(this.version);
  }

  get aids(): Aids | null {
    return this.#aidsSource.aids;
  }

  /** when the last entry was made, by the server's clock */
  get at(): number {
    return this.#log.at;
  }

  /** the moves that can be made now: none during an animation */
  get offered(): readonly Move[] {
    const elsewhere = this.connection === "moved"; // the seat is played on another device
    return this.animator.busy || this.covered || this.acting || elsewhere ? [] : this.legal;
  }

  /** on a shared screen: the seat of another player here who is to decide */
  get next(): number | null {
    if (this.animator.busy || (this.seat !== null && this.deciding.includes(this.seat))) return null;
    return this.localSeats.find((i) => i !== this.seat && this.deciding.includes(i)) ?? null;
  }

  /** the seat whose player is to confirm while the screen is covered */
  get awaited(): number {
    const ready = this.localSeats.find((i) => this.deciding.includes(i));
    return ready ?? this.seat ?? this.localSeats[0] ?? 0;
  }

  isMuted = (seat: number): boolean => this.#socket.muted.has(seat);

  // -- actions

  act = (move: Move): void => this.#socket.act(move.action, this.version);
  react = (sign: Sign): void => this.#socket.react(sign);
  mute = (seat: number, muted: boolean): void => this.#socket.mute(seat, muted);
  look = (): void => this.#socket.look();

  /** Hide everything until the next player confirms that they are there. */
  handOver = (): void => {
    this.covered = true;
  };

  uncover = (seat: number): void => {
    if (seat !== this.seat) this.#watch(seat);
    this.covered = false;
  };

  end = (): void => {
    this.#socket.close();
    this.animator.set(null);
  };

  // -- what the socket receives

  welcome(welcome: Welcome): void {
    const began = this.info.status === "waiting" && welcome.table.status === "running";
    this.info = withLocalNames(welcome.table);
    this.texts.names = this.info.seats.map((chair) => chair.name);
    this.rematchTable ??= this.info.rematch;
    this.skew = welcome.now - Date.now();
    const { mine } = this;
    if (this.seat === null ? mine.length > 0 : !mine.includes(this.seat)) {
      if (began) this.covered = this.localSeats.length > 1;
      return this.#watch(mine[0] ?? null); // I sat down or got up, here or on another device
    }
    this.#addToDeal();
    if (this.info.status !== "running") this.covered = false;
    else if (began) this.covered = this.localSeats.length > 1;
    const playing = this.info.status === "running" || this.info.status === "finished";
    if (playing && !welcome.view && !this.#latest) return this.look();
    void this.#log.fill(welcome.version, this.#eyes);
    if (!welcome.view && welcome.version < this.#version) return; // what was missed follows
    this.#version = welcome.version;
    this.deadlines = welcome.deadlines;
    this.takeback = welcome.takeback;
    if (welcome.view) this.#show(welcome.view, welcome);
    else this.animator.setDecision(decisionOf(welcome));
    this.#askForAids();
  }

  update(update: Update): void {
    this.#version = update.version;
    this.deadlines = update.deadlines;
    this.takeback = update.takeback;
    for (const event of update.events)
      if (event.type === "sat-down") this.texts.names[event.seat] = event.name;
      else if (event.type === "terms-announced") {
        this.info = { ...this.info, announcement: event.text };
        this.#addToDeal();
      }
    if (pace() && update.events.some((event) => event.type === "game-ended")) this.counted = 0;
    this.#log.add(update, this.#eyes);
    if (this.#latest) {
      const steps = stepsOf(this.#latest, update, this.map);
      this.#latest = steps.at(-1)?.view ?? this.#latest;
      const mine = update.legal.length > 0;
      const clock = this.seat !== null && update.deadlines[this.seat] != null;
      this.animator.play(steps, decisionOf(update), paceOf({ bot: update.by !== null, mine, clock }));
    } else this.animator.setDecision(decisionOf(update));
    if (update.events.some((event) => TABLE_NEWS.includes(event.type))) this.look();
    this.#askForAids();
  }

  refused(problem: { code: string; message: string }): void {
    if (problem.code !== "stale") this.#notify(refusal(problem));
  }

  reaction({ seat, sign }: { seat: number; sign: Sign }): void {
    const id = ++this.#signId;
    this.signs = [...this.signs, { id, seat, sign }];
    setTimeout(() => (this.signs = this.signs.filter((shown) => shown.id !== id)), SIGN_MS);
  }

  rematch({ table }: { table: string }): void {
    this.rematchTable = table;
  }

  presence(presence: Presence): void {
    this.people.hear(presence, Date.now() + this.skew);
  }

  signedOut(): void {
    signed.out = true;
  }

  changed(): void {
    this.connection = this.#socket.connection;
    this.acting = this.#socket.pending !== null;
    if (this.connection !== "open") this.people.forget();
  }

  // -- private

  #watch(seat: number | null): void {
    this.seat = seat;
    this.#latest = null;
    this.animator.set(null); // the view of the seat before must not be shown
    this.#aidsSource.setSeat(seat);
    this.#log.clear();
    this.#socket.watch(seat);
  }

  /** Show a whole view, after the animation that is running. */
  #show(view: GameView, known: DecisionState): void {
    const running = this.#latest !== null && this.animator.busy;
    this.#latest = view;
    if (running) this.animator.play([{ view, changes: [] }], decisionOf(known));
    else this.animator.set(view, decisionOf(known));
  }

  get #eyes(): string {
    return this.info.status === "finished" ? "all" : String(this.seat ?? "spectator");
  }

  /** Between the announcement and the first card: send the nonce that this browser has pledged. */
  #addToDeal(): void {
    const { status, announcement } = this.info;
    if (status !== "waiting" || announcement === null || this.seat === null) return;
    const nonce = nonceToTell(announcement, this.mine);
    if (nonce !== null) this.#socket.addNonce(nonce);
  }

  #askForAids(): void {
    if (this.info.status === "running") this.#aidsSource.ask();
  }
}

const decisionOf = ({ version, deciding, legal }: DecisionState): DecisionState => ({
  version,
  deciding,
  legal,
});

/** The server sends English names of editions and bots. */
const withLocalNames = (info: TableInfo): TableInfo => ({
  ...info,
  title: editionName(info.edition, info.title),
  seats: info.seats.map((chair) => ({ ...chair, name: seatName(chair) })),
});
