"""What a page needs to find a hint by itself: what the seat sees, and no more."""

from __future__ import annotations

import asyncio
from base64 import b64decode

import msgspec
from tests.server.harness import Client, Served, play_on, seated, serving, settings

from macaz.game.view import View
from macaz.server import wire
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog


async def refused(client: Client, path: str) -> tuple[int, str]:
    answer = await client.ask("GET", path)
    return answer.status_code, answer.json()["code"]


async def asked(client: Client, path: str) -> wire.PackedView:
    return msgspec.convert(await client.get(path), wire.PackedView)


def tell(tmp_path, story) -> None:
    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


def test_a_seat_gets_its_own_view_and_no_other(tmp_path):
    async def story(server: Served) -> None:
        ana, zoe = await Client.new(server.address), await Client.new(server.address, "Zoe")
        table = await ana.table("me", "greedy", edition="europe", listed=True)
        player = await seated(ana, table, 0)
        path = f"/tables/{table}/packed-view"
        while not player.last["legal"]:
            await player.turn()
        told = await asked(ana, f"{path}?seat=0")
        game = server.node.tables[table].state.game
        assert b64decode(told.record) == View.of(game.spec, game.state, 0).record.tobytes()
        assert (told.version, told.seat) == (player.last["version"], 0)
        files = make_data_files(Catalog())
        assert told.sources == msgspec.json.decode(files.index, type=wire.DataIndex).sources
        for who, seat in ((ana, 1), (zoe, 0), (zoe, 1)):
            assert await refused(who, f"{path}?seat={seat}") == (403, "not-allowed")
        assert await refused(ana, f"{path}?seat=4") == (422, "bad-value")
        assert await refused(ana, f"{path}?seat=0&version=999") == (404, "not-found")
        await player.act()
        assert (await asked(ana, f"{path}?seat=0")).version > told.version
        assert await asked(ana, f"{path}?seat=0&version={told.version}") == told
        for thing in (player.socket, ana, zoe):
            await thing.close()

    tell(tmp_path, story)


def test_it_is_told_only_where_there_are_hints_or_after_the_end(tmp_path):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "random", hints=False, listed=True)
        path = f"/tables/{table}/packed-view"
        assert await refused(ana, f"{path}?seat=0") == (403, "not-allowed")
        await play_on(ana, table, 0)
        told = await asked(ana, f"{path}?seat=1")
        game = server.node.tables[table].state.game
        assert b64decode(told.record) == bytes(game.view(1))
        waiting = await ana.table("me", "person", hints=True, listed=True)
        assert await refused(ana, f"/tables/{waiting}/packed-view?seat=0") == (409, "not-now")
        await ana.close()

    tell(tmp_path, story)
