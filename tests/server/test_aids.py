"""Aids over HTTP: those of the client's own seat, now and at earlier moments."""

from __future__ import annotations

import asyncio

import msgspec
from tests.server.harness import Client, Served, play_on, seated, serving, settings

from macaz.help.aids import aids_of
from macaz.server import wire


async def refused(client: Client, path: str) -> tuple[int, str]:
    answer = await client.ask("GET", path)
    return answer.status_code, answer.json()["code"]


def tell(tmp_path, story) -> None:
    with serving(settings(tmp_path)) as server:
        asyncio.run(story(server))


def test_a_seat_gets_its_aids_and_no_others(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await Client.new(server.address), await Client.new(server.address, "Ion")
        table = await ana.table("me", "person", edition="europe", listed=True)
        assert await refused(ana, f"/tables/{table}/aids?seat=0") == (409, "not-now")
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        player = await seated(ana, table, 0)
        for person, seat in ((ana, 0), (ion, 1)):
            told = msgspec.convert(await person.get(f"/tables/{table}/aids?seat={seat}"), wire.Aids)
            game = server.node.tables[table].state.game
            want = aids_of(game.view(seat))
            assert (told.tickets, told.stations, told.tunnels) == (
                want.tickets,
                want.stations,
                want.tunnels,
            )
            assert (told.version, told.seat) == (player.last["version"], seat)
            assert {aid.offered for aid in told.tickets} == {True}
            assert all(aid.state == "open" and aid.spaces and aid.way for aid in told.tickets)
        zoe = await Client.new(server.address, "Zoe")
        assert await refused(ana, f"/tables/{table}/aids?seat=1") == (403, "not-allowed")
        assert await refused(zoe, f"/tables/{table}/aids?seat=0") == (403, "not-allowed")
        assert await refused(ana, f"/tables/{table}/aids?seat=4") == (422, "bad-value")
        assert await refused(ana, f"/tables/{table}/aids?seat=0&version=999") == (404, "not-found")
        assert (await ana.ask("GET", f"/tables/{table}/aids")).status_code == 400
        for thing in (player.socket, ana, ion, zoe):
            await thing.close()

    tell(tmp_path, story)


def test_aids_of_the_past_are_those_of_that_moment(tmp_path):
    async def story(server: Served) -> None:
        ana = await Client.new(server.address)
        table = await ana.table("me", "random")
        player = await seated(ana, table, 0)
        # The bot has chosen its tickets: nothing happens until Ana has chosen, too.
        await player.until(lambda told: told["deciding"] == [0])
        version = player.last["version"]
        then = await ana.get(f"/tables/{table}/aids?seat=0")
        await play_on(ana, table, 0)
        assert await ana.get(f"/tables/{table}/aids?seat=0&version={version}") == then
        assert await refused(ana, f"/tables/{table}/aids?seat=0&version=0") == (409, "not-now")
        # After the end every seat is open, and every ticket is settled.
        for seat in (0, 1):
            told = await ana.get(f"/tables/{table}/aids?seat={seat}")
            score = server.node.tables[table].state.game.outcome.seats[seat]
            done = {t.ticket for t in score.tickets if t.completed}
            assert {t["ticket"] for t in told["tickets"] if t["state"] == "done"} == done
            assert {t["state"] for t in told["tickets"]} <= {"done", "impossible"}
        for thing in (player.socket, ana):
            await thing.close()

    tell(tmp_path, story)
