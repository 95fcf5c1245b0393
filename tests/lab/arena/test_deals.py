"""Schedules: all bots meet equally often, from every seat, on the same deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from macaz.lab.arena.deals import lineups, schedule, seatings_of
from macaz.lab.arena.settings import Settings


def settings(bots: str, players: int, games: int = 1, *, gauntlet: bool = False) -> Settings:
    return Settings(
        edition="usa-classic",
        fingerprint="",
        players=players,
        bots=tuple(bots),
        gauntlet=gauntlet,
        games=games,
        seed=1,
    )


def test_two_seats_are_a_round_robin_with_the_seats_swapped():
    games = list(schedule(settings("abc", 2, games=3)))
    assert games[:6] == [
        *((0, tuple(pair)) for pair in ("ab", "ba", "ac", "ca", "bc", "cb")),
    ]
    assert len(games) == 12, "three games are rounded up to two deals of two"


@pytest.mark.parametrize(
    ("bots", "players", "tables"),
    [
        ("abcd", 3, ["abc", "abd", "acd", "bcd"]),
        ("ab", 4, ["abab"]),
        ("ab", 3, ["aba", "abb"]),
        ("abc", 5, ["abcab", "abcac", "abcbc"]),
    ],
)
def test_a_round_robin_fills_larger_tables_evenly(bots, players, tables):
    assert ["".join(lineup) for lineup in lineups(settings(bots, players))] == tables


@pytest.mark.parametrize(
    ("bots", "players", "tables"),
    [
        ("hab", 2, ["ha", "hb"]),
        ("habc", 3, ["hab", "hac", "hbc"]),
        ("ha", 4, ["haaa"]),
        ("hab", 4, ["haba", "habb"]),
    ],
)
def test_a_gauntlet_has_one_seat_of_its_hero_at_every_table(bots, players, tables):
    found = lineups(settings(bots, players, gauntlet=True))
    assert ["".join(lineup) for lineup in found] == tables


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", ["ab", "abc", "abcd", "abcdef"])
def test_no_bot_is_favoured(bots, players):
    games = list(schedule(settings(bots, players, games=25)))
    assert len(set(games)) == len(games), "no game is played twice"
    meetings: Counter[tuple[str, str]] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    begins: Counter[tuple[int, str]] = Counter()
    size = Counter(deal for deal, _ in games)
    for deal, lineup in games:
        meetings.update(combinations(sorted(lineup), 2))
        seats.update((bot, seat) for seat, bot in enumerate(lineup))
        begins[deal, lineup[deal % players]] += 1
    others = {n for (a, b), n in meetings.items() if a != b}
    assert len(others) == 1, "any two bots meet equally often"
    assert len({seats[bot, seat] for bot in bots for seat in range(players)}) == 1
    if players <= len(bots):
        assert {begins[deal, bot] for deal in size for bot in bots} == {size[0] // len(bots)}


@pytest.mark.parametrize(("bots", "players"), [("ab", 2), ("abc", 4), ("abcd", 3)])
def test_games_count_for_each_lineup(bots, players):
    played = Counter(
        tuple(sorted(lineup)) for _, lineup in schedule(settings(bots, players, games=10))
    )
    assert set(played) == {tuple(sorted(lineup)) for lineup in lineups(settings(bots, players))}
    assert all(10 <= games < 10 + players for games in played.values())


def test_every_rotation_of_a_deal_is_played_once():
    assert seatings_of(tuple("abc"), 0) == [tuple(t) for t in ("abc", "bca", "cab")]
    assert seatings_of(tuple("abab"), 0) == [tuple("abab"), tuple("baba")]


def test_who_sits_beside_whom_changes_with_the_deal():
    left_of_a = Counter(seatings_of(tuple("abcd"), deal)[0][1] for deal in range(6))
    assert left_of_a == {"b": 2, "c": 2, "d": 2}
