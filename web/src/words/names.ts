// Names of bots, seats and editions in the language of the page, where there is a translation.

import type { BotInfo, EditionLine, SeatInfo } from "../net/wire.ts";
import { language, maybe } from "./words.ts";

const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** A bot's name may have a setting behind it: "minimax:3". */
const plain = (bot: string): string => bot.split(":")[0] ?? bot;

export const botName = (bot: string): string => maybe(`bot-name.${plain(bot)}`) ?? capital(plain(bot));

/** The name of a seat. The server sends a bot's English name, which is translated here. */
export function seatName({ kind, name, bot }: Pick<SeatInfo, "kind" | "name" | "bot">): string | null {
  if (kind !== "bot" || bot === null || name === null) return name;
  const given = capital(plain(bot)); // as the server names it, with a number behind it where there are several
  return name.startsWith(given) ? botName(bot) + name.slice(given.length) : name;
}

/** Its name, and how strong it is, if that is known. */
export function botTitle(bot: string): string {
  const strength = maybe(`bot-strength.${bot}`);
  return strength ? `${botName(bot)} · ${strength}` : botName(bot);
}

/** How it plays. */
export const botCharacter = ({ name, character }: BotInfo): string => maybe(`bot.${name}`) ?? character;

/** The name of a player in a list, where only names are sent: one that is a bot's is translated. */
export function listedName(name: string): string {
  const [given = name, number = ""] = name.split(/(?= \d+$)/);
  const own = maybe(`bot-name.${given.toLowerCase()}`);
  return own !== null && given === capital(given.toLowerCase()) ? own + number : name;
}

/** An edition's id may have options: "old-west+alvin". */
export const baseEdition = (id: string): string => id.split("+")[0] ?? id;

export function editionName(id: string, title: string): string {
  const [base = "", ...options] = id.split("+");
  const name = maybe(`edition-name.${base}`);
  if (name === null) return title;
  return [name, ...options.map((option) => maybe(`option-name.${option}`) ?? capital(option))].join(" + ");
}

/** The sentence of an edition's file in the language of the page, or in English; null if it has none. */
export const editionNote = ({ sentences }: Pick<EditionLine, "sentences">): string | null =>
  sentences[language()] ?? sentences.en ?? null;
