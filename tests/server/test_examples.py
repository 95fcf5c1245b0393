"""The examples work: they play whole games against a real server, also over a bad connection."""

from __future__ import annotations

import asyncio
import re
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.server.harness import Client, play_on, serving, settings

from macaz.edition import edition_text, load_edition
from macaz.game.record import load_record, verify_record

CLIENT = Path(__file__).parent.parent.parent / "examples" / "client.py"


class Told(NamedTuple):
    """The output of the example."""

    scores: list[int]
    table: str
    nonce: str


async def run(*arguments: str) -> Told:
    """Run the example to its end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(CLIENT), *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    assert err == b""
    found = re.fullmatch(
        r"Final scores:((?: -?\d+)+)\s+Table: (\S+) Nonce: ([0-9a-f]{64})\s+", out.decode()
    )
    assert found, out.decode()
    return Told([int(score) for score in found[1].split()], found[2], found[3])


async def added(client: Client, told: Told) -> tuple[int, ...]:
    """The seats whose nonces are in the deal, by the record; one of them is the example's."""
    record = await client.get(f"/tables/{told.table}/record")
    announced = (await client.get(f"/tables/{told.table}"))["announcement"]
    proof = verify_record(record, announced=announced, nonce=told.nonce)
    assert proof.fair
    return proof.added


class BadLine(ThreadingTCPServer):
    """A proxy to a server on which the first few sockets are cut after some messages each.

    Every second time the last message still arrives, but no answer comes back.
    """

    daemon_threads = True

    def __init__(self, address: str, cuts: int) -> None:
        self.target = urlsplit(address)
        self.cuts = cuts
        self.numbers = count()
        super().__init__(("127.0.0.1", 0), _Line)


class _Line(BaseRequestHandler):
    def handle(self) -> None:
        line: Any = self.server
        with socket.create_connection((line.target.hostname, line.target.port)) as there:
            head = self.request.recv(65536)
            there.sendall(head)
            number = next(line.numbers) if b"upgrade: websocket" in head.lower() else line.cuts
            left = 2 + number if number < line.cuts else sys.maxsize
            ends = {self.request: there, there: self.request}
            while ready := select.select(list(ends), [], [])[0]:
                for end in ready:
                    data = end.recv(65536)
                    left -= end is self.request
                    if data and (left > 0 or (end is self.request and number % 2)):
                        ends[end].sendall(data)
                    if not data or left <= 0:
                        return


@contextmanager
def bad_line(address: str, cuts: int) -> Iterator[str]:
    """The address of a bad connection to a server."""
    with BadLine(address, cuts) as line:
        thread = Thread(target=line.serve_forever, args=(0.05,))
        thread.start()
        try:
            host, port = line.server_address[:2]
            yield f"http://{host!s}:{port}"
        finally:
            line.shutdown()
            thread.join()
    assert next(line.numbers) > cuts, "the client reconnected after every cut"


def test_it_is_short():
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 70


def test_it_makes_a_table_and_plays(tmp_path):
    with serving(settings(tmp_path, nonce_wait=60.0)) as server:
        told = asyncio.run(run(server.address, "tiny"))
        assert len(told.scores) == 2
        shares = server.node.tables[told.table].state.shares
        assert [share.nonce for share in shares] == [told.nonce, None]


def test_it_plays_by_a_link_over_a_bad_line(tmp_path):
    async def play(address: str) -> None:
        with bad_line(address, cuts=3) as bad:
            ana = await Client.new(bad, "Ana")
            table = await ana.table("me", "person")
            link = await ana.post(f"/tables/{table}/links", {"kind": "join"})
            ana.address = address  # her own connection is good
            told, heard = await asyncio.gather(run(link["url"]), play_on(ana, table, 0))
            scores = told.scores
            assert await added(ana, told) == (2,)
            outcome = heard[-1]["events"][-1]["outcome"]
            assert scores == [seat["total"] for seat in outcome["seats"]]
            game = load_record(await ana.get(f"/tables/{table}/record"))
            assert game.outcome is not None
            assert list(game.outcome.totals) == scores
            await ana.close()

    with serving(settings(tmp_path, nonce_wait=60.0)) as server:
        asyncio.run(play(server.address))


def test_it_plays_on_a_map_that_the_host_has_taken_away(tmp_path):
    maps, kept = tmp_path / "maps", {}
    maps.mkdir()
    text = edition_text(load_edition("tiny")).replace('id = "tiny"', 'id = "my-map"')
    (maps / "my-map.toml").write_text(text, encoding="utf-8")

    async def before(address: str) -> None:
        ana = await Client.new(address, "Ana")
        table = await ana.table("person", "greedy", edition="my-map", mine=[])
        link = await ana.post(f"/tables/{table}/links", {"kind": "join"})
        kept["link"] = link["url"].removeprefix(address)
        await ana.close()

    with serving(settings(tmp_path, editions=maps)) as server:
        asyncio.run(before(server.address))
    (maps / "my-map.toml").unlink()
    with serving(settings(tmp_path, editions=maps)) as server:
        assert len(asyncio.run(run(server.address + kept["link"])).scores) == 2
