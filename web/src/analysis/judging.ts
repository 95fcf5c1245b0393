// Judges decisions of a finished game, as src/macaz/help/advice/past.py: with the same seed and effort, the figures are
// the same.

import { knownOf, shortAt, wordAt } from "../local/aids.ts";
import {
  ACTIONS,
  MEASURE,
  NO_RESULT,
  OFFERED,
  PRICE,
  SEARCH,
  SEATS,
  TRIES_TOGETHER,
} from "../local/codes.ts";
import type { Block, Kernel } from "../local/kernel.ts";
import { decode, moveData, moveText } from "../local/moves.ts";
import { ticketsAt } from "../local/view.ts";
import { LINE, readField, readRecord, VERDICT, VIEW } from "../net/records.ts";
import type { Judged, Move } from "../net/wire.ts";
import { actionAt, type Comparer, lineCount, type Place } from "./compare.ts";
import type { Asked, Compared, Judge, Judgement, Work } from "./review-jobs.ts";
import { seedOf } from "./seeds.ts";

const LISTED = 8; // moves that are compared, beside the one that was played
const MILLION = 1e6;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Do what is left for a decision, once. */
export function judge(comparer: Comparer, place: Place, job: Judge): Judgement {
  const { kernel } = comparer;
  const { asked, seed, effort } = job;
  let work = job.work ?? begin(asked);
  const verdicts = kernel.scratch("verdicts", 1);
  verdicts.bytes.set(work.verdict);
  if (effort === 0) {
    const glance = goOn(comparer, place, comparer.list(place, [], [asked.played]), seedOf(seed, "fresh"));
    note(comparer, verdicts, glance.lines);
    set(verdicts, "glanced", 1);
  } else {
    const next = kernel.call("review_job", verdicts, 0, effort);
    if (next === SEARCH) work = search(comparer, place, work, asked, seed, verdicts);
    else if (next === MEASURE) {
      const fresh = seedOf(seed, "fresh");
      const actions = [...new Set([work.best, asked.played])];
      const pair = goOn(comparer, place, work.pair ?? comparer.list(place, [], actions), fresh);
      note(comparer, verdicts, pair.lines);
      set(verdicts, "measured", get(verdicts, "measured") + 1);
      work = { ...work, pair };
    }
  }
  const done = effort === 0 || kernel.call("review_job", verdicts, 0, effort) === 0;
  const [urgency, matters] = [
    kernel.call("review_urgency", verdicts, 0) / MILLION,
    kernel.call("review_matters", verdicts, 0) > 0,
  ];
  const clear = kernel.call("review_is_judged", verdicts, 0);
  work = { ...work, verdict: verdicts.bytes.slice() };
  const judged = clear > 0 && done ? judgedOf(comparer, place, job, work, clear > 1) : null;
  return { kind: "judge", work, done, urgency, matters, judged };
}

function begin({ seat, turn, choices, promise, played }: Asked): Work {
  const verdict = new Uint8Array(VERDICT.size);
  const data = viewOf(verdict);
  for (const [name, value] of Object.entries({ seat, turn, choices }))
    data.setInt32(VERDICT.fields[name as "seat"][1], value, true);
  data.setFloat64(VERDICT.fields.promise[1], promise, true);
  return { verdict, search: null, pair: null, best: played };
}

const get = ({ data }: Block, name: "measured" | "searched"): number => readField(VERDICT, name, data);
const set = ({ data }: Block, name: "measured" | "searched" | "glanced", value: number): void =>
  data.setInt32(VERDICT.fields[name][1], value, true);

/** Compare all moves once more. */
function search(
  comparer: Comparer,
  place: Place,
  work: Work,
  { played }: Asked,
  seed: bigint,
  verdicts: Block,
): Work {
  const { kernel } = comparer;
  const found = goOn(comparer, place, work.search ?? comparer.list(place, [played], [], LISTED), seed);
  const count = lineCount(found.lines);
  const actions = Array.from({ length: count }, (_, i) => actionAt(found.lines, i));
  const best = actions[actions.findIndex((_, i) => fieldOf(found.lines, i, "rank") === 0)] ?? played;
  kernel.call("review_search", verdicts, 0, comparer.put(found.lines), actions.indexOf(played));
  set(verdicts, "searched", get(verdicts, "searched") + 1);
  if (best === work.best) return { ...work, search: found };
  set(verdicts, "measured", 0);
  return { ...work, search: found, pair: null, best };
}

const fieldOf = (lines: Uint8Array, i: number, name: "rank" | "dropped" | "tries"): number =>
  readField(LINE, name, viewOf(lines), i * LINE.size);

/** Note what new tries say of the best move and the one that was played. */
const note = (comparer: Comparer, verdicts: Block, lines: Uint8Array): void => {
  comparer.kernel.call("review_measure", verdicts, 0, comparer.put(lines));
};

/** Make more tries of the moves that are not dropped; those that were taken up again first make what they lack. */
function goOn(comparer: Comparer, place: Place, from: Compared | Uint8Array, seed: bigint): Compared {
  const { lines, outcomes, made } =
    from instanceof Uint8Array ? { lines: from, outcomes: new Float32Array(), made: 0 } : from;
  const all = Array.from({ length: lineCount(lines) }, (_, i) => i);
  const tries = all.map((i) => fieldOf(lines, i, "tries"));
  const going = all.filter((i) => fieldOf(lines, i, "dropped") === 0);
  const start = Math.min(...going.map((i) => tries[i] ?? 0));
  const stop = start < made ? Math.min(start + TRIES_TOGETHER, made) : start + TRIES_TOGETHER;
  const moves = start < made ? going.filter((i) => (tries[i] ?? 0) <= start) : going;
  const actions = moves.map((i) => actionAt(lines, i));
  const tried = comparer.try(place, actions, seed, start, stop - start);
  if (!tried) throw new Error("no state of the game gives this view"); // only this decision is left out
  const total = Math.max(made, stop);
  const kept = new Float32Array(all.length * total * SEATS).fill(NO_RESULT);
  for (const i of all)
    kept.set(outcomes.subarray(i * made * SEATS, (i + 1) * made * SEATS), i * total * SEATS);
  const part = (stop - start) * SEATS;
  for (const [n, i] of moves.entries())
    kept.set(tried.results.subarray(n * part, (n + 1) * part), (i * total + start) * SEATS);
  const facts = [{ moves, facts: tried.facts }];
  return { lines: comparer.rank(place, lines, facts, kept), outcomes: kept, made: total };
}

// -- in words and moves -------------------------------------------------------------------------------------

function judgedOf(
  comparer: Comparer,
  place: Place,
  { ply, asked }: Judge,
  work: Work,
  clear: boolean,
): Judged {
  const { seat, turn, phase, played } = asked;
  const found = readRecord(VERDICT, viewOf(work.verdict));
  const [made, best] = movesAt(comparer.kernel, place, seat, [played, work.best]) as [Named, Named];
  return {
    ply,
    turn,
    seat,
    phase,
    played: made.move,
    played_text: made.text,
    best: best.move,
    best_text: best.text,
    chance_played: found.after,
    chance_best: found.before,
    margin_played: found.ahead_after,
    margin_best: found.ahead_before,
    cost: found.cost,
    error: found.error,
    clear,
    reasons: reasonsFor(comparer, place, found.cost, work.pair),
  };
}

/** Why the first of two moves is better than the second, if it is. */
function reasonsFor(
  comparer: Comparer,
  place: Place,
  cost: number,
  pair: Compared | null,
): Judged["reasons"] {
  if (!pair || cost <= 0 || lineCount(pair.lines) < 2) return [];
  return comparer.reasons(place, pair.lines, [0])[0] ?? [];
}

interface Named {
  move: Move;
  text: string;
}

/** Actions as moves with their prices, and as records have them. */
function movesAt(
  kernel: Kernel,
  { edition, table, view }: Place,
  seat: number,
  actions: readonly number[],
): Named[] {
  const { specs, states } = knownOf(kernel, edition, table, seat, view);
  const offer = ticketsAt(readField(VIEW, "ticket", viewOf(view)), edition.map, OFFERED + seat);
  const out = kernel.scratch("out", ACTIONS);
  const ways = kernel.scratch("ways", PRICE * ACTIONS).first(PRICE * actions.length);
  for (const [i, action] of actions.entries()) out.data.setInt16(out.size * i, action, true);
  kernel.call("list_prices", specs, states(), out, ways);
  return actions.map((_, i) => {
    const [color, cards, locomotives] = [0, 1, 2].map((n) => wordAt(ways, PRICE * i + n));
    const price = { color: color ?? 0, cards: cards ?? 0, locomotives: locomotives ?? 0 };
    const action = shortAt(out, i);
    const move = moveData(table, action, offer, price);
    return { move, text: moveText(edition.map, decode(table, action, offer)) };
  });
}
