"""Sends notices to push services, behind the game: what they do delays no table."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
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
MOST_RETRIED = 1000  # of them, so that a dead push service leaves room for the others
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
    until: float  # by the clock of the event loop: how long the push service may keep it
    attempt: int = 0

    @property
    def key(self) -> tuple[str, str]:
        return self.to.endpoint, self.topic

    @property
    def seconds_left(self) -> int:
        return max(0, int(self.until - asyncio.get_running_loop().time()))


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to addresses of the public internet only, whatever a name resolves to."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()
        # Not the threads of the event loop, in which tables are loaded: a name may take long.
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="macaz-push-names")

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
            found = await loop.run_in_executor(
                self._threads, partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
            )
        except (OSError, UnicodeError) as error:  # UnicodeError: it cannot be a name
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

    A notice that waits is replaced by a newer one of its topic for the same browser. For every
    other one `sent(outcome)` is called: sent, gone, refused, given-up or dropped.
    """

    def __init__(
        self,
        identification: Identification,
        subscriptions: Subscriptions,
        sent: Callable[[str], object],
    ) -> None:
        self._identification, self._subscriptions = identification, subscriptions
        self._sent = sent
        self._queue: asyncio.Queue[tuple[str, str]] = asyncio.Queue()  # of keys
        self._jobs: dict[tuple[str, str], Job] = {}  # queued, being sent, or to be tried again
        self._timers: dict[tuple[str, str], asyncio.TimerHandle] = {}  # of the last
        self._workers: list[asyncio.Task[None]] = []
        self._pool: asyncio.Task[httpcore.AsyncConnectionPool] | None = None

    def start(self) -> None:
        self._workers = [asyncio.create_task(self._work()) for _ in range(WORKERS)]

    async def stop(self) -> None:
        """Stop at once: what waits is lost."""
        for timer in self._timers.values():
            timer.cancel()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        if self._jobs:
            log.warning("notices were not sent", extra={"number": len(self._jobs)})
        if self._pool is not None:
            with suppress(Exception):  # it may have failed, and was logged then
                await (await self._pool).aclose()

    def add(self, job: Job) -> None:
        """Queue a notice; it is dropped if too many wait."""
        key = job.key
        known = key in self._jobs
        if not known and len(self._jobs) >= MOST_WAITING:
            self._sent("dropped")
            return
        self._jobs[key] = job
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()
        elif known:  # it is in the queue, or its predecessor is being sent
            return
        self._queue.put_nowait(key)

    async def _work(self) -> None:
        while True:
            key = await self._queue.get()
            job = self._jobs[key]
            try:
                again = await self._try(job)
            except Exception:
                log.exception("a notice could not be sent")
                again = None
            if self._jobs[key] is not job:  # a newer one has come
                self._queue.put_nowait(key)
            elif again is None:
                del self._jobs[key]
            else:
                self._jobs[key] = job._replace(attempt=job.attempt + 1)
                self._later(key, again)

    def _later(self, key: tuple[str, str], seconds: float) -> None:
        def due() -> None:
            del self._timers[key]
            self._queue.put_nowait(key)

        self._timers[key] = asyncio.get_running_loop().call_later(seconds, due)

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
            if job.attempt < len(RETRY_SECONDS) and len(self._timers) < MOST_RETRIED:
                seconds = max(RETRY_SECONDS[job.attempt], wished)
                if seconds < job.seconds_left:
                    return seconds
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
            "ttl": str(job.seconds_left),
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
