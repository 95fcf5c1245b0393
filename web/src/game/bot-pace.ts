// How fast the moves of others are shown.

import { pace, settings } from "../ui/settings.svelte.ts";

export interface Pace {
  /** the factor for the duration of animations; 0: there are none */
  factor: number;
  /** milliseconds for which the result is shown before the next move */
  rest: number;
  /** most milliseconds for everything that is still to be shown */
  limit: number;
}

const LIMIT = 2000;
const REST = 900; // after a move of a bot that is shown calmly
const CALM_LIMIT = 9000;
const CALM_TURN = 5000; // if it is the player's turn already, whose clock does not run
const HURRY = 1000; // if it does

interface Moved {
  /** whether a bot moved */
  bot: boolean;
  /** whether the player of this screen is to decide after it */
  mine: boolean;
  /** whether the player's clock runs */
  clock: boolean;
}

/** The pace of one entry of the log. It is only shown later than it came: a click of the player cuts it short. */
export function paceOf({ bot, mine, clock }: Moved): Pace {
  const hurry = mine && clock ? HURRY : LIMIT;
  if (!bot || settings.bots === "quick") return { factor: pace(), rest: 0, limit: hurry };
  if (settings.bots === "at-once") return { factor: 0, rest: 0, limit: 0 };
  return { factor: pace(), rest: REST, limit: mine ? (clock ? HURRY : CALM_TURN) : CALM_LIMIT };
}
