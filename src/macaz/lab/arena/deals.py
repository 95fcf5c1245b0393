"""The schedule of a tournament: every deal is played with every rotation of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count, permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.lab.arena.settings import Settings

Lineup = tuple[str, ...]


def lineups(settings: Settings) -> list[Lineup]:
    """The sets of bots that play together, each as a tuple in any order."""
    bots, seats = settings.bots, settings.players
    if settings.gauntlet:
        return [(bots[0], *others) for others in _tables(bots[1:], seats - 1)]
    return _tables(bots, seats)


def _tables(bots: Sequence[str], seats: int) -> list[Lineup]:
    """All ways to fill the seats as evenly as possible.

    With fewer bots than seats, every bot gets the same number of seats, and every combination of
    bots gets the remaining ones. So any two bots meet equally often.
    """
    times, left = divmod(seats, len(bots))
    return [(*bots,) * times + chosen for chosen in combinations(bots, left)]


def schedule(settings: Settings) -> Iterator[tuple[int, Lineup]]:
    """All games as (deal, bots by seat), deal by deal, so that all lineups progress equally."""
    left = dict.fromkeys(lineups(settings), settings.games)
    for deal in count():
        for lineup, games in list(left.items()):
            seatings = seatings_of(lineup, deal)
            yield from ((deal, seating) for seating in seatings)
            left[lineup] = games - len(seatings)
            if left[lineup] <= 0:
                del left[lineup]
        if not left:
            return


def seatings_of(lineup: Lineup, deal: int) -> list[Lineup]:
    """Every rotation of a lineup over the seats, for one deal.

    The order around the table changes from deal to deal. Rotations that are equal, because a bot
    has several seats, are played once.
    """
    orders = _orders(lineup)
    order = orders[deal % len(orders)]
    return list(dict.fromkeys(order[i:] + order[:i] for i in range(len(order))))


@lru_cache(maxsize=4096)
def _orders(lineup: Lineup) -> tuple[Lineup, ...]:
    """All orders around the table, with the first bot fixed."""
    return tuple(dict.fromkeys((lineup[0], *rest) for rest in permutations(lineup[1:])))
