// The review of a game by frames: the chances to win in each, the frame of each mistake and turning point.

import type { GameEvent, Judged, Review, TableEvent, TurningPoint } from "../net/wire.ts";
import { type Frame, frameIndex } from "./frames.ts";

/** A moment of the game that the review tells of. */
export interface Moment {
  readonly key: string;
  /** the frame to show */
  readonly index: number;
  /** the turn, as the page counts them */
  readonly turn: number;
  /** the decision, if it was a mistake */
  readonly judged: Judged | null;
}

/**
 * Each seat's chance to win, frame by frame, as far as it is known: as of the last decision.
 * `versions` are those of the decisions' updates.
 */
export function chancesOf(review: Review, versions: readonly number[], frames: readonly Frame[]): number[][] {
  const seats = review.curve[0]?.length ?? 0;
  let made = 0; // decisions up to the frame
  const rows = frames.flatMap(({ version }) => {
    while ((versions[made] ?? Infinity) <= version) made += 1;
    const row = review.curve[made];
    return row ? [row] : []; // later ones are not known yet
  });
  return Array.from({ length: seats }, (_, seat) => rows.map((row) => row[seat] ?? 0));
}

/** A turning point: a mistake, shown before it, or a swing, shown when it had ended. */
export interface Point extends Moment {
  readonly point: TurningPoint;
  /** in the order of the game, from 1 on */
  readonly number: number;
  /** what happened during a swing that may explain it */
  readonly events: readonly (GameEvent | TableEvent)[];
}

// What moves a chance between two decisions of a player: what others did, and what chance gave.
const OF_OTHERS = ["route-claimed", "station-built", "alvin-captured", "game-ended"];
const OWN = ["blind-drawn", "tickets-kept", "tunnel-declined"];
const MOST_EVENTS = 4;

const explains = (event: GameEvent | TableEvent, seat: number): boolean =>
  ("seat" in event && event.seat === seat ? OWN : OF_OTHERS).includes(event.type);

/** The turning points in the order of the game. */
export function pointsOf(
  { judged }: Review,
  points: readonly TurningPoint[],
  versions: readonly number[],
  frames: readonly Frame[],
): Point[] {
  const ordered = [...points].sort((one, other) => one.ply - other.ply);
  return ordered.map((point, i) => {
    const { kind, ply, until, seat } = point;
    const mistake =
      kind === "mistake"
        ? momentOf(
            judged.find((one) => one.ply === ply),
            versions,
            frames,
          )
        : null;
    const from = frameIndex(frames, versions[ply] ?? 0);
    const to = until < versions.length ? frameIndex(frames, (versions[until] ?? 1) - 1) : frames.length - 1;
    const told = frames.slice(from, to + 1).flatMap(({ events }) => events);
    return {
      key: `${kind} ${ply} ${seat}`,
      index: mistake?.index ?? to,
      turn: mistake?.turn ?? frames[from]?.turn ?? 0,
      judged: mistake?.judged ?? null,
      point,
      number: i + 1,
      events: mistake ? [] : told.filter((event) => explains(event, seat)).slice(-MOST_EVENTS),
    };
  });
}

/** The moment before a decision. */
function momentOf(
  judged: Judged | undefined,
  versions: readonly number[],
  frames: readonly Frame[],
): Moment | null {
  const version = judged && versions[judged.ply];
  if (!judged || version === undefined) return null;
  const index = frameIndex(frames, version - 1);
  return {
    key: `mistake ${judged.ply} ${judged.seat}`,
    index,
    turn: frames[frameIndex(frames, version)]?.turn ?? 0,
    judged,
  };
}

/** The decisions that clearly cost something, the costliest first. */
export function mistakesOf(review: Review, versions: readonly number[], frames: readonly Frame[]): Moment[] {
  const clear = review.judged.filter((judged) => judged.clear).sort((one, other) => other.cost - one.cost);
  return clear.flatMap((judged) => momentOf(judged, versions, frames) ?? []);
}
