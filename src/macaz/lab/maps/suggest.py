"""A complete map from a list of cities: routes, lengths, colours and tickets are suggested.

The figures follow the printed games: about two routes for each city, tracks of 1.4 times all trains
of the largest table, a quarter of the routes double, two lanes of five gray, five tickets for six
cities, worth their shortest way. The same cities and the same seed give the same map.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macaz.edition import Edition, is_known, load_edition, read_edition, reference
from macaz.edition.board import COLORS, City, fold
from macaz.edition.check import MAX_CITIES, MAX_LANES, MAX_MULTI_PAIRS, MAX_TICKETS
from macaz.edition.write import write_edition
from macaz.errors import MacazError
from macaz.lab.maps.roads import (
    Pair,
    busiest,
    joined,
    measured,
    positions,
    shortest_ways,
)

LEAST_CITIES = 6
LONGEST = 6  # spaces of a route, where the base has points for it
TRACK = 1.4  # spaces on the map for each train of the largest table
MEAN = 3.0  # spaces of a route
DOUBLE = 0.25  # share of the routes with two lanes
GRAY = 0.4  # share of the lanes that are gray
TICKETS = 0.85  # tickets for each city
LONG_TICKETS = 6  # where the base deals long ones
_SWAPS = 3000  # tries to improve the colours
_BESIDE = 1.6  # how bad two lanes of one colour at a city are, in spaces of imbalance squared


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a maker of a map may choose; None is chosen by the number of cities."""

    base: str = "usa-classic"
    players: int | None = None
    trains: int | None = None
    author: str = ""
    seed: int = 0


def suggest_map(
    name: str, cities: Sequence[City], wishes: Wishes | None = None, file: Path | None = None
) -> str:
    """The text of an edition file, which can be played at once. Raises MacazError.

    `file` is where it will be written: a base that is a file must be beside it.
    """
    wishes = wishes or Wishes()
    if not LEAST_CITIES <= len(cities) <= MAX_CITIES:
        raise MacazError(
            f"a map has {LEAST_CITIES} to {MAX_CITIES} cities, and the list has {len(cities)}."
        )
    spots = Counter((city.lat, city.lon) for city in cities)
    for city in cities:
        if spots[city.lat, city.lon] > 1:
            raise MacazError(f"{city.name!r} is at the same place as another city: move one.")
    cities = sorted(cities, key=lambda city: (fold(city.name), city.name))
    parent = load_edition(wishes.base)
    base = parent.rules
    most = _most_players(len(cities))
    players = wishes.players or max(base.min_seats, min(base.max_seats, most))
    rng = random.Random(f"macaz map {wishes.seed}")
    points = positions(cities)
    pairs = joined(points)
    trains = wishes.trains or _trains_for(len(pairs), players, base.trains)
    doubles = min(round(DOUBLE * len(pairs)), MAX_LANES - len(pairs), MAX_MULTI_PAIRS)
    # A double route counts twice: lengths are scaled as if each had that share of two lanes.
    spaces = TRACK * trains * players / (1 + DOUBLE)
    longest = max(n for n, worth in enumerate(base.route_points) if worth and n <= LONGEST)
    lengths = measured(points, pairs, spaces, longest)
    twice = set(busiest(len(cities), lengths)[:doubles])
    palette = [color for color, cards in zip(COLORS, base.cards, strict=False) if cards]
    lanes = _colored(
        [(pair, lengths[pair]) for pair in pairs for _ in range(1 + (pair in twice))], palette, rng
    )
    far = shortest_ways(len(cities), lengths)
    tickets = _tickets(cities, far, pairs, base.setup_tickets * players, rng)
    rows = [_ticket(cities, far, pair) for pair in tickets]
    if base.setup_long:
        count = max(LONG_TICKETS, base.setup_long * players)
        rows += [_ticket(cities, far, pair, "long") for pair in _longest(far, count, tickets)]
    names = [city.name for city in cities]
    data: dict[str, Any] = {
        "format": 1,
        "base": _base_name(parent, file),
        "id": id_of(name),
        "name": name,
        **({"author": wishes.author} if wishes.author else {}),
        "cities": [{"name": c.name, "lat": c.lat, "lon": c.lon} for c in cities],
        "routes": [
            {
                "from": names[a],
                "to": names[b],
                "length": lengths[a, b],
                "lanes": [color for pair, color in lanes if pair == (a, b)],
            }
            for a, b in pairs
        ],
        "tickets": rows,
        "rules": {"max_seats": players, "trains": trains},
    }
    if players < base.min_seats:
        data["rules"]["min_seats"] = players
    text = f"# {len(cities)} cities; the rest was suggested by `macaz edition new`.\n\n"
    text += write_edition(data)
    read_edition(text, source=name, file=file)
    return text


def _base_name(base: Edition, file: Path | None) -> str:
    """How the map in this file names its base."""
    if base.options:
        raise MacazError(f"a base is named without options: leave out +{'+'.join(base.options)}.")
    name = reference(base)
    if is_known(name):
        return name
    path = Path(name)
    if file is None or path.resolve().parent != file.resolve().parent:
        raise MacazError(
            f"the base {name} must be in the folder of the new map: copy it there, or write the "
            f"map with --out to {path.parent}."
        )
    return path.name


def id_of(name: str) -> str:
    """The id for a map of this name: "Țara de Sus" is "tara-de-sus"."""
    found = "-".join(re.findall(r"[a-z0-9]+", fold(name)))
    if not found:
        raise MacazError(f"the name {name!r} has no letter for an id: use letters or digits.")
    return found


def _trains_for(pairs: int, players: int, most: int) -> int:
    """As many trains as make routes MEAN long, with TRACK spaces on the map for each."""
    return min(most, max(8, round(MEAN * (1 + DOUBLE) * pairs / (TRACK * players))))


def _most_players(cities: int) -> int:
    return next(most for most, least in ((5, 24), (4, 16), (3, 10), (2, 0)) if cities >= least)


# -- colours ---------------------------------------------------------------------------------------


def _colored(
    lanes: Sequence[tuple[Pair, int]], palette: Sequence[str], rng: random.Random
) -> list[tuple[Pair, str]]:
    """Each lane with its colour: equal spaces for each colour, few of one colour at a city.

    Gray are first lanes of one space, then the longest, then others; the lanes of a pair are all
    gray or all of different colours.
    """
    lengths = dict(lanes)
    width = Counter(pair for pair, _ in lanes)
    order = sorted(lengths)
    rng.shuffle(order)
    order.sort(key=lambda pair: (lengths[pair] > 1, lengths[pair] < LONGEST))
    gray: set[Pair] = set()
    for pair in order:
        if sum(width[one] for one in gray) + width[pair] <= GRAY * len(lanes):
            gray.add(pair)
    colored = [pair for pair, _ in lanes if pair not in gray]
    colors = _balanced(colored, lengths, palette, rng)
    given = iter(zip(colored, colors, strict=True))
    return [(pair, "gray") if pair in gray else (pair, next(given)[1]) for pair, _ in lanes]


def _balanced(
    lanes: Sequence[Pair],
    lengths: Mapping[Pair, int],
    palette: Sequence[str],
    rng: random.Random,
) -> list[str]:
    colors = [palette[i % len(palette)] for i in range(len(lanes))]
    rng.shuffle(colors)
    if len(lanes) < 2:
        return colors
    cost = _cost(lanes, lengths, colors, palette)
    for _ in range(_SWAPS):
        i, j = rng.sample(range(len(lanes)), 2)
        old = colors[i], colors[j]
        if rng.random() < 0.5:
            colors[i], colors[j] = colors[j], colors[i]
        else:
            colors[i] = rng.choice(palette)
        new = _cost(lanes, lengths, colors, palette)
        if new <= cost:
            cost = new
        else:
            colors[i], colors[j] = old
    return colors


def _cost(
    lanes: Sequence[Pair],
    lengths: Mapping[Pair, int],
    colors: Sequence[str],
    palette: Sequence[str],
) -> float:
    """How far the colours are from equal spaces, and how often one colour meets itself."""
    spaces = dict.fromkeys(palette, 0)
    at: Counter[tuple[int, str]] = Counter()
    both: Counter[tuple[Pair, str]] = Counter()
    for pair, color in zip(lanes, colors, strict=True):
        spaces[color] += lengths[pair]
        at[pair[0], color] += 1
        at[pair[1], color] += 1
        both[pair, color] += 1
    mean = sum(spaces.values()) / len(palette)
    uneven = sum((n - mean) ** 2 for n in spaces.values())
    beside = sum(n - 1 for n in at.values())
    return uneven + _BESIDE * beside + 1000 * sum(n - 1 for n in both.values())


# -- tickets ---------------------------------------------------------------------------------------


def _tickets(
    cities: Sequence[City],
    far: Sequence[Sequence[int]],
    pairs: Sequence[Pair],
    least: int,
    rng: random.Random,
) -> list[Pair]:
    """Pairs of cities from near to far, in which the cities take part about equally often."""
    count = len(cities)
    every = [(a, b) for a in range(count) for b in range(a + 1, count)]
    apart = [pair for pair in every if pair not in set(pairs)]
    number = min(MAX_TICKETS - LONG_TICKETS, max(round(TICKETS * count), least + 3))
    choice = apart if len(apart) >= number else every
    number = min(number, len(choice))
    rng.shuffle(choice)
    choice.sort(key=lambda pair: far[pair[0]][pair[1]])
    used: Counter[int] = Counter()
    found = []
    for stratum in range(number):
        low, high = (round(i * len(choice) / number) for i in (stratum, stratum + 1))
        pair = min(choice[low:high], key=lambda p: (used[p[0]] + used[p[1]], -abs(p[0] - p[1])))
        used.update(pair)
        found.append(pair)
    return sorted(found)


def _longest(far: Sequence[Sequence[int]], count: int, taken: Sequence[Pair]) -> list[Pair]:
    """The longest pairs, no city in more than two of them, none that is a ticket already."""
    every = [(a, b) for a in range(len(far)) for b in range(a + 1, len(far))]
    every.sort(key=lambda pair: (-far[pair[0]][pair[1]], pair))
    used: Counter[int] = Counter()
    found: list[Pair] = []
    for pair in every:
        if len(found) < count and pair not in taken and max(used[pair[0]], used[pair[1]]) < 2:
            used.update(pair)
            found.append(pair)
    return sorted(found)


def _ticket(
    cities: Sequence[City], far: Sequence[Sequence[int]], pair: Pair, deck: str = ""
) -> dict[str, Any]:
    a, b = pair
    row: dict[str, Any] = {"from": cities[a].name, "to": cities[b].name, "points": far[a][b]}
    return row | ({"deck": deck} if deck else {})
