"""Advice and reviews over HTTP: access, shared results, and workers that are killed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.harness import Client, Served, play_on, seated, serving, settings
from tests.server.players import until

from macaz.bots import BOTS, Limit
from macaz.game.record import load_record
from macaz.help.advice.past import decisions, judge, sum_up
from macaz.help.seeds import seed_of
from macaz.server import hints, reviews, wire
from macaz.server.bots import ThinkingFailed, length_of
from macaz.server.limits import RateLimit
from macaz.server.schedule import Length, Priority
from macaz.server.store.trouble import Unavailable

EFFORT = 12
ENDLESS = 10**9  # more tries than are kept; on a large map these take minutes


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "EFFORT", EFFORT)
    monkeypatch.setattr(reviews, "EFFORT", EFFORT)


@contextmanager
def patient(folder: Path, **more: Any) -> Iterator[Served]:
    """A server with long time limits: each process has to load its code first."""
    with serving(settings(folder, bot_limit=60.0, **more)) as server:
        yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with patient(tmp_path_factory.mktemp("advice")) as server:
        yield server


async def refused(client: Client, path: str) -> tuple[int, str]:
    answer = await client.ask("GET", path)
    return answer.status_code, answer.json()["code"]


async def asked(server: Served, other: str, edition: str = "tiny") -> tuple[Client, str, Any]:
    """A new client at a table with a bot, when it has to decide."""
    ana = await Client.new(server.address)
    table = await ana.table("me", other, edition=edition)
    player = await seated(ana, table, 0)
    if not player.last["legal"]:
        await player.turn()
    return ana, table, player


async def completed(client: Client, table: str) -> dict[str, Any]:
    """Ask until the review is complete, even if decisions were skipped."""
    async with asyncio.timeout(300):
        while not (told := await client.get(f"/tables/{table}/review"))["complete"]:
            await asyncio.sleep(0.02)
    return dict(told)


async def review_of(client: Client, table: str) -> dict[str, Any]:
    """Ask until there is a result."""
    done = 0
    async with asyncio.timeout(120):
        while True:
            told = await client.get(f"/tables/{table}/review")
            assert done <= told["done"] <= max(told["total"], told["done"])
            done = told["done"]
            if told["review"] is not None:
                assert len(told["review"]["curve"]) <= done + 1
                assert all(judged["ply"] < done for judged in told["review"]["judged"])
            if told["complete"]:
                assert told["done"] == told["total"] > 0
                assert told["skipped"] == []
                return {**told["review"], "versions": told["versions"]}
            await asyncio.sleep(0.02)


def test_only_who_plays_against_bots_is_advised(server):
    async def story() -> None:
        ana, zoe = await Client.new(server.address), await Client.new(server.address, "Zoe")
        table = await ana.table("me", "random", edition="europe", listed=True)
        assert (await ana.get(f"/tables/{table}"))["hints"] is True
        player = await seated(ana, table, 0)
        while not player.last["legal"]:
            await player.turn()
        hint = msgspec.convert(await ana.get(f"/tables/{table}/advice?seat=0"), wire.Hint)
        told = hint.advice
        game = server.node.tables[table].state.game
        assert (hint.version, told.seat) == (player.last["version"], 0)
        legal = {move["action"]: game.text(move["action"]) for move in player.last["legal"]}
        assert told.moves
        for good in told.moves:
            assert legal[good.action] == good.text
        assert sum(told.chances) == pytest.approx(1)
        assert len(told.tickets) == len(game.view(0).tickets) + len(game.view(0).offer)
        for who, seat in ((ana, 1), (zoe, 0), (zoe, 1)):
            asked = f"/tables/{table}/advice?seat={seat}"
            assert await refused(who, asked) == (403, "not-allowed")
        for thing in (player.socket, ana, zoe):
            await thing.close()

    asyncio.run(story())


HINTS = [
    (("me", "greedy"), None, True),
    (("me", "greedy"), False, False),
    (("me", "person"), None, False),
    (("me", "person", "greedy"), None, False),
    (("me", "me"), None, False),
    (("me", "person"), True, True),
]


def test_with_others_there_are_hints_only_if_the_table_says_so(server):
    async def story() -> None:
        ana, ion = await Client.new(server.address), await Client.new(server.address, "Ion")
        for seats, said, allowed in HINTS:
            table = await ana.table(*seats, listed=True, hints=said)
            path = f"/tables/{table}/advice?seat=0"
            if "person" in seats:
                code = (409, "not-now") if allowed else (403, "not-allowed")
                assert await refused(ana, path) == code
                await ion.post(f"/tables/{table}/sit", {"seat": 1})
            for who in (ana, ion):
                assert (await who.get(f"/tables/{table}"))["hints"] is allowed
            assert (await ana.ask("GET", path)).is_success is allowed
        for thing in (ana, ion):
            await thing.close()

    asyncio.run(story())


def test_many_who_ask_at_once_share_one_thought(server, monkeypatch):
    async def story() -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "person", "person", hints=True, mine=["Ana"], listed=True)
        others = [await Client.new(server.address, name) for name in ("Ion", "Zoe")]
        for seat, other in enumerate(others, 1):
            await other.post(f"/tables/{table}/sit", {"seat": seat})
        thinkers, asked = server.node.thinkers, []
        find = thinkers.find

        async def counted(question: Any, *more: Any) -> bytes:
            asked.append(question)
            return bytes(await find(question, *more))

        monkeypatch.setattr(thinkers, "find", counted)
        paths = [f"/tables/{table}/advice?seat=0"] * 5
        first, *more = await asyncio.gather(*map(ana.get, paths))
        assert all(told == first for told in more)
        assert await ana.get(paths[0]) == first
        assert len(asked) == 1
        await others[0].get(f"/tables/{table}/advice?seat=1")
        assert len(asked) == 2
        # Only hints that are not computed yet count against the limit.
        monkeypatch.setattr(server.node.hints, "_rate", RateLimit(1, 3600))
        assert await refused(others[1], f"/tables/{table}/advice?seat=1") == (403, "not-allowed")
        assert (await ana.ask("GET", paths[0])).is_success
        assert (await others[1].ask("GET", f"/tables/{table}/advice?seat=2")).is_success
        player = await seated(ana, table, 0)
        await player.act()
        assert (await ana.ask("GET", paths[0])).is_success
        second = await seated(others[0], table, 1)
        await second.act()
        assert await refused(ana, paths[0]) == (429, "too-fast")
        for thing in (player.socket, second.socket, ana, *others):
            await thing.close()

    asyncio.run(story())


def test_a_review_is_that_of_the_library_and_the_same_after_a_restart(tmp_path):
    async def story(server: Served) -> tuple[Client, str, dict[str, Any]]:
        ana = await Client.new(server.address)
        table = await ana.table("me", "greedy", listed=True, hints=False)
        assert await refused(ana, f"/tables/{table}/review") == (409, "not-now")
        await play_on(ana, table, 0)
        told, again = await asyncio.gather(review_of(ana, table), review_of(ana, table))
        assert told == again
        assert await review_of(ana, table) == told

        game = load_record(await ana.get(f"/tables/{table}/record"))
        met, limit = decisions(game), Limit(effort=EFFORT)
        seeds = [seed_of("review", table, ply) for ply in range(len(met))]
        found = [
            judge(decision, limit, seed, weigh=decision.seat == 0)
            for decision, seed in zip(met, seeds, strict=True)
        ]
        want = sum_up(game, met, found, [0])
        assert [tuple(row) for row in told["curve"]] == list(want.curve)
        assert {j["seat"] for j in told["judged"]} == {0}
        assert [
            (j["ply"], j["turn"], j["played_text"], j["best_text"], j["cost"], j["clear"])
            for j in told["judged"]
        ] == [(j.ply, j.turn, j.played_text, j.best_text, j.cost, j.clear) for j in want.judged]
        assert told["winners"] == list(want.winners)
        assert [s["accuracy"] for s in told["seats"]] == [s.accuracy for s in want.seats]

        # Each decision can be found in the log, and each move is also in words.
        log = (await ana.get(f"/tables/{table}/updates?after=0&eyes=all"))["updates"]
        steps = [step for step in game.history if step.seat is not None]
        assert len(told["versions"]) == len(steps)
        for judged in told["judged"]:
            played, best = judged["played"], judged["best"]
            assert played["action"] == steps[judged["ply"]].number
            assert (played == best) is (judged["played_text"] == judged["best_text"])
            update = log[told["versions"][judged["ply"]] - 1]
            assert update["events"][0]["seat"] == judged["seat"]
            assert update["by"] is None
        assert (await ana.post(f"/tables/{table}/rematch"))["hints"] is False
        await ana.close()
        return ana, table, told

    with patient(tmp_path) as server:
        ana, table, told = asyncio.run(story(server))

    async def later(server: Served) -> None:
        again = Client(server.address, ana.token)
        assert await review_of(again, table) == told
        await again.close()

    with patient(tmp_path) as server:
        asyncio.run(later(server))


def test_a_game_of_bots_is_judged_for_all_of_them(server):
    async def story() -> None:
        ana = await Client.new(server.address)
        table = await ana.table("greedy", "random", mine=[])
        await until(lambda: server.node.tables[table].state.status == "finished")
        told = await review_of(ana, table)
        assert [seat["seat"] for seat in told["seats"]] == [0, 1]
        await ana.close()

    asyncio.run(story())


def long_thoughts(server: Served) -> list[Any]:
    """The processes that compute a hint, a decision of a review, or a move of a slow bot."""
    asked = [(worker, worker.question) for worker in tuple(server.node.thinkers._busy)]
    return [w for w, question in asked if question and length_of(question) is Length.LONG]


def thinks_long(server: Served) -> bool:
    return bool(long_thoughts(server))


def kill_who_thinks(server: Served) -> None:
    [worker] = long_thoughts(server)
    worker.kill()


def test_a_worker_that_is_killed_is_an_error_and_the_next_one_goes_on(server, monkeypatch):
    async def story() -> None:
        ana, table, player = await asked(server, "greedy")
        monkeypatch.setattr(hints, "EFFORT", ENDLESS)
        asking = asyncio.create_task(refused(ana, f"/tables/{table}/advice?seat=0"))
        await until(lambda: thinks_long(server))
        kill_who_thinks(server)
        assert await asking == (500, "failed")
        monkeypatch.setattr(hints, "EFFORT", EFFORT)
        assert (await ana.get(f"/tables/{table}/advice?seat=0"))["advice"]["moves"]

        await play_on(ana, table, 0)
        monkeypatch.setattr(reviews, "EFFORT", ENDLESS)
        assert (await ana.get(f"/tables/{table}/review"))["review"] is None
        await until(lambda: thinks_long(server))
        monkeypatch.setattr(reviews, "EFFORT", EFFORT)
        for _ in range(reviews.TRIES - 1):
            kill_who_thinks(server)
            await until(lambda: not thinks_long(server))
            await until(lambda: thinks_long(server))
        kill_who_thinks(server)
        told = await completed(ana, table)
        assert len(told["skipped"]) == 1, "only that decision"
        assert told["done"] == told["total"]
        assert told["review"]["judged"]
        for thing in (player.socket, ana):
            await thing.close()

    asyncio.run(story())


def test_an_adviser_that_is_too_slow_is_asked_again_later(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        ana, table, player = await asked(server, "random", "europe")
        monkeypatch.setattr(hints, "EFFORT", ENDLESS)
        answer = await ana.ask("GET", f"/tables/{table}/advice?seat=0")
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
        assert answer.headers["retry-after"] == "2"
        for thing in (player.socket, ana):
            await thing.close()

    with serving(settings(tmp_path, bot_limit=3.0)) as server:
        asyncio.run(story(server))


def drops(server: Served, priority: str) -> float:
    """How many questions were cancelled so far."""
    value = server.node.metrics.registry.get_sample_value(
        "macaz_thinking_dropped_total", {"priority": priority}
    )
    return value or 0.0


def test_a_hint_without_a_waiting_client_is_given_up(server, monkeypatch):
    async def story() -> None:
        ana, table, player = await asked(server, "greedy", "europe")
        path, before = f"/tables/{table}/advice?seat=0", drops(server, "hint")
        monkeypatch.setattr(hints, "EFFORT", ENDLESS)
        going = Client(server.address, ana.token)
        asking = asyncio.create_task(going.ask("GET", path))
        await until(lambda: thinks_long(server))
        asking.cancel()
        await going.close()
        await until(lambda: drops(server, "hint") == before + 1)
        await until(lambda: not thinks_long(server))
        assert not server.node.hints._open
        monkeypatch.setattr(hints, "EFFORT", EFFORT)
        assert (await ana.get(path))["advice"]["moves"]
        for thing in (player.socket, ana):
            await thing.close()

    asyncio.run(story())


def test_a_person_has_one_hint_under_way_and_an_address_a_few(server, monkeypatch):
    async def story() -> None:
        ana, table, player = await asked(server, "greedy", "europe")
        other = await ana.table("me", "greedy")
        more = await seated(ana, other, 0)
        monkeypatch.setattr(hints, "EFFORT", ENDLESS)
        first = asyncio.create_task(refused(ana, f"/tables/{table}/advice?seat=0"))
        await until(lambda: thinks_long(server))
        second = asyncio.create_task(refused(ana, f"/tables/{other}/advice?seat=0"))
        assert await first == (409, "stale"), "cancelled for the second"

        monkeypatch.setattr(server.node.hints._limit, "_most", 1)
        ion, third, his = await asked(server, "greedy", "europe")
        assert await refused(ion, f"/tables/{third}/advice?seat=0") == (429, "too-many")
        second.cancel()
        for thing in (player.socket, more.socket, his.socket, ana, ion):
            await thing.close()
        await until(lambda: not server.node.hints._open)

    asyncio.run(story())


def test_a_bot_gives_up_when_its_seat_is_taken_back(server, monkeypatch):
    monkeypatch.setitem(BOTS, "master", BOTS["master"]._replace(limit=Limit(seconds=30)))

    async def story() -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "me", stand_in="master", mine=["Ana", "Ina"])
        before = drops(server, "people")
        player = await seated(ana, table, 0)
        await ana.post(f"/tables/{table}/seats/0/leave")
        await until(lambda: thinks_long(server))
        await ana.post(f"/tables/{table}/seats/0/back")
        await until(lambda: drops(server, "people") == before + 1)
        await until(lambda: not thinks_long(server))
        for thing in (player.socket, ana):
            await thing.close()

    asyncio.run(story())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_review_stops_without_requests_and_goes_on_where_it_was(
    kind, tmp_path, monkeypatch, request
):
    """After a restart nothing is judged twice; for another node, see test_nodes.py."""
    database = {}
    if kind == "postgresql":
        database = {"database": request.getfixturevalue("postgres_url")}

    async def begun(server: Served) -> tuple[str, str, int]:
        ana = await Client.new(server.address)
        table = await ana.table("me", "greedy")
        await play_on(ana, table, 0)
        find, told = server.node.thinkers.find, count()

        async def six(question: Any, *more: Any) -> bytes:
            if next(told) == 6:
                await asyncio.Event().wait()  # never set
            return bytes(await find(question, *more))

        monkeypatch.setattr(server.node.thinkers, "find", six)
        monkeypatch.setattr(reviews, "PATIENCE", 0.5)
        while (await ana.get(f"/tables/{table}/review"))["done"] < 6:
            await asyncio.sleep(0.02)
        work = server.node.reviews._works[table]
        await until(lambda: work.task is not None and work.task.done())
        assert work.task is not None
        assert work.task.cancelled(), "cancelled: no client asks any more"
        token = ana.token
        await ana.close()
        return token, table, work.done

    async def ended(server: Served, token: str, table: str, done: int) -> dict[str, Any]:
        asked: list[Any] = []
        find = server.node.thinkers.find

        async def counted(question: Any, *more: Any) -> bytes:
            asked.append(question)
            return bytes(await find(question, *more))

        monkeypatch.setattr(server.node.thinkers, "find", counted)
        monkeypatch.setattr(reviews, "PATIENCE", 60.0)
        ana = Client(server.address, token)
        told = await review_of(ana, table)
        past = server.node.reviews._works[table].past
        assert past is not None
        assert len(asked) == sum(len(one.legal) > 1 for one in past.decisions[done:])
        await ana.close()
        return told

    with patient(tmp_path, **database) as server:
        token, table, done = asyncio.run(begun(server))
    with patient(tmp_path, **database) as server:
        assert asyncio.run(ended(server, token, table, done))["judged"]


def test_one_person_keeps_no_other_from_their_reviews(tmp_path, monkeypatch):
    monkeypatch.setattr(reviews, "KEPT", 3)

    async def scenario(server: Served) -> None:
        async def never(*_: Any) -> bytes:
            await asyncio.Event().wait()  # never set
            return b""

        monkeypatch.setattr(server.node.thinkers, "find", never)
        ana, ion, zoe = [await Client.new(server.address, n) for n in ("Ana", "Ion", "Zoe")]
        story = [(ana, 200), (ana, 200), (ana, 200), (ana, 429)]
        story += [(ion, 200), (ion, 429), (zoe, 200), (ana, 429)]
        for client, status in story:
            table = await client.table("random", "random", mine=[])
            while (await client.get(f"/tables/{table}"))["status"] != "finished":
                await asyncio.sleep(0.02)
            answer = await client.ask("GET", f"/tables/{table}/review")
            assert answer.status_code == status
        works = server.node.reviews._works
        assert len(works) == 3
        assert len({person for work in works.values() for person in work.people}) == 3
        for client in (ana, ion, zoe):
            await client.close()

    with patient(tmp_path) as server:
        asyncio.run(scenario(server))


def test_what_takes_too_long_is_skipped_and_said(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "random")
        await play_on(ana, table, 0)
        find, slow = server.node.thinkers.find, {3, 8}
        numbers = iter(range(10_000))

        async def sometimes_late(question: Any, *more: Any) -> bytes:
            if next(numbers) in slow:
                raise ThinkingFailed("late", "it took longer")
            return bytes(await find(question, *more))

        monkeypatch.setattr(server.node.thinkers, "find", sometimes_late)
        told = await completed(ana, table)
        assert len(told["skipped"]) == 2
        judged = {one["ply"] for one in told["review"]["judged"]}
        assert judged
        assert not judged & set(told["skipped"])
        await ana.close()

    with patient(tmp_path) as server:
        asyncio.run(story(server))


@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_skipped_is_tried_again_when_all_else_was_looked_at(
    tmp_path, monkeypatch, restarted
):
    async def begun(server: Served) -> tuple[str, str, list[int]]:
        """Two decisions are skipped, and the review is cancelled later; returns their plies."""
        ana = await Client.new(server.address)
        table = await ana.table("me", "random")
        await play_on(ana, table, 0)
        find, asked = server.node.thinkers.find, list[Any]()

        async def sometimes_late(question: Any, *more: Any) -> bytes:
            asked.append(question)
            if len(asked) in (3, 8):
                raise ThinkingFailed("late", "it took longer")
            if len(asked) == 12:
                await asyncio.Event().wait()  # never set
            return bytes(await find(question, *more))

        with monkeypatch.context() as patch:
            patch.setattr(server.node.thinkers, "find", sometimes_late)
            await ana.get(f"/tables/{table}/review")
            await until(lambda: len(asked) == 12)
            work = server.node.reviews._works[table]
            assert len(work.skipped) == 2
            work.task.get_loop().call_soon_threadsafe(work.task.cancel)
            await until(work.task.done)
        await ana.close()
        return ana.token, table, sorted(work.skipped)

    async def ended(server: Served, token: str, table: str, skipped: list[int]) -> None:
        plies = {seed_of("review", table, ply): ply for ply in range(1000)}
        find, judged = server.node.thinkers.find, list[int]()

        async def noted(question: Any, *more: Any) -> bytes:
            judged.append(plies[question.seed])
            return bytes(await find(question, *more))

        monkeypatch.setattr(server.node.thinkers, "find", noted)
        ana = Client(server.address, token)
        done = skipped[-1] + 1
        async with asyncio.timeout(120):
            while not (told := await ana.get(f"/tables/{table}/review"))["complete"]:
                if told["review"] and told["done"] < told["total"]:
                    assert told["done"] >= done
                    done = told["done"]
                    shown = max(one["ply"] for one in told["review"]["judged"])
                    assert shown < len(told["review"]["curve"]) <= done
                await asyncio.sleep(0.02)
        assert told["skipped"] == []
        first_tried = judged[: -len(skipped)]
        assert judged == [*sorted(first_tried), *skipped]
        assert min(first_tried) > max(skipped)
        await ana.close()

    with patient(tmp_path) as server:
        token, table, skipped = asyncio.run(begun(server))
        if not restarted:
            asyncio.run(ended(server, token, table, skipped))
    if restarted:
        with patient(tmp_path) as server:
            asyncio.run(ended(server, token, table, skipped))


def test_a_review_whose_findings_cannot_be_read_does_not_begin_again(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "random")
        await play_on(ana, table, 0)
        told = await completed(ana, table)
        server.node.reviews._works.clear()

        async def unavailable(*_: Any) -> Any:
            raise Unavailable("the database does not answer")

        async def never(*_: Any) -> bytes:
            raise AssertionError("what is stored was asked for again")

        monkeypatch.setattr(server.node.thinkers, "find", never)
        with monkeypatch.context() as patch:
            patch.setattr(server.node.store.judgements, "of_game", unavailable)
            async with asyncio.timeout(30):
                while (await ana.ask("GET", f"/tables/{table}/review")).status_code == 200:
                    await asyncio.sleep(0.01)
        assert await completed(ana, table) == told
        await ana.close()

    with patient(tmp_path) as server:
        asyncio.run(story(server))


def test_who_waits_for_a_bot_decides_when_it_thinks(server, monkeypatch):
    told: list[tuple[Priority, tuple[str, ...]]] = []
    choose = server.node.thinkers.choose

    async def noted(question: Any, priority: Priority, people: tuple[str, ...]) -> int:
        told.append((priority, people))
        return int(await choose(question, priority, people))

    monkeypatch.setattr(server.node.thinkers, "choose", noted)

    async def story() -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "greedy")
        host = server.node.tables[table].row.host
        await until(lambda: bool(told))
        assert set(told) == {(Priority.PEOPLE, (host,))}
        told.clear()
        other = await ana.table("random", "random", mine=[])
        await until(lambda: server.node.tables[other].state.status == "finished")
        assert set(told) == {(Priority.BOTS, (host,))}
        told.clear()
        await ana.post(f"/tables/{table}/seats/0/leave")
        await until(lambda: server.node.tables[table].state.status == "finished")
        assert set(told) == {(Priority.BOTS, (host,))}, "no person waits for the stand-in"
        await ana.close()

    asyncio.run(story())
