// Written by tools/make_wire_types.py from src/macaz/server/wire.py. Do not edit.
// What the messages mean is told in docs/protocol.md.

export const PROTOCOL = 1;

export type Color =
  | "blue"
  | "red"
  | "green"
  | "yellow"
  | "black"
  | "purple";

export type Sign =
  | "hello"
  | "well-played"
  | "thanks"
  | "oops"
  | "wow"
  | "hurry"
  | "think"
  | "good-game";

export type Status =
  | "waiting"
  | "running"
  | "finished"
  | "closed";

export type Phase =
  | "deal-first" // the chance phases: which seat has the first turn
  | "deal-hands" // a card to a hand, in the setup
  | "deal-row" // a card to the face-up row
  | "deal-setup" // a ticket to a seat, in the setup
  | "deal-blind" // the top of the deck to the seat that drew it
  | "deal-offer" // a ticket to the seat that draws tickets
  | "deal-tunnel" // a card revealed for a tunnel
  | "choose" // the setup tickets
  | "start" // the starting city
  | "turn"
  | "second" // the second card
  | "keep" // which of the tickets drawn
  | "return" // the order in which the others go back
  | "tunnel" // pay the extra cards, or give it up
  | "mark" // place a marker, or none
  | "alvin" // where Alvin moves to
  | "over"
  | "turn-end"; // only as `after`

export type Code =
  | "bad-message" // it cannot be read as a message
  | "bad-value" // it can be read, but a value in it is of no use; the message says which
  | "bad-origin" // it came from another site's page
  | "unknown-person" // no cookie or token, or one that is not ours
  | "not-found" // it does not exist, or is not for you to see
  | "not-allowed" // you may see it, but not do this
  | "not-now" // the table is not in a state for it
  | "not-your-turn" // it is not for this seat to decide
  | "illegal" // the rules do not allow it now
  | "stale" // it answers a question that has passed: look again
  | "taken" // another person or node was first
  | "name-taken" // a name at this table looks the same: choose another
  | "too-large" // a message or a body that is longer than this server reads
  | "too-fast" // retry later
  | "too-many" // tables, sockets, people: a limit of this server
  | "storage" // the database did not answer: it may or may not be done; retry with the same nonce
  | "closing" // this node is going down: connect again
  | "failed"; // a bug of the server

export type Origin =
  | "server"
  | "browser";

export type PuzzleKind =
  | "claim"
  | "card"
  | "tickets"
  | "keep"
  | "tunnel"
  | "station"
  | "marker"
  | "alvin"
  | "start"
  | "return";

export type Grade =
  | "easy"
  | "medium"
  | "hard";

/** The first seat was determined. */
export interface GameBegan {
  type: "game-began";
  first: number;
}

/** A card was dealt to a hand in the setup. */
export interface CardDealt {
  type: "card-dealt";
  seat: number;
  color: number | null;
}

/** A face-up card was taken. */
export interface CardTaken {
  type: "card-taken";
  seat: number;
  color: number;
}

/** The top card of the deck was drawn. */
export interface BlindDrawn {
  type: "blind-drawn";
  seat: number;
  color: number | null;
}

/** A card was turned face up. */
export interface RowFilled {
  type: "row-filled";
  color: number;
}

/** The face-up cards were discarded because too many of them were locomotives. */
export interface RowReplaced {
  type: "row-replaced";
  cards: number[];
}

/** The discards were shuffled into a new deck. */
export interface DeckShuffled {
  type: "deck-shuffled";
  size: number;
}

/** A seat used its turn to draw tickets; `TicketsDealt` follows. */
export interface TicketsDrawn {
  type: "tickets-drawn";
  seat: number;
}

/** A seat was dealt tickets to choose from. */
export interface TicketsDealt {
  type: "tickets-dealt";
  seat: number;
  count: number;
  tickets: number[] | null;
}

/** Tickets were kept. */
export interface TicketsKept {
  type: "tickets-kept";
  seat: number;
  count: number;
  tickets: number[] | null;
}

/** Tickets were returned. */
export interface TicketsReturned {
  type: "tickets-returned";
  seat: number;
  count: number;
  tickets: number[] | null;
}

/** A route was claimed; the cards include the extra cards of a tunnel. Points are by seat. */
export interface RouteClaimed {
  type: "route-claimed";
  seat: number;
  color: number;
  cards: number;
  locomotives: number;
  route: number;
  points: number[];
}

/** Cards were laid down for a tunnel. */
export interface TunnelTried {
  type: "tunnel-tried";
  seat: number;
  color: number;
  cards: number;
  locomotives: number;
  route: number;
}

/** A card was revealed for a tunnel. */
export interface TunnelRevealed {
  type: "tunnel-revealed";
  seat: number;
  color: number;
}

/** The extra cards for a tunnel were paid. */
export interface TunnelPaid {
  type: "tunnel-paid";
  seat: number;
  color: number;
  cards: number;
  locomotives: number;
  route: number;
}

/** A tunnel was given up, and the cards laid for it returned to the hand. */
export interface TunnelDeclined {
  type: "tunnel-declined";
  seat: number;
  route: number;
}

/** A station was built. */
export interface StationBuilt {
  type: "station-built";
  seat: number;
  color: number;
  cards: number;
  locomotives: number;
  city: number;
}

/** A starting city was placed. */
export interface CityStarted {
  type: "city-started";
  seat: number;
  city: number;
}

/** A city marker was placed. */
export interface MarkerPlaced {
  type: "marker-placed";
  seat: number;
  color: number;
  cards: number;
  locomotives: number;
  city: number;
}

/** A seat chose not to place a marker. */
export interface MarkerSkipped {
  type: "marker-skipped";
  seat: number;
}

/** Alvin was captured. */
export interface AlvinCaptured {
  type: "alvin-captured";
  seat: number;
  city: number;
  /** for the seat */
  points: number;
}

/** Alvin was moved. */
export interface AlvinMoved {
  type: "alvin-moved";
  seat: number;
  city: number;
}

/** A seat passed, having no other legal move. */
export interface Passed {
  type: "passed";
  seat: number;
}

/** A turn ended. */
export interface TurnEnded {
  type: "turn-ended";
  seat: number;
}

/** A seat ended its turn with few trains left: every seat has one more turn. */
export interface LastRoundBegan {
  type: "last-round-began";
  seat: number;
}

/** A ticket at the end of the game; `points` are negative where it was not completed. */
export interface TicketResult {
  ticket: number;
  completed: boolean;
  points: number;
}

/** A seat's final score by reason; the parts add up to the total. */
export interface SeatScore {
  /** points scored during play: routes, and captures of Alvin */
  routes: number;
  tickets: TicketResult[];
  longest_path: number;
  stations: number;
  globetrotter: number;
  alvin: number;
  total: number;
  path_length: number;
  /** the route each station borrows, in order of building */
  borrowed: (number | null)[];
}

/** The result of a game. */
export interface Outcome {
  seats: SeatScore[];
  winners: number[];
  /** the criterion that broke a tie; "shared" if none did */
  tie_break: string | null;
  /** the seats that resigned, which cannot win */
  resigned: number[];
  /** whether a resignation ended the game before its end */
  stopped: boolean;
}

/** The game ended; nothing is hidden any more. */
export interface GameEnded {
  type: "game-ended";
  outcome: Outcome;
}

/** Take a face-up card. */
export interface Take {
  type: "take";
  action: number;
  color: number;
}

/** Take the top card of the deck. */
export interface Blind {
  type: "blind";
  action: number;
}

/** Draw tickets. */
export interface DrawTickets {
  type: "draw-tickets";
  action: number;
}

/** Pass, legal only where no other move is. */
export interface Pass {
  type: "pass";
  action: number;
}

/** Keep these of the tickets drawn; ticket numbers, ascending. */
export interface Keep {
  type: "keep";
  action: number;
  tickets: number[];
}

/** Put this ticket under the deck next. */
export interface Return {
  type: "return";
  action: number;
  ticket: number;
}

/** Pay the extra cards of a tunnel, this many of them with locomotives. */
export interface PayTunnel {
  type: "pay-tunnel";
  action: number;
  color: number;
  cards: number;
  locomotives: number;
}

/** Do not pay for a tunnel, and take the cards laid for it back. */
export interface Decline {
  type: "decline";
  action: number;
}

/** Place no marker. */
export interface SkipMarker {
  type: "skip-marker";
  action: number;
}

/** Keep these of the tickets dealt in the setup; ticket numbers, ascending. */
export interface Choose {
  type: "choose";
  action: number;
  seat: number;
  tickets: number[];
}

/** Place the starting city. */
export interface Start {
  type: "start";
  action: number;
  city: number;
}

/** Move Alvin to a city. */
export interface MoveAlvin {
  type: "move-alvin";
  action: number;
  city: number;
}

/** Place a marker on a city; `locomotives` of the cards paid replace the colour. */
export interface Mark {
  type: "mark";
  action: number;
  color: number;
  cards: number;
  locomotives: number;
  city: number;
}

/** Build a station in a city; `locomotives` of the cards paid replace the colour. */
export interface Station {
  type: "station";
  action: number;
  color: number;
  cards: number;
  locomotives: number;
  city: number;
}

/** Claim a route; `locomotives` of the cards paid replace the colour. */
export interface Claim {
  type: "claim";
  action: number;
  color: number;
  cards: number;
  locomotives: number;
  route: number;
}

/**
 * A city with its coordinates in degrees. `name` is part of the fingerprint, records and positions,
 * and never changes; `label` is shown to people. They differ in accents and case only, so that both
 * can be typed.
 */
export interface City {
  name: string;
  lat: number;
  lon: number;
  /** the name, unless another text is given */
  label: string;
}

/** One lane between two cities (`a < b`); a double route has two. */
export interface Route {
  a: number;
  b: number;
  length: number;
  color: number;
  kind: string;
  locomotives: number;
  lane: number;
}

/**
 * A ticket between two cities (`a < b`). `status` says how reliable its data is: "" (certain),
 * "confirmed", "assumed" or "guessed".
 */
export interface Ticket {
  a: number;
  b: number;
  points: number;
  deck: string;
  status: string;
}

/** The rules of one edition, its chosen options included. */
export interface Rules {
  /** The smallest number of players. */
  min_seats: number;
  /** The largest number of players. */
  max_seats: number;
  /** How many train cards there are of each colour, and how many locomotives (S1). */
  cards: number[];
  /** How many train cards each player is dealt at the start (S2). */
  hand: number;
  /** How many train cards lie face up (S2). */
  row: number;
  /** This many face-up locomotives, or more, replace the whole row (S3, D7). */
  row_locomotives: number;
  /** How many trains each player has (C3). */
  trains: number;
  /** A player who ends a turn with this many trains or fewer starts the last round (E1). */
  last_trains: number;
  /** The points for a route, by its length (C5). */
  route_points: number[];
  /** From this many players on, the other lanes of a double or triple route stay open (C7). */
  parallel_from: number;
  /** How many normal tickets each player is dealt at the start (S4). */
  setup_tickets: number;
  /** How many long tickets each player is dealt at the start (S4, S5). */
  setup_long: number;
  /** How many of them each player must keep at least (S4). */
  setup_keep: number;
  /**
   * Where tickets returned at the start go: under the deck, shuffled together and then under the
   * deck, or out of the game (S4, S5).
   */
  setup_return: string;
  /** How many tickets are drawn in a turn that draws them (K1). */
  draw_tickets: number;
  /** How many of them must be kept at least (K1). */
  draw_keep: number;
  /**
   * Whether the player chooses the order in which tickets go under the deck, or they go in the
   * order of the edition's tickets, which are sorted by deck and cities (K1).
   */
  return_order: string;
  /** How many cards are revealed for a tunnel (U1, U6). */
  tunnel_cards: number;
  /** How many stations each player has (G1, G2). */
  stations: number;
  /** The points for a station not built (G4). */
  station_points: number;
  /** How many city markers each player has, the starting city's included (S7, W1). */
  markers: number;
  /** How many cards of one colour a city marker costs (W3). */
  marker_cards: number;
  /** The city where Alvin starts, or empty without him (A1). */
  alvin_city: string;
  /** The points for catching Alvin, and for holding him at the end (A2, A3, A5). */
  alvin_points: number;
  /** The points for the longest path (E3). */
  longest_points: number;
  /** The points for the most completed tickets (W6). */
  globetrotter_points: number;
  /**
   * What a turn can hold: draw, claim and tickets always (T1), and the edition's own (U1, G1, S7,
   * W2, W3, A1).
   */
  phases: string[];
  /**
   * What gives points: routes to their claimer or to the controllers of their cities (W4), and the
   * rest at the end (E2, E3, G4, W6, A5).
   */
  scorers: string[];
  /** What decides between equal scores, the first that differs (E4). */
  tie_breaks: string[];
}

/** What is known of a seat. `hand`, `tickets` and `offer` are null where they are hidden. */
export interface SeatView {
  hand_size: number;
  /** cards that it is publicly known to hold */
  seen: number[];
  hand: number[] | null;
  tickets_held: number;
  tickets: number[] | null;
  tickets_offered: number;
  /** to choose from */
  offer: number[] | null;
  trains: number;
  score: number;
  routes: number[];
  /** cities with its stations or markers, in order */
  marks: number[];
}

/** What a seat, or a spectator, may see of a game. */
export interface GameView extends Situation {
  /** whose view it is; null: a spectator's */
  seat: number | null;
  /** the seat with the first turn; null until it is determined */
  first: number | null;
  row: number[];
  discards: number[];
  deck_size: number;
  alvin_city: number | null;
  alvin_holder: number | null;
  seats: SeatView[];
  outcome: Outcome | null;
  /** Once the game is over: the routes of each seat's longest path, in order. */
  longest_paths: number[][];
}

/** What is to be decided: the part of a view that does not follow from events alone. */
export interface Situation {
  /** what is to be decided */
  phase: Phase;
  /** the phase after `deal-row`; `deal-setup`: no seat has had a turn */
  after: Phase;
  /** the seat whose turn it is */
  turn: number;
  /** seats that still choose their setup tickets */
  choosing: number[];
  /** consecutive passes */
  passes: number;
  /** turns left in the last round; 0 before it */
  last_turns: number;
  /** cards drawn in this turn so far */
  drawn: number;
  /** consecutive replacements of the row; at 10 it stays as it is */
  refreshed: number;
  /** the cards that may be in the deck, from public information */
  pool: number[];
  /** the route of a claim that is not complete */
  claiming: number | null;
  /** the cards laid for the tunnel being claimed */
  laid: number[];
  /** the cards revealed for that tunnel */
  revealed: number[];
  /** how many extra cards that tunnel costs */
  extra: number;
  /** tickets that can still be drawn */
  ticket_stock: number;
  /** of `ticket_stock`: returned in the setup, shuffled under the deck */
  tickets_bundled: number;
  /** of `ticket_stock`: returned later, in order under the deck */
  tickets_under: number;
  /**
   * The places of the tickets that this seat knows, except those listed in `seats`: "seat 1",
   * "offer 1", "returned 0", "under 2" (the third to be drawn), "bundle", "deck", "box", "long
   * deck"
   */
  known_tickets: Record<number, string>;
  /** whether Alvin was captured and is still to be moved */
  alvin_captured: boolean;
}

/**
 * Why a move is better than another one; `code` says what, and which of the fields it has. It is
 * true by itself: of the position, or of the tries, whose shares it tells.
 */
export interface Reason {
  code: "all-done" | "alvin-held" | "alvin-safe" | "blocks" | "can-pay" | "can-wait" | "cannot-pay" | "captures-alvin" | "card-used" | "completes-ticket" | "contested" | "ends-game" | "few-cards" | "few-turns" | "gives-points" | "keeps-cards" | "last-turn" | "less-for-other" | "longest-path" | "many-turns" | "marker" | "marker-little" | "more-for-routes" | "more-for-tickets" | "most-tickets" | "needed-card" | "needs-station" | "network" | "no-face-up" | "only-way" | "points" | "serves-none" | "serves-ticket" | "start-nearer" | "start-tickets" | "station-completes" | "station-kept" | "station-nearer" | "station-needed" | "ticket-fits" | "ticket-lost" | "ticket-near" | "ticket-odds" | "ticket-ready" | "ticket-risk" | "ticket-shared" | "tunnel-odds" | "tunnel-risk" | "tunnel-sure";
  route: number | null;
  ticket: number | null;
  /** another ticket */
  other: number | null;
  seat: number | null;
  color: number | null;
  city: number | null;
  /** points, trains, cards, turns or routes */
  amount: number | null;
  /** a number that belongs to `amount` */
  of: number | null;
  /** of the tries, 0 to 1, or a probability */
  share: number | null;
  /** the same share after the other move */
  instead: number | null;
}

/** A suggested move. Moves are in the order of their chances. */
export interface Suggestion {
  action: number;
  /** as in records */
  text: string;
  /** of winning after it, 0 to 1 */
  chance: number;
  /** the standard error of `chance` */
  error: number;
  /** the chance of the best move less `chance`, from 0 on; `Judged` calls it `cost` */
  loss: number;
  /** the standard error of `loss`, from tries with the same worlds and luck */
  doubt: number;
  /** points ahead of the best other seat at the end, on average */
  margin: number;
  /** of this move */
  tries: number;
  /** the weightiest first */
  reasons: Reason[];
}

/** The state of a ticket, and a cheapest path to complete it. */
export interface TicketAid {
  ticket: number;
  /** the seat may keep or return it now */
  offered: boolean;
  /** done: if the game ended now; impossible: whatever the seats do */
  state: "done" | "impossible" | "open";
  /** unclaimed spaces of the path; null if it is impossible */
  spaces: number | null;
  /** stations that the path needs and that are not built */
  stations: number;
  /** its routes, ascending: own, open and, by stations, others' ones */
  way: number[];
}

/** A lower bound of what a ticket still costs on its cheapest path. */
export interface TicketCost {
  ticket: number;
  /** cards by kind, if the hand is used for this ticket alone */
  missing: number[];
  /** further cards, for gray routes and stations */
  any_color: number;
  /** routes to claim */
  claims: number;
  /** of these; each may cost more cards, which are not counted */
  tunnels: number;
  /** stations to build */
  stations: number;
  /** missing in total */
  cards: number;
  /** to draw them two at a time, to claim and to build */
  turns: number;
}

/** The tickets that a station in a city would complete, by routes that others have now. */
export interface StationAid {
  city: number;
  /** tickets */
  rescues: number[];
}

/** The probabilities of extra cards for a tunnel paid with a colour (8: locomotives only). */
export interface TunnelAid {
  color: number;
  /** that it costs 0, 1, 2, … extra cards */
  odds: number[];
  /** by length of the route: extra cards that the hand could still pay */
  payable: number[];
}

/** The estimated result of a game for a seat or a spectator, and suggestions. */
export interface Advice {
  seat: number | null;
  /** of each seat to win */
  chances: number[];
  /** of each seat at the end, on average */
  scores: number[];
  /** of all moves */
  tries: number;
  /** the best first; empty if the seat is not to decide */
  moves: Suggestion[];
  /** those held, then those offered */
  tickets: TicketAid[];
  /** of those that are still open */
  costs: TicketCost[];
  /** where one may be built now and would complete a ticket */
  stations: StationAid[];
  /** by colour, if a tunnel can be tried with it now */
  tunnels: TunnelAid[];
}

/** A decision, compared with the best move that was found. */
export interface Judged {
  /** the number of the decision in the game, from 0; chance is not counted */
  ply: number;
  /** the turn, as in a record; 0 in the setup */
  turn: number;
  seat: number;
  /** of the game, by its turns: a third each, the setup in the first */
  phase: "end" | "middle" | "opening";
  /** the move, as one of `data.MOVES` */
  played: Move;
  /** as in records */
  played_text: string;
  /** the best move, likewise */
  best: Move;
  best_text: string;
  /** of winning; both from the same tries, none of which chose the best move */
  chance_played: number;
  chance_best: number;
  /** points ahead of the best other seat at the end, likewise */
  margin_played: number;
  margin_best: number;
  /** the loss in chance of winning; 0 if no better move was found */
  cost: number;
  /** the standard error of `cost` */
  error: number;
  /** whether the cost is significant: more than 2.5 times the error */
  clear: boolean;
  /** why the best move is better, the weightiest first */
  reasons: Reason[];
}

/** How a seat played a phase of the game. */
export interface PhaseReview {
  phase: "end" | "middle" | "opening";
  decisions: number;
  /** 0 to 100; None: no decisions */
  accuracy: number | null;
}

/** A moment that changed a seat's chance much. */
export interface TurningPoint {
  /** swing: luck, or what others did */
  kind: "mistake" | "swing";
  /** the decision; of a swing, the one after which it began */
  ply: number;
  /** of a swing, the seat's next decision, or the number of all; else `ply` */
  until: number;
  /** of `ply` */
  turn: number;
  seat: number;
  /** in the chance of winning */
  change: number;
}

/** What became of a ticket that a seat held, or gave back. */
export interface TicketReview {
  ticket: number;
  /** as in records */
  text: string;
  /** its value */
  points: number;
  fate: "completed" | "dropped" | "missed";
  /** in which it was kept, or given back */
  turn: number;
  /** whether the seat's routes and stations join its cities at the end */
  joined: boolean;
  /** of one that is not joined: trains that lack; None: no way was left */
  spaces: number | null;
  /** routes that lack on that way */
  claims: number;
  /** stations that lack on it */
  stations: number;
  /** cards that the hand lacks for it */
  cards: number;
  /** turns that it would have taken, at the least */
  turns: number;
}

/**
 * How a seat played, and how it fared. `deal`, `skill` and `luck` add up to its share of the win
 * less an equal share.
 */
export interface SeatReview {
  seat: number;
  name: string;
  /** judged decisions: those with more than one legal move */
  decisions: number;
  /** where it made the best move that was found */
  agreed: number;
  /** where a significantly better move was found */
  mistakes: number;
  /** chance of winning that the mistakes cost, in total */
  lost: number;
  /** 0 to 100; None: no decisions */
  accuracy: number | null;
  phases: PhaseReview[];
  /** chance that the first deal gave, before the first decision */
  deal: number;
  /** chance that the decisions cost, as far as it is certain; 0 or less */
  skill: number;
  /** the rest: cards, tickets, and what the others did */
  luck: number;
  /** the standard error of `skill` */
  error: number;
  /** of this seat, the largest first */
  turning_points: TurningPoint[];
  tickets: TicketReview[];
  score: SeatScore;
}

/** How a game was played. */
export interface Review {
  /**
   * By ply and seat: the chance of winning at the seat's last decision, from its information; the
   * last entry is the result.
   */
  curve: number[][];
  /** in the order of the game */
  judged: Judged[];
  seats: SeatReview[];
  winners: number[];
  /** of the game, the largest first */
  turning_points: TurningPoint[];
}

/** A seat for a person: the first who sits down. */
export interface PersonSeat {
  kind: "person";
}

/** A seat that a bot plays. */
export interface BotSeat {
  kind: "bot";
  bot: string;
}

/** The options of a new table, and the seats that its host takes. */
export interface NewTable {
  edition: string;
  seats: (PersonSeat | BotSeat)[];
  /** The names of those who play on this screen; by default one, of the maker's own name. */
  mine?: string[] | null;
  /** Where they sit, in that order; by default on the first seats for people. */
  mine_seats?: number[] | null;
  /** Whether the lobby shows it, and all may sit down or watch; not together with a seed. */
  listed?: boolean;
  /** The seat that begins; by default chance decides. */
  first?: number | null;
  /** The time for each decision; by default there is no clock. */
  move_seconds?: number | null;
  /** The bot that plays for those who leave or run out of time; by default the host's choice. */
  stand_in?: string | null;
  /** How many seconds spectators are behind. */
  delay?: number;
  reactions?: boolean;
  /** Whether those who play may ask for advice; by default where one person plays against bots. */
  hints?: boolean | null;
  /** Deal the cards of this seed: for studies only, as the seed reveals every card. */
  seed?: string | null;
  /** Of the nonce that the maker's client adds to the deal, for all seats that the maker takes. */
  pledge?: string | null;
}

/** Who sits where. `bot` plays the seat now; with a `name` of a person it stands in. */
export interface SeatInfo {
  kind: "bot" | "person";
  /** null: the seat is free */
  name: string | null;
  color: Color;
  bot: string | null;
  reason: "called" | "left" | "resigned" | "time" | null;
  mine: boolean;
  /** free, but only for a player of the game before, in a rematch */
  kept: boolean;
  /** what it adds to the deal */
  nonce: "added" | "missing" | "none" | "pledged";
  /** at a listed table: other seats taken from the same address */
  shared_with: number[];
}

/** A table as the one who asks may see it. */
export interface TableInfo {
  id: string;
  edition: string;
  title: string;
  fingerprint: string;
  status: Status;
  version: number;
  seats: SeatInfo[];
  /** whether the one who asks made it */
  host: boolean;
  listed: boolean;
  first: number | null;
  move_seconds: number | null;
  stand_in: string;
  /** seconds until the others may call a stand-in where there is no clock */
  patience: number;
  /** the same for a person who is away: seconds since they went */
  absence: number;
  delay: number;
  reactions: boolean;
  /** whether those who play may ask for advice */
  hints: boolean;
  seeded: boolean;
  /** browser: played or begun there without a server, then sent to this one */
  origin: Origin;
  commitment: string;
  /** the terms as published before the first card */
  announcement: string | null;
  created_at: number;
  previous: string | null;
  rematch: string | null;
  /** Whether it began with a position, in a browser: it counts in no statistics. */
  placed: boolean;
}

/** A table in a list. */
export interface TableLine {
  id: string;
  edition: string;
  title: string;
  status: Status;
  /** null: a free seat */
  names: (string | null)[];
  move_seconds: number | null;
  created_at: number;
  updated_at: number;
  origin: Origin;
  scores: number[] | null;
  winners: number[] | null;
  /** the seats that resigned */
  resigned: number[];
  /** the seats of the one who asks */
  mine: number[];
  /** the seats that are for the first who comes */
  free: number[];
  /** of a listed table: the seats taken from one address with another */
  shared: number[];
}

/** A person took a seat. */
export interface LocalSat {
  kind: "sat";
  seat: number;
  name: string;
  color: Color;
  pledge: string | null;
}

/** A seat became free again, before the game. */
export interface LocalLeft {
  kind: "left";
  seat: number;
}

/** The terms of the game were announced. */
export interface LocalAnnounced {
  kind: "announced";
  text: string;
}

/** The nonce that was pledged for these seats was told. */
export interface LocalNonceAdded {
  kind: "nonce-added";
  seats: number[];
  nonce: string;
}

/** The game began. */
export interface LocalDealt {
  kind: "dealt";
  /** the outcomes of chance up to the first decision */
  chances: number[];
}

/** A seat decided. */
export interface LocalActed {
  kind: "acted";
  seat: number;
  action: number;
  /** the outcomes of chance that followed, up to the next decision */
  chances: number[];
  /** the bot that decided; empty: the person */
  bot: string;
}

/** A bot plays for the person of a seat, until they come back. */
export interface LocalStoodIn {
  kind: "stood-in";
  seat: number;
  bot: string;
  reason: "called" | "left" | "time";
}

/** The person of a seat plays it again. */
export interface LocalCameBack {
  kind: "came-back";
  seat: number;
}

/** The last decisions were taken back: one of this seat, and the answers of bots to it. */
export interface LocalTakenBack {
  kind: "taken-back";
  seat: number;
  /** of the first of them */
  version: number;
  decisions: number;
}

/** The person of a seat resigned: a bot plays it from now on, or the game ended. */
export interface LocalResigned {
  kind: "resigned";
  seat: number;
  bot: string;
  ends: boolean;
}

/** One entry of the log of a local table. */
export interface LocalLine {
  at: number;
  entry: LocalEntry;
}

/**
 * A game that was played or begun in a browser, to be kept at this server. Its log is that of the
 * local table, from the first entry to the last.
 */
export interface LocalGame {
  edition: string;
  fingerprint: string;
  seats: (PersonSeat | BotSeat)[];
  log: LocalLine[];
  /** What the cards were dealt from; null at a table with a seed. */
  secret?: string | null;
  seed?: string | null;
  /** The seat that begins; by default chance decided. */
  first?: number | null;
  stand_in?: string | null;
  reactions?: boolean;
  hints?: boolean | null;
}

/** An entry of the log of a table that is a part of its game. */
export interface LoggedStep {
  version: number;
  /** a `GameEntry` */
  step: GameEntry;
}

/** A finished game as its actions, to be replayed by the kernel. */
export interface GameLog {
  edition: string;
  fingerprint: string;
  seats: number;
  /** The seat that begins; null: chance decided. */
  first: number | null;
  log: LoggedStep[];
}

/** A page of tables, newest first; `next` is the `before` of the following page. */
export interface TableList {
  tables: TableLine[];
  next: string | null;
}

/** Sit down: on a given seat, or on the next free one. */
export interface Sit {
  seat?: number | null;
  name?: string | null;
  pledge?: string | null;
}

/** Play with any other people: at an open table with a free seat, or at a new one. */
export interface QuickPlay {
  /** The map that is preferred, and that of a new table. */
  edition: string;
  pledge?: string | null;
}

/** Take a decision back, or ask the others to agree. */
export interface TakeBack {
  /** of the decision */
  version: number;
}

/** Agree that another player takes a decision back, or do not. */
export interface TakebackAnswer {
  /** of the decision */
  version: number;
  accept: boolean;
}

/** What a rematch may be asked for with. */
export interface PlayAgain {
  pledge: string | null;
}

/** A link to give away: to join on any free seat, to one seat (once), or to watch. */
export interface NewLink {
  kind: "join" | "seat" | "watch";
  seat?: number | null;
}

/** A QR code as an SVG path: its dark modules, as lines of the width 1. */
export interface QrCode {
  /** modules in a row, without the light ones around it */
  size: number;
  path: string;
}

/** Where others open this page. */
export interface Address {
  url: string;
  qr: QrCode;
  /** whether this server is open to the network around it: `macaz play --lan` */
  lan: boolean;
}

/** A link. Its address is told once, when it is made. */
export interface LinkInfo {
  id: string;
  kind: "join" | "seat" | "watch";
  seat: number | null;
  created_at: number;
  used: boolean;
  revoked: boolean;
  url: string | null;
  /** of the address */
  qr: QrCode | null;
}

/** The secret part of a link: what stands behind the # of its address. */
export interface OpenLink {
  token: string;
  name?: string | null;
  pledge?: string | null;
  /** Only watch, though the link leads to a seat: one to join may have come too late. */
  watch?: boolean;
}

/** The secret part of a link, to be told where it leads. */
export interface LookAtLink {
  token: string;
}

/** What a link leads to, as the one who holds it may know it before opening it. */
export interface Invitation {
  kind: "join" | "seat" | "watch";
  /** of a link to one */
  seat: number | null;
  /** the name of the person who made the link; null: forgotten since */
  by: string | null;
  edition: string;
  title: string;
  status: Status;
  seats: SeatInfo[];
  move_seconds: number | null;
  delay: number;
  hints: boolean;
  seeded: boolean;
  /** whether opening the link gives you a seat, or you have one */
  may_sit: boolean;
  /** whether it lets you watch */
  may_watch: boolean;
}

/** Where a link led: a table, and the seat that is yours now (null: you watch). */
export interface Opened {
  table: string;
  seat: number | null;
}

/** The new name and colour of a person. */
export interface Profile {
  name: string;
  color: Color;
}

/** Create a person. A program asks for a `token` by its label; a browser gets a cookie. */
export interface NewPerson {
  name: string;
  color?: Color;
  token?: string | null;
}

/** Who the cookie or the token says you are. */
export interface Me {
  name: string;
  color: Color;
  created_at: number;
  /** the one that a new person asked for, sent once */
  token: string | null;
}

/** Who asks, if the server knows them: for pages, to whom a stranger is no error. */
export interface Whoami {
  me: Me | null;
}

/**
 * A person's results in some games; averages and the best are null without any. A game in which
 * they resigned is a loss.
 */
export interface Results {
  games: number;
  /** shared ones included */
  wins: number;
  /** games in which they resigned */
  resigned: number;
  /** games that they played to the end: all that follows is of these */
  played_out: number;
  average_score: number | null;
  best_score: number | null;
  /** how far ahead of the best of the others, or behind */
  average_margin: number | null;
  /** kept until the end */
  tickets: number;
  tickets_completed: number;
  /** how often they had the bonus for it */
  longest_paths: number;
}

/** A person's results at one edition, with so many at the table. */
export interface EditionResults {
  edition: string;
  title: string;
  seats: number;
  results: Results;
}

/** A finished game of a person. All lists are by seat. */
export interface PlayedGame {
  table: string;
  edition: string;
  title: string;
  origin: Origin;
  finished_at: number;
  names: (string | null)[];
  scores: number[];
  winners: number[];
  /** theirs */
  seat: number;
  /** 1 for a winner */
  place: number;
  /** the seats that resigned */
  resigned: number[];
}

/** All finished games of a person, and the latest of them, newest first. */
export interface Statistics {
  total: Results;
  editions: EditionResults[];
  latest: PlayedGame[];
}

/** A token for a program that acts as you. */
export interface NewToken {
  label: string;
}

/** A token. Its secret is told once, when it is made. */
export interface TokenInfo {
  id: string;
  label: string;
  created_at: number;
  used_at: number | null;
  revoked: boolean;
  secret: string | null;
  /** whether it is the one that asks */
  present: boolean;
}

/** A browser in which you are signed in. */
export interface SessionInfo {
  id: string;
  /** the browser and the system, as in "Firefox, Linux"; empty: not known */
  label: string;
  created_at: number;
  /** to the hour */
  used_at: number;
  /** whether it is the one that asks */
  present: boolean;
  /** where notices of turns are sent to; null: to none */
  push_service: string | null;
}

/** Whether the server can send notices while the page is closed. */
export interface PushOffer {
  /** the `applicationServerKey` for `PushManager.subscribe`; null: it cannot */
  key: string | null;
}

/** Where this browser takes notices, as `PushSubscription.toJSON` tells it. */
export interface NewSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: "en" | "ro";
}

/** What a service worker is told through Web Push. It has nothing that is secret in the game. */
export interface Notice {
  kind: "began" | "closed" | "over" | "soon" | "turn";
  table: string;
  edition: string;
  title: string;
  /** of the others at the table */
  names: string[];
  language: "en" | "ro";
}

/** A table at which it is your turn. */
export interface WaitingTable {
  table: TableLine;
  /** when your time runs out */
  deadline: number | null;
}

/** Sign out everywhere: end all sessions, revoke all tokens. */
export interface SignOut {
  /** whether the session or token that asks goes on */
  keep_present: boolean;
}

/** A bot to play against. */
export interface BotInfo {
  name: string;
  character: string;
  /** whether it plays with what it learned about a board, and searches elsewhere */
  learned: boolean;
}

/** An option of an edition. */
export interface OptionInfo {
  name: string;
  doc: string;
}

/** An edition in a list. */
export interface EditionLine {
  id: string;
  name: string;
  min_seats: number;
  max_seats: number;
  options: OptionInfo[];
  /** whether the bots that learn know its board */
  learned: boolean;
  /** "" if its file names none */
  author: string;
  /** a sentence about it, by language; {} if its file has none */
  sentences: Record<string, string>;
}

/** An edition with its options: all that a page needs to show it. */
export interface EditionMap {
  id: string;
  title: string;
  fingerprint: string;
  /** the names of the nine kinds of cards, in the order of their numbers */
  cards: string[];
  cities: City[];
  routes: Route[];
  tickets: Ticket[];
  rules: Rules;
}

/** The position of a city, and of its label: the `anchor` point on the text's baseline. */
export interface CityPlace {
  x: number;
  y: number;
  label_x: number;
  label_y: number;
  anchor: "end" | "middle" | "start";
}

/** The centre of a space, and its clockwise rotation in degrees. */
export interface Space {
  x: number;
  y: number;
  angle: number;
}

/** One lane from its first city to its second: its centre line as an SVG path, its spaces. */
export interface Track {
  path: string;
  spaces: Space[];
}

/**
 * A drawn board: cities and tracks in the order of the edition's cities and routes. `land`,
 * `lakes`, `borders`, `provinces` and `graticule` are SVG paths, which may be empty; `land` and
 * `lakes` are areas (even-odd), the others are lines.
 */
export interface Plate {
  width: number;
  height: number;
  space_length: number;
  space_width: number;
  lane_step: number;
  city_radius: number;
  label_size: number;
  cities: CityPlace[];
  tracks: Track[];
  land: string;
  lakes: string;
  borders: string;
  provinces: string;
  graticule: string;
}

/** A map and its drawing, as a file for tables in a browser. */
export interface MapFile {
  map: EditionMap;
  plate: Plate;
}

/** A network for bots in a browser. */
export interface NetworkFile {
  file: string;
  bytes: number;
}

/** A move of a puzzle, as many tries found it. */
export interface PuzzleMove {
  action: number;
  /** of winning: that of the best move less `loss` */
  chance: number;
  /** its standard error */
  error: number;
  /** chance less than that of the best move */
  loss: number;
  /** standard error of the loss */
  doubt: number;
  /** points ahead of the best other seat at the end, on average */
  margin: number;
  tries: number;
}

/** A position in which one move is clearly the best, for a table in a browser. */
export interface Puzzle {
  id: string;
  /** with its options */
  edition: string;
  fingerprint: string;
  seats: number;
  /** that is to decide */
  seat: number;
  /** what it knows: the kernel's record, in base64 */
  view: string;
  /** what the best move is about */
  kind: PuzzleKind;
  grade: Grade;
  /** the bots that make the right move */
  found: string[];
  /** the right move, the best way to pay for it first */
  answers: number[];
  /** the best first; others cost as much as those that do the same */
  moves: PuzzleMove[];
  /** why it is better than the best other move */
  reasons: Reason[];
}

/** The puzzles of all editions that have some. */
export interface PuzzleList {
  /** by the edition's id: those that tried to solve its puzzles */
  bots: Record<string, string[]>;
  puzzles: Puzzle[];
}

/** The files for tables in a browser, named relative to `data/`; editions are qualified ids. */
export interface DataIndex {
  /** those that are offered */
  editions: EditionLine[];
  /** those that can play in a browser */
  bots: BotInfo[];
  /** a digest of the kernel's sources: the decoders of a page fit one kernel */
  sources: string;
  /** the rules and the players, as a WebAssembly module */
  kernel: string;
  /** by edition: a `MapFile` */
  maps: Record<string, string>;
  /** by edition and number of seats: the compiled rules */
  tables: Record<string, Record<string, string>>;
  /** by edition, if there is one for its board */
  networks: Record<string, NetworkFile>;
  /** a `PuzzleList` */
  puzzles: string;
}

/** What a seat can work out from what it sees, worked out: nothing here is new to it. */
export interface Aids {
  /** of the table, which this is true for */
  version: number;
  seat: number;
  /** those held, then those offered */
  tickets: TicketAid[];
  /** where one may be built now and would complete a ticket */
  stations: StationAid[];
  /** by colour, if a tunnel can be tried with it now */
  tunnels: TunnelAid[];
  /** by number: why it cannot be claimed now; empty if it can */
  routes: ("" | "already-chosen" | "can-still-act" | "chance-first" | "city-taken" | "deck-empty" | "game-over" | "keep-more" | "lane-taken" | "no-cards" | "no-station-left" | "no-such-action" | "no-tickets" | "not-an-end" | "not-connected" | "not-in-row" | "not-offered" | "not-your-city" | "not-your-turn" | "only-first-card" | "other-decision" | "own-lane" | "own-parallel-lane" | "parallel-closed" | "too-few-trains" | "wrong-payment")[];
  /** likewise: to build there, to begin there, to send Alvin there */
  cities: ("" | "already-chosen" | "can-still-act" | "chance-first" | "city-taken" | "deck-empty" | "game-over" | "keep-more" | "lane-taken" | "no-cards" | "no-station-left" | "no-such-action" | "no-tickets" | "not-an-end" | "not-connected" | "not-in-row" | "not-offered" | "not-your-city" | "not-your-turn" | "only-first-card" | "other-decision" | "own-lane" | "own-parallel-lane" | "parallel-closed" | "too-few-trains" | "wrong-payment")[];
}

/** Advice to a seat. */
export interface Hint {
  /** of the table, which this is true for */
  version: number;
  advice: Advice;
}

/** What a seat knows, as the kernel of a browser takes it, to analyse it there. */
export interface PackedView {
  /** of the table, which this was true at */
  version: number;
  seat: number;
  /** the kernel's record "view", base64 */
  record: string;
  /** a digest of the kernel's sources: the decoders of a page fit one kernel */
  sources: string;
}

/**
 * What is ready of a review; ask again until it is complete. It is worked out only while it is
 * asked for.
 */
export interface Reviewing {
  /** decisions that were looked at, from the first */
  done: number;
  /** of so many; 0 while that is not known */
  total: number;
  /** plies of those that took too long, and were not judged */
  skipped: number[];
  complete: boolean;
  /** by ply: the entry of the log that told the decision */
  versions: number[];
  /**
   * While it is not complete: of about as many decisions as were looked at, and the curve only of
   * these. Judged are the decisions of people, or all of them if only bots played.
   */
  review: Review | null;
}

/** Why something was refused: a code for programs, a sentence for people. */
export interface Problem {
  code: Code;
  message: string;
  /** what the server's log calls this request */
  request: string | null;
  /** with `name-taken`: the name at the table that looks the same */
  name: string | null;
}

/**
 * Watch a table, with the eyes of one of your seats or as a spectator (null). With `after`,
 * everything after that version follows exactly; without it, a whole view.
 */
export interface Hello {
  type: "hello";
  table: string;
  seat?: number | null;
  after?: number | null;
  protocol?: number;
  /** Whether to tell who is at the table, and when that changes. */
  presence?: boolean;
}

/** Send the whole view again. */
export interface Look {
  type: "look";
}

/** Decide, for the seat of this connection. The same nonce twice is done once. */
export interface Act {
  type: "act";
  action: number;
  version: number;
  nonce: string;
}

/**
 * Tell the nonce that you pledged for the deal, once the terms are announced. It counts for all
 * your seats that pledged it. The `nonce-added` event confirms it.
 */
export interface AddNonce {
  type: "add-nonce";
  nonce: string;
}

/** Show the table a sign. */
export interface React {
  type: "react";
  sign: Sign;
}

/** See no more signs of a seat, or see them again. */
export interface Mute {
  type: "mute";
  seat: number;
  muted?: boolean;
}

/** Whether the page can be seen. While it cannot, you are told of your turn in other ways. */
export interface Visible {
  type: "visible";
  visible: boolean;
}

/** Are you there? */
export interface Ping {
  type: "ping";
}

/** A person sat down, or the seat moved over to another device. */
export interface SatDown {
  type: "sat-down";
  seat: number;
  name: string;
  color: Color;
}

/** A seat became free before the game. */
export interface GotUp {
  type: "got-up";
  seat: number;
}

/** A bot plays for a person. */
export interface BotStoodIn {
  type: "bot-stood-in";
  seat: number;
  bot: string;
  reason: "called" | "left" | "time";
}

/** A person plays their seat again. */
export interface PersonCameBack {
  type: "person-came-back";
  seat: number;
}

/** The terms of the game were published; after it, `macaz verify` holds the server to them. */
export interface TermsAnnounced {
  type: "terms-announced";
  text: string;
}

/** A person told the nonce that these seats pledged; it is in the record after the game. */
export interface NonceAdded {
  type: "nonce-added";
  seats: number[];
}

/** A person asks to take their last decision back. It lapses when a person decides. */
export interface TakebackAsked {
  type: "takeback-asked";
  seat: number;
}

/** A person agrees; others are still asked. */
export interface TakebackAccepted {
  type: "takeback-accepted";
  seat: number;
}

/** A person does not agree that the decision is taken back: it stays. */
export interface TakebackRefused {
  type: "takeback-refused";
  seat: number;
}

/** A decision was taken back, with the answers of bots to it; the update has the whole view. */
export interface TakenBack {
  type: "taken-back";
  seat: number;
  /** of the first of them */
  version: number;
  /** how many, answers included */
  decisions: number;
}

/** A person resigned: a bot plays the seat to the end, or the game ended. */
export interface PlayerResigned {
  type: "player-resigned";
  seat: number;
  bot: string;
  ends: boolean;
}

/** The table was closed before its end. */
export interface TableClosed {
  type: "table-closed";
}

/**
 * A decision that its player can take back now. It is done at once if `waiting` is empty; otherwise
 * the people of those seats must agree.
 */
export interface Takeback {
  seat: number;
  /** of the decision */
  version: number;
  /** how many are taken back: this one, and the answers of bots to it */
  decisions: number;
  /** whether its player has asked for it */
  asked: boolean;
  waiting: number[];
}

/**
 * The answer to `hello` and `look`. `view` is null before the game, and when all that was missed
 * follows as updates instead.
 */
export interface Welcome {
  type: "welcome";
  protocol: number;
  table: TableInfo;
  seat: number | null;
  version: number;
  view: GameView | null;
  deciding: number[];
  deadlines: (number | null)[];
  legal: Move[];
  takeback: Takeback | null;
  /** the server's time in milliseconds, as all times here */
  now: number;
}

/**
 * One entry of the table's log: what happened, and what you may do now. Every watcher gets every
 * version once, in order: 8 is followed by 9.
 */
export interface Update {
  type: "update";
  version: number;
  at: number;
  /** the bot that decided, if one did */
  by: string | null;
  events: (GameEvent | TableEvent)[];
  /** null before the game */
  situation: Situation | null;
  deciding: number[];
  deadlines: (number | null)[];
  legal: Move[];
  takeback: Takeback | null;
  /** the whole view, only after decisions were taken back */
  view: GameView | null;
}

/** Your action was committed, as this version. */
export interface Done {
  type: "done";
  nonce: string;
  version: number;
}

/** Your message was not obeyed. */
export interface Refused {
  type: "refused";
  code: Code;
  message: string;
  nonce: string | null;
  /** with `illegal`: the rule that forbids it */
  reason: "" | "already-chosen" | "can-still-act" | "chance-first" | "city-taken" | "deck-empty" | "game-over" | "keep-more" | "lane-taken" | "no-cards" | "no-station-left" | "no-such-action" | "no-tickets" | "not-an-end" | "not-connected" | "not-in-row" | "not-offered" | "not-your-city" | "not-your-turn" | "only-first-card" | "other-decision" | "own-lane" | "own-parallel-lane" | "parallel-closed" | "too-few-trains" | "wrong-payment";
}

/** A player showed a sign. It has no version: nothing is missing if it is lost. */
export interface Reaction {
  type: "reaction";
  seat: number;
  sign: Sign;
}

/** A player wants to play again, at another table where your seat is kept. */
export interface Rematch {
  type: "rematch";
  table: string;
}

/** Whether the person of a seat has the table open. */
export interface SeatPresence {
  here: boolean;
  /** when they went; null: they are here, or it is not known */
  since: number | null;
}

/** Who is at the table. It has no version: the last one holds. */
export interface Presence {
  type: "presence";
  /** null: not a person's, or not for you to know yet */
  seats: (SeatPresence | null)[];
  /** the names of people without a seat who watch, at most 20 */
  watching: string[];
  /** how many more watch */
  more: number;
}

/** I am here. */
export interface Pong {
  type: "pong";
  now: number;
}

/** A part of a table's log. */
export interface Updates {
  updates: Update[];
  /** of the table now */
  version: number;
}

/** A game as it was after an entry of its log. */
export interface Moment {
  version: number;
  view: GameView | null;
  deciding: number[];
}

/** Something that happened in the game. */
export type GameEvent =
  | GameBegan
  | CardDealt
  | CardTaken
  | BlindDrawn
  | RowFilled
  | RowReplaced
  | DeckShuffled
  | TicketsDrawn
  | TicketsDealt
  | TicketsKept
  | TicketsReturned
  | RouteClaimed
  | TunnelTried
  | TunnelRevealed
  | TunnelPaid
  | TunnelDeclined
  | StationBuilt
  | CityStarted
  | MarkerPlaced
  | MarkerSkipped
  | AlvinCaptured
  | AlvinMoved
  | Passed
  | TurnEnded
  | LastRoundBegan
  | GameEnded;

/** Something that happened at the table. */
export type TableEvent =
  | SatDown
  | GotUp
  | BotStoodIn
  | PersonCameBack
  | TermsAnnounced
  | NonceAdded
  | TakebackAsked
  | TakebackAccepted
  | TakebackRefused
  | TakenBack
  | PlayerResigned
  | TableClosed;

/** Something you may do: send its `action`. */
export type Move =
  | Take
  | Blind
  | DrawTickets
  | Pass
  | Keep
  | Return
  | PayTunnel
  | Decline
  | SkipMarker
  | Choose
  | Start
  | MoveAlvin
  | Mark
  | Station
  | Claim;

/** Something that changed a local table. */
export type LocalEntry =
  | LocalSat
  | LocalLeft
  | LocalAnnounced
  | LocalNonceAdded
  | LocalDealt
  | LocalActed
  | LocalStoodIn
  | LocalCameBack
  | LocalTakenBack
  | LocalResigned;

/** Something that changed the game of a table. */
export type GameEntry =
  | LocalDealt
  | LocalActed
  | LocalTakenBack
  | LocalResigned;

/** What a client sends through the socket. */
export type ClientMessage =
  | Hello
  | Look
  | Act
  | AddNonce
  | React
  | Mute
  | Visible
  | Ping;

/** What the server sends through the socket. */
export type ServerMessage =
  | Welcome
  | Update
  | Done
  | Refused
  | Reaction
  | Rematch
  | Presence
  | Pong;
