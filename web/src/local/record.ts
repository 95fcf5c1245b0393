// The text of a record and of the announcement, exactly as src/macaz/game/record writes them.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

import { readField, STATE } from "../net/records.ts";
import type { EditionMap } from "../net/wire.ts";
import {
  CARD_WORDS,
  CHOOSE,
  DEAL_FIRST,
  DEAL_HANDS,
  DEAL_OFFER,
  DEAL_ROW,
  DEAL_SETUP,
  START,
  TURN,
} from "./codes.ts";
import type { Dealer, Share } from "./fair.ts";
import { Game, type Note, type Step } from "./game.ts";
import { moveText, ticketName } from "./moves.ts";

const MAGIC = "macaz record 1";
const IN_BROWSER = "in a browser"; // the value of the header `played`
const SEAL_DIGITS = 16;
const INVISIBLE = /^(?! $)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}]$/u;

/** What is known of a game before its first card. */
export interface Terms {
  readonly map: EditionMap;
  readonly names: readonly string[];
  /** the seat that begins; null: chance decides */
  readonly first: number | null;
  /** the pledges of the seats; null: the secret alone decides */
  readonly shares: readonly Share[] | null;
}

export interface RecordOptions {
  readonly names: readonly string[];
  /** with the shares that the players added */
  readonly dealer: Dealer;
  /** ISO 8601 */
  readonly date: string | null;
}

// -- names --------------------------------------------------------------------------------------------------

/** The text itself where that is unambiguous; else a JSON string. */
function quote(text: string, special = ""): string {
  const signs = [...text];
  const clear = text !== "" && !/^[ "]| $/.test(text);
  if (clear && !signs.some((sign) => special.includes(sign) || INVISIBLE.test(sign))) return text;
  const inside = signs.map((sign) => {
    if (INVISIBLE.test(sign)) return escaped(sign);
    return sign === '"' || sign === "\\" ? `\\${sign}` : sign;
  });
  return `"${inside.join("")}"`;
}

/** A sign as Python's JSON has it, in ASCII only. */
function escaped(sign: string): string {
  const short = JSON.stringify(sign).slice(1, -1);
  if (/^[ -~]+$/.test(short)) return short;
  const codes = Array.from({ length: sign.length }, (_, i) =>
    sign.charCodeAt(i).toString(16).padStart(4, "0"),
  );
  return codes.map((code) => `\\u${code}`).join("");
}

const quoteName = (name: string): string => quote(name, ":;,");

/** The names of the seats in the lines of a game, with numbers if two are equal. */
function labels(names: readonly string[]): string[] {
  const written = names.map(quoteName);
  if (new Set(names).size === names.length) return written;
  return written.map((name, i) => `${name} (seat ${i + 1})`);
}

// -- the header ---------------------------------------------------------------------------------------------

/** The header lines that are known before the first card and can be announced. */
function terms({ map, names, first, shares }: Terms): string[] {
  const options = map.id.split("+").slice(1);
  return [
    `edition: ${quote(map.id)}`,
    `fingerprint: ${map.fingerprint}`,
    ...(options.length ? [`options: ${options.join(", ")}`] : []),
    `seats: ${names.length}`,
    ...names.map((name, i) => `seat ${i + 1}: ${quoteName(name)}`),
    `first: ${first === null ? "chance" : first + 1}`,
    ...(shares ?? []).map(({ pledge }, i) => `pledge ${i + 1}: ${pledge ?? "none"}`),
  ];
}

const lined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** The text to publish before the first card. Not for a game with a seed, which proves nothing. */
export const announcement = (given: Terms, commitment: string): string =>
  lined([...terms(given), `commitment: ${commitment}`]);

/** The value of the header `result`: the scores and the winners. */
function result({ outcome }: Game, names: readonly string[]): string {
  if (!outcome) return "unfinished";
  const called = labels(names);
  const scores = outcome.seats.map(({ total }, i) => `${called[i]} ${total}`).join(", ");
  const named = (seats: readonly number[]): string => seats.map((seat) => called[seat]).join(" and ");
  const resigned = outcome.resigned.length ? `; ${named(outcome.resigned)} resigned` : "";
  const winners = named(outcome.winners);
  if (outcome.tie_break === "shared") return `${scores}${resigned}; shared by ${winners}`;
  return `${scores}${resigned}; winner ${winners}${outcome.tie_break ? ` by ${outcome.tie_break}` : ""}`;
}

/** The whole record of a game played in a browser. It has every hand; the secret once the game is over. */
export function recordText(game: Game, { names, dealer, date }: RecordOptions): string {
  const { seed, shares } = dealer;
  const { map } = game.edition;
  const nonces = (shares ?? []).flatMap(({ pledge, nonce }, i) =>
    pledge === null ? [] : [`nonce ${i + 1}: ${nonce ?? "missing"}`],
  );
  const header = [
    MAGIC,
    ...terms({ map, names, first: game.first, shares }),
    ...(date === null ? [] : [`date: ${date}`]),
    `played: ${IN_BROWSER}`,
    ...(seed === null ? [`commitment: ${dealer.commitment}`] : [`seed: ${quote(seed)}`]),
    `result: ${result(game, names)}`,
    ...(seed === null && game.over ? [`secret: ${dealer.secret}`, ...nonces] : []),
  ];
  const { lines, turns } = gameLines(game, labels(names));
  const text = lined([...header, "", ...lines]);
  const seal = bytesToHex(sha256(utf8ToBytes(text))).slice(0, SEAL_DIGITS);
  return `${text}end after ${turns} turn${turns === 1 ? "" : "s"}: ${seal}\n`;
}

// -- the game -----------------------------------------------------------------------------------------------

/** The lines of a game, what was taken back included, and its turns. It is played again, as a line depends on the
 * state before it. */
function gameLines(
  { kernel, edition, seats, first, history, notes }: Game,
  called: readonly string[],
): {
  lines: string[];
  turns: number;
} {
  const lines: { head: string; items: string[] }[] = [];
  let game = new Game(kernel, edition, seats, first);
  let turns = 0;

  function write(steps: readonly Step[], among: readonly Note[], from: number): void {
    for (let i = 0; i <= steps.length; i += 1) {
      for (const note of among) if (note.ply === from + i) writeNote(note);
      const step = steps[i];
      if (step) writeStep(step);
    }
  }

  function writeNote(note: Note): void {
    if (note.kind === "taken-back") {
      const [before, begun] = [game.clone(), turns];
      write(note.steps, note.notes, note.ply);
      [game, turns] = [before, begun];
    }
    lines.at(-1)?.items.push(noteItem(note, called));
  }

  function writeStep(step: Step): void {
    const head = headOf(game, step, called, turns);
    if (head !== null && head !== lines.at(-1)?.head) lines.push({ head, items: [] });
    if (game.phase === TURN) turns += 1;
    lines.at(-1)?.items.push(itemOf(game, step));
    if (step.seat === null) game.pushChance(step.number);
    else game.push(step.seat, step.number);
  }

  write(history, notes, 0);
  return { lines: lines.map(({ head, items }) => `${head}: ${items.join("; ")}`), turns };
}

function noteItem(note: Note, called: readonly string[]): string {
  if (note.kind === "resignation")
    return `resign ${called[note.seat]}${note.ends ? ", end of the game" : ""}`;
  return note.steps.length === 1 ? "undo" : `undo ${note.steps.length}`;
}

/** The beginning of a step's line; null if the step continues the line before. */
function headOf(game: Game, { seat }: Step, called: readonly string[], turns: number): string | null {
  const { phase } = game;
  if (phase === DEAL_HANDS || phase === DEAL_SETUP) {
    const table = game.edition.table(game.seats);
    const data = new DataView(game.snapshot().buffer);
    const [each, word] = phase === DEAL_HANDS ? [table.handSize, "cards"] : [table.setupDeal, "tickets"];
    // So many to a seat, clockwise from the first.
    const dealt = game.seats * each - readField(STATE, "left", data);
    const receiver = (readField(STATE, "first", data) + Math.floor(dealt / each)) % game.seats;
    return `${word} ${called[receiver]}`;
  }
  if (seat !== null) {
    if (phase === CHOOSE) return `choose ${called[seat]}`;
    if (phase === START) return `start ${called[seat]}`;
    return phase === TURN ? `${turns + 1} ${called[seat]}` : null;
  }
  if (phase === DEAL_FIRST) return "begin";
  return phase === DEAL_ROW && turns === 0 ? "row" : null;
}

/** A decision in the notation of moves, or a chance outcome. */
function itemOf(game: Game, { seat, number }: Step): string {
  const { map } = game.edition;
  if (seat !== null) return moveText(map, game.decode(seat, number));
  if (game.phase === DEAL_FIRST) return `first ${number + 1}`;
  if (game.phase === DEAL_SETUP || game.phase === DEAL_OFFER) return `deal ticket ${ticketName(map, number)}`;
  return `deal ${CARD_WORDS[number]}`;
}
