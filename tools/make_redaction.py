"""Write src/macaz/kernel/seen.py from kernel/layout.py: what a seat may see, field by field."""

from __future__ import annotations

from pathlib import Path

from macaz.kernel.layout import EVENT, EVENTS, SEATS, STATE, Audience, EventKind, Field

MODULE = Path(__file__).resolve().parent.parent / "src" / "macaz" / "kernel" / "seen.py"
HEAD = '''\
"""What a seat may see of a state or an event, and what a view says of a state, field by field.

Written by tools/make_redaction.py from the audiences that layout.py declares. Do not edit.
"""

from macaz.kernel.layout import UNKNOWN
'''


def _lines(field: Field, value: str, target: str) -> list[str]:
    """A field written element by element: the subset has no assignment of whole arrays."""
    names = "ijk"[: len(field.shape)]
    index = f"[{', '.join(names)}]" if names else ""
    lines = [
        f"{'    ' * (depth + 1)}for {name} in range({size}):"
        for depth, (name, size) in enumerate(zip(names, field.shape, strict=True))
    ]
    value = value.replace("@", f"{field.name}{index}")
    return [*lines, f"{'    ' * (len(names) + 1)}{target}.{field.name}{index} = {value}"]


def _seen(field: Field) -> str:
    """What a view shows of an element, where `@` stands for it; a field that says nothing is 0."""
    match field.audience:
        case Audience.PUBLIC:
            return "s.@"
        case Audience.OWNER:
            if field.shape[:1] != (SEATS,):
                raise ValueError(f"the first axis of {field.name} is not the seat")
            return "s.@ if over or i == seat else 0"
        case Audience.KNOWN:
            return "s.@ if over or s.known[i] & bit else UNKNOWN"
        case Audience.KNOWERS:
            return "s.@ if over else s.@ & bit"
    return "s.@ if over else 0"


def _kinds(kinds: dict[int, EventKind], field: Field, audience: Audience) -> int:
    """The kinds of event in which a field has an audience, as bits."""
    return sum(1 << n for n, kind in kinds.items() if kind.fields.get(field.name) == audience)


def _told(kinds: dict[int, EventKind], field: Field) -> str:
    """What is shown of an element of an event: nothing, in a kind that does not list the field."""
    if field.name == "kind":
        return "e.@"
    hidden = "0" if field.shape else "UNKNOWN"
    shown = f"0x{_kinds(kinds, field, Audience.PUBLIC):X}"
    if own := _kinds(kinds, field, Audience.OWNER):
        shown = f"({shown} | 0x{own:X} * own)"
    return f"e.@ if kind & {shown} else {hidden}"


def source(
    state: tuple[Field, ...] = STATE,
    event: tuple[Field, ...] = EVENT,
    kinds: dict[int, EventKind] = EVENTS,
) -> str:
    """The module, for the fields of a state and of an event."""
    show = [
        "def copy_seen(s, seat, over, v):",
        '    """Write into a view what a seat (-1: a spectator) may see; everything of a game that',
        '    is over."""',
        "    bit = 1 << seat if seat >= 0 else 0",
    ]
    tell = ["def copy_told(v, s):", '    """Write into a state what a view says of it."""']
    for field in state:
        show += _lines(field, _seen(field), "v")
        tell += _lines(field, "v.@", "s")
    narrow = [
        "def copy_event(e, seat, v):",
        '    """Write into an event what a seat (-1: a spectator) may see of another."""',
        "    kind = 1 << e.kind",
        "    own = 1 if seat >= 0 and e.seat == seat else 0",
    ]
    for field in event:
        narrow += _lines(field, _told(kinds, field), "v")
    return "\n".join([HEAD, "", *show, "", "", *tell, "", "", *narrow, ""])


if __name__ == "__main__":
    MODULE.write_text(source(), encoding="utf-8")
    print(f"Wrote {MODULE}")
