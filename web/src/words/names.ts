// What bots and editions are called, in the reader's language where there are words of ours.

import type { BotInfo } from "../net/wire.ts";
import { maybe } from "./words.ts";

const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** As the server calls it at a table, where it may have a number too. */
export const botName = capital;

/** Its name, and how strong it is if that is known. */
export function botTitle(name: string): string {
  const strength = maybe(`bot-strength.${name}`);
  return strength ? `${botName(name)} · ${strength}` : botName(name);
}

export const botCharacter = ({ name, character }: BotInfo): string => maybe(`bot.${name}`) ?? character;

/** An edition's id may have options: "old-west+alvin". */
export function editionName(id: string, title: string): string {
  const [base = "", ...options] = id.split("+");
  const name = maybe(`edition-name.${base}`);
  if (name === null) return title;
  return [name, ...options.map((option) => maybe(`option-name.${option}`) ?? capital(option))].join(" + ");
}
