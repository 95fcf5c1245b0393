"""Write web/src/net/wire.ts and docs/messages.md from src/macaz/server/wire.py."""

import ast
import dataclasses
import inspect
import json
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import inspect as types

from macaz.game import data
from macaz.help import puzzles
from macaz.server import wire
from macaz.server.http import aids, catalog, links, past, people, tables

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "net" / "wire.ts"
PAGE = FILE.parents[3] / "docs" / "messages.md"
HEAD = f"""\
// Written by tools/make_wire_types.py from src/macaz/server/wire.py. Do not edit.
// What the messages mean is told in docs/protocol.md.

export const PROTOCOL = {wire.PROTOCOL};
"""
# Texts that have a name, and where they are declared.
LITERALS = {
    "Color": wire,
    "Sign": wire,
    "Status": wire,
    "Phase": data,
    "Code": wire,
    "Origin": wire,
    "PuzzleKind": puzzles,
    "Grade": puzzles,
}
EVENTS = {kind.__name__: kind for kind in data.EVENTS.values()}
TABLE_EVENTS = {kind.__name__: kind for kind in wire.TABLE_EVENTS}
MOVES = {kind.__name__: kind for kind in data.MOVES.values()}
UNIONS: dict[str, tuple[str, Iterable[str]]] = {
    "GameEvent": ("Something that happened in the game.", EVENTS),
    "TableEvent": ("Something that happened at the table.", TABLE_EVENTS),
    "Move": ("Something you may do: send its `action`.", MOVES),
    "LocalEntry": (
        "Something that changed a local table.",
        [kind.__name__ for kind in get_args(wire.LocalEntry)],
    ),
    "GameEntry": (
        "Something that changed the game of a table.",
        [kind.__name__ for kind in get_args(wire.GameEntry)],
    ),
    "ClientMessage": (
        "What a client sends through the socket.",
        [kind.__name__ for kind in get_args(wire.ClientMessage)],
    ),
    "ServerMessage": (
        "What the server sends through the socket.",
        [kind.__name__ for kind in get_args(wire.ServerMessage)],
    ),
}
# These are left open in Python, as the server has no need to check what it sends.
OPEN = {
    "events": "(GameEvent | TableEvent)[]",
    "legal": "Move[]",
    "step": "GameEntry",
    "played": "Move",
    "best": "Move",
}
RENAMED = {"Map": "EditionMap"}  # JavaScript has a Map of its own
# Where the library declares what a message is made from, with the words about its fields.
SOURCES = {made: kind for kind, made in (data.EVENTS | data.MOVES).items()}
WIDTH = 100

Kind = type[Any]


# -- what the source says --------------------------------------------------------------------------


def notes(source: str) -> dict[str, str]:
    """The words about each field of a class: a comment behind it, or a text below it."""
    found: dict[str, str] = {}
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    field = ""
    [declared] = ast.parse(source).body
    assert isinstance(declared, ast.ClassDef)
    for item in declared.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            field = item.target.id
            if item.end_lineno in comments:
                found[field] = comments[item.end_lineno]
        elif isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and field:
            found[field] = str(item.value.value)
    return found


def notes_of(kind: Kind) -> dict[str, str]:
    """The words about the fields of a message or of a dataclass."""
    origin = SOURCES.get(kind, kind)
    found: dict[str, str] = {}
    for declared in reversed(origin.__mro__):
        if declared.__module__.startswith("macaz."):
            found |= notes(inspect.getsource(declared))
    if dataclasses.is_dataclass(origin):
        found |= {
            f.name: f.metadata["doc"] for f in dataclasses.fields(origin) if "doc" in f.metadata
        }
    return found


def literal_notes(name: str) -> dict[str, str]:
    """The words about each text of a literal type, as far as there are any."""
    source = inspect.getsource(LITERALS[name]).partition(f"\n{name} = Literal[")[2]
    lines = source.partition("]")[0].splitlines()
    parts = [line.strip().partition(",") for line in lines if line.strip()]
    return {text.strip('"'): note.strip()[2:] for text, _, note in parts if "  # " in note}


@cache
def asked_for() -> frozenset[Kind]:
    """What clients send: only there may a field with a default be left out."""
    modules = (people, catalog, tables, aids, past, links)
    handlers = [h for m in modules for h in vars(m).values() if isinstance(h, HTTPRouteHandler)]
    bodies = [get_type_hints(handler.fn).get("data") for handler in handlers]
    return frozenset([*filter(None, bodies), *get_args(wire.ClientMessage)])


# -- TypeScript ------------------------------------------------------------------------------------


def name_of(kind: Kind) -> str:
    """What a class is called there."""
    return RENAMED.get(kind.__name__, kind.__name__)


def literal(values: Iterable[Any]) -> str:
    """A union of texts, by its name if it has one."""
    wanted = set(values)
    for name, module in LITERALS.items():
        if wanted == set(get_args(getattr(module, name))):
            return name
    return " | ".join(json.dumps(value) for value in values)


def type_text(kind: types.Type) -> str:  # noqa: PLR0911 - a table of types
    """A type in TypeScript."""
    match kind:
        case types.Metadata():
            return type_text(kind.type)
        case types.UnionType():
            parts = [type_text(part) for part in kind.types]
            named = (name for name, (_, kinds) in UNIONS.items() if set(kinds) == set(parts))
            return next(named, " | ".join(parts))
        case types.VarTupleType():
            item = type_text(kind.item_type)
            return f"({item})[]" if " " in item else f"{item}[]"
        case types.DictType():
            return f"Record<{type_text(kind.key_type)}, {type_text(kind.value_type)}>"
        case types.LiteralType():
            return literal(kind.values)
        case types.StructType() | types.DataclassType():
            return name_of(kind.cls)
    simple = {
        types.IntType: "number",
        types.FloatType: "number",
        types.StrType: "string",
        types.BoolType: "boolean",
        types.NoneType: "null",
    }
    return simple[type(kind)]


def comment(text: str, indent: str = "") -> str:
    """A comment of one line or several."""
    words = " ".join(text.split())
    if len(one := f"{indent}/** {words} */") <= WIDTH:
        return one + "\n"
    lines, line = [], ""
    for word in words.split():
        if len(f"{indent} * {line} {word}") > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    body = "".join(f"{indent} * {part}\n" for part in [*lines, line])
    return f"{indent}/**\n{body}{indent} */\n"


def interface(kind: Kind) -> str:
    """A message, or a part of one."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType | types.DataclassType), kind
    base = kind.__base__
    inherited = base.__struct_fields__ if issubclass(base, msgspec.Struct) else ()
    said, lines = notes_of(kind), []
    if isinstance(info, types.StructType) and info.tag_field:
        lines.append(f"  {info.tag_field}: {json.dumps(info.tag)};\n")
    for field in info.fields:
        if field.name in inherited:
            continue
        if text := said.get(field.name):
            lines.append(comment(text, "  "))
        optional = "?" if not field.required and kind in asked_for() else ""
        item = field.type.item_type if isinstance(field.type, types.VarTupleType) else field.type
        open_ = isinstance(item, types.AnyType)
        shown = OPEN[field.name] if open_ else type_text(field.type)
        lines.append(f"  {field.encode_name}{optional}: {shown};\n")
    body = "{\n" + "".join(lines) + "}" if lines else "{}"
    extends = f" extends {name_of(base)}" if inherited else ""
    return f"{comment(kind.__doc__ or '')}export interface {name_of(kind)}{extends} {body}\n"


def union(name: str, about: str, parts: Iterable[str], notes: dict[str, str] | None = None) -> str:
    """A choice of types or of texts, one a line."""
    lines = []
    for part in parts:
        note = (notes or {}).get(part.strip('"'))
        lines.append(f"  | {part}" + (f" // {note}" if note else ""))
    lines[-1] = lines[-1].replace(" //", "; //", 1) if " //" in lines[-1] else lines[-1] + ";"
    return (comment(about) if about else "") + f"export type {name} =\n" + "\n".join(lines) + "\n"


def classes() -> Iterator[Kind]:
    """All classes, in the order of wire.py, each after those it is made of."""
    declared = [
        kind
        for kind in vars(wire).values()
        if isinstance(kind, type)
        and (issubclass(kind, msgspec.Struct) or dataclasses.is_dataclass(kind))
        and kind not in (wire.Struct, wire.Said, wire.Sent, wire.LocalChange)
    ]
    done: dict[Kind, None] = {}

    def visit(kind: Kind) -> None:
        if kind not in done:
            for part in parts_of(types.type_info(kind)):
                if part is not kind:
                    visit(part)
            done[kind] = None

    for kind in [*EVENTS.values(), *MOVES.values(), *declared]:
        visit(kind)
    yield from done


def parts_of(info: types.Type) -> Iterator[Kind]:
    """The classes within a type."""
    if isinstance(info, types.StructType | types.DataclassType):
        yield info.cls
        for field in info.fields:
            yield from parts_of(field.type)
    elif isinstance(info, types.UnionType):
        for part in info.types:
            yield from parts_of(part)
    elif isinstance(info, types.VarTupleType):
        yield from parts_of(info.item_type)


def page() -> str:
    """The whole file."""
    made = list(classes())
    names = [name_of(kind) for kind in made]
    assert len(set(names)) == len(names), "two messages of one name"
    parts = [HEAD]
    for name, module in LITERALS.items():
        values = [json.dumps(value) for value in get_args(getattr(module, name))]
        parts.append(union(name, "", values, literal_notes(name)))
    parts += [interface(kind) for kind in made]
    parts += [union(name, about, kinds) for name, (about, kinds) in UNIONS.items()]
    return "\n".join(parts)


def documentation() -> str:
    """The same for people who write a client in another language."""
    return f"""<!-- Written by tools/make_wire_types.py. Change the source, then run that again. -->
# Every message

All fields of all bodies and messages, as TypeScript has them: `?` may be left out, `| null` may be
null. What they are for is told in [the protocol](protocol.md).

```typescript
{page()}```
"""


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    for path, text in ((FILE, page()), (PAGE, documentation())):
        path.write_text(text, encoding="utf-8")
        print(f"Wrote {path}")
