"""Write src/macaz/kernel/seen.py from kernel/layout.py: what a seat may see, field by field."""

from __future__ import annotations

from pathlib import Path

from macaz.kernel.layout import SEATS, STATE, Audience, Field

MODULE = Path(__file__).resolve().parent.parent / "src" / "macaz" / "kernel" / "seen.py"
HEAD = '''\
"""What a seat may see of a state, and what a view says of one, field by field.

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


def source(state: tuple[Field, ...] = STATE) -> str:
    """The module, for the fields of a state."""
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
    return "\n".join([HEAD, "", *show, "", "", *tell, ""])


if __name__ == "__main__":
    MODULE.write_text(source(), encoding="utf-8")
    print(f"Wrote {MODULE}")
