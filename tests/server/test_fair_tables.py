"""Fair tables: seeds are not listed, a game is not closed against people who are away, and seats
that were taken from one address are marked.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.server.harness import Client, hear, play_on, say
from tests.server.test_tables import close, link, people, tell, until

SEAT = {"kind": "person"}


async def refused(client: Client, path: str, body: Any = None) -> tuple[int, str, str]:
    """The status, the code and the message of a refusal."""
    answer = await client.ask("POST", path, body)
    assert not answer.is_success, answer.text
    return answer.status_code, answer.json()["code"], answer.json()["message"]


def test_a_table_with_a_seed_is_never_listed(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        asked: dict[str, Any] = {"edition": "tiny", "seats": [SEAT, SEAT], "listed": True}
        for seed in ("7", " ", ""):
            status, code, message = await refused(ana, "/tables", asked | {"seed": seed})
            assert (status, code) == (422, "bad-value")
            assert "seed" in message
        assert (await ana.get("/me/tables"))["tables"] == []
        table = await ana.table("me", "random", seed="7")
        await play_on(ana, table, 0)
        again = await ana.post(f"/tables/{table}/rematch")
        assert (again["listed"], again["seeded"]) == (False, False)
        assert (await ana.get("/tables"))["tables"] == []
        await close(ana)

    tell(tmp_path, story)


@pytest.mark.parametrize("away", ["left", "called", "there"])
def test_a_game_is_not_closed_against_another_person(tmp_path, away):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        await ion.post(f"/tables/{table}/sit", {})
        if away == "left":
            await ion.post(f"/tables/{table}/seats/1/leave")
        elif away == "called":
            await ana.post(f"/tables/{table}/seats/1/stand-in")
        status, code, message = await refused(ana, f"/tables/{table}/close")
        assert (status, code) == (403, "not-allowed")
        assert "bot plays on for you" in message
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        # A person who wants to go can leave, and the game is still finished.
        await ana.post(f"/tables/{table}/seats/0/leave")
        if away == "there":
            await ion.post(f"/tables/{table}/seats/1/leave")
        await until(ion, f"/tables/{table}", lambda info: info["status"] == "finished")
        assert (await refused(ana, f"/tables/{table}/close"))[1] == "not-allowed"
        await close(ana, ion)

    tell(tmp_path, story, patience=0.0)


def test_a_host_who_only_watches_closes_no_game_of_others(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("person", "random", listed=True, mine=[])
        await ion.post(f"/tables/{table}/sit", {})
        assert (await refused(ana, f"/tables/{table}/close"))[1] == "not-allowed"
        await close(ana, ion)

    tell(tmp_path, story)


def test_a_table_is_closed_before_its_game_or_against_bots(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        waiting = await ana.table("me", "person", "person", edition="usa", listed=True)
        await ion.post(f"/tables/{waiting}/sit", {})
        alone = await ana.table("me", "random")
        screen = await ana.table("person", "person", mine=["Ana", "Eva"])
        for table in (waiting, alone, screen):
            for _ in range(2):
                info = await ana.post(f"/tables/{table}/close")
                assert info["status"] == "closed"
        await close(ana, ion)

    tell(tmp_path, story)


# -- seats from one address ------------------------------------------------------------------------

PROXY: dict[str, Any] = {"trusted_proxies": ("127.0.0.1",), "secret": "k" * 40}


def come_from(client: Client, address: str) -> None:
    """Set the address that a trusted proxy reports for a client."""
    client.http.headers["x-forwarded-for"] = address


async def shared(client: Client, table: str) -> list[list[int]]:
    """By seat: the others that were taken from the same address."""
    info = await client.get(f"/tables/{table}")
    return [seat["shared_with"] for seat in info["seats"]]


def test_seats_of_one_address_are_marked_at_a_listed_table(tmp_path):
    async def story(address: str) -> None:
        ana, ion, eva, dan = await people(address, "Ana", "Ion", "Eva", "Dan")
        come_from(ana, "203.0.113.7")
        come_from(ion, "2001:db8:1:2::1")
        come_from(eva, "203.0.113.7")
        come_from(dan, "2001:db8:1:2:ffff::9")  # an IPv6 host has this whole range of addresses
        seats = ["me", "person", "person", "person", "greedy"]
        table = await ana.table(*seats, edition="usa", listed=True)
        other = await ana.table(*seats, edition="usa", listed=True)
        for client in (ion, eva):
            await client.post(f"/tables/{table}/sit", {})
        assert await shared(dan, table) == [[2], [], [0], [], []]
        lines = {line["id"]: line["shared"] for line in (await dan.get("/tables"))["tables"]}
        assert lines == {table: [0, 2], other: []}
        await eva.post(f"/tables/{table}/seats/2/leave")
        assert await shared(dan, table) == [[], [], [], [], []]
        for client in (eva, dan):
            await client.post(f"/tables/{table}/sit", {})
        marks = [[2], [3], [0], [1], []]
        for client in (ana, ion, eva, dan):
            assert await shared(client, table) == marks
        async with await dan.connect() as socket:
            await say(socket, "hello", table=table, seat=3)
            told = (await hear(socket, "welcome"))["table"]["seats"]
            assert [seat["shared_with"] for seat in told] == marks
        # The address at the time of sitting down counts, even if it changes during the game.
        come_from(eva, "198.51.100.1")
        await eva.post(f"/tables/{table}/seats/2/leave")
        await eva.post(f"/tables/{table}/seats/2/back")
        assert await shared(ana, table) == marks
        await close(ana, ion, eva, dan)

    tell(tmp_path, story, **PROXY)


def test_a_link_and_a_rematch_lead_to_marks_too(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        come_from(ana, "203.0.113.7")
        come_from(ion, "203.0.113.7")
        table = await ana.table("me", "person", listed=True)
        secret = await link(ana, table, "seat", 1)
        await ion.post("/links/open", {"token": secret})
        assert await shared(ana, table) == [[1], [0]]
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        again = (await ana.post(f"/tables/{table}/rematch"))["id"]
        come_from(ion, "198.51.100.1")
        await ion.post(f"/tables/{table}/rematch")
        assert await shared(ana, again) == [[], []]
        await close(ana, ion)

    tell(tmp_path, story, **PROXY)


def test_tables_that_are_not_listed_have_no_marks(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person")
        await ion.post("/links/open", {"token": await link(ana, table, "join")})
        assert await shared(ana, table) == [[], []]
        await close(ana, ion)

    tell(tmp_path, story)
    assert "network" not in (logs := _entries(tmp_path))
    assert "Ion" in logs


def test_no_address_is_stored_or_sent(tmp_path):
    heard: list[str] = []

    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        for client in (ana, ion):
            come_from(client, "203.0.113.7")
        tables = [await ana.table("me", "person", listed=True) for _ in range(2)]
        for table in tables:
            await ion.post(f"/tables/{table}/sit", {})
            paths = [f"/tables/{table}{path}" for path in ("", "/updates", "/moments/1")]
            heard.extend([(await ion.ask("GET", path)).text for path in (*paths, "/tables")])
        await close(ana, ion)

    tell(tmp_path, story, **PROXY)
    entries = _entries(tmp_path)
    marks = re.findall(r'"network":"([0-9a-f]+)"', entries)
    # Marks agree within a table, but cannot be compared between tables.
    assert (len(marks), len(set(marks))) == (4, 2)
    for text in ("203.0.113.7", "network", *marks):
        assert text not in "".join(heard)
    assert "203.0.113.7" not in entries


def _entries(folder: Path) -> str:
    """The content of the logs of the tables."""
    with closing(sqlite3.connect(folder / "macaz.db")) as connection:
        rows = connection.execute("SELECT body FROM entry ORDER BY game_id, version")
        return "\n".join(body.decode() for [body] in rows)
