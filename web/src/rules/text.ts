// The structure of a rules page. Each language has the same chapters: see en.ts and ro.ts.

import type { Facts } from "./facts.ts";

export type FigureName =
  "alvin" | "double" | "ferry" | "markers" | "paying" | "points" | "station" | "tunnel";

const always = (): boolean => true;

/** The chapters in their order, and which editions have them. */
const CHAPTERS = {
  goal: always,
  start: always,
  turn: always,
  cards: always,
  claim: always,
  points: always,
  double: ({ doubles }: Facts) => doubles,
  ferries: ({ ferries }: Facts) => ferries,
  tunnels: ({ tunnels }: Facts) => tunnels,
  tickets: always,
  stations: ({ stations }: Facts) => stations,
  markers: ({ markers }: Facts) => markers,
  alvin: ({ alvin }: Facts) => alvin,
  end: always,
};

/** The hash of a link to a chapter: /rules/europe#tunnels. */
export type ChapterId = keyof typeof CHAPTERS;

/** A chapter in one language. */
export interface Chapter {
  title: string;
  /** paragraphs */
  text: string[];
  points?: string[];
  figure?: { name: FigureName; caption: string };
}

export interface Section extends Chapter {
  id: ChapterId;
}

/** The chapters that apply to an edition, in their order. */
export function inOrder(facts: Facts, chapters: Record<ChapterId, Chapter>): Section[] {
  const ids = (Object.keys(CHAPTERS) as ChapterId[]).filter((id) => CHAPTERS[id](facts));
  return ids.map((id) => ({ id, ...chapters[id] }));
}

/** One of the things to do in a turn. */
export interface TurnChoice {
  id: "cards" | "claim" | "tickets" | "stations";
  title: string;
  text: string;
}

export interface RulesText {
  contents: string;
  minute: string;
  /** the whole family in a few sentences */
  inShort: string[];
  title: (edition: string) => string;
  choose: string;
  choices: (facts: Facts) => TurnChoice[];
  /** the section "turn" shows the choices */
  sections: (facts: Facts) => Section[];
  figures: {
    length: string;
    points: string;
    /** fewer players than needed for both lanes of a double route */
    few: (least: number, most: number) => string;
    many: (least: number) => string;
    laid: string;
    revealed: string;
    extra: string;
    or: string;
  };
}
