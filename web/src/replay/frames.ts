// A whole game as a list of frames, computed from its first view and its updates.

import { viewsAfter } from "../game/reduce.ts";
import type { GameTexts } from "../game/texts.ts";
import type { EditionMap, GameEvent, GameView, TableEvent, TableInfo, Update } from "../net/wire.ts";

export interface Frame {
  version: number;
  view: GameView;
  deciding: readonly number[];
  events: readonly (GameEvent | TableEvent)[];
  /** what happened in it, in words */
  sentences: readonly string[];
  /** the seat it is about, if it is about one */
  seat: number | null;
  /** the turn in which it happened, from 1; 0 before the first */
  turn: number;
  /** whether a turn ended in it */
  ended: boolean;
}

/** The update with which the game began, if it has. */
export const firstUpdate = (updates: readonly Update[]): Update | undefined =>
  updates.find((update) =>
    update.events.some((event) => event.type === "game-began" || event.type === "card-dealt"),
  );

/** All frames, starting with the view after `firstUpdate`. */
export function framesOf(
  first: GameView,
  updates: readonly Update[],
  map: EditionMap,
  texts: Pick<GameTexts, "sentences">,
): Frame[] {
  const frames: Frame[] = [];
  const start = firstUpdate(updates)?.version ?? Infinity;
  let view = first;
  let turns = 0;
  for (const update of updates) {
    if (update.version < start) continue;
    // The game is shown as it was played in the end: what was taken back is left out, but not that it was.
    const back = update.events.find((event) => event.type === "taken-back");
    if (back) {
      turns -= frames.filter((frame) => frame.version >= back.version && frame.ended).length;
      frames.splice(0, frames.length, ...frames.filter((frame) => frame.version < back.version));
    }
    if (update.version > start) view = viewsAfter(view, update, map).at(-1) ?? view;
    const ended = update.events.some((event) => event.type === "turn-ended");
    const about = update.version === start ? undefined : update.events.find((event) => "seat" in event);
    frames.push({
      version: update.version,
      view,
      deciding: update.deciding,
      events: update.events,
      sentences: texts.sentences(update.events),
      seat: about && "seat" in about ? about.seat : null,
      turn: ended || view.phase !== "choose" ? turns + 1 : 0,
      ended,
    });
    if (ended) turns += 1;
  }
  return frames;
}

/** The index of the last frame that is not after a version. */
export function frameIndex(frames: readonly Frame[], version: number): number {
  return Math.max(
    0,
    frames.findLastIndex((frame) => frame.version <= version),
  );
}

/** The frame at the end of the previous or next turn; else the first or the last frame. */
export function turnFrom(frames: readonly Frame[], index: number, by: 1 | -1): number {
  const last = frames.length - 1;
  for (let i = index + by; i > 0 && i < last; i += by) if (frames[i]?.ended) return i;
  return by > 0 ? last : 0;
}

/** Whose view is shown: that of a seat, of all seats together, or of a spectator. */
export type Eyes = number | "all" | "spectator";

/** The eyes that can be chosen, the default first. On a shared screen a running game hides every hand. */
export function eyesOf(info: TableInfo): Eyes[] {
  const seats = info.seats.map((_, seat) => seat);
  const mine = seats.filter((seat) => info.seats[seat]?.mine);
  if (info.status === "finished") return ["all", ...seats, "spectator"];
  return mine.length === 1 ? [...mine, "spectator"] : ["spectator"];
}
