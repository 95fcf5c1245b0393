// How a rules page is told. Each language writes the same sections: see en.ts and ro.ts.

import type { Facts } from "./facts.ts";

export type FigureName = "alvin" | "double" | "ferry" | "markers" | "paying" | "points" | "station" | "tunnel";

export interface Section {
  /** what links to it name: /rules/europe#tunnels */
  id: string;
  title: string;
  /** paragraphs */
  text: string[];
  points?: string[];
  figure?: { name: FigureName; caption: string };
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
