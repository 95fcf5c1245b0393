// What bots, seats and editions are called, in the reader's language where there are words of ours.

import type { BotInfo, EditionLine, SeatInfo } from "../net/wire.ts";
import { maybe, t } from "./words.ts";

const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** A bot's name may have a setting behind it: "minimax:3". */
const plain = (bot: string): string => bot.split(":")[0] ?? bot;

export const botName = (bot: string): string => maybe(`bot-name.${plain(bot)}`) ?? capital(plain(bot));

/** Who sits there. Bots bear the same name in every log and record, and another in each language. */
export function seatName({ kind, name, bot }: Pick<SeatInfo, "kind" | "name" | "bot">): string | null {
  if (kind !== "bot" || bot === null || name === null) return name;
  const given = capital(plain(bot)); // by the server, which puts a number behind it where there are several
  return name.startsWith(given) ? botName(bot) + name.slice(given.length) : name;
}

/** Whether a bot that learned its game on other boards is to play on this one. */
const isUntrained = (bot: BotInfo, on: Pick<EditionLine, "learned">): boolean => bot.learned && !on.learned;

/** Its name, and how strong it is on a board, if that is known. */
export function botTitle(bot: BotInfo, on: Pick<EditionLine, "learned">): string {
  const strength = isUntrained(bot, on) ? null : maybe(`bot-strength.${bot.name}`);
  return strength ? `${botName(bot.name)} · ${strength}` : botName(bot.name);
}

/** How it plays on a board. */
export const botCharacter = (bot: BotInfo, on: Pick<EditionLine, "learned">): string =>
  isUntrained(bot, on) ? t("bot-stranger") : (maybe(`bot.${bot.name}`) ?? bot.character);

/** Who sat there, where only names are told. A bot is known by the name that the server gives to its kind. */
export function listedName(name: string): string {
  const [given = name, number = ""] = name.split(/(?= \d+$)/);
  const own = maybe(`bot-name.${given.toLowerCase()}`);
  return own !== null && given === capital(given.toLowerCase()) ? own + number : name;
}

/** An edition's id may have options: "old-west+alvin". */
export function editionName(id: string, title: string): string {
  const [base = "", ...options] = id.split("+");
  const name = maybe(`edition-name.${base}`);
  if (name === null) return title;
  return [name, ...options.map((option) => maybe(`option-name.${option}`) ?? capital(option))].join(" + ");
}
