"""A person's statistics from finished games: ties, friends on one screen, many games."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.server.harness import Client, Served, play_on, serving, settings

from macaz.server import wire
from macaz.server.show import Summary
from macaz.server.statistics import LATEST, statistics
from macaz.server.store.rows import PlayedRow

TITLES = {"usa": "USA", "tiny": "Tiny"}


def row(number: int, scores: tuple[int, ...], winners: tuple[int, ...], seat: int = 0, **more):
    names = more.pop("names", ("Ana", "Ion", "Eva")[: len(scores)])
    edition = more.pop("edition", "usa")
    kept = Summary(names=names, scores=scores, winners=winners, **more)
    text = msgspec.json.encode(kept).decode()
    return PlayedRow(f"game-{number}", edition, len(scores), 10_000 - number, text, seat, None)


def test_games_are_counted_by_edition_and_seats():
    rows = [
        row(1, (30, 10), (0,), tickets=((3, 2), (2, 0)), longest=(0, 1)),
        row(2, (20, 25), (1,), tickets=((2, 2), (5, 5)), longest=(1,)),
        row(3, (-5, 7, 9), (2,), tickets=((1, 0), (1, 1), (1, 1))),
        row(4, (8, 8), (0, 1), edition="tiny"),
    ]
    found = statistics(rows, "Ana", TITLES)
    assert found.total == wire.Results(
        games=4,
        wins=2,
        resigned=0,
        played_out=4,
        average_score=(30 + 20 - 5 + 8) / 4,
        best_score=30,
        average_margin=(20 - 5 - 14 + 0) / 4,
        tickets=6,
        tickets_completed=4,
        longest_paths=1,
    )
    assert [(e.edition, e.title, e.seats, e.results.games) for e in found.editions] == [
        ("tiny", "Tiny", 2, 1),
        ("usa", "USA", 2, 2),
        ("usa", "USA", 3, 1),
    ]
    assert found.editions[2].results.best_score == -5
    assert [(g.table, g.place, g.seat) for g in found.latest] == [
        ("game-1", 1, 0),
        ("game-2", 2, 0),
        ("game-3", 3, 0),
        ("game-4", 1, 0),
    ]


def test_who_lost_a_tie_break_comes_second():
    [game] = statistics([row(1, (9, 9, 4), (1,))], "Ana", TITLES).latest
    assert (game.place, game.winners) == (2, (1,))


@pytest.mark.parametrize(("name", "place"), [("Ana", 3), ("Ion", 1), ("Eva", 2)])
def test_who_resigned_comes_last(name, place):
    rows = [row(1, (30, 20, 10), (1,), seat=p, resigned=(0,)) for p in range(3)]
    found = statistics(rows, name, TITLES)
    assert (found.latest[0].place, found.total.resigned) == (place, int(name == "Ana"))


@pytest.mark.parametrize(("name", "seat"), [("Ion", 1), ("Zoe", 0)])
def test_of_several_seats_on_one_screen_one_is_mine(name, seat):
    rows = [row(1, (1, 2, 3), (2,), seat=p) for p in (0, 1)]
    found = statistics(rows, name, TITLES)
    assert (found.total.games, found.total.best_score) == (1, seat + 1)
    assert found.latest[0].seat == seat


def test_a_person_without_games_has_empty_statistics():
    found = statistics([], "Ana", TITLES)
    assert found.total == wire.Results(0, 0, 0, 0, None, None, None, 0, 0, 0)
    assert (found.editions, found.latest) == ((), ())


def test_the_latest_games_are_a_few():
    found = statistics([row(n, (2, 1), (0,)) for n in range(1000)], "Ana", TITLES)
    assert found.total.games == 1000
    assert [g.table for g in found.latest] == [f"game-{n}" for n in range(LATEST)]


def test_only_finished_games_at_which_one_sat_count(tmp_path):
    async def story(server: Served) -> None:
        ana, zoe = await Client.new(server.address), await Client.new(server.address, "Zoe")
        assert (await ana.get("/me/statistics"))["total"]["games"] == 0
        ended = [await ana.table("me", "random") for _ in range(3)]
        for seed, table in enumerate(ended):
            await play_on(ana, table, 0, seed=seed)
        await ana.table("me", "random")
        await ana.table("random", "random")  # created, but without a seat
        closed = await ana.table("me", "person")
        await ana.post(f"/tables/{closed}/close")
        found = msgspec.convert(await ana.get("/me/statistics"), wire.Statistics)
        assert [game.table for game in found.latest] == ended[::-1]
        games = [server.node.tables[table].state.game.outcome for table in ended]
        scores = [game.seats[0] for game in games]
        assert found.total == wire.Results(
            games=3,
            wins=sum(0 in game.winners for game in games),
            resigned=0,
            played_out=3,
            average_score=sum(s.total for s in scores) / 3,
            best_score=max(s.total for s in scores),
            average_margin=sum(g.totals[0] - g.totals[1] for g in games) / 3,
            tickets=sum(len(s.tickets) for s in scores),
            tickets_completed=sum(s.completed for s in scores),
            longest_paths=sum(s.longest_path > 0 for s in scores),
        )
        assert found.total.tickets >= 3
        assert [game.scores for game in found.latest] == [g.totals for g in games[::-1]]
        assert (await zoe.get("/me/statistics"))["total"]["games"] == 0
        stranger = Client(server.address)
        assert (await stranger.ask("GET", "/me/statistics")).status_code == 401
        for client in (ana, zoe, stranger):
            await client.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))
