"""What a link tells before it is opened; the lobby for strangers; quick play; addresses."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import segno
from tests.server.clocks import Ticking
from tests.server.harness import Client, Served, hear, play_on, say, serving, settings

from macaz.server import lan
from macaz.server.qr import qr_code
from macaz.server.refusal import Refusal

Story = Callable[[Served], Coroutine[Any, Any, None]]


def tell(folder: Path, story: Story, clock: Ticking | None = None, **changes: Any) -> None:
    """Run a test against a real server."""
    with serving(settings(folder, **changes), clock) as server:
        asyncio.run(story(server))


async def people(server: Served, *names: str) -> list[Client]:
    return [await Client.new(server.address, name) for name in names]


async def secret(client: Client, table: str, kind: str, seat: int | None = None) -> str:
    made = await client.post(f"/tables/{table}/links", {"kind": kind, "seat": seat})
    return str(made["url"].partition("#")[2])


async def look(client: Client, token: str) -> dict[str, Any]:
    found: dict[str, Any] = await client.post("/links/look", {"token": token})
    return found


def test_an_invitation_tells_who_invites_to_what_and_no_secret(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eva = await people(server, "Ana", "Ion", "Eva")
        stranger = Client(server.address)
        table = await ana.table("me", "person", move_seconds=60)
        token = await secret(ana, table, "join")
        told = await look(stranger, token)
        assert (told["by"], told["title"], told["move_seconds"]) == ("Ana", "Tiny", 60)
        assert [seat["name"] for seat in told["seats"]] == ["Ana", None]
        assert (told["status"], told["may_sit"], told["may_watch"]) == ("waiting", True, True)
        assert (await look(ana, token))["seats"][0]["mine"]

        await ion.post("/links/open", {"token": token})
        told = await look(stranger, token)
        assert (told["status"], told["may_sit"], told["may_watch"]) == ("running", False, True)
        assert (await look(ion, token))["may_sit"], "Ion has a seat: his link leads there"
        # A link to join lets watch, and only that, once the table is full.
        late = await eva.ask("POST", "/links/open", {"token": token})
        assert late.json()["code"] == "not-now"
        assert (await eva.ask("GET", f"/tables/{table}")).status_code == 404
        opened = await eva.post("/links/open", {"token": token, "watch": True})
        assert opened == {"table": table, "seat": None}
        assert not any(seat["mine"] for seat in (await eva.get(f"/tables/{table}"))["seats"])

        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        told = await look(stranger, token)
        assert (told["status"], told["may_sit"], told["may_watch"]) == ("finished", False, True)
        # No cards, no scores, nothing that names the table or its people.
        row = await server.inside(server.node.store.games.get(table))
        known = {"kind", "seat", "by", "edition", "title", "status", "seats", "move_seconds"}
        assert set(told) == known | {"delay", "hints", "seeded", "may_sit", "may_watch"}
        assert not any(s in json.dumps(told) for s in (table, row.host, row.secret.hex()))
        for client in (ana, ion, eva, stranger):
            await client.close()

    tell(tmp_path, story)


def test_links_to_seats_and_to_closed_tables_do_not_let_watch(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eva = await people(server, "Ana", "Ion", "Eva")
        table = await ana.table("me", "person", "person", edition="usa")
        seat, join = await secret(ana, table, "seat", 1), await secret(ana, table, "join")
        told = await look(ion, seat)
        assert (told["seat"], told["may_sit"], told["may_watch"]) == (1, True, False)
        refused = await ion.ask("POST", "/links/open", {"token": seat, "watch": True})
        assert refused.json()["code"] == "not-allowed"
        await ion.post("/links/open", {"token": seat})
        assert (await look(ion, seat))["may_sit"]
        used = await eva.ask("POST", "/links/look", {"token": seat})
        assert used.json()["code"] == "not-found"
        await ana.post(f"/tables/{table}/close")
        told = await look(eva, join)
        assert (told["status"], told["may_sit"], told["may_watch"]) == ("closed", False, False)
        # A bot plays the seat of one who resigned to the end.
        table = await ana.table("me", "person", "person", edition="usa", listed=True)
        for one in (ion, eva):
            await one.post(f"/tables/{table}/sit", {})
        seat, stranger = await secret(ion, table, "seat", 1), Client(server.address)
        assert (await look(stranger, seat))["may_sit"]
        await ion.post(f"/tables/{table}/seats/1/resign")
        assert not (await look(stranger, seat))["may_sit"]
        for client in (ana, ion, eva, stranger):
            await client.close()

    tell(tmp_path, story)


def test_strangers_see_the_lobby_and_which_seats_are_free(tmp_path):
    async def story(server: Served) -> None:
        ana, stranger = await Client.new(server.address, "Ana"), Client(server.address)
        await ana.table("me", "random", "person", edition="usa", listed=True, move_seconds=30)
        await ana.table("me", "person")
        [line] = (await stranger.get("/tables"))["tables"]
        assert (line["names"], line["free"]) == (["Ana", "Random", None], [2])
        assert (line["move_seconds"], line["mine"]) == (30, [])
        assert (await stranger.ask("GET", "/me/tables")).status_code == 401
        await ana.close()
        await stranger.close()

    tell(tmp_path, story)


def test_quick_play_at_the_same_time_makes_pairs(tmp_path):
    async def story(server: Served) -> None:
        everybody = await people(server, *(f"Player {n}" for n in range(7)))
        wanted = {"edition": "tiny"}
        opened = await asyncio.gather(*(one.post("/tables/quick", wanted) for one in everybody))
        met = sorted((one["table"], one["seat"]) for one in opened)
        assert len(set(met)) == 7
        tables = {table: sum(one["table"] == table for one in opened) for table, _ in met}
        assert sorted(tables.values()) == [1, 2, 2, 2]
        # Who waits already, and asks again, waits on.
        [alone] = [t for t, number in tables.items() if number == 1]
        [waiting] = [i for i, one in enumerate(opened) if one["table"] == alone]
        assert await everybody[waiting].post("/tables/quick", wanted) == opened[waiting]
        info = await everybody[waiting].get(f"/tables/{alone}")
        assert (info["status"], info["listed"], info["move_seconds"]) == ("waiting", True, 120)
        for client in everybody:
            await client.close()

    tell(tmp_path, story)


def test_quick_play_on_two_nodes_at_the_same_time_makes_pairs(tmp_path, postgres_url, redis_url):
    chosen = settings(tmp_path, database=postgres_url, redis=redis_url)

    async def story(one: Served, other: Served) -> None:
        everybody = [*await people(one, "A", "B", "C"), *await people(other, "D", "E", "F")]
        asked = (each.post("/tables/quick", {"edition": "tiny"}) for each in everybody)
        opened = await asyncio.gather(*asked)
        assert sorted(Counter(each["table"] for each in opened).values()) == [2, 2, 2]
        for client in everybody:
            await client.close()

    with serving(chosen) as one, serving(chosen) as other:
        asyncio.run(story(one, other))


def test_quick_play_takes_what_fits_and_goes_on_where_it_may_not_sit(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        ana, twin, ion = await people(server, "Ana", "Ana", "Ion")
        slow = await ana.table("me", "person", listed=True, move_seconds=86_400)
        await ana.table("me", "person")  # not listed
        other = await ana.table("me", "person", listed=True, edition="usa")
        wanted = await ana.table("me", "person", listed=True)
        # The name looks like Ana's everywhere, so a table of their own is opened.
        opened = await twin.post("/tables/quick", {"edition": "tiny"})
        assert opened["table"] not in (slow, other, wanted)
        # The first choice is taken in the last moment: the next one follows.
        table = await server.inside(server.node.table(wanted))

        async def too_late(*args: Any, **more: Any) -> int:
            raise Refusal("taken", "There is no free seat for you here.")

        monkeypatch.setattr(table.seats, "sit", too_late)
        assert (await ion.post("/tables/quick", {"edition": "tiny"}))["table"] == opened["table"]
        line = next(t for t in (await ana.get("/tables"))["tables"] if t["id"] == opened["table"])
        assert line["shared"] == [0, 1], "people of one address are marked here as everywhere"
        refused = await ion.ask("POST", "/tables/quick", {"edition": "nowhere"})
        assert refused.json()["code"] == "bad-value"
        for client in (ana, twin, ion):
            await client.close()

    tell(tmp_path, story)


def test_quick_play_leads_to_no_table_that_everybody_has_left(tmp_path):
    clock = Ticking()

    async def story(server: Served) -> None:
        ana, ion, zoe = await people(server, "Ana", "Ion", "Zoe")
        left = await ana.table("me", "person", listed=True)
        clock.extra += 61_000
        wanted = {"edition": "tiny"}
        assert (await ana.post("/tables/quick", wanted))["table"] == left, "it is hers"
        opened = (await ion.post("/tables/quick", wanted))["table"]
        assert opened != left
        # As soon as she is back, others may come.
        async with await ana.connect() as socket:
            await say(socket, "hello", table=left, seat=0)
            await hear(socket, "welcome")
            assert (await zoe.post("/tables/quick", wanted))["table"] == left
        for client in (ana, ion, zoe):
            await client.close()

    tell(tmp_path, story, clock)


def test_who_is_at_another_node_is_waiting_and_seats_are_free_as_soon_as_they_are_left(
    tmp_path, postgres_url, redis_url
):
    clock = Ticking()

    async def story(one: Served, other: Served) -> None:
        [ana], [ion, zoe] = await people(one, "Ana"), await people(other, "Ion", "Zoe")
        table = await ana.table("me", "person", "person", listed=True)
        token = await secret(ana, table, "join")
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0)
            await hear(socket, "welcome")
            clock.extra += 61_000
            assert (await ion.post("/tables/quick", {"edition": "tiny"}))["table"] == table
            # What the first node says about it does not reach the other one.
            found = await other.inside(other.node.table(table))
            found.hear = lambda message: None
            near = Client(one.address, ion.token)
            await near.post(f"/tables/{table}/seats/1/leave")
            assert (await look(zoe, token))["seats"][1]["name"] is None
            await near.post(f"/tables/{table}/sit", {"seat": 1})
            assert (await look(zoe, token))["seats"][1]["name"] == "Ion"
            await near.post(f"/tables/{table}/seats/1/leave")
            assert not found.state.chairs[1].free, "it has not heard of it"
            assert (await zoe.post(f"/tables/{table}/sit", {"seat": 1}))["seat"] == 1
        for client in (ana, ion, zoe, near):
            await client.close()

    chosen = settings(tmp_path, database=postgres_url, redis=redis_url)
    with serving(chosen, clock) as one, serving(chosen, clock) as other:
        asyncio.run(story(one, other))


def test_links_have_an_address_that_others_can_open(tmp_path, monkeypatch):
    found = ["192.168.7.7"]
    monkeypatch.setattr("macaz.server.http.common.lan_addresses", lambda: tuple(found))

    async def story(server: Served) -> None:
        port = server.address.rpartition(":")[2]
        ana = await Client.new(server.address, "Ana")
        table = await ana.table("me", "person")
        link = await ana.post(f"/tables/{table}/links", {"kind": "join"})
        assert link["url"].startswith(f"http://{found[0]}:{port}/join#")
        assert link["qr"]["path"].startswith("M0 0.5h7")
        address = await ana.get("/address")
        assert (address["url"], address["lan"]) == (f"http://{found[0]}:{port}/", True)
        # By an address or a name of this machine it is that one; by other names it is refused.
        for host, status in (
            (f"10.1.2.3:{port}", 200),
            (f"{socket.gethostname()}:{port}", 200),
            (f"evil.example:{port}", 403),
            ("localhost:99999", 403),
            (f"me@localhost:{port}", 403),
        ):
            answer = httpx.get(f"{server.address}/api/v1/address", headers={"host": host})
            assert answer.status_code == status
            if status == 200:
                assert answer.json()["url"].lower() == f"http://{host}/".lower()
        await ana.close()

    tell(tmp_path, story, lan=True)


def test_the_address_on_the_way_to_the_internet_comes_first(monkeypatch):
    monkeypatch.setattr(lan, "_of_own_name", lambda: ["127.0.1.1", "192.168.1.5"])
    wires = {"172.17.0.1": True, "192.168.1.5": False, "10.0.0.9": False, "169.254.3.3": False}
    monkeypatch.setattr(lan, "_of_interfaces", lambda: wires)
    monkeypatch.setattr(lan, "_routed", lambda: ("10.0.0.9",))
    assert lan.lan_addresses() == ("10.0.0.9", "192.168.1.5", "172.17.0.1")
    # A tunnel is the way to the internet, but not to a phone in the same room.
    wires["10.0.0.9"] = True
    assert lan.lan_addresses() == ("192.168.1.5", "10.0.0.9", "172.17.0.1")


def test_the_path_of_a_qr_code_has_its_dark_modules():
    text = "http://laptop.local:8124/join#abcdefghijklmnopqrstuvwx"
    code = qr_code(text)
    runs = re.findall(r"M(\d+) (\d+)\.5h(\d+)", code.path)
    drawn = {(int(y), int(x) + i) for x, y, length in runs for i in range(int(length))}
    matrix = segno.make_qr(text, error="m").matrix
    assert code.size == len(matrix)
    assert drawn == {(y, x) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark}
