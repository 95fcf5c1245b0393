// What people do at a local table: decide, sit down, leave, come back, take back, resign. A `Refusal` says why not.

import { Refusal } from "../net/refusal.ts";
import type { Act, Color } from "../net/wire.ts";
import { pledgeOf } from "./fair.ts";
import { checkName } from "./names.ts";
import { decision, requireRunning } from "./proposal.ts";
import { PATIENCE_S } from "./show.ts";
import { freeColor, freeSeats, seatsOf, statusOf, type TableState } from "./state.ts";
import type { Table } from "./table.ts";
import { endsWithout, takebackOf } from "./takeback.ts";

export interface Sitting {
  seat: number | null;
  name: string;
  color: Color;
  pledge: string | null;
}

export function requireOwned(state: TableState, person: string, seat: number): void {
  if (!seatsOf(state, person).includes(seat)) throw new Refusal("not-allowed", "That seat is not yours.");
}

/** Make a person's decision; returns its version, also if the message is a repetition. */
export async function decide(table: Table, person: string, seat: number, message: Act): Promise<number> {
  const nonce = `${person}:${seat}:${message.nonce}`;
  try {
    return table.versionOf(nonce) ?? (await table.change((state) => decisionOf(state)));
  } catch (problem) {
    const known = table.versionOf(nonce); // another tab may have committed it meanwhile
    if (known !== undefined) return known;
    throw problem;
  }

  function decisionOf(state: TableState): ReturnType<typeof decision> {
    requireOwned(state, person, seat);
    requireRunning(state);
    const since = state.since[seat];
    if (message.version > state.version)
      throw new Refusal("stale", "That is a version this table has not reached.");
    if (!since) throw new Refusal("not-your-turn", "It is not for you to decide now.");
    if (state.chairs[seat]?.bot)
      throw new Refusal("not-your-turn", "A bot plays this seat. Take it back first.");
    if (message.version < since[0])
      throw new Refusal("stale", "The table has gone on since. Look again, then decide.");
    return decision(table.deal, state, seat, message.action, { nonce });
  }
}

/** Sit down on a seat, or on the next free one; returns the seat. One person may have several. */
export async function sit(table: Table, person: string, wanted: Sitting): Promise<number> {
  let taken = -1;
  await table.change((state) => {
    const mine = seatsOf(state, person);
    const [first] = mine;
    if (first !== undefined && (wanted.seat === null || mine.includes(wanted.seat))) {
      taken = wanted.seat ?? first;
      return null;
    }
    if (statusOf(state) !== "waiting") throw new Refusal("not-now", "The game has begun already.");
    taken = freeSeat(table, state, person, wanted.seat);
    const { name, color, pledge } = wanted;
    checkName(
      name,
      state.chairs.map((chair, i) => (i === taken ? null : chair.name)),
    );
    const own = freeColor(state, color, taken);
    return { entry: { kind: "sat", seat: taken, person, name, color: own, pledge } };
  });
  return taken;
}

function freeSeat({ deal }: Table, state: TableState, person: string, wanted: number | null): number {
  const { seats } = deal.terms;
  if (wanted !== null && wanted >= seats.length)
    throw new Refusal("bad-value", `There is no seat ${wanted} at this table.`);
  const free = freeSeats(state);
  const mine = free.filter((seat) => seats[seat]?.keptFor === person);
  const open = free.filter((seat) => seats[seat]?.keptFor === null);
  const fitting = [...mine, ...open].find((seat) => wanted === null || seat === wanted);
  if (fitting === undefined) throw new Refusal("taken", "There is no free seat for you here.");
  return fitting;
}

/** Add a nonce to the deal, for all seats of a person that pledged it. */
export async function addNonce(table: Table, person: string, nonce: string): Promise<void> {
  const pledge = pledgeOf(nonce);
  await table.change((state) => {
    if (state.announced === null)
      throw new Refusal("not-now", "Keep your nonce until the terms are announced.");
    const shares = state.shares ?? [];
    const seats = seatsOf(state, person).filter((seat) => shares[seat]?.pledge === pledge);
    if (!seats.length) throw new Refusal("bad-value", "That is not a nonce that you pledged at this table.");
    if (seats.every((seat) => shares[seat]?.nonce)) return null;
    if (statusOf(state) !== "waiting")
      throw new Refusal("not-now", "Too late: the cards were dealt without your nonce.");
    return { entry: { kind: "nonce-added", seats, nonce } };
  });
}

/** Leave a seat: before the game it is free again, in the game a bot stands in. */
export async function leave(table: Table, person: string, seat: number): Promise<void> {
  await table.change((state) => {
    requireOwned(state, person, seat);
    const waiting = statusOf(state) === "waiting";
    if (waiting && state.announced === null) return { entry: { kind: "left", seat } };
    if (!waiting) requireRunning(state); // else it is about to begin, with the names announced
    if (state.chairs[seat]?.bot) return null;
    return { entry: { kind: "stood-in", seat, bot: table.deal.terms.standIn, reason: "left" } };
  });
}

/** Take a seat back from the bot that stands in. */
export async function comeBack(table: Table, person: string, seat: number): Promise<void> {
  await table.change((state) => {
    requireOwned(state, person, seat);
    requireRunning(state);
    if (state.chairs[seat]?.reason === "resigned")
      throw new Refusal("not-now", "You resigned: the bot plays this seat to the end.");
    return state.chairs[seat]?.bot ? { entry: { kind: "came-back", seat } } : null;
  });
}

/** Take the decision with that version back, with the answers of bots to it. */
export async function takeBack(table: Table, person: string, seat: number, version: number): Promise<void> {
  await table.change((state) => {
    requireOwned(state, person, seat);
    requireRunning(state);
    const found = takebackOf(state);
    if (found?.version !== version)
      throw new Refusal(
        "not-now",
        "That decision cannot be taken back: something was revealed since, another player has answered, or it was refused.",
      );
    if (found.seat !== seat) throw new Refusal("not-allowed", "That decision is not yours.");
    return { entry: { kind: "taken-back", seat, version, decisions: found.decisions } };
  });
}

/** Resign: a bot plays the seat to the end, or the game ends if one person is left. */
export async function resign(table: Table, person: string, seat: number): Promise<void> {
  await table.change((state) => {
    requireOwned(state, person, seat);
    if (state.chairs[seat]?.reason === "resigned") return null;
    requireRunning(state);
    return {
      entry: { kind: "resigned", seat, bot: table.deal.terms.standIn, ends: endsWithout(state, seat) },
    };
  });
}

/** Let a bot play for a person who has kept the table waiting for too long. */
export async function callStandIn(table: Table, seat: number): Promise<void> {
  await table.change((state) => {
    requireRunning(state);
    const since = state.since[seat];
    if (!since || state.chairs[seat]?.bot)
      throw new Refusal("not-now", "The table is not waiting for a person on that seat.");
    const left = PATIENCE_S - (table.services.now() - since[1]) / 1000;
    if (left > 0) throw new Refusal("not-now", `Give them ${left.toFixed(0)} more seconds.`);
    return { entry: { kind: "stood-in", seat, bot: table.deal.terms.standIn, reason: "called" } };
  });
}

/** Close the table for good. */
export async function close(table: Table): Promise<void> {
  await table.change((state) =>
    ["finished", "closed"].includes(statusOf(state)) ? null : { entry: { kind: "closed" } },
  );
}
