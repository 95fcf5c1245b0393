// The host of the local tables: answers requests as a server's HTTP API does, and connects sockets.

import { notFound, Refusal } from "../net/refusal.ts";
import type {
  BotInfo,
  EditionMap,
  LocalGame,
  Me,
  NewTable,
  Opened,
  Profile,
  ServerMessage,
  Sit,
  TableInfo,
  TakeBack,
} from "../net/wire.ts";
import { Connection } from "./connection.ts";
import { Dealer } from "./fair.ts";
import type { Library } from "./library.ts";
import { checkName, oneLine } from "./names.ts";
import * as past from "./past.ts";
import * as seats from "./seats.ts";
import { sharedId, sharedRows } from "./shared.ts";
import { COLORS, Deal, ME, newState, seatsOf, statusOf, type Terms } from "./state.ts";
import { ownSeat, statistics, tableList } from "./statistics.ts";
import type { TableRow } from "./store.ts";
import { type News, type Services, summaryOf, Table } from "./table.ts";

export const LOCAL = "local-"; // the ids of local tables begin with it
const STAND_IN = "conductor"; // where a table names none
const UNWATCHED = 4; // tables that stay in memory although no page shows them
const ID_BYTES = 12;

/** What a game that begins with a position is made of. */
interface PlacedTable {
  edition: string;
  /** the record of the state, in base64 */
  position: string;
  /** the seat of the person */
  seat: number;
  /** by seat; that of the person is not used */
  bots: string[];
}

type Handler = (found: Record<string, string>, body: unknown, query: URLSearchParams) => Promise<unknown>;

export class Host {
  readonly #library: Library;
  readonly #services: Services;
  readonly #tables = new Map<string, Promise<Table>>();
  #lastMade = 0;
  readonly #routes: [method: string, path: RegExp, handler: Handler][];

  constructor(library: Library, services: Services) {
    this.#library = library;
    this.#services = services;
    const routes: [route: string, handler: Handler][] = [
      ["GET /whoami", async () => ({ me: await services.store.me() })],
      ["GET /me", () => this.#me()],
      ["POST /people", (_, body) => this.#setMe(body as Profile)],
      ["PUT /me", async (_, body) => this.#setMe(body as Profile, await this.#me())],
      ["GET /me/tables", async (_, _body, query) => tableList(await this.#rows(), query.get("before"))],
      ["GET /me/statistics", async () => statistics(await this.#rows(), (await this.#me()).name)],
      ["GET /editions", async () => (await library.index()).editions],
      ["GET /editions/:name", ({ name }) => this.#prepare(name)],
      ["GET /editions/:name/plate", async ({ name }) => (await this.#edition(name)).plate],
      ["GET /bots", async (): Promise<BotInfo[]> => (await library.index()).bots],
      ["POST /tables", async (_, body) => this.#info(await this.#create(body as NewTable))],
      ["POST /tables/placed", async (_, body) => this.#info(await this.#place(body as PlacedTable))],
      ["POST /tables/shared", async (_, body) => this.#info(await this.#keep(body as LocalGame))],
      ["GET /tables/:id", async ({ id }) => this.#info(await this.table(id))],
      ["DELETE /tables/:id", ({ id }) => this.#remove(id)],
      ["GET /tables/:id/map", async ({ id }) => (await this.table(id)).deal.edition.map],
      ["GET /tables/:id/plate", async ({ id }) => (await this.table(id)).deal.edition.plate],
      ["GET /tables/:id/aids", async ({ id }, _, query) => past.aids(await this.table(id), query)],
      [
        "GET /tables/:id/packed-view",
        async ({ id }, _, query) => past.packedView(await this.table(id), query),
      ],
      ["GET /tables/:id/updates", async ({ id }, _, query) => past.updates(await this.table(id), query)],
      [
        "GET /tables/:id/moments/:version",
        async ({ id, version }, _, query) => past.moment(await this.table(id), Number(version), query),
      ],
      ["GET /tables/:id/record", async ({ id }) => past.record(await this.table(id))],
      ["GET /tables/:id/log", async ({ id }) => past.gameLog(await this.table(id), services.store)],
      ["GET /tables/:id/export", async ({ id }) => past.exported(await this.table(id), services.store)],
      ["POST /tables/:id/sit", async ({ id }, body) => this.#sit(await this.table(id), body as Sit)],
      ["POST /tables/:id/seats/:seat/leave", this.#atSeat((table, seat) => seats.leave(table, ME, seat))],
      ["POST /tables/:id/seats/:seat/back", this.#atSeat((table, seat) => seats.comeBack(table, ME, seat))],
      [
        "POST /tables/:id/seats/:seat/stand-in",
        this.#atSeat((table, seat) => seats.callStandIn(table, seat)),
      ],
      [
        "POST /tables/:id/seats/:seat/take-back",
        this.#atSeat((table, seat, body) => seats.takeBack(table, ME, seat, (body as TakeBack).version)),
      ],
      ["POST /tables/:id/seats/:seat/resign", this.#atSeat((table, seat) => seats.resign(table, ME, seat))],
      ["POST /tables/:id/close", this.#atSeat((table) => seats.close(table))],
      [
        "POST /tables/:id/rematch",
        async ({ id }, body) => {
          const { pledge = null } = (body ?? {}) as { pledge?: string | null };
          return this.#info(await this.#rematch(await this.table(id), pledge));
        },
      ],
    ];
    this.#routes = routes.map(([route, handler]) => {
      const [method = "", path = ""] = route.split(" ");
      return [method, new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`), handler];
    });
  }

  /** Answer a request; rejects with a `Refusal`. What only a server has is refused with `no-server`. */
  async request(method: string, address: string, body?: unknown): Promise<unknown> {
    const [path = "", query = ""] = address.split("?");
    for (const [wanted, pattern, handler] of this.#routes) {
      const found = method === wanted ? pattern.exec(path) : null;
      if (found) return handler(found.groups ?? {}, body, new URLSearchParams(query));
    }
    throw new Refusal("no-server", "That needs a server.");
  }

  connect(send: (message: ServerMessage) => void, close: (code: number, reason: string) => void): Connection {
    return new Connection(this, ME, send, close);
  }

  now = (): number => this.#services.now();

  /** Another tab told something about a table. */
  async hear(news: News): Promise<void> {
    const table = await this.#tables.get(news.table);
    if (!table) return;
    if (news.kind === "message") table.passOnHere(news.message, news.seat);
    else if (news.kind === "removed") this.#forget(table);
    else if (news.version > table.state.version) await table.catchUp();
  }

  /** A table, loaded if it is not in memory. */
  table(id: string | undefined): Promise<Table> {
    const known = this.#tables.get(id ?? "");
    if (known) return known;
    const loading = this.#load(id ?? "");
    this.#tables.set(id ?? "", loading);
    loading.catch(() => this.#tables.delete(id ?? ""));
    return loading;
  }

  async #load(id: string): Promise<Table> {
    const { store } = this.#services;
    const row = await store.table(id);
    if (!row) throw notFound();
    const table = new Table(this.#services, row, await this.#deal(row));
    const entries = await store.entries(id, 0);
    try {
      table.replay(entries);
    } catch {
      throw oldGame(); // the log has gaps, or the rules were changed
    }
    void this.#unload();
    void table.goOn().catch(() => undefined); // the next request tries it again
    return table;
  }

  async #deal({ edition, fingerprint, terms, secret, seed, position }: TableRow): Promise<Deal> {
    const [kernel, data] = await Promise.all([
      this.#library.kernel(),
      this.#library.editionFor(edition, terms.seats.length),
    ]);
    if (data.map.fingerprint !== fingerprint) throw oldGame();
    return new Deal(kernel, data, terms, seed === null ? Dealer.of(secret) : Dealer.seeded(seed), position);
  }

  /** Forget tables that no page shows, the oldest first: the store has them. */
  async #unload(): Promise<void> {
    const loaded = await Promise.all([...this.#tables.values()].map((table) => table.catch(() => null)));
    const idle = loaded.filter((table) => table !== null).filter(({ watchers }) => !watchers.size);
    for (const table of idle.slice(0, -UNWATCHED)) this.#forget(table);
  }

  #forget(table: Table): void {
    this.#tables.delete(table.id);
    table.end();
  }

  // -- people

  async #me(): Promise<Me> {
    const me = await this.#services.store.me();
    if (!me) throw new Refusal("unknown-person", "Say who you are first.");
    return me;
  }

  async #setMe({ name, color }: Profile, known?: Me): Promise<Me> {
    if (!COLORS.includes(color)) throw new Refusal("bad-value", `There is no colour ${String(color)}.`);
    const created_at = known?.created_at ?? this.#services.now();
    const me: Me = { name: oneLine(name), color, created_at, token: null };
    await this.#services.store.setMe(me);
    return me;
  }

  #rows(): Promise<TableRow[]> {
    return this.#services.store.tables();
  }

  /** The map of an edition, which will be played soon: the kernel is started, too. */
  async #prepare(name: string | undefined): Promise<EditionMap> {
    this.#library.kernel().catch(() => undefined); // a table will say what is missing
    return (await this.#edition(name)).map;
  }

  async #edition(name: string | undefined): ReturnType<Library["edition"]> {
    try {
      return await this.#library.edition(decodeURIComponent(name ?? ""));
    } catch (problem) {
      throw problem instanceof Refusal && problem.code === "bad-value" ? notFound(problem.message) : problem;
    }
  }

  // -- tables

  async #info(table: Table): Promise<TableInfo> {
    const ended = ["finished", "closed"].includes(statusOf(table.state));
    return table.info(ME, ended ? await this.#rematchOf(table.id) : null);
  }

  async #rematchOf(id: string): Promise<string | null> {
    return (await this.#rows()).find(({ previous }) => previous === id)?.id ?? null;
  }

  async #create(wanted: NewTable): Promise<Table> {
    const me = await this.#me();
    if (wanted.listed || wanted.move_seconds || wanted.delay)
      throw new Refusal("no-server", "Open tables, clocks and delays need a server.");
    await this.#checkBots(wanted);
    const taken = seatsTaken(wanted, me.name);
    const terms: Terms = {
      seats: wanted.seats.map((seat) => ({ bot: seat.kind === "bot" ? seat.bot : null, keptFor: null })),
      standIn: wanted.stand_in ?? STAND_IN,
      first: wanted.first ?? null,
      reactions: wanted.reactions ?? true,
      hints: wanted.hints ?? null,
    };
    const names = newState(terms).chairs.map(({ name }) => name);
    for (const { seat, name } of taken) {
      checkName(name, names);
      names[seat] = name;
    }
    const own = (taken.find(({ name }) => name === me.name) ?? taken[0])?.seat;
    const table = await this.#make(wanted.edition, terms, { seed: wanted.seed ?? null, own });
    for (const { seat, name } of taken)
      await seats.sit(table, ME, { seat, name, color: me.color, pledge: wanted.pledge ?? null });
    await table.goOn();
    return table;
  }

  async #checkBots({ seats, stand_in }: NewTable): Promise<void> {
    const known = (await this.#library.index()).bots.map(({ name }) => name);
    const named = seats.flatMap((seat) => (seat.kind === "bot" ? [seat.bot] : []));
    for (const bot of [...named, stand_in ?? STAND_IN])
      if (!known.includes(bot))
        throw new Refusal("bad-value", `There is no bot '${bot}'. There are: ${known.join(", ")}.`);
  }

  /** A game against bots that begins with a position instead of a deal. */
  async #place({ edition, position, seat, bots }: PlacedTable): Promise<Table> {
    const me = await this.#me();
    const terms: Terms = {
      seats: bots.map((bot, i) => ({ bot: i === seat ? null : bot, keptFor: null })),
      ...{ standIn: STAND_IN, first: null, reactions: true, hints: true },
    };
    const bytes = Uint8Array.from(atob(position), (sign) => sign.charCodeAt(0));
    const table = await this.#make(edition, terms, { own: seat, position: bytes });
    await seats.sit(table, ME, { seat, name: me.name, color: me.color, pledge: null });
    await table.goOn();
    return table;
  }

  /** Keep a finished game of another browser. */
  async #keep(game: LocalGame): Promise<Table> {
    const { store } = this.#services;
    const id = sharedId(LOCAL, game);
    if (await store.table(id)) return this.table(id);
    const { map } = await this.#library.editionFor(game.edition, game.seats.length);
    const { row, entries } = sharedRows(id, game, { title: map.title, bot: STAND_IN });
    const table = new Table(this.#services, row, await this.#deal(row));
    try {
      table.replay(entries);
    } catch {
      throw oldGame();
    }
    if (statusOf(table.state) !== "finished") throw new Refusal("bad-value", "The game is not over.");
    await store.create(table.row);
    for (const entry of entries) await store.append(table.row, entry);
    return this.table(id);
  }

  async #make(
    name: string,
    terms: Terms,
    {
      seed = null,
      previous = null,
      own,
      position,
    }: {
      seed?: string | null;
      previous?: string | null;
      own?: number | undefined;
      position?: Uint8Array | undefined;
    },
  ): Promise<Table> {
    const count = terms.seats.length;
    const { map } = await this.#library.editionFor(name, count);
    if (terms.first !== null && terms.first >= count)
      throw new Refusal("bad-value", `Seat ${terms.first} cannot begin: there is none.`);
    // Later than all tables before it, so that lists have them in the order in which they were made.
    const now = Math.max(this.#services.now(), this.#lastMade + 1);
    this.#lastMade = now;
    const row: TableRow = {
      id: newId(),
      edition: map.id,
      title: map.title,
      fingerprint: map.fingerprint,
      terms,
      secret: (seed === null ? Dealer.random() : Dealer.seeded(seed)).secret,
      host: ME,
      createdAt: now,
      previous,
      seed,
      ...(own === undefined ? {} : { own }),
      ...(position === undefined ? {} : { position }),
      status: "waiting",
      updatedAt: now,
      finishedAt: null,
      summary: summaryOf(newState(terms), ME),
    };
    if (!(await this.#services.store.create(row))) throw new Refusal("taken", "There is a rematch already.");
    return this.table(row.id);
  }

  async #sit(table: Table, { seat = null, name, pledge = null }: Sit): Promise<Opened> {
    const me = await this.#me();
    const wanted = { seat, name: oneLine(name ?? me.name), color: me.color, pledge };
    return { table: table.id, seat: await seats.sit(table, ME, wanted) };
  }

  #atSeat(action: (table: Table, seat: number, body: unknown) => Promise<void>): Handler {
    return async ({ id, seat }, body) => {
      const table = await this.table(id);
      await action(table, Number(seat), body);
      return this.#info(table);
    };
  }

  /** A new table of the same terms, with all players one seat further. A second request finds the same table. */
  async #rematch(old: Table, pledge: string | null): Promise<Table> {
    if (!seatsOf(old.state, ME).length)
      throw new Refusal("not-allowed", "Only those who played can ask for a rematch.");
    if (!["finished", "closed"].includes(statusOf(old.state)))
      throw new Refusal("not-now", "The game is not over.");
    const known = await this.#rematchOf(old.id);
    const table = known === null ? await this.#makeAgain(old) : await this.table(known);
    await this.#sitAgain(old, table, pledge);
    if (known === null) old.passOn({ type: "rematch", table: table.id });
    return table;
  }

  async #makeAgain(old: Table): Promise<Table> {
    const { terms } = old.deal;
    const kept = terms.seats.map(({ bot }, seat) => ({
      bot,
      keptFor: bot === null ? (old.state.chairs[seat]?.person ?? null) : null,
    }));
    const again = { ...terms, seats: [...kept.slice(-1), ...kept.slice(0, -1)] };
    const before = ownSeat(old.row, (await this.#me()).name);
    const own = before === undefined ? undefined : (before + 1) % kept.length;
    try {
      const { position } = old.row;
      return await this.#make(old.row.edition, again, { previous: old.id, own, position });
    } catch (problem) {
      const known = problem instanceof Refusal && problem.code === "taken" && (await this.#rematchOf(old.id));
      if (!known) throw problem;
      return this.table(known); // another tab was first
    }
  }

  /** Sit down on all seats that are kept, with the names of before. */
  async #sitAgain(old: Table, table: Table, pledge: string | null): Promise<void> {
    const me = await this.#me();
    const { chairs } = old.state;
    for (const [seat, { keptFor }] of table.deal.terms.seats.entries()) {
      if (keptFor !== ME || table.state.chairs[seat]?.person != null) continue;
      const name = chairs[(seat + chairs.length - 1) % chairs.length]?.name ?? me.name;
      await seats.sit(table, ME, { seat, name, color: me.color, pledge });
    }
  }

  async #remove(id = ""): Promise<null> {
    const { store, publish } = this.#services;
    if (!(await store.table(id))) throw notFound();
    const loaded = await this.#tables.get(id)?.catch(() => null); // one that cannot be replayed is deleted, too
    await store.remove(id);
    publish({ kind: "removed", table: id });
    if (loaded) this.#forget(loaded);
    return null;
  }
}

const oldGame = (): Refusal =>
  new Refusal("old-game", "This game was played with another version of the map or the rules.");

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return LOCAL + text.replaceAll("+", "-").replaceAll("/", "_");
}

/** Where those sit down who play on this screen, and under which names. */
function seatsTaken({ mine, mine_seats, seats }: NewTable, name: string): { seat: number; name: string }[] {
  const names = (mine ?? [name]).map(oneLine);
  const people = seats.flatMap((seat, i) => (seat.kind === "person" ? [i] : []));
  const places = mine_seats ?? people.slice(0, names.length);
  if (!mine_seats && names.length > people.length)
    throw new Refusal("bad-value", `${names.length} want to sit down, on ${people.length} seats.`);
  if (places.length !== names.length || new Set(places).size !== places.length)
    throw new Refusal("bad-value", `${names.length} want to sit down: name a seat for each of them.`);
  if (!places.every((seat) => people.includes(seat)))
    throw new Refusal("bad-value", "You can sit down only on seats for people.");
  return places.map((seat, i) => ({ seat, name: names[i] ?? name }));
}
