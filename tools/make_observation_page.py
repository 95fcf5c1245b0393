"""Write docs/observation.md from the declarations in kernel/observation.py."""

from pathlib import Path

from macaz.kernel.layout import CARDS, CITIES, LANES, OFFER, SEATS, TICKETS, Field
from macaz.kernel.observation import OBSERVATION, OBSERVATION_SIZE, observation_slices
from macaz.lab.env.static import ACTION, LANE, TICKET

PAGE = Path(__file__).resolve().parent.parent / "docs" / "observation.md"
HEAD = f"""\
# Observation

<!-- Written by tools/make_observation_page.py from src/macaz/kernel/observation.py and
src/macaz/lab/env/static.py. Do not edit. -->

What a learner is given of a game: a row of **{OBSERVATION_SIZE:,} numbers of int8**, none below 0.
Fields and size are the same for every edition and every number of seats;
[Environments](environments.md) says how to get it.

- **It is seen from one seat.** Wherever a field has an axis of seats, 0 is the observer, 1 the next
  clockwise, and so on. The rows of seats that are not at the table are 0.
- **It holds what that seat may see**, and nothing else: the test deals again whatever is hidden
  from the seat, and the row must not change.
- **Setup tickets are chosen at the same time**: meanwhile the other seats are shown as if none of
  them had chosen yet.
- **Sets are 0 and 1**, one number for each lane, city or ticket, ready for a network. A lane is the
  kernel's number of a route: `static_features` says which.
- **There is room** for {LANES} lanes, {CITIES} cities, {TICKETS} tickets, {SEATS} seats and {OFFER}
  tickets in an offer. Cards have {CARDS} kinds: eight colours and locomotives.

Numbers fit one byte, so that a row is short and a million of them are fast: points come as tens and
ones, and the two counts that could be longer on a map of your own stop at 127.

```python
from macaz import Game
from macaz.lab.env.observation import observe
from macaz.kernel.observation import observation_dtype, observation_slices

row = observe(Game("europe", 3, seed=7).view(0))
row[observation_slices()["hand"]]  # by slice
row.view(observation_dtype())["hand"][0]  # or by name, without a copy
```

| field | from | shape | meaning |
|---|---|---|---|
"""
STATIC = """
## What does not change

`static_features(spec)`, of `macaz.lab.env.static`, gives what an observation does not repeat: three
arrays of records, with `spec` from `game.spec` or `VectorEnv.table`. A network that is to play
several maps takes them as input; one that plays one map may learn them.

"""


def shape_of(field: Field) -> str:
    """The shape of a field, for people."""
    return " × ".join(map(str, field.shape)) or "–"


def observation_rows() -> str:
    """The fields of the observation."""
    slices = observation_slices()
    return "".join(
        f"| `{f.name}` | {slices[f.name].start} | {shape_of(f)} | {f.doc} |\n" for f in OBSERVATION
    )


def static_table(name: str, count: str, fields: tuple[Field, ...]) -> str:
    """One of the tables that do not change."""
    rows = "".join(f"| `{f.name}` | {f.doc} |\n" for f in fields)
    return f"`{name}`: {count}\n\n| field | meaning |\n|---|---|\n{rows}"


def page() -> str:
    """The whole page."""
    tables = (
        static_table("lanes", f"{LANES} of them, by lane.", LANE),
        static_table("tickets", f"{TICKETS} of them, by ticket.", TICKET),
        static_table("actions", "one for each action number of the table.", ACTION),
    )
    return HEAD + observation_rows() + STATIC + "\n".join(tables)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
