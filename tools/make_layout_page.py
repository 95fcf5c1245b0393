"""Write docs/layout.md from kernel/layout.py."""

import inspect
from pathlib import Path

from macaz.help.compiled.program import ALL
from macaz.kernel import layout
from macaz.kernel.compile import arguments, entries
from macaz.kernel.layout import EVENTS, RECORDS, STATE, Audience, Field, dtype_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "layout.md"
TYPES = {"i1": "int8", "i2": "int16", "i8": "int64", "f8": "float64"}
AUDIENCES = {
    Audience.SECRET: "no seat",
    Audience.PUBLIC: "all seats",
    Audience.OWNER: "each seat its own row",
    Audience.KNOWN: "seats that know the ticket",
    Audience.KNOWERS: "each seat its own bit",
}
SIZES = "SEATS CARDS COLORS WORDS LANES CITIES TICKETS MARKS LENGTHS CLASSES CLAIMS EDGES KINDS"
ABOUT = {
    "state": "One game: everything that is remembered between two decisions, and nothing else.",
    "view": "What one seat may see. It begins with all the fields of a state, in which whatever "
    "the seat may not see is 0 (a ticket it does not know is −1), and goes on with these:",
    "spec": "An edition and a number of seats, compiled. It does not change during a game.",
    "tally": "A final score with its reasons.",
    "event": "Something that happened in a step. Each kind uses some of the fields; a number that "
    "is not used, or that a seat may not see, is −1, and a set or a list of counts is empty.",
    "work": "Scratch paper, so that the kernel never asks for memory. Nothing in it lasts.",
    "gpu-work": "The same on a GPU, where a thread has no room for sweeps.",
    "world": "Scratch paper of the drawing of hidden worlds.",
    "plan": "How the tickets of a seat stand, and a cheapest way to complete each, by ticket.",
    "cost": "What each open ticket of a seat still costs at the least, and scratch paper for it.",
    "network": "Scratch paper of the search for ways.",
    "dice": "The fast random stream of simulations. Games that people play do not use it.",
}
ENTRIES = """\
What the [WebAssembly module](kernel.md#webassembly) exports, with the arguments in their order. A
name with brackets is an array, of records or of numbers; any other is an integer."""
HEAD = """\
# Layout

<!-- Written by tools/make_layout_page.py from src/macaz/kernel/layout.py. Do not edit. -->

The [kernel](kernel.md) keeps everything in records of fixed size. This page lists their fields, as
`src/macaz/kernel/layout.py` declares them. `dtype_of("state")` gives the NumPy dtype of a record;
`game.state["hand"][0, seat]` is a hand.

A field of the state that does not say who may see it is hidden from all.

The sizes are the limits of a map and a table:

"""


def rows(fields: tuple[Field, ...], audience: bool) -> str:
    """The fields as a table; only what seats may see has an audience."""
    head = ["field", "type", "shape", *(["seen by"] if audience else []), "meaning"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for f in fields:
        shape = " × ".join(map(str, f.shape)) or "–"
        seen = [AUDIENCES[f.audience]] if audience else []
        lines.append(f"| {' | '.join([f'`{f.name}`', TYPES[f.kind], shape, *seen, f.doc])} |")
    return "\n".join(lines)


def kinds() -> str:
    """The kinds of event as a table."""
    lines = ["| number | kind | all seats see | only its seat sees |", "|---|---|---|---|"]
    for number, kind in EVENTS.items():
        seen = [
            ", ".join(f"`{name}`" for name, whose in kind.fields.items() if whose == audience)
            for audience in (Audience.PUBLIC, Audience.OWNER)
        ]
        lines.append(f"| {number} | {kind.name} | {' | '.join(one or '–' for one in seen)} |")
    return "\n".join(lines)


def calls() -> str:
    """The entries of the WebAssembly module as a table."""
    lines = ["| entry | arguments | what it does |", "|---|---|---|"]
    for name, function in entries(ALL).items():
        parts = [part for argument in arguments(ALL, function) for part in argument.flat]
        taken = ", ".join(part.name + ("[]" if part.dtype else "") for part in parts)
        about = (inspect.getdoc(function) or "").partition("\n")[0]
        lines.append(f"| `{name}` | {taken} | {about} |")
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    sizes = SIZES.split()
    parts = [HEAD + f"| {' | '.join(f'`{s}`' for s in sizes)} |\n|{'---|' * len(sizes)}\n"]
    parts[0] += f"| {' | '.join(str(getattr(layout, s)) for s in sizes)} |"
    for name, fields in RECORDS.items():
        own = fields[len(STATE) :] if name == "view" else fields
        parts += [
            f"## {name}",
            ABOUT[name],
            rows(own, audience=name in ("state", "view")),
            f"{dtype_of(name).itemsize:,} bytes in all.",
        ]
        if name == "event":
            parts.append(kinds())
    parts += ["## Entries", ENTRIES, calls()]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
