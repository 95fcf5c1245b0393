// The entry of the worker in which the bots of the local tables think.

import { Refusal } from "../net/refusal.ts";
import { readArrays } from "./arrays.ts";
import type { Question } from "./bots.ts";
import { Kernel } from "./kernel.ts";
import { fetchFrom, Library } from "./library.ts";
import { decide, Players, wordsFrom } from "./players.ts";
import type { FromBots, ToBots } from "./thinkers.ts";

const tell = (message: FromBots): void => postMessage(message);

/** Players for the tables of one board: the memory of a kernel has room for one network. */
interface Ready {
  edition: string;
  /** the network was loaded, if there is one for the board */
  learned: boolean;
  players: Players;
}

let library: Library;
let ready: Ready | null = null;

async function playersFor({ edition, bot }: Question): Promise<Players> {
  const { bots } = await library.index();
  const learned = bots.some(({ name, learned }) => name === bot && learned);
  if (ready?.edition === edition && (ready.learned || !learned)) return ready.players;
  const network = learned ? await networkFor(edition, bot) : null;
  if (ready?.edition === edition && !network) return ready.players;
  const kernel = await Kernel.load(await library.module());
  const players = new Players(kernel, network && readArrays(network));
  ready = { edition, learned: network !== null, players };
  return players;
}

/** The network for an edition; null if there is none, or it cannot be fetched: bots play on without it. */
async function networkFor(edition: string, bot: string): Promise<ArrayBuffer | null> {
  try {
    return await library.network(edition, (done, bytes) =>
      tell({ kind: "notice", notice: { kind: "loading", bot, done, bytes } }),
    );
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    tell({ kind: "notice", notice: { kind: "no-network", bot } });
    return null;
  }
}

async function choose(question: Question): Promise<number> {
  const { edition, seats, seat, bot, view, legal, seed } = question;
  const [players, data] = await Promise.all([playersFor(question), library.editionFor(edition, seats)]);
  const position = { table: data.table(seats), seat, view, legal };
  return decide(players.think(bot, position, wordsFrom(BigInt(`0x${seed}`))));
}

async function hear(message: ToBots): Promise<void> {
  if (message.kind === "start") {
    library = new Library(fetchFrom(message.data), message.module);
    return;
  }
  const { id, question } = message;
  try {
    tell({ kind: "answer", id, action: await choose(question) });
  } catch (problem) {
    ready = null; // a trap leaves the kernel's memory as it was then
    tell({ kind: "failed", id, message: String(problem) });
  }
}

addEventListener("message", (event: MessageEvent<ToBots>) => void hear(event.data));
