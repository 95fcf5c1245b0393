// Replays a finished game for its review, and tells what the verdicts on its decisions say of it, as
// src/macaz/help/advice/story.py and fates.py.

import { costsOf, knownOf } from "../local/aids.ts";
import {
  CHOOSE,
  COSTLY,
  GAME_PHASES,
  KEEP,
  MOST_POINTS,
  SEATS,
  START,
  STORY_SUMS,
  TURN,
} from "../local/codes.ts";
import { Game } from "../local/game.ts";
import type { Block, Kernel } from "../local/kernel.ts";
import { ticketName } from "../local/moves.ts";
import { type Decision, replayed, type Replayed as Played } from "../local/replayed.ts";
import { readRecord, STORY, TURNING, VERDICT } from "../net/records.ts";
import type { GameLog, Judged, PhaseReview, TicketReview, TurningPoint } from "../net/wire.ts";
import type { Place } from "./compare.ts";
import type { Asked, Fared, Replayed, Tell, Told } from "./review-jobs.ts";

const MOST_PLIES = 4096; // decisions of a game, at most
const ALL_SEATS = -1;
const NAMES: readonly Judged["phase"][] = ["opening", "middle", "end"];

/** Play a game again, and say what each seat knew when it decided. */
export function replayForReview(kernel: Kernel, { edition }: Place, log: GameLog): Replayed {
  const game = replayed(kernel, edition, log);
  const { decisions, turns, end } = game;
  const { outcome } = end;
  if (!outcome) throw new Error("only a finished game is reviewed");
  const share = 1 / outcome.winners.length;
  return {
    kind: "replay",
    decisions: decisions.map((decision) => askedOf(kernel, decision, turns)),
    turns,
    awards: outcome.seats.map((_, seat) => (outcome.winners.includes(seat) ? share : 0)),
    winners: outcome.winners,
    seats: outcome.seats.map((score, seat) => ({ score, tickets: ticketsOf(kernel, game, seat) })),
  };
}

function askedOf(kernel: Kernel, decision: Decision, turns: number): Asked {
  const { game, seat, played, version, turn } = decision;
  return {
    seat,
    played,
    version,
    turn,
    phase: NAMES[kernel.call("review_phase", turn, turns)] ?? "end",
    choices: game.legalCount(seat),
    promise: promiseOf(game.phase),
    view: game.viewRecord(seat),
  };
}

/** How much is at stake in a decision: most where tickets are chosen, little with a second card. */
function promiseOf(phase: number): number {
  if (phase === CHOOSE || phase === KEEP || phase === START) return 1;
  return phase === TURN ? 0.7 : 0.3;
}

/** What became of the tickets that a seat held, and of those that it gave back. */
function ticketsOf(kernel: Kernel, { decisions, end }: Played, seat: number): TicketReview[] {
  const { edition, seats, first } = end;
  const turns = new Map(
    decisions
      .filter((one) => one.seat === seat && [CHOOSE, KEEP].includes(one.game.phase))
      .flatMap((one) => one.game.offer(seat).map((ticket) => [ticket, one.turn] as const)),
  );
  const held = new Set(end.view(seat).seats[seat]?.tickets ?? []);
  const dropped = [...turns.keys()].filter((ticket) => !held.has(ticket));
  const states = kernel.scratch("states", 1);
  const actions = kernel.scratch("actions", MOST_PLIES).first(dropped.length);
  states.bytes.set(end.snapshot());
  for (const [i, ticket] of dropped.entries())
    actions.data.setBigInt64(i * actions.size, BigInt(ticket), true);
  kernel.call("reopen_game", states, seat, actions);
  const reopened = states.bytes.slice(); // a game works in the same memory
  const after = new Game(kernel, edition, seats, first);
  after.place(reopened);
  const { tickets } = after.aids(seat);
  const known = knownOf(kernel, edition, edition.table(seats), seat, after.viewRecord(seat));
  const costs = new Map(costsOf(known, tickets).map((cost) => [cost.ticket, cost]));
  const points = (ticket: number): number => edition.map.tickets[ticket]?.points ?? 0;
  return tickets
    .map(({ ticket, state, spaces }): TicketReview => {
      const joined = state === "done";
      const { claims = 0, stations = 0, cards = 0, turns: away = 0 } = costs.get(ticket) ?? {};
      return {
        ticket,
        text: ticketName(edition.map, ticket),
        points: points(ticket),
        fate: !held.has(ticket) ? "dropped" : joined ? "completed" : "missed",
        turn: turns.get(ticket) ?? 0,
        joined,
        spaces: joined ? null : spaces,
        claims,
        stations,
        cards,
        turns: away,
      };
    })
    .sort((a, b) => Number(!held.has(a.ticket)) - Number(!held.has(b.ticket)) || b.points - a.points);
}

/** What the verdicts say of the game. */
export function tellStory(kernel: Kernel, { table }: Place, { verdicts, awards, turns }: Tell): Told {
  const { seats } = table;
  const plies = verdicts.length / VERDICT.size;
  const all = kernel.scratch("verdicts", MOST_PLIES).first(plies);
  const curves = kernel.scratch("curves", MOST_PLIES + 1, SEATS).first(plies + 1);
  const stories = kernel.scratch("stories", SEATS);
  const shares = kernel.scratch("awards", SEATS);
  all.bytes.set(verdicts);
  for (const [seat, share] of awards.entries()) shares.data.setFloat64(seat * shares.size, share, true);
  kernel.call(
    "review_game",
    all,
    shares,
    curves,
    stories,
    kernel.scratch("sums", STORY_SUMS, GAME_PHASES + 1),
    seats,
    turns,
  );
  const points = (only: number): TurningPoint[] => pointsOf(kernel, all, shares, only, seats);
  return {
    kind: "tell",
    curve: Array.from({ length: plies + 1 }, (_, ply) =>
      Array.from({ length: seats }, (_, seat) =>
        curves.data.getFloat64((ply * SEATS + seat) * curves.size, true),
      ),
    ),
    seats: Array.from({ length: seats }, (_, seat) => faredOf(stories, seat, points(seat))),
    turning_points: points(ALL_SEATS),
  };
}

function faredOf(stories: Block, seat: number, turning_points: TurningPoint[]): Fared {
  const told = readRecord(STORY, stories.data, seat * STORY.size);
  const accuracy = (part: number): number | null =>
    told.decisions[part] ? 100 * (told.spared[part] ?? 0) : null;
  const { agreed, mistakes, lost, deal, skill, luck, doubt } = told;
  return {
    decisions: told.decisions[GAME_PHASES] ?? 0,
    agreed,
    mistakes,
    lost,
    accuracy: accuracy(GAME_PHASES),
    phases: NAMES.map((phase, part): PhaseReview => {
      return { phase, decisions: told.decisions[part] ?? 0, accuracy: accuracy(part) };
    }),
    deal,
    skill,
    luck,
    error: doubt,
    turning_points,
  };
}

function pointsOf(
  kernel: Kernel,
  verdicts: Block,
  awards: Block,
  only: number,
  seats: number,
): TurningPoint[] {
  const turnings = kernel.scratch("turnings", MOST_POINTS);
  const count = kernel.call("review_points", verdicts, awards, turnings, only, seats);
  return Array.from({ length: count }, (_, i) => {
    const { kind, ply, until, seat, change } = readRecord(TURNING, turnings.data, i * TURNING.size);
    const { turn } = readRecord(VERDICT, verdicts.data, ply * VERDICT.size);
    return { kind: kind === COSTLY ? "mistake" : "swing", ply, until, turn, seat, change };
  });
}
