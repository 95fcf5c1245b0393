// The structure of the texts of the analysis board. Each language has all of them: see en.ts and ro.ts.

import type { ProblemName } from "../local/codes.ts";
import { language } from "../words/words.ts";
import en from "./en.ts";
import ro from "./ro.ts";

export interface StudyText {
  title: string;
  opening: string;
  setUp: string;
  playOn: string;
  copyAddress: string;
  leave: string;
  tabs: Record<"cards" | "figures" | "lines" | "hands", string>;
  knowing: string;
  openHands: string;
  eyesOf: string;
  assumed: string;
  drawAgain: string;
  lost: string;
  start: string;
  back: string;
  forward: string;
  remove: string;
  compare: string;
  compared: string;
  stopComparing: string;
  toCompare: string;
  thisLine: string;
  otherLine: string;
  noLines: string;
  luck: string;
  luckOf: Record<"first" | "hands" | "row" | "blind" | "tunnel" | "ticket", string>;
  decide: string;
  sides: string;
  chances: string;
  chancesBy: string;
  moves: string;
  thinking: string;
  over: string;
  failed: string;
  differs: string;
  nothingDiffers: string;
  what: Record<"score" | "trains" | "cards", string>;
  bad: Record<"title" | "damaged" | "newer" | "impossible" | "position" | "setUp", string>;
  setup: Record<
    | ("title" | "edition" | "seats" | "deal" | "clear" | "board" | "trains" | "station" | "marker")
    | (
        | "takeAway"
        | "supply"
        | "free"
        | "alvin"
        | "hint"
        | "turn"
        | "last"
        | "notLast"
        | "row"
        | "discards"
        | "known"
      )
    | ("everything" | "onlyBy" | "hand" | "handSize" | "seen" | "tickets" | "ticketCount" | "addTicket")
    | (
        | "removeTicket"
        | "trainsLeft"
        | "score"
        | "more"
        | "less"
        | "problems"
        | "sound"
        | "done"
        | "cancel"
        | "name"
      ),
    string
  >;
  /** what can be impossible in a position whose phase is a turn */
  problem: Partial<Record<ProblemName, string>>;
  otherProblem: string;
  playing: Record<"title" | "seat" | "others" | "begin" | "note", string>;
}

/** The texts in the language of the page. */
export const words = (): StudyText => ({ en, ro })[language()];
