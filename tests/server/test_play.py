"""Whole games over real sockets."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.harness import Client, play_on, serving, settings

from macaz.game.record import load_record, verify_record


@pytest.mark.parametrize("edition", ["tiny", "usa-classic", "usa", "europe", "old-west+alvin"])
def test_a_whole_game_over_sockets(tmp_path, edition):
    async def play(address: str) -> None:
        ana, ion = await Client.new(address, "Ana"), await Client.new(address, "Ion")
        table = await ana.table("me", "person", "random", edition=edition, listed=True)
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        heard = await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        for messages in heard:
            updates = [m["version"] for m in messages if m["type"] in ("welcome", "update")]
            assert updates == list(range(updates[0], updates[-1] + 1))
        record = await ion.get(f"/tables/{table}/record")
        info = await ana.get(f"/tables/{table}")
        assert info["status"] == "finished"
        end = heard[0][-1]["events"][-1]["outcome"]
        game = load_record(record)
        assert game.outcome is not None
        assert [s["total"] for s in end["seats"]] == list(game.outcome.totals)
        assert verify_record(record, announced=info["announcement"]).fair
        await ana.close()
        await ion.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


def test_six_at_a_table(tmp_path):
    async def play(address: str) -> None:
        ana, ion = await Client.new(address, "Ana"), await Client.new(address, "Ion")
        seats = ("person", "person", "person", "person", "random", "greedy")
        table = await ana.table(*seats, mine=["Ana", "Eva", "Dan"], edition="old-west", listed=True)
        assert (await ion.post(f"/tables/{table}/sit", {}))["seat"] == 3
        people = (ana, ana, ana, ion)
        heard = await asyncio.gather(*(play_on(c, table, seat) for seat, c in enumerate(people)))
        ends = [messages[-1]["events"][-1]["outcome"] for messages in heard]
        assert ends == ends[:1] * 4
        assert len(ends[0]["seats"]) == 6
        info = await ana.get(f"/tables/{table}")
        assert len({seat["name"] for seat in info["seats"]}) == 6
        assert len({seat["color"] for seat in info["seats"]}) == 6
        record = await ion.get(f"/tables/{table}/record")
        assert verify_record(record, announced=info["announcement"]).fair
        await ana.close()
        await ion.close()

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))
