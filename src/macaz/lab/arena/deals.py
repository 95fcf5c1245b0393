"""Who meets whom, and who sits where: every deal is played with every rotation of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count, permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from macaz.lab.arena.settings import Settings

Lineup = tuple[str, ...]


def lineups(settings: Settings) -> list[Lineup]:
    """The tables that are played, each as its bots in no order that matters."""
    bots, seats = settings.bots, settings.players
    if settings.gauntlet:
        return [(bots[0], *others) for others in _tables(bots[1:], seats - 1)]
    return _tables(bots, seats)


def _tables(bots: Sequence[str], seats: int) -> list[Lineup]:
    """All ways to fill the seats as evenly as can be.

    With fewer bots than seats everybody sits there as often as fits, and every choice of bots
    takes the seats that are left. So any two bots meet as often as any other two.
    """
    times, left = divmod(seats, len(bots))
    return [(*bots,) * times + chosen for chosen in combinations(bots, left)]


def schedule(settings: Settings) -> Iterator[tuple[int, Lineup]]:
    """All games as (deal, bots by seat), deal by deal: every lineup comes on at the same pace."""
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

    Who sits beside whom changes from deal to deal. Where a bot has several seats some rotations
    are the same; each is played once.
    """
    orders = _orders(lineup)
    order = orders[deal % len(orders)]
    return list(dict.fromkeys(order[i:] + order[:i] for i in range(len(order))))


@lru_cache(maxsize=4096)
def _orders(lineup: Lineup) -> tuple[Lineup, ...]:
    """All the ways around the table, the first bot staying where it is."""
    return tuple(dict.fromkeys((lineup[0], *rest) for rest in permutations(lineup[1:])))
