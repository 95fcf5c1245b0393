"""Write how a browser reads the kernel's records: web/src/net/records.ts, web/src/local/codes.ts.

The first has the fields of each record, from kernel/layout.py, and of compared moves, of reasons
and of reviews, from help/compiled; the second what the numbers in them
mean, the fields of events and moves as JSON, from macaz.game, and the numbers of the bots. Beside
the first goes records.fixture.json, bytes with the values that NumPy reads in them, for its test.
"""

import base64
import dataclasses
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np

from macaz.bots import BOTS, expert, learned, network, rollouts, search
from macaz.bots.compiled import inference, lookahead, program
from macaz.bots.compiled import layout as of
from macaz.game import data, events, moves, outcome, view
from macaz.game.compiled import layout as drafts
from macaz.help import comparison
from macaz.help.compiled import layout as lines
from macaz.help.compiled import reason_codes, study
from macaz.help.compiled import story_layout as story
from macaz.kernel import help_entry
from macaz.kernel import layout as at
from macaz.kernel.layout import RECORDS, Field, dtype_of
from macaz.kernel.wasm import MODULE, read_description

ROOT = Path(__file__).resolve().parent.parent / "web" / "src"
FILE = ROOT / "net" / "records.ts"
FIXTURE = FILE.with_name("records.fixture.json")
CODES = ROOT / "local" / "codes.ts"
SOURCES = str(read_description(MODULE.read_bytes())["digest"])
# Working memory, which never leaves the kernel.
INTERNAL = ("work", "gpu-work", "world", "network", "dice")
SHOWN = {
    name: (fields, dtype_of(name)) for name, fields in RECORDS.items() if name not in INTERNAL
} | {
    "line": (lines.LINE, lines.dtypes["line"]),
    "reason": (reason_codes.REASON, reason_codes.reason_dtype),
    "verdict": (story.VERDICT, story.dtypes["verdict"]),
    "story": (story.STORY, story.dtypes["story"]),
    "turning": (story.TURNING, story.dtypes["turning"]),
    "draft": (drafts.DRAFT, drafts.dtypes["draft"]),
    "problem": (drafts.PROBLEM, drafts.dtypes["problem"]),
}
IN_FIXTURE = tuple(name for name in SHOWN if name != "spec")  # large, and its kinds are in others
WIDTH = 110
HEAD = """\
// Written by tools/make_record_decoders.py from the layouts in src/macaz. Do not edit.
// The records of the kernel, as they lie in the memory of the WebAssembly module.

type Kind = "i1" | "i2" | "i4" | "i8" | "f4" | "f8"; // signed integers and floats of so many bytes
type Field = readonly [kind: Kind, offset: number, shape: readonly number[]];
type Value = number | bigint | Value[];

/** Where the fields of a record lie, and the bytes of all. */
export interface Layout<Fields> {
  readonly size: number;
  readonly fields: { readonly [Name in keyof Fields]: Field };
}

const BYTES = { i1: 1, i2: 2, i4: 4, i8: 8, f4: 4, f8: 8 };

function one(data: DataView, kind: Kind, at: number): number | bigint {
  switch (kind) {
    case "i1":
      return data.getInt8(at);
    case "i2":
      return data.getInt16(at, true);
    case "i4":
      return data.getInt32(at, true);
    case "i8":
      return data.getBigInt64(at, true);
    case "f4":
      return data.getFloat32(at, true);
    case "f8":
      return data.getFloat64(at, true);
  }
}

function many(data: DataView, kind: Kind, at: number, shape: readonly number[], axis = 0): Value {
  const length = shape[axis];
  if (length === undefined) return one(data, kind, at);
  let size = BYTES[kind];
  for (let rest = axis + 1; rest < shape.length; rest += 1) size *= shape[rest] ?? 1;
  const found: Value[] = [];
  for (let i = 0; i < length; i += 1) found.push(many(data, kind, at + i * size, shape, axis + 1));
  return found;
}

/** A field of the record that begins at `at`. */
export function readField<Fields, Name extends keyof Fields>(
  layout: Layout<Fields>,
  name: Name,
  data: DataView,
  at = 0,
): Fields[Name] {
  const [kind, offset, shape] = layout.fields[name];
  return many(data, kind, at + offset, shape) as Fields[Name];
}

/** Write the elements of a field of integers, in the order in which they lie. */
export function writeField<Fields, Name extends keyof Fields>(
  layout: Layout<Fields>,
  name: Name,
  data: DataView,
  values: readonly (number | bigint)[],
): void {
  const [kind, offset] = layout.fields[name];
  values.forEach((value, i) => {
    const at = offset + i * BYTES[kind];
    if (kind === "i1") data.setInt8(at, Number(value));
    else if (kind === "i2") data.setInt16(at, Number(value), true);
    else if (kind === "i8") data.setBigInt64(at, BigInt(value), true);
    else throw new Error(`${String(name)} is no field of such integers`);
  });
}

/** All fields of the record that begins at `at`. */
export function readRecord<Fields>(layout: Layout<Fields>, data: DataView, at = 0): Fields {
  const found: Partial<Fields> = {};
  for (const name in layout.fields) found[name] = readField(layout, name, data, at);
  return found as Fields;
}
"""
CODES_HEAD = """\
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
"""


def camel(name: str) -> str:
    """A record's name in TypeScript."""
    return "".join(part.capitalize() for part in name.split("-"))


def type_text(field: Field) -> str:
    """The type of a field: 64 bits are more than a number holds."""
    return ("bigint" if field.kind == "i8" else "number") + "[]" * len(field.shape)


def line(field: Field, offset: int) -> str:
    """Where a field lies."""
    shape = ", ".join(map(str, field.shape))
    return f'    {field.name}: ["{field.kind}", {offset}, [{shape}]],\n'


def layout(name: str) -> str:
    """The type of a record, and where its fields lie."""
    fields, dtype = SHOWN[name]
    kind, constant = camel(name), name.replace("-", "_").upper()
    assert dtype.fields is not None
    declared = "".join(f"  /** {f.doc} */\n  {f.name}: {type_text(f)};\n" for f in fields)
    table = "".join(line(f, dtype.fields[f.name][1]) for f in fields)
    return f"""
export interface {kind}Record {{
{declared}}}

export const {constant}: Layout<{kind}Record> = {{
  size: {dtype.itemsize},
  fields: {{
{table}  }},
}};
"""


def page() -> str:
    """The file of the records."""
    return HEAD + "".join(layout(name) for name in SHOWN)


# -- codes -----------------------------------------------------------------------------------------

# Sizes and numbers of layout.py that the page's code needs by name.
NUMBERS = (
    *("CARDS", "LOCO", "LANES", "WORD_BITS", "TICKETS", "LENGTHS", "ACTIONS", "MOST_EVENTS"),
    *("PAYS", "PAY_LOCOS", "HELD", "OFFERED", "UNKNOWN", "TICKET_DONE", "E_GAME_ENDED"),
    *(
        "DEAL_FIRST",
        "DEAL_HANDS",
        "DEAL_ROW",
        "DEAL_SETUP",
        "DEAL_OFFER",
        "DEAL_TUNNEL",
        "DEAL_BLIND",
    ),
    *("CHOOSE", "START", "TURN", "TUNNEL", "KEEP", "OVER", "MARKS", "QUEUE"),
)


# Sizes and numbers that the page's code needs to let bots decide, and where they stand.
PLAYERS = (
    (at, ("SEATS",)),
    (of, ("SENSE_SIZE", "INTENT_WORDS", "WISHES", "CANDIDATES", "SEARCHED", "NOTHING")),
    (lookahead, ("TRIES", "TRY_NUMBERS", "END_NUMBERS")),
    (inference, ("FORECASTS",)),
    (program, ("NODES", "WORLDS")),
    (search, ("SAMPLED", "CHUNK")),
)


def player_numbers() -> Iterable[str]:
    """The numbers of the bots."""
    for module, names in PLAYERS:
        for name in names:
            yield f"export const {name} = {getattr(module, name)};\n"
    yield "/** worlds that the expert's tries meet, and moves that it compares, at most */\n"
    yield f"export const TRIED_WORLDS = {rollouts.WORLDS};\n"
    yield f"export const COMPARED = {expert.WEIGHTS.candidates};\n"
    yield "/** moves that are compared at most, and tries of each that are made at a time */\n"
    yield f"export const MOVES_COMPARED = {lines.MOVES};\n"
    yield f"export const TRIES_TOGETHER = {lines.CHUNK};\n"
    yield "/** moves that are compared because they are worth a thought, at most */\n"
    yield f"export const WORTH_A_THOUGHT = {comparison.MAX_MOVES};\n"
    yield "/** tries of a move whose results are kept, and what stands for one not made */\n"
    yield f"export const TRIES_KEPT = {lines.TRIES_KEPT};\n"
    yield f"export const NO_RESULT = {lines.NO_RESULT};\n"
    yield "/** states that a study of two moves has, and reasons that it weighs, at most */\n"
    yield f"export const STATES_STUDIED = {study.SLOTS};\n"
    yield f"export const REASONS_WEIGHED = {reason_codes.CANDIDATES};\n"
    yield "/** of reviews: what is left to do for a decision, kinds of turning points, phases */\n"
    for name in ("SEARCH", "MEASURE", "COSTLY", "MOST_POINTS"):
        yield f"export const {name} = {getattr(story, name)};\n"
    yield f"export const GAME_PHASES = {story.PHASES};\n"
    yield f"export const STORY_SUMS = {story.SUMS};\n"
    yield "/** the style whose plan and suggestion a network is told */\n"
    yield f"export const SENSED_BY = {text(network.SENSED_BY)};\n"
    yield "/** playouts of a search instead of `learned`, on a board without a network */\n"
    yield f"export const WITHOUT_NETWORK = {learned.WITHOUT_NETWORK.effort};\n"


def bot_lines() -> Iterable[str]:
    """How each bot that can play in a browser decides, and for how long by default."""
    for name, kind in BOTS.items():
        if kind.in_browser:
            how = kind.place.partition(":")[0].rpartition(".")[2]
            seconds = kind.limit.seconds if kind.limit else 0
            yield f"{text(name)}: {{ how: {text(how)}, seconds: {seconds} }}"


def text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def constant(name: str, kind: str, items: Iterable[str], doc: str) -> str:
    """A list of texts, one below the other."""
    lines = "".join(f"  {item},\n" for item in items)
    return f"\n/** {doc} */\nexport const {name}: readonly {kind}[] = [\n{lines}];\n"


def event_form(kind: type[events.Event], name: str, record_name: str) -> str:
    """How a field of an event is made from the record's."""
    several = get_type_hints(kind)[name] is not int
    forms = {
        "lane": "route",
        "tickets": "tickets",
        "row": "cards",
        "points": "by-seat" if several else "own",
    }
    hidden = name in events.HIDDEN[kind]
    form = forms.get(record_name, "hidden" if hidden else "number")
    assert hidden == (form in ("hidden", "tickets")), (
        f"{kind.__name__}.{name}: a new kind of secret"
    )
    return form


def event_lines(kind: type[events.Event]) -> str:
    """The type of an event and the forms of its fields."""
    tag = data.EVENTS[kind].__struct_config__.tag
    fields = "".join(
        f"      {text([name, record_name, event_form(kind, name, record_name)])},\n"
        for name, record_name in events.IN_RECORD[kind].items()
    )
    listed = f"[\n{fields}    ]" if fields else "[]"
    return f"{{\n    type: {text(tag)},\n    fields: {listed},\n  }}"


def move_form(kind: int, move: type) -> tuple[str, str]:
    """How the fields of a move are made, and the field that has its index."""
    if kind in moves.WITHOUT_FIELDS:
        return "none", ""
    if kind in moves.ONE_FIELD:
        [field] = dataclasses.fields(move)
        return "number", field.name
    if kind in moves.BUILDS:
        return "build", ""
    others = {
        moves.Keep: "tickets",
        moves.Choose: "seat-tickets",
        moves.Return: "ticket",
        moves.Claim: "claim",
    }
    return others[move], ""


def move_lines() -> Iterable[str]:
    """The types of moves and the forms of their fields, by kind."""
    for move, kind in sorted(moves.KIND_OF.items(), key=lambda pair: pair[1]):
        form, field = move_form(kind, move)
        tag = data.MOVES[move].__struct_config__.tag
        paid = move in get_args(moves.Payment)
        yield (
            f"{{ type: {text(tag)}, form: {text(form)}, field: {text(field)}, paid: {text(paid)} }}"
        )


def codes() -> str:
    """The file of the codes."""
    numbers = "".join(f"export const {name} = {getattr(at, name)};\n" for name in NUMBERS)
    ties = [outcome.TIE_NAMES[code] for code in range(len(outcome.TIE_NAMES))]
    heaps = ", ".join(f"{place}: {text(name)}" for place, name in view.HEAPS.items())
    return "".join(
        (
            CODES_HEAD,
            "\n/** a digest of the kernel's sources that this file was written from */\n",
            f"export const SOURCES = {text(SOURCES)};\n",
            f"\n{numbers}",
            "/** numbers that say what an action costs: a colour, its cards, locomotives */\n",
            f"export const PRICE = {help_entry.PRICE};\n",
            constant("PHASES", "Phase", map(text, at.PHASE_NAMES), "by number"),
            constant("REASONS", "WhyNot", map(text, at.REASON_NAMES), "by number"),
            constant(
                "TICKET_STATES",
                'TicketAid["state"]',
                map(text, at.TICKET_STATES),
                "from TICKET_DONE on",
            ),
            constant(
                "REASON_CODES",
                'Reason["code"]',
                map(text, reason_codes.REASON_CODES),
                "why a move is better than another one, from 1 on",
            ),
            "\n/** what can be impossible in a position that is set up */\n",
            f"export type ProblemName = {' | '.join(map(text, drafts.PROBLEM_NAMES[1:]))};\n",
            constant(
                "PROBLEMS", '(ProblemName | "")', map(text, drafts.PROBLEM_NAMES), "by number"
            ),
            f"export const MOST_PROBLEMS = {drafts.MOST_PROBLEMS};\n",
            constant("TIE_BREAKS", "(string | null)", map(text, ties), "by number"),
            constant("CARD_WORDS", "string", map(text, moves.CARD_WORDS), "of records, by colour"),
            "\n/** the names of the heaps where a ticket may lie, by number */\n",
            f"export const HEAPS: Readonly<Record<number, string>> = {{ {heaps} }};\n",
            constant(
                "PLACES",
                "(readonly [from: number, word: string])",
                (f"[{low}, {text(word)}]" for low, word in view.PLACES),
                "a ticket's other places: counted from a number on",
            ),
            constant(
                "EVENTS",
                '{ readonly type: GameEvent["type"]; readonly fields: readonly EventField[] }',
                map(event_lines, events.KINDS),
                "by number, from 1 on",
            ),
            constant("MOVES", "MoveKind", move_lines(), "by kind of action"),
            "\n// Of the bots.\n\n",
            *player_numbers(),
            "\n/** The bots, and the seconds that they think for a decision. */\n",
            "export const BOTS: Readonly<Record<string, BotKind>> = {\n",
            *(f"  {line},\n" for line in bot_lines()),
            "};\n",
        )
    )


def plain(value: Any, kind: str) -> Any:
    """A value for JSON: 64 bits as text."""
    if isinstance(value, list):
        return [plain(part, kind) for part in value]
    return str(value) if kind == "i8" else value


def chance_record(dtype: np.dtype[Any], chance: random.Random) -> np.ndarray:
    """A record of chance bytes; its floats are chance numbers, as not all bytes are one."""
    records = np.frombuffer(bytearray(chance.randbytes(dtype.itemsize)), dtype)
    for name in dtype.names or ():
        if records[name].dtype.kind == "f":
            shape = records[name].shape
            numbers = [chance.random() for _ in range(records[name].size)]
            records[name] = np.reshape(numbers, shape)
    return records


def fixture() -> str:
    """Records of chance numbers, and what NumPy reads in them."""
    chance, found = random.Random("records"), {}
    for name in IN_FIXTURE:
        fields, dtype = SHOWN[name]
        records = chance_record(dtype, chance)
        values = {f.name: plain(records[0][f.name].tolist(), f.kind) for f in fields}
        content = base64.b64encode(records.tobytes()).decode()
        found[name] = {"bytes": content, "values": values}
    return json.dumps(found, separators=(",", ":")) + "\n"


WRITTEN = {FILE: page, FIXTURE: fixture, CODES: codes}

if __name__ == "__main__":
    for path, make in WRITTEN.items():
        path.write_text(make(), encoding="utf-8")
        print(f"Wrote {path}")
