// Written by tools/make_record_decoders.py from kernel/layout.py and game/ of macaz. Do not edit.
// What the numbers in the kernel's records mean, and the fields of events and moves as JSON.

import type { EventRecord } from "../net/records.ts";
import type { Aids, GameEvent, Move, Phase, Reason, TicketAid } from "../net/wire.ts";

/** Why a seat may not choose something; empty if it may. */
export type WhyNot = Aids["routes"][number];

/** How the value of an event's field is made from the record. */
export type EventForm =
  | "number"
  | "hidden" // a number; null for those who may not see it
  | "tickets" // the members of a set; null for those who may not see it
  | "route" // of a lane
  | "cards" // a count for each kind
  | "by-seat" // a number for each seat
  | "own"; // the number of the event's seat

/** A field of an event: its name, its name in the record, its form. */
export type EventField = readonly [name: string, from: keyof EventRecord, form: EventForm];

/** How the fields of a move are made from its index among the moves of its kind. */
export type MoveForm =
  | "none"
  | "number"
  | "tickets"
  | "seat-tickets"
  | "ticket"
  | "build"
  | "claim";

/** How a bot decides, by its module in src/macaz/bots; `seconds` is 0 if it takes no limit. */
export interface BotKind {
  readonly how: "random" | "styled" | "search" | "learned" | "expert";
  readonly seconds: number;
}

export interface MoveKind {
  readonly type: Move["type"];
  readonly form: MoveForm;
  /** the field that has the index, for the form `number` */
  readonly field: string;
  /** whether it costs cards, so that its price belongs to it */
  readonly paid: boolean;
}

/** a digest of the kernel's sources that this file was written from */
export const SOURCES = "e06170c936f2819cbc00bca3144224c3e1f9e9c04c85a2b80cc98cf300035831";

export const CARDS = 9;
export const LOCO = 8;
export const LANES = 180;
export const WORD_BITS = 60;
export const TICKETS = 72;
export const LENGTHS = 10;
export const ACTIONS = 16384;
export const MOST_EVENTS = 8;
export const PAYS = 25;
export const PAY_LOCOS = 3;
export const HELD = 0;
export const OFFERED = 8;
export const UNKNOWN = -1;
export const TICKET_DONE = 1;
export const E_GAME_ENDED = 26;
export const DEAL_FIRST = 0;
export const DEAL_HANDS = 1;
export const DEAL_ROW = 2;
export const DEAL_SETUP = 3;
export const DEAL_OFFER = 5;
export const DEAL_TUNNEL = 6;
export const DEAL_BLIND = 4;
export const CHOOSE = 7;
export const START = 8;
export const TURN = 9;
export const TUNNEL = 13;
export const KEEP = 11;
export const OVER = 16;
export const MARKS = 3;
export const QUEUE = 32;
/** numbers that say what an action costs: a colour, its cards, locomotives */
export const PRICE = 3;

/** by number */
export const PHASES: readonly Phase[] = [
  "deal-first",
  "deal-hands",
  "deal-row",
  "deal-setup",
  "deal-blind",
  "deal-offer",
  "deal-tunnel",
  "choose",
  "start",
  "turn",
  "second",
  "keep",
  "return",
  "tunnel",
  "mark",
  "alvin",
  "over",
  "turn-end",
];

/** by number */
export const REASONS: readonly WhyNot[] = [
  "",
  "no-such-action",
  "game-over",
  "chance-first",
  "not-your-turn",
  "already-chosen",
  "other-decision",
  "not-in-row",
  "only-first-card",
  "deck-empty",
  "no-tickets",
  "keep-more",
  "not-offered",
  "own-lane",
  "lane-taken",
  "own-parallel-lane",
  "parallel-closed",
  "not-connected",
  "too-few-trains",
  "no-cards",
  "wrong-payment",
  "no-station-left",
  "city-taken",
  "not-an-end",
  "not-your-city",
  "can-still-act",
];

/** from TICKET_DONE on */
export const TICKET_STATES: readonly TicketAid["state"][] = [
  "done",
  "open",
  "impossible",
];

/** why a move is better than another one, from 1 on */
export const REASON_CODES: readonly Reason["code"][] = [
  "completes-ticket",
  "serves-ticket",
  "only-way",
  "needs-station",
  "network",
  "contested",
  "blocks",
  "points",
  "gives-points",
  "serves-none",
  "captures-alvin",
  "longest-path",
  "most-tickets",
  "alvin-held",
  "ends-game",
  "last-turn",
  "few-turns",
  "many-turns",
  "can-pay",
  "needed-card",
  "card-used",
  "no-face-up",
  "cannot-pay",
  "few-cards",
  "can-wait",
  "keeps-cards",
  "ticket-ready",
  "ticket-fits",
  "ticket-near",
  "ticket-shared",
  "ticket-risk",
  "ticket-lost",
  "all-done",
  "ticket-odds",
  "tunnel-sure",
  "tunnel-odds",
  "tunnel-risk",
  "station-completes",
  "station-nearer",
  "station-needed",
  "station-kept",
  "start-tickets",
  "start-nearer",
  "marker",
  "marker-little",
  "alvin-safe",
  "more-for-routes",
  "more-for-tickets",
  "less-for-other",
];

/** what can be impossible in a position that is set up */
export type ProblemName = "after-impossible" | "no-such-phase" | "turn-not-first" | "first-missing" | "first-early" | "drawn-wrong" | "passes-early" | "all-passed" | "last-early" | "not-over" | "last-with-trains" | "last-missing" | "card-count" | "unseen-count" | "pool-color" | "pool-small" | "seen-many" | "seen-color" | "row-long" | "row-early" | "discards-early" | "not-shuffled" | "row-full" | "row-short" | "deck-used-up" | "no-second-card" | "refreshed-wrong" | "hands-dealt" | "hand-in-setup" | "seen-in-setup" | "route-twice" | "both-lanes" | "second-lane" | "trains-exceeded" | "trains-wrong" | "score-wrong" | "routes-early" | "score-early" | "claim-missing" | "claim-now" | "not-claimed" | "no-tunnel" | "claim-closed" | "claim-trains" | "claim-apart" | "nothing-laid" | "laid-missing" | "laid-wrong" | "revealed-many" | "revealed-all" | "revealed-few" | "extra-wrong" | "extra-none" | "marks-many" | "city-marked" | "city-of-alvin" | "marks-in-setup" | "start-missing" | "route-apart" | "mark-apart" | "no-marker-left" | "ends-marked" | "no-alvin" | "alvin-waiting" | "alvin-of-other" | "alvin-elsewhere" | "alvin-not-captured" | "alvin-away" | "alvin-uncontrolled" | "ticket-count" | "long-in-deck" | "long-deck-now" | "not-in-box" | "no-bundle" | "under-early" | "long-under" | "long-offered" | "long-many" | "offers-missing" | "tickets-dealt" | "kept-in-setup" | "held-in-setup" | "offer-in-setup" | "returned-in-setup" | "long-in-setup" | "offer-now" | "returned-now" | "offer-size" | "offer-complete" | "next-is-known" | "order-not-chosen" | "return-size" | "known-in-deck" | "owner-must-know" | "under-gap" | "under-twice";

/** by number */
export const PROBLEMS: readonly (ProblemName | "")[] = [
  "",
  "after-impossible",
  "no-such-phase",
  "turn-not-first",
  "first-missing",
  "first-early",
  "drawn-wrong",
  "passes-early",
  "all-passed",
  "last-early",
  "not-over",
  "last-with-trains",
  "last-missing",
  "card-count",
  "unseen-count",
  "pool-color",
  "pool-small",
  "seen-many",
  "seen-color",
  "row-long",
  "row-early",
  "discards-early",
  "not-shuffled",
  "row-full",
  "row-short",
  "deck-used-up",
  "no-second-card",
  "refreshed-wrong",
  "hands-dealt",
  "hand-in-setup",
  "seen-in-setup",
  "route-twice",
  "both-lanes",
  "second-lane",
  "trains-exceeded",
  "trains-wrong",
  "score-wrong",
  "routes-early",
  "score-early",
  "claim-missing",
  "claim-now",
  "not-claimed",
  "no-tunnel",
  "claim-closed",
  "claim-trains",
  "claim-apart",
  "nothing-laid",
  "laid-missing",
  "laid-wrong",
  "revealed-many",
  "revealed-all",
  "revealed-few",
  "extra-wrong",
  "extra-none",
  "marks-many",
  "city-marked",
  "city-of-alvin",
  "marks-in-setup",
  "start-missing",
  "route-apart",
  "mark-apart",
  "no-marker-left",
  "ends-marked",
  "no-alvin",
  "alvin-waiting",
  "alvin-of-other",
  "alvin-elsewhere",
  "alvin-not-captured",
  "alvin-away",
  "alvin-uncontrolled",
  "ticket-count",
  "long-in-deck",
  "long-deck-now",
  "not-in-box",
  "no-bundle",
  "under-early",
  "long-under",
  "long-offered",
  "long-many",
  "offers-missing",
  "tickets-dealt",
  "kept-in-setup",
  "held-in-setup",
  "offer-in-setup",
  "returned-in-setup",
  "long-in-setup",
  "offer-now",
  "returned-now",
  "offer-size",
  "offer-complete",
  "next-is-known",
  "order-not-chosen",
  "return-size",
  "known-in-deck",
  "owner-must-know",
  "under-gap",
  "under-twice",
];
export const MOST_PROBLEMS = 256;

/** by number */
export const TIE_BREAKS: readonly (string | null)[] = [
  null,
  "tickets",
  "stations",
  "longest-path",
  "shared",
];

/** of records, by colour */
export const CARD_WORDS: readonly string[] = [
  "purple",
  "blue",
  "orange",
  "white",
  "green",
  "yellow",
  "black",
  "red",
  "loco",
];

/** the names of the heaps where a ticket may lie, by number */
export const HEAPS: Readonly<Record<number, string>> = { 24: "deck", 25: "bundle", 26: "box", 27: "long deck" };

/** a ticket's other places: counted from a number on */
export const PLACES: readonly (readonly [from: number, word: string])[] = [
  [32, "under"],
  [16, "returned"],
  [8, "offer"],
  [0, "seat"],
];

/** by number, from 1 on */
export const EVENTS: readonly { readonly type: GameEvent["type"]; readonly fields: readonly EventField[] }[] = [
  {
    type: "game-began",
    fields: [
      ["first", "seat", "number"],
    ],
  },
  {
    type: "card-dealt",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "hidden"],
    ],
  },
  {
    type: "card-taken",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
    ],
  },
  {
    type: "blind-drawn",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "hidden"],
    ],
  },
  {
    type: "row-filled",
    fields: [
      ["color", "color", "number"],
    ],
  },
  {
    type: "row-replaced",
    fields: [
      ["cards", "row", "cards"],
    ],
  },
  {
    type: "deck-shuffled",
    fields: [
      ["size", "size", "number"],
    ],
  },
  {
    type: "tickets-drawn",
    fields: [
      ["seat", "seat", "number"],
    ],
  },
  {
    type: "tickets-dealt",
    fields: [
      ["seat", "seat", "number"],
      ["count", "count", "number"],
      ["tickets", "tickets", "tickets"],
    ],
  },
  {
    type: "tickets-kept",
    fields: [
      ["seat", "seat", "number"],
      ["count", "count", "number"],
      ["tickets", "tickets", "tickets"],
    ],
  },
  {
    type: "tickets-returned",
    fields: [
      ["seat", "seat", "number"],
      ["count", "count", "number"],
      ["tickets", "tickets", "tickets"],
    ],
  },
  {
    type: "route-claimed",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
      ["cards", "cards", "number"],
      ["locomotives", "locos", "number"],
      ["route", "lane", "route"],
      ["points", "points", "by-seat"],
    ],
  },
  {
    type: "tunnel-tried",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
      ["cards", "cards", "number"],
      ["locomotives", "locos", "number"],
      ["route", "lane", "route"],
    ],
  },
  {
    type: "tunnel-revealed",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
    ],
  },
  {
    type: "tunnel-paid",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
      ["cards", "cards", "number"],
      ["locomotives", "locos", "number"],
      ["route", "lane", "route"],
    ],
  },
  {
    type: "tunnel-declined",
    fields: [
      ["seat", "seat", "number"],
      ["route", "lane", "route"],
    ],
  },
  {
    type: "station-built",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
      ["cards", "cards", "number"],
      ["locomotives", "locos", "number"],
      ["city", "city", "number"],
    ],
  },
  {
    type: "city-started",
    fields: [
      ["seat", "seat", "number"],
      ["city", "city", "number"],
    ],
  },
  {
    type: "marker-placed",
    fields: [
      ["seat", "seat", "number"],
      ["color", "color", "number"],
      ["cards", "cards", "number"],
      ["locomotives", "locos", "number"],
      ["city", "city", "number"],
    ],
  },
  {
    type: "marker-skipped",
    fields: [
      ["seat", "seat", "number"],
    ],
  },
  {
    type: "alvin-captured",
    fields: [
      ["seat", "seat", "number"],
      ["city", "city", "number"],
      ["points", "points", "own"],
    ],
  },
  {
    type: "alvin-moved",
    fields: [
      ["seat", "seat", "number"],
      ["city", "city", "number"],
    ],
  },
  {
    type: "passed",
    fields: [
      ["seat", "seat", "number"],
    ],
  },
  {
    type: "turn-ended",
    fields: [
      ["seat", "seat", "number"],
    ],
  },
  {
    type: "last-round-began",
    fields: [
      ["seat", "seat", "number"],
    ],
  },
  {
    type: "game-ended",
    fields: [],
  },
];

/** by kind of action */
export const MOVES: readonly MoveKind[] = [
  { type: "take", form: "number", field: "color", paid: false },
  { type: "blind", form: "none", field: "", paid: false },
  { type: "draw-tickets", form: "none", field: "", paid: false },
  { type: "pass", form: "none", field: "", paid: false },
  { type: "keep", form: "tickets", field: "", paid: false },
  { type: "return", form: "ticket", field: "", paid: false },
  { type: "pay-tunnel", form: "number", field: "locomotives", paid: true },
  { type: "decline", form: "none", field: "", paid: false },
  { type: "skip-marker", form: "none", field: "", paid: false },
  { type: "choose", form: "seat-tickets", field: "", paid: false },
  { type: "start", form: "number", field: "city", paid: false },
  { type: "move-alvin", form: "number", field: "city", paid: false },
  { type: "mark", form: "build", field: "", paid: true },
  { type: "station", form: "build", field: "", paid: true },
  { type: "claim", form: "claim", field: "", paid: true },
];

// Of the bots.

export const SEATS = 6;
export const SENSE_SIZE = 4072;
export const INTENT_WORDS = 5;
export const WISHES = 309;
export const CANDIDATES = 64;
export const SEARCHED = -1;
export const NOTHING = -2;
export const TRIES = 32;
export const TRY_NUMBERS = 6;
export const END_NUMBERS = 2;
export const FORECASTS = 2;
export const NODES = 32768;
export const WORLDS = 256;
export const SAMPLED = 4;
export const CHUNK = 16;
/** worlds that the expert's tries meet, and moves that it compares, at most */
export const TRIED_WORLDS = 128;
export const COMPARED = 16;
/** moves that are compared at most, and tries of each that are made at a time */
export const MOVES_COMPARED = 64;
export const TRIES_TOGETHER = 16;
/** moves that are compared because they are worth a thought, at most */
export const WORTH_A_THOUGHT = 20;
/** tries of a move whose results are kept, and what stands for one not made */
export const TRIES_KEPT = 1024;
export const NO_RESULT = -30000.0;
/** states that a study of two moves has, and reasons that it weighs, at most */
export const STATES_STUDIED = 3;
export const REASONS_WEIGHED = 24;
/** of reviews: what is left to do for a decision, kinds of turning points, phases */
export const SEARCH = 1;
export const MEASURE = 2;
export const COSTLY = 1;
export const MOST_POINTS = 5;
export const GAME_PHASES = 3;
export const STORY_SUMS = 5;
/** the style whose plan and suggestion a network is told */
export const SENSED_BY = "playout";
/** playouts of a search instead of `learned`, on a board without a network */
export const WITHOUT_NETWORK = 400;

/** The bots, and the seconds that they think for a decision. */
export const BOTS: Readonly<Record<string, BotKind>> = {
  "random": { how: "random", seconds: 0 },
  "apprentice": { how: "styled", seconds: 0 },
  "conductor": { how: "styled", seconds: 0 },
  "racer": { how: "styled", seconds: 0 },
  "planner": { how: "styled", seconds: 0 },
  "search": { how: "search", seconds: 0.5 },
  "learned": { how: "learned", seconds: 0 },
  "master": { how: "search", seconds: 2.5 },
  "expert": { how: "expert", seconds: 0.2 },
};
