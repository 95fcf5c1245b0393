"""Taking decisions back and resigning, at a real server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Client, Player, play_on, seated, serving, settings
from tests.server.players import crowd
from tests.server.test_import import local
from tests.server.test_nodes import (  # noqa: F401 - two of them are fixtures
    Nodes,
    nodes,
    run,
    zygote,
)

from macaz.game import Game
from macaz.game.record import load_record, verify_record
from macaz.server import wire
from macaz.server.state import Asked, Chair, Made, TableState
from macaz.server.table.log import Log
from macaz.server.table.news import News
from macaz.server.takeback import takeback
from macaz.server.wire import Absence

SEATS = "/tables/{}/seats/{}"


async def refused(client: Client, path: str, body: Any = None) -> str:
    """The code with which a request is refused."""
    answer = await client.ask("POST", path, body)
    assert not answer.is_success, answer.text
    return str(answer.json()["code"])


async def two(address: str, *more: str, **terms: Any) -> tuple[str, list[Client], list[Player]]:
    """A table of two people, and bots; the first to act begins."""
    ana, ion = await Client.new(address, "Ana"), await Client.new(address, "Ion")
    table = await ana.table("me", "person", *more, listed=True, first=0, **terms)
    await ion.post(f"/tables/{table}/sit", {"seat": 1})
    return table, [ana, ion], [await seated(ana, table, 0), await seated(ion, table, 1)]


async def close(*parts: Any) -> None:
    for part in parts:
        await (part.socket.close() if isinstance(part, Player) else part.close())


def test_people_agree_to_a_takeback_and_it_survives_a_restart(tmp_path: Path) -> None:
    async def ask(address: str) -> tuple[str, str, str, dict[str, Any]]:
        table, [ana, ion], [a, i] = await two(address)
        await a.turn()
        before = await ana.get(f"/tables/{table}/moments/{a.last['version']}")
        version = (await a.act())["version"]
        await i.reach(version)
        assert i.last["takeback"] == {
            "seat": 0,
            "version": version,
            "decisions": 1,
            "asked": False,
            "waiting": [1],
        }
        back = f"{SEATS.format(table, 0)}/take-back"
        answer = f"{SEATS.format(table, 1)}/take-back/answer"
        # Only its player may ask, only for that decision, and no one can answer before.
        other = f"{SEATS.format(table, 1)}/take-back"
        assert await refused(ion, other, {"version": version}) == "not-allowed"
        assert await refused(ana, back, {"version": version - 1}) == "not-now"
        assert await refused(ion, answer, {"version": version, "accept": True}) == "not-now"
        for _ in range(2):  # sent again, it is one request
            await ana.post(back, {"version": version})
        await i.reach(version + 1)
        assert i.last["events"] == [{"type": "takeback-asked", "seat": 0}]
        assert i.last["takeback"]["asked"]
        await close(a, i, ana, ion)
        return table, ana.token, ion.token, before

    async def accept(address: str, table: str, tokens: tuple[str, str], before: Any) -> None:
        ana, ion = Client(address, tokens[0]), Client(address, tokens[1])
        a, i = await seated(ana, table, 0), await seated(ion, table, 1)
        a.count = i.count = 100  # other nonces than before the restart
        asked = i.last["takeback"]
        assert (asked["asked"], asked["waiting"]) == (True, [1])
        answer = f"{SEATS.format(table, 1)}/take-back/answer"
        await ion.post(answer, {"version": asked["version"], "accept": True})
        await a.reach(asked["version"] + 2)
        assert a.last["events"] == [
            {"type": "taken-back", "seat": 0, "version": asked["version"], "decisions": 1}
        ]
        assert a.last["view"] == before["view"]
        assert (a.last["deciding"], a.last["takeback"]) == (before["deciding"], None)
        # The decision is made again; Ion decides, so that nothing can be taken back any more.
        version = (await a.act())["version"]
        await i.reach(version)
        await ana.post(f"{SEATS.format(table, 0)}/take-back", {"version": version})
        await i.turn()
        await i.act()
        await a.reach(version + 2)
        assert a.last["takeback"] is None or a.last["takeback"]["seat"] == 1
        assert (
            await refused(ion, answer, {"version": version, "accept": True}) == "not-now"
        )  # it has lapsed
        await close(a, i)
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        info = await ana.get(f"/tables/{table}")
        record = await ana.get(f"/tables/{table}/record")
        assert record.count("undo") == 1
        assert verify_record(record, announced=info["announcement"]).fair
        await close(ana, ion)

    with serving(settings(tmp_path)) as server:
        table, one, other, before = asyncio.run(ask(server.address))
    with serving(settings(tmp_path)) as server:
        asyncio.run(accept(server.address, table, (one, other), before))


def test_a_refused_takeback_is_not_asked_for_again(tmp_path: Path) -> None:
    async def play(address: str) -> None:
        table, [ana, ion], [a, i] = await two(address)
        await a.turn()
        version = (await a.act())["version"]
        back = f"{SEATS.format(table, 0)}/take-back"
        answer = f"{SEATS.format(table, 1)}/take-back/answer"
        await ana.post(back, {"version": version})
        await ion.post(answer, {"version": version, "accept": False})
        await a.reach(version + 2)
        assert a.last["events"] == [{"type": "takeback-refused", "seat": 1}]
        assert a.last["takeback"] is None
        assert await refused(ana, back, {"version": version}) == "not-now"
        await close(a, i, ana, ion)

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


def test_alone_against_bots_a_decision_is_taken_back_at_once_with_their_answers(
    tmp_path: Path,
) -> None:
    async def play(address: str) -> None:
        ana = await Client.new(address)
        table = await ana.table("me", "random", first=0)
        a = await seated(ana, table, 0)
        await a.turn()
        version = (await a.act())["version"]  # tickets; the bot chooses its own, too
        await a.turn()
        assert [a.last["takeback"][key] for key in ("seat", "version", "waiting")] == [
            0,
            version,
            [],
        ]
        decisions = a.last["takeback"]["decisions"]
        assert decisions == a.last["version"] - version + 1
        await ana.post(f"{SEATS.format(table, 0)}/take-back", {"version": version})
        await a.until(lambda told: any(e["type"] == "taken-back" for e in told.get("events", ())))
        assert a.last["view"]["choosing"][0] == 0
        await a.turn()
        await a.act()
        await a.turn()
        while a.last["situation"]["phase"] != "second":
            await a.act("blind")
            await a.turn()
        assert a.last["takeback"] is None  # a card was drawn
        path = f"{SEATS.format(table, 0)}/take-back"
        assert await refused(ana, path, {"version": a.last["version"]}) == "not-now"
        # What a reader gets by replaying the log from the database is the same.
        updates = (await ana.get(f"/tables/{table}/updates"))["updates"]
        [rewound] = [u for u in updates if u["view"] is not None]
        assert rewound["events"][0]["type"] == "taken-back"
        await close(a, ana)

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("left", None),  # he may come back, and cannot be asked now
        ("resigned", wire.Takeback(0, 7, 2, True, (1,))),
    ],
)
def test_the_answer_of_a_bot_that_plays_for_a_person(
    reason: Absence, found: wire.Takeback | None
) -> None:
    people = [Chair(name, "red", person=name) for name in ("Ana", "Ion")]
    away = Chair("Eva", "blue", person="Eva", bot="greedy", reason=reason)
    game = Game("usa-classic", 3, seed=1)
    made = (Made(7, 0, "", game), Made(9, 2, "greedy", game))
    state = TableState((*people, away), game=game, undoable=made, asked=Asked(0, 7))
    assert takeback(state) == found


def test_resigning_alone_against_bots_ends_the_game_as_a_loss(tmp_path: Path) -> None:
    async def play(address: str) -> str:
        ana = await Client.new(address)
        table = await ana.table("me", "random")
        a = await seated(ana, table, 0)
        await a.turn()
        await ana.post(f"{SEATS.format(table, 0)}/resign")
        info = await ana.post(f"{SEATS.format(table, 0)}/resign")  # sent again, it is one
        assert info["status"] == "finished"
        await a.until(lambda told: any(e["type"] == "game-ended" for e in told.get("events", ())))
        resigned, ended = a.last["events"]
        assert (resigned["type"], resigned["seat"], resigned["ends"]) == (
            "player-resigned",
            0,
            True,
        )
        assert ended["outcome"]["resigned"] == [0]
        assert ended["outcome"]["stopped"]
        assert ended["outcome"]["winners"] == [1]
        assert a.last["situation"]["phase"] == "over"
        assert a.last["deciding"] == []
        record = await ana.get(f"/tables/{table}/record")
        outcome = load_record(record).outcome
        assert outcome is not None
        assert (outcome.winners, outcome.resigned, outcome.stopped) == ((1,), (0,), True)
        assert verify_record(record, announced=info["announcement"]).fair
        assert await refused(ana, f"{SEATS.format(table, 0)}/back") == "not-now"
        statistics = await ana.get("/me/statistics")
        total = statistics["total"]
        assert [total[key] for key in ("games", "wins", "resigned")] == [1, 0, 1]
        assert total["average_score"] is None
        assert statistics["latest"][0]["resigned"] == [0]
        assert statistics["latest"][0]["place"] == 2
        [line] = (await ana.get("/me/tables"))["tables"]
        assert (line["status"], line["resigned"], line["winners"]) == ("finished", [0], [1])
        await close(a, ana)
        return table

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


def test_with_three_people_a_bot_plays_on_and_the_next_resignation_ends_it(tmp_path: Path) -> None:
    async def play(address: str) -> None:
        ana, ion = await Client.new(address, "Ana"), await Client.new(address, "Ion")
        table = await ana.table("me", "me", "person", edition="usa-classic", listed=True)
        await ion.post(f"/tables/{table}/sit", {"seat": 2})
        i = await seated(ion, table, 2)
        await i.turn()
        assert await refused(ion, f"{SEATS.format(table, 0)}/resign") == "not-allowed"
        info = await ion.post(f"{SEATS.format(table, 2)}/resign")
        assert (info["status"], info["seats"][2]["reason"]) == ("running", "resigned")
        assert info["seats"][2]["bot"] == info["stand_in"]
        assert await refused(ion, f"{SEATS.format(table, 2)}/back") == "not-now"
        info = await ana.post(f"{SEATS.format(table, 1)}/resign")
        assert info["status"] == "finished"
        record = load_record(await ana.get(f"/tables/{table}/record"))
        assert record.outcome is not None
        assert (record.outcome.winners, record.resigned) == ((0,), (2, 1))
        await close(i, ana, ion)

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


def test_a_game_from_a_browser_with_takebacks_and_a_resignation(tmp_path: Path) -> None:
    """Such entries are followed, and refused where this server would not have written them."""
    game = local("Ana", "random", moves=1)
    at, last = game.body["log"][-1]["at"], len(game.body["log"])
    wrong = [
        ({"kind": "taken-back", "seat": 1, "version": last, "decisions": 1}, "not be taken back"),
        ({"kind": "taken-back", "seat": 0, "version": last, "decisions": 2}, "not be taken back"),
        ({"kind": "resigned", "seat": 0, "bot": "random", "ends": False}, "fewer than two"),
        ({"kind": "resigned", "seat": 1, "bot": "random", "ends": True}, "no person"),
    ]
    right = [
        {"kind": "taken-back", "seat": 0, "version": last, "decisions": 1},
        {"kind": "resigned", "seat": 0, "bot": "random", "ends": True},
    ]

    async def send(address: str) -> None:
        ana = await Client.new(address)
        for entry, why in wrong:
            body = {**game.body, "log": [*game.body["log"], {"at": at, "entry": entry}]}
            answer = await ana.ask("POST", "/tables/import", body)
            assert answer.status_code == 422, answer.text
            assert why in answer.json()["message"]
        log = [*game.body["log"], *({"at": at, "entry": entry} for entry in right)]
        info = await ana.post("/tables/import", {**game.body, "log": log})
        assert (info["status"], info["origin"]) == ("finished", "browser")
        record = await ana.get(f"/tables/{info['id']}/record")
        assert "; undo; resign Ana, end of the game" in record
        await close(ana)

    with serving(settings(tmp_path)) as server:
        asyncio.run(send(server.address))


def test_a_node_that_was_not_told_reads_what_is_asked(
    tmp_path: Path, postgres_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deaf(_: Log, __: News) -> None: ...

    monkeypatch.setattr(Log, "hear", deaf)

    async def play(address: str, elsewhere: str) -> None:
        table, [ana, ion], [a, i] = await two(address)
        there = Client(elsewhere, ion.token)
        await a.turn()
        version = (await a.act())["version"]
        await there.get(f"/tables/{table}")  # from now on it has the table in memory
        await ana.post(f"{SEATS.format(table, 0)}/take-back", {"version": version})
        answer = {"version": version, "accept": True}
        await there.post(f"{SEATS.format(table, 1)}/take-back/answer", answer)
        # Nor was this one told: it reads that the decision is no longer there.
        path = f"{SEATS.format(table, 1)}/take-back/answer"
        assert await refused(ion, path, answer) == "not-now"
        await i.reach(version + 2)
        assert i.last["events"][0]["type"] == "taken-back"
        await close(a, i, ana, ion, there)

    chosen = settings(tmp_path, database=postgres_url, redis=redis_url)
    with serving(chosen) as one, serving(chosen) as other:
        asyncio.run(play(one.address, other.address))


@pytest.mark.slow
def test_on_two_nodes(nodes: Nodes) -> None:  # noqa: F811 - a fixture
    async def kinds(version: int) -> list[str]:
        """What was written after a version; both nodes were told."""
        [log] = nodes.read_logs().values()
        return [line.body["kind"] for line in log if line.version > version]

    async def test() -> None:
        async with crowd(nodes.place, nodes.told, 2, "Ana") as (ana, ion):
            table = await ana.make("person", pledge=None, first=0)
            assert (await ion.ask("POST", f"/tables/{table}/sit", {"seat": 1})).is_success
            one, two = [[Client(a, p.token) for a in nodes.place.addresses] for p in (ana, ion)]
            a, i = await seated(one[0], table, 0), await seated(two[1], table, 1)
            back = f"{SEATS.format(table, 0)}/take-back"
            answer = f"{SEATS.format(table, 1)}/take-back/answer"
            await a.turn()
            version = (await a.act())["version"]
            # Each request goes to the node that has not been told of the one before yet.
            await one[1].post(back, {"version": version})
            await two[0].post(answer, {"version": version, "accept": True})
            assert await kinds(version) == ["takeback-asked", "taken-back"]
            await asyncio.gather(a.reach(version + 2), i.reach(version + 2))
            for player in (a, i):
                assert player.last["events"][0]["type"] == "taken-back"
                assert 0 in player.last["deciding"]
            # At the same time on both nodes, each thing happens once.
            version = (await a.act())["version"]
            await asyncio.gather(*(client.post(back, {"version": version}) for client in one))
            yes, no = ({"version": version, "accept": accept} for accept in (True, False))
            both = (two[0].ask("POST", answer, yes), two[1].ask("POST", answer, no))
            codes = sorted(response.status_code for response in await asyncio.gather(*both))
            assert codes == [200, 409]
            asked, done = await kinds(version)
            assert asked == "takeback-asked"
            assert done in ("taken-back", "takeback-refused")
            await asyncio.gather(a.reach(version + 2), i.reach(version + 2))
            assert a.last["takeback"] is i.last["takeback"] is None
            await close(a, i, *one, *two)

    run(test())
    assert nodes.errors() == []
