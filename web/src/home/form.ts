// The form of a new game, and the request that is made of it. The last form is stored in the browser.

import { newPledge } from "../game/nonce.ts";
import { alike } from "../local/names.ts";
import type { Place } from "../net/local.ts";
import { hasServer } from "../net/place.ts";
import type { BotInfo, EditionLine, NewTable } from "../net/wire.ts";
import { load, save } from "../ui/storage.ts";

/** Who plays a seat: me, a friend on this screen, a friend by link, or a bot. */
export type Chair =
  { who: "me" } | { who: "here"; name: string } | { who: "link" } | { who: "bot"; bot: string };

export interface GameForm {
  edition: string;
  options: string[];
  chairs: Chair[];
  /** seconds for each decision; 0: no clock */
  clock: number;
  /** the seat that begins; null: chance decides */
  first: number | null;
  standIn: string;
  /** delay of spectators, in seconds */
  delay: number;
  listed: boolean;
  /** whether players may ask for hints; null: only for one who plays alone with bots */
  hints: boolean | null;
  seed: string;
  /** whether the game is played at the server though this browser alone could host it */
  atServer: boolean;
}

/** What the tables of this browser offer. */
export interface LocalOffer {
  editions: readonly EditionLine[];
  bots: readonly BotInfo[];
}

export const CLOCKS = [0, 30, 60, 120, 86_400, 259_200, 604_800] as const;
export const DELAYS = [0, 30, 300] as const;
export const NAME_LENGTH = 24;

const KEY = "macaz-wish";
const FIRST_EDITION = "usa";
const FIRST_BOT = "conductor";

/** The bot that is offered first: of middle strength, so that a new player may win. */
export function firstBot(bots: readonly BotInfo[]): string {
  const middle = bots[Math.floor(bots.length / 2)]; // the server lists the weakest first
  return (bots.find(({ name }) => name === FIRST_BOT) ?? middle)?.name ?? "";
}

/** The bots that are offered on a board: one that plays with what it learned is not, where it learned nothing. */
export const botsOn = (bots: readonly BotInfo[], { learned }: Pick<EditionLine, "learned">): BotInfo[] =>
  bots.filter((bot) => learned || !bot.learned);

/** The bot of a name on a board. For one that is not offered there: the next weaker one; for an unknown one: the first. */
function botCalled(name: string, bots: readonly BotInfo[], line: EditionLine): string {
  const offered = botsOn(bots, line);
  const upTo = bots.slice(0, bots.findIndex((bot) => bot.name === name) + 1); // empty if it is unknown
  return upTo.findLast((bot) => offered.includes(bot))?.name ?? firstBot(offered);
}

/** As many chairs as the edition allows; added ones are for a bot. */
function fitted(chairs: readonly Chair[], { min_seats, max_seats }: EditionLine, bot: string): Chair[] {
  const kept = chairs.slice(0, max_seats);
  while (kept.length < min_seats) kept.push({ who: "bot", bot });
  return kept;
}

/** A complete form: names of editions and bots that this server does not have on that board are replaced. */
export function validForm(
  form: Partial<GameForm>,
  editions: readonly EditionLine[],
  bots: readonly BotInfo[],
): GameForm {
  const called = (id: string | undefined): EditionLine | undefined => editions.find((line) => line.id === id);
  const line = called(form.edition) ?? called(FIRST_EDITION) ?? editions[0];
  if (!line) throw new Error("there is nothing to play");
  const bot = firstBot(botsOn(bots, line));
  const seated: Chair[] = form.chairs ?? [{ who: "me" }, { who: "bot", bot }];
  const chairs = fitted(
    seated.map((chair) =>
      chair.who === "bot" ? { who: "bot", bot: botCalled(chair.bot, bots, line) } : chair,
    ),
    line,
    bot,
  );
  return {
    edition: line.id,
    options: form.options ?? [],
    chairs,
    clock: form.clock ?? 0,
    first: form.first != null && form.first < chairs.length ? form.first : null,
    standIn: form.standIn === undefined ? bot : botCalled(form.standIn, bots, line),
    delay: form.delay ?? 0,
    listed: form.listed ?? false,
    hints: form.hints ?? null,
    atServer: form.atServer ?? false,
    seed: form.seed ?? "",
  };
}

/** Whether something was chosen that only a server has. */
export function needsServer(form: GameForm, local: LocalOffer): boolean {
  const plays = (bot: string): boolean => local.bots.some(({ name }) => name === bot);
  return (
    !local.editions.some(({ id }) => id === form.edition) ||
    form.chairs.some((chair) => chair.who === "link" || (chair.who === "bot" && !plays(chair.bot))) ||
    !plays(form.standIn) ||
    form.clock > 0 ||
    form.delay > 0 ||
    (form.listed && !isSeeded(form))
  );
}

/** Where the game of a form is played: in this browser, unless it needs a server or one was chosen. */
export function placeFor(form: GameForm, local: LocalOffer): Place {
  return hasServer() && (form.atServer || needsServer(form, local)) ? "server" : "browser";
}

/** The bots of a form whose network is downloaded before they play on this board for the first time. */
export function downloads(form: GameForm, line: EditionLine, { bots }: LocalOffer): string[] {
  const chosen = new Set(form.chairs.flatMap((chair) => (chair.who === "bot" ? [chair.bot] : [])));
  return botsOn(bots, line)
    .filter(({ name, learned }) => learned && chosen.has(name))
    .map(({ name }) => name);
}

/** The chair of the friend whose name looks like another one at the table; null: it is the player's own name. */
export function clashingChair({ chairs }: GameForm, like: string): number | null {
  const at = chairs.findLastIndex((chair) => chair.who === "here" && alike(chair.name) === alike(like));
  return at < 0 ? null : at;
}

export const isSeeded = ({ seed }: GameForm): boolean => seed.trim() !== "";

/** The edition with its chosen options, as in `old-west+alvin`. */
export function editionOf(form: GameForm, line: EditionLine): string {
  const options = line.options.map((option) => option.name).filter((option) => form.options.includes(option));
  return [line.id, ...options].join("+");
}

/** The request for the table; `name` is the player's own. */
export function tableRequest(form: GameForm, line: EditionLine, name: string): NewTable {
  const here = form.chairs.flatMap((chair, seat) =>
    chair.who === "me" ? [{ seat, name }] : chair.who === "here" ? [{ seat, name: chair.name }] : [],
  );
  return {
    edition: editionOf(form, line),
    seats: form.chairs.map((chair) =>
      chair.who === "bot" ? { kind: "bot", bot: chair.bot } : { kind: "person" },
    ),
    mine: here.map((one) => one.name),
    mine_seats: here.map((one) => one.seat),
    listed: form.listed && !isSeeded(form),
    first: form.first,
    move_seconds: form.clock || null,
    stand_in: form.standIn,
    delay: form.delay,
    hints: form.hints,
    seed: form.seed.trim() || null,
    pledge: isSeeded(form) ? null : newPledge(),
  };
}

/** The last form, without its seed: the same cards are dealt again only if the seed is typed again. */
export const loadForm = (): Partial<GameForm> => ({
  ...(load(KEY) as Partial<GameForm> | null),
  seed: "",
});

export const saveForm = (form: GameForm): void => save(KEY, form);
