"""Statistics of each bot over many games, with their intervals.

Every figure is the ratio of two sums over games. Intervals are by bootstrap over whole deals, as
those of the ratings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from facts import SeatFacts
from macaz.lab.arena.ratings import Estimate

Kind = Literal["number", "share", "times"]
_FIELDS = {name: i for i, name in enumerate(SeatFacts.__struct_fields__)}
_BLOCK = 4_000_000  # numbers that are in memory at a time


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure: the sum of one field of `SeatFacts`, divided by the sum of another."""

    name: str
    words: str  # its label in the table
    top: str
    bottom: str
    kind: Kind = "number"  # "times": the ratio to a random choice


def _beside_chance(name: str, bottom: str, words: str, top: str = "") -> tuple[Measure, ...]:
    """How often it was done, and how often at random: among all lanes, among equally long ones."""
    top = top or name
    return (
        Measure(f"{name}_share", words, top, bottom, "share"),
        Measure(f"{name}_chance", "by chance", f"{name}_chance", bottom, "share"),
        Measure(f"{name}_times", "times chance", top, f"{name}_chance", "times"),
        Measure(f"{name}_alike", "by chance, as long", f"{name}_alike", bottom, "share"),
        Measure(f"{name}_times_alike", "times that", top, f"{name}_alike", "times"),
    )


MEASURES: dict[str, tuple[Measure, ...]] = {
    "Result": (
        Measure("wins", "share of wins", "wins", "games", "share"),
        Measure("score", "score", "score", "games"),
        Measure("route_points", "points by routes", "route_points", "games"),
        Measure("toll", "of these, by others' claims", "toll", "games"),
        Measure("toll_paid", "brought to others by its own", "toll_paid", "games"),
        Measure("ticket_points", "points by tickets", "ticket_points", "games"),
        Measure("longest", "points by the longest path", "longest", "games"),
        Measure("station_points", "points by stations left", "station_points", "games"),
        Measure("globetrotter", "points by most tickets", "globetrotter", "games"),
        Measure("alvin", "points by holding Alvin", "alvin", "games"),
        Measure("turns", "turns", "turns", "games"),
    ),
    "Tickets": (
        Measure("kept_setup", "kept at the start", "kept_setup", "games"),
        Measure("kept_later", "kept later", "kept_later", "games"),
        Measure("done", "completed, of those kept", "done", "kept", "share"),
        Measure("done_later", "of those kept later", "done_later", "kept_later", "share"),
        Measure("points_lost", "points lost by incomplete ones", "points_lost", "games"),
        Measure("clean", "games with all completed", "clean", "games", "share"),
    ),
    "Drawing tickets": (
        Measure("draws", "draws", "draws", "games"),
        Measure("draws_laid", "its trains laid by then", "draws_laid", "draws", "share"),
        Measure("draws_early", "in its first third", "draws_early", "draws", "share"),
        Measure("draws_late", "in its last third", "draws_late", "draws", "share"),
        Measure("draws_ready", "with all it had completed", "draws_ready", "draws", "share"),
        Measure("draws_ahead", "when ahead in points", "draws_ahead", "draws", "share"),
    ),
    "Claims": (
        Measure("claims", "claims", "claims", "games"),
        Measure("length", "trains a claim", "trains_laid", "claims"),
        Measure("short", "of 1 or 2 trains", "claims_short", "claims", "share"),
        Measure("long", "of 5 or more", "claims_long", "claims", "share"),
        Measure("spare", "of what it did not need", "spare", "claims", "share"),
    ),
    "Taking what another needs": (
        *_beside_chance("took", "claims", "of its claims"),
        Measure("robbed", "lost so itself, a game", "robbed", "games"),
    ),
    "Blocking: … and it did not need it": (
        *_beside_chance("blocked", "claims", "of its claims"),
        Measure("blocks", "blocks a game", "blocked", "games"),
        Measure("failed", "and the ticket failed", "victims_failed", "victims", "share"),
        Measure("incomplete", "and some ticket failed", "victims_incomplete", "victims", "share"),
    ),
    "Blocking, of claims that it did not need": (
        *_beside_chance("spare", "spare", "of these claims", "blocked"),
    ),
    "Spoiling: … and it had no use for it": (
        *_beside_chance("spoiled", "claims", "of its claims"),
    ),
    "The end": (
        Measure("ends", "begins the last round", "ends", "games", "share"),
        Measure("ends_leading", "and leads", "ends_leading", "ends", "share"),
        Measure("ended_leading", "leads when another does", "ended_leading", "ended", "share"),
        Measure("hand_left", "cards left in hand", "hand_left", "games"),
        Measure("trains_left", "trains left", "trains_left", "games"),
        Measure("marks", "stations or markers placed", "marks", "games"),
    ),
}
# Left out if they are 0 for all bots: the edition does not have them.
SPECIAL = ("toll", "toll_paid", "longest", "station_points", "globetrotter", "alvin", "marks")


@dataclass(frozen=True, slots=True)
class Seated:
    """The facts of a seat, with the bot that had it and the deal that was played."""

    bot: str
    deal: int
    facts: SeatFacts


@dataclass(frozen=True, slots=True)
class BotBehaviour:
    """The figures of one bot over all its games."""

    name: str
    games: int
    figures: dict[str, Estimate]  # by the names of the measures


def behaviour(
    seated: Iterable[Seated], *, resamples: int = 1000, seed: int = 0
) -> tuple[BotBehaviour, ...]:
    """The figures of each bot, the most successful first.

    The same facts and seed give the same numbers, in any order of the facts.
    """
    by_bot: dict[str, list[Seated]] = {}
    for one in seated:
        by_bot.setdefault(one.bot, []).append(one)
    found = [_bot_behaviour(name, its, resamples, seed) for name, its in sorted(by_bot.items())]
    return tuple(sorted(found, key=lambda bot: -bot.figures["wins"].value))


def _bot_behaviour(name: str, its: Sequence[Seated], resamples: int, seed: int) -> BotBehaviour:
    sums = _by_deal(its)
    drawn = resampled(sums, resamples, np.random.default_rng(seed))
    total = sums.sum(axis=0)
    figures = {
        measure.name: _estimate(measure, total, drawn)
        for measures in MEASURES.values()
        for measure in measures
    }
    return BotBehaviour(name, len(its), figures)


def _by_deal(its: Sequence[Seated]) -> np.ndarray:
    """The sums of the facts by deal: a row for each deal, in the order of their numbers."""
    rows = {deal: np.zeros(len(_FIELDS)) for deal in sorted({one.deal for one in its})}
    for one in its:
        rows[one.deal] += msgspec.structs.astuple(one.facts)
    return np.array(list(rows.values()))


def resampled(sums: np.ndarray, times: int, rng: np.random.Generator) -> np.ndarray:
    """Bootstrap: the sums over as many deals, drawn with replacement; a row for each sample."""
    deals = len(sums)
    if deals < 2:  # one deal has no variance
        return np.full((0, sums.shape[1]), math.nan)
    even = np.full(deals, 1 / deals)
    at_once = max(1, _BLOCK // deals)
    parts = [
        rng.multinomial(deals, even, min(at_once, times - start)) @ sums
        for start in range(0, times, at_once)
    ]
    return np.concatenate(parts)


def _estimate(measure: Measure, total: np.ndarray, drawn: np.ndarray) -> Estimate:
    top, bottom = _FIELDS[measure.top], _FIELDS[measure.bottom]
    value = total[top] / total[bottom] if total[bottom] else math.nan
    some = drawn[drawn[:, bottom] > 0]
    if not len(some) or math.isnan(value):
        return Estimate(value, math.nan, math.nan)
    low, high = np.quantile(some[:, top] / some[:, bottom], (0.025, 0.975))
    return Estimate(float(value), float(low), float(high))
