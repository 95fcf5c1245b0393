"""Sends notices to push services, behind the game: what they do delays no table."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import httpcore

from macaz.server.push.encrypt import Identification, encrypt
from macaz.server.push.endpoint import is_public, origin_of
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.store.rows import SubscriptionRow
    from macaz.server.store.subscriptions import Subscriptions

log = logging.getLogger("macaz.push")

WORKERS = 8  # requests at the same time
MOST_WAITING = 5000  # notices, those that are to be tried again included
SECONDS = 15.0  # for one request
RETRY_SECONDS = (5.0, 30.0, 120.0, 600.0)  # until the next attempts; then a notice is given up
LONGEST_RETRY = 1800.0  # that a push service may ask for
NO_ANSWER = (
    OSError,  # TimeoutError included
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
)
GONE = (404, 410)  # the browser takes no more notices


class Job(NamedTuple):
    """A notice for one browser."""

    to: SubscriptionRow
    text: bytes
    topic: str  # an undelivered notice of the same topic is replaced
    ttl: int  # seconds for which the push service keeps it while the device is off
    attempt: int = 0


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to addresses of the public internet only, whatever a name resolves to."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first of its addresses that answers."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        addresses = list(dict.fromkeys(str(where[4][0]) for where in found))
        if not all(is_public(address) for address in addresses):
            raise httpcore.ConnectError(f"{host} is not an address of the public internet")
        problem = httpcore.ConnectError(f"{host} has no address")
        for address in addresses:
            try:
                return await self._backend.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except httpcore.ConnectError as error:
                problem = error
        raise problem

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def certificates() -> ssl.SSLContext:
    """The authorities that are believed."""
    return httpcore.default_ssl_context()


class Sender:
    """A bounded queue of notices, and the tasks that send them.

    `sent(outcome)` is called for each notice: sent, gone, refused, given-up or dropped.
    """

    def __init__(
        self,
        identification: Identification,
        subscriptions: Subscriptions,
        sent: Callable[[str], object],
    ) -> None:
        self._identification, self._subscriptions = identification, subscriptions
        self._sent = sent
        self._queue: asyncio.Queue[Job] = asyncio.Queue()
        self._waiting = 0  # in the queue, being sent, or to be tried again
        self._timers: set[asyncio.TimerHandle] = set()
        self._workers: list[asyncio.Task[None]] = []
        self._pool: asyncio.Task[httpcore.AsyncConnectionPool] | None = None

    def start(self) -> None:
        self._workers = [asyncio.create_task(self._work()) for _ in range(WORKERS)]

    async def stop(self) -> None:
        """Stop at once: what waits is lost."""
        for timer in self._timers:
            timer.cancel()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        if self._waiting:
            log.warning("notices were not sent", extra={"number": self._waiting})
        if self._pool is not None:
            with suppress(Exception):  # it may have failed, and was logged then
                await (await self._pool).aclose()

    def add(self, job: Job) -> None:
        """Queue a notice; it is dropped if too many wait."""
        if self._waiting >= MOST_WAITING:
            self._sent("dropped")
            return
        self._waiting += 1
        self._queue.put_nowait(job)

    async def _work(self) -> None:
        while True:
            job = await self._queue.get()
            try:
                again = await self._try(job)
            except Exception:
                log.exception("a notice could not be sent")
                again = None
            if again is None:
                self._waiting -= 1
            else:
                self._later(job._replace(attempt=job.attempt + 1), again)

    def _later(self, job: Job, seconds: float) -> None:
        def due() -> None:
            self._timers.discard(timer)
            self._queue.put_nowait(job)

        timer = asyncio.get_running_loop().call_later(seconds, due)
        self._timers.add(timer)

    async def _try(self, job: Job) -> float | None:
        """Send a notice; returns the seconds after which it is to be tried again, or None."""
        with suppress(Unavailable):
            if job.attempt and not await self._subscriptions.has(job.to.endpoint):
                self._sent("gone")
                return None
        try:
            async with asyncio.timeout(SECONDS):
                status, wished = await self._post(job)
        except NO_ANSWER as error:
            status, wished = 0, 0.0
            where = {"service": origin_of(job.to.endpoint)}
            log.info("a push service does not answer: %r", error, extra=where)
        return await self._judge(job, status, wished)

    async def _judge(self, job: Job, status: int, wished: float) -> float | None:
        """What an answer means; status 0: there was none."""
        if 200 <= status < 300:
            self._sent("sent")
            return None
        if status in GONE:
            with suppress(Unavailable):  # the next notice finds it gone again
                await self._subscriptions.drop(job.to.endpoint)
            self._sent("gone")
            return None
        if status in (0, 429) or status >= 500:
            if job.attempt < len(RETRY_SECONDS):
                return max(RETRY_SECONDS[job.attempt], wished)
            self._sent("given-up")
            return None
        origin = origin_of(job.to.endpoint)
        log.warning("a push service refused a notice", extra={"status": status, "service": origin})
        self._sent("refused")
        return None

    async def _post(self, job: Job) -> tuple[int, float]:
        """The status of the answer, and after how many seconds it wishes to be asked again.

        The body of the answer is not read, and a redirection is not followed.
        """
        to = job.to
        headers: dict[str | bytes, str | bytes] = {
            "authorization": self._identification.header(origin_of(to.endpoint)),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(job.ttl),
            "topic": job.topic,
            "urgency": "normal",
        }
        body = encrypt(job.text, to.p256dh, to.auth)
        pool = await self._connections()
        async with pool.stream("POST", to.endpoint, headers=headers, content=body) as answer:
            named = {name.lower(): value for name, value in answer.headers}
            wish = named.get(b"retry-after", b"")
            return answer.status, min(float(wish), LONGEST_RETRY) if wish.isdigit() else 0.0

    async def _connections(self) -> httpcore.AsyncConnectionPool:
        if self._pool is None:
            self._pool = asyncio.create_task(_new_pool())
        return await asyncio.shield(self._pool)


async def _new_pool() -> httpcore.AsyncConnectionPool:
    # Loading the certificates takes a while.
    trusted = await asyncio.to_thread(certificates)
    return httpcore.AsyncConnectionPool(
        ssl_context=trusted,
        max_connections=2 * WORKERS,
        max_keepalive_connections=WORKERS,
        keepalive_expiry=60.0,
        network_backend=PublicNetwork(),
    )
