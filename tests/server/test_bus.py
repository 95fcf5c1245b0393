"""Messages between nodes arrive once and in order, or the nodes learn that some are lost."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from tests.server.services import PATIENCE, Redis

from macaz.errors import MacazError
from macaz.server import bus as bus_module
from macaz.server.bus import Bus, MemoryBus, RedisBus


class Node:
    """A bus and everything it reported."""

    def __init__(self, url: str) -> None:
        self.bus = RedisBus(url, on_drop=self.drop, on_disconnect=self.disconnected)
        self.dropped = self.disconnects = 0
        self.heard: list[tuple[str, bytes]] = []
        self.losses = 0

    def deliver(self, channel: str, message: bytes) -> None:
        self.heard.append((channel, message))

    def lost(self) -> None:
        self.losses += 1

    def drop(self, messages: int) -> None:
        self.dropped += messages

    def disconnected(self) -> None:
        self.disconnects += 1


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def nodes(url: str, count: int = 2) -> AsyncIterator[list[Node]]:
    async with AsyncExitStack() as stack:
        started = []
        for _ in range(count):
            node = Node(url)
            await node.bus.start(node.deliver, node.lost)
            stack.push_async_callback(node.bus.close)
            started.append(node)
        yield started


async def flush(sender: Node, receiver: Node) -> None:
    """Return when everything sent before has arrived."""
    await receiver.bus.subscribe("flush")
    sender.bus.publish("flush", b"")
    await until(lambda: ("flush", b"") in receiver.heard)
    receiver.heard.remove(("flush", b""))


def test_another_node_hears_what_was_published(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url, 3) as (a, b, c):
            for node in (a, b, c):
                assert node.bus.connected
                await node.bus.subscribe("table 1")
            a.bus.publish("table 1", b"\x00 any bytes \xff\r\n")
            await until(lambda: bool(b.heard and c.heard))
            assert b.heard == c.heard == [("table 1", b"\x00 any bytes \xff\r\n")]

    asyncio.run(test())


def test_a_node_does_not_hear_itself(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await a.bus.subscribe("table")
            await b.bus.subscribe("table")
            a.bus.publish("table", b"mine")
            b.bus.publish("table", b"yours")
            await until(lambda: bool(a.heard and b.heard))
            await flush(b, a)
            assert a.heard == [("table", b"yours")]

    asyncio.run(test())


def test_thousands_of_messages_arrive_once_and_in_order(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("x")
            await b.bus.subscribe("y")
            sent = [("xy"[i % 2], str(i).encode()) for i in range(8000)]
            for channel, message in sent:
                a.bus.publish(channel, message)
            await until(lambda: len(b.heard) == len(sent))
            assert b.heard == sent
            assert a.dropped == 0
            assert b.losses == 0

    asyncio.run(test())


def test_nothing_is_missed_once_subscribe_returned(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            for i in range(200):
                await b.bus.subscribe(f"table {i}")
                a.bus.publish(f"table {i}", b"first")
            await until(lambda: len(b.heard) == 200)

    asyncio.run(test())


def test_subscriptions_made_at_once_are_each_confirmed(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):

            async def follow(channel: str) -> None:
                await b.bus.subscribe(channel)
                await b.bus.unsubscribe(channel)
                await b.bus.subscribe(channel)
                a.bus.publish(channel, b"")

            await asyncio.gather(*(follow(f"table {i}") for i in range(300)))
            await until(lambda: len(b.heard) == 300)

    asyncio.run(test())


def test_a_channel_left_is_silent(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("left")
            await b.bus.subscribe("kept")
            await b.bus.unsubscribe("left")
            for channel in ("left", "never", "kept"):
                a.bus.publish(channel, b"")
            await flush(a, b)
            assert b.heard == [("kept", b"")]

    asyncio.run(test())


def test_databases_of_one_redis_do_not_mix(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b), nodes(f"{redis_url}?db=1", 1) as (other,):
            await b.bus.subscribe("table")
            other.bus.publish("table", b"of another club")
            await other.bus.close()
            await flush(a, b)
            assert b.heard == []

    asyncio.run(test())


@pytest.mark.parametrize("hard", [False, True])
def test_redis_comes_back(redis_server: Redis, redis_url: str, hard: bool) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("table")
            redis_server.stop(hard=hard)
            await until(lambda: not a.bus.connected and not b.bus.connected)
            await b.bus.subscribe("meanwhile")
            a.bus.publish("table", b"this is lost")
            assert a.dropped == 1
            assert not a.losses
            assert not b.losses

            await asyncio.to_thread(redis_server.start)
            await until(lambda: bool(a.bus.connected and b.bus.connected and a.losses and b.losses))
            a.bus.publish("table", b"again")
            a.bus.publish("meanwhile", b"too")
            assert (a.disconnects, b.disconnects) == (1, 1)  # for any number of attempts
            await until(lambda: len(b.heard) == 2)
            assert b.heard == [("table", b"again"), ("meanwhile", b"too")]

    asyncio.run(test())


def test_publishing_through_a_failure_never_raises(redis_server: Redis, redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("table")
            for i in range(3000):
                a.bus.publish("table", str(i).encode())
                if i == 1000:
                    redis_server.stop(hard=True)
                if i % 100 == 0:
                    await asyncio.sleep(0)
            await asyncio.to_thread(redis_server.start)
            await until(lambda: bool(a.bus.connected and b.bus.connected and b.losses))
            assert a.dropped
            before = len(b.heard)
            a.bus.publish("table", b"again")
            await until(lambda: len(b.heard) > before)
            numbers = [int(message) for _, message in b.heard[:before]]
            assert numbers == sorted(set(numbers))

    asyncio.run(test())


def test_others_learn_that_a_node_alone_lost_its_connection(
    redis_server: Redis, redis_url: str
) -> None:
    async def test() -> None:
        async with nodes(f"{redis_url}?client_name=a", 1) as (a,), nodes(redis_url, 1) as (b,):
            await b.bus.subscribe("table")
            redis_server.disconnect_clients("a")
            a.bus.publish("table", b"dropped")
            await until(lambda: a.losses == 1 and b.losses == 1)
            assert a.dropped == 1
            assert (a.disconnects, b.disconnects) == (1, 0)
            assert b.heard == []

    asyncio.run(test())


def test_a_full_queue_drops_and_says_so(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "OUTGOING", 10)

    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("table")
            for i in range(25):
                a.bus.publish("table", str(i).encode())
            assert a.dropped == 15
            await until(lambda: len(b.heard) == 10 and b.losses == 1)

    asyncio.run(test())


def test_a_redis_that_hangs_counts_as_gone(
    redis_server: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_module, "TIMEOUT", 0.5)

    async def test() -> None:
        async with nodes(redis_url, 1) as (a,):
            with redis_server.frozen():
                await a.bus.subscribe("returns when the connection is given up")
                await until(lambda: not a.bus.connected)
            await until(lambda: a.bus.connected and a.losses > 0)

    asyncio.run(test())


def test_an_idle_connection_stays(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "TIMEOUT", 0.5)

    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("table")
            await asyncio.sleep(1.3)  # long enough for two attempts
            a.bus.publish("table", b"")
            await until(lambda: bool(b.heard))
            assert a.losses == b.losses == 0

    asyncio.run(test())


def test_what_waits_is_sent_before_closing(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            await b.bus.subscribe("table")
            for i in range(2000):
                a.bus.publish("table", str(i).encode())
            await a.bus.close()
            assert not a.bus.connected
            await until(lambda: len(b.heard) == 2000)
            await a.bus.close()

    asyncio.run(test())


def test_a_visitor_who_leaves_breaks_nothing(redis_url: str) -> None:
    async def test() -> None:
        async with nodes(redis_url) as (a, b):
            for i in range(50):
                leaving = asyncio.create_task(b.bus.subscribe(f"table {i}"))
                for _ in range(i % 5):
                    await asyncio.sleep(0)
                leaving.cancel()
            await b.bus.subscribe("kept")
            a.bus.publish("kept", b"")
            await until(lambda: ("kept", b"") in b.heard)
            assert b.losses == 0

    asyncio.run(test())


def test_a_listener_that_fails_cuts_no_other_off(
    redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with nodes(redis_url, 1) as (a,):
            b = Node(redis_url)

            def deliver(channel: str, message: bytes) -> None:
                b.deliver(channel, message)
                if message == b"bad":
                    raise KeyError(message)

            await b.bus.start(deliver, b.lost)
            await b.bus.subscribe("table")
            a.bus.publish("table", b"bad")
            a.bus.publish("table", b"good")
            await until(lambda: len(b.heard) == 2)
            await b.bus.close()
            assert b.losses == 0

    asyncio.run(test())
    assert "could not be handled" in caplog.text


def test_a_redis_that_is_not_there_is_said_at_once() -> None:
    async def test() -> None:
        bus = RedisBus("unix:///nowhere/redis.sock")
        with pytest.raises(MacazError, match=r"Redis cannot be reached: .*nowhere.*\. Start it"):
            await bus.start(lambda channel, message: None, lambda: None)
        assert not bus.connected
        bus.publish("table", b"")
        await bus.subscribe("table")
        await bus.close()

    asyncio.run(test())


def test_a_wrong_address_is_refused_without_repeating_the_password() -> None:
    with pytest.raises(MacazError, match="address of Redis is wrong") as error:
        RedisBus("http://user:secret@example.org")
    assert "secret" not in str(error.value)


def test_without_redis_py_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis.asyncio", None)
    with pytest.raises(MacazError, match=r"pip install '\.\[nodes\]'"):
        RedisBus("redis://localhost")


def test_a_node_alone_hears_nothing() -> None:
    async def test() -> None:
        node = Node("redis://unused")
        bus: Bus = MemoryBus()
        await bus.start(node.deliver, node.lost)
        await bus.subscribe("table")
        bus.publish("table", b"")
        await bus.unsubscribe("table")
        assert bus.connected
        await bus.close()
        assert node.heard == []
        assert node.losses == 0

    asyncio.run(test())


def test_over_tcp_as_hosts_have_it(redis_url):
    path = redis_url.removeprefix("unix://")
    visits: list[asyncio.Task[None]] = []

    async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                target.write(data)
        target.close()
        with suppress(ConnectionError):
            await target.wait_closed()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(path)
        await asyncio.gather(carry(reader, back), carry(there, writer))

    def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(asyncio.create_task(forward(reader, writer)))

    async def story() -> None:
        async with await asyncio.start_server(visit, "127.0.0.1", 0) as door:
            port = door.sockets[0].getsockname()[1]
            async with nodes(f"redis://127.0.0.1:{port}/3") as [one, two]:
                await two.bus.subscribe("table")
                one.bus.publish("table", b"news")
                await until(lambda: two.heard == [("table", b"news")])
            await asyncio.gather(*visits)

    asyncio.run(story())
