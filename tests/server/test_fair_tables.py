"""Fair tables: seeds are not listed, and a game is not closed against people who are away."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.harness import Client, play_on
from tests.server.test_tables import close, people, tell, until

SEAT = {"kind": "person"}


async def refused(client: Client, path: str, body: Any = None) -> tuple[int, str, str]:
    """The status, the code and the sentence of a refusal."""
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
        # Whoever wants to go leaves, and the game still has its end.
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
