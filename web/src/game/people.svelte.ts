// Who is at a table, as the server says: at a table in this browser, nothing is known and nothing is shown.

import type { Presence, SeatPresence } from "../net/wire.ts";
import { count, listed, t } from "../words/words.ts";

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

export class People {
  #told: Presence | null = $state.raw(null);
  /** by seat whose person is away: since when this page knows it, by the server's clock */
  #noticed: readonly (number | null)[] = $state.raw([]);
  /** by seat: until when this player wants to wait, by the server's clock */
  #waits: Readonly<Record<number, number>> = $state.raw({});

  /** @param now by the server's clock */
  hear(presence: Presence, now: number): void {
    this.#noticed = presence.seats.map((seat, i) =>
      seat && !seat.here ? (seat.since ?? this.#noticed[i] ?? now) : null,
    );
    const still = Object.entries(this.#waits).filter(([seat]) => this.isAway(Number(seat), presence));
    this.#waits = Object.fromEntries(still);
    this.#told = presence;
  }

  /** Without a connection, nothing is known. */
  forget(): void {
    this.#told = null;
  }

  /** Whether the person of a seat is here; null: not known, or not a person's seat. */
  at(seat: number): SeatPresence | null {
    return this.#told?.seats[seat] ?? null;
  }

  isAway(seat: number, told: Presence | null = this.#told): boolean {
    return told?.seats[seat]?.here === false;
  }

  /** For how many seconds a person has been away, at least; null: they are here, or nothing is known. */
  awayFor(seat: number, now: number): number | null {
    const since = this.isAway(seat) ? this.#noticed[seat] : null;
    return since == null ? null : (now - since) / 1000;
  }

  /** Do not ask about a seat for so many seconds, unless its person comes and goes again. */
  wait(seat: number, seconds: number, now: number): void {
    this.#waits = { ...this.#waits, [seat]: now + seconds * 1000 };
  }

  isWaiting(seat: number, now: number): boolean {
    return now < (this.#waits[seat] ?? 0);
  }

  /** Those who watch, in words; empty if there are none. */
  get watching(): string {
    const { watching = [], more = 0 } = this.#told ?? {};
    if (!watching.length) return more ? count(more, "presence.watching-n") : "";
    const others = more ? [count(more, "presence.more")] : [];
    return t("presence.watching", { names: listed([...watching, ...others]) });
  }

  /** "away for 3 minutes"; "here"; empty if nothing is known. */
  words(seat: number, now: number): string {
    const found = this.at(seat);
    if (!found) return "";
    if (found.here) return t("presence.here");
    const time = found.since === null ? "" : roughly((now - found.since) / 1000);
    return time ? t("presence.away-for", { time }) : t("presence.away");
  }
}

/** A time in whole minutes, hours or days; empty for less than a minute. */
export function roughly(seconds: number): string {
  if (seconds < MINUTE_S) return "";
  if (seconds < HOUR_S) return count(Math.floor(seconds / MINUTE_S), "presence.minutes");
  if (seconds < DAY_S) return count(Math.floor(seconds / HOUR_S), "presence.hours");
  return count(Math.floor(seconds / DAY_S), "days");
}
