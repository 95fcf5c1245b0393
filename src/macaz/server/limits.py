"""Limits for one address, one person or one socket: rates, and numbers at the same time."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from macaz.server.refusal import Refusal
from macaz.server.store.quotas import OverQuota

T = TypeVar("T")
MOST_KEYS = 50_000  # remembered by a rate limit; the least recently used are forgotten first


def network(address: str) -> str:
    """What counts as one address: of IPv6 a /64 network, as one household has at least that."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def address_digest(key: str, address: str) -> str:
    """A keyed hash of what counts as one address; without the key it cannot be found by trying."""
    text = f"macaz address {network(address)}"
    return hmac.new(key.encode(), text.encode(), "sha256").hexdigest()


def over_quota(error: OverQuota, now: int) -> Refusal:
    """The refusal of a table that would exceed a quota."""
    seconds = None if error.until is None else max(1, -(-(error.until - now) // 1000))
    most, wait = error.most, in_words(seconds or 0)
    match error.limit:
        case "open":
            said = "You have too many open tables. Finish or close one."
        case "stored":
            said = (
                f"You have made {most} games, the most that are kept for one guest. Play at "
                "tables that others make, or ask the host of this server for more."
            )
        case "person_a_day":
            said = (
                f"You have made {most} tables within a day, the most that one person may. Make "
                f"the next one in {wait}, or play at tables that others make."
            )
        case _:  # address_a_day
            said = (
                f"{most} tables were made from your network within a day, the most that are "
                f"allowed. Make the next one in {wait}, or play at tables that others make."
            )
    return Refusal("too-many", said, retry_after=seconds)


def in_words(seconds: int) -> str:
    """A time to wait, rounded up: 45 seconds, 1 minute, 3 hours."""
    for unit, size in (("hour", 3600), ("minute", 60)):
        if seconds > size:
            return f"{-(-seconds // size)} {unit}s"
        if seconds == size:
            return f"1 {unit}"
    return f"{seconds} second{'s' * (seconds != 1)}"


def shortened(address: str) -> str:
    """The network of an address, for the log: it covers many households, yet shows an attack."""
    try:
        parsed = ip_address(network(address))
    except ValueError:
        return "?"
    return str(ip_network(f"{parsed}/{24 if parsed.version == 4 else 48}", strict=False))


def within(address: str, networks: Iterable[str]) -> bool:
    """Whether an address belongs to one of these networks."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in ip_network(one, strict=False) for one in networks)


class RateLimit:
    """A token bucket for each key: `most` in `seconds`, and at most that many at once."""

    def __init__(
        self, most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._refill, self._now = most, most / seconds, now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Whether one more is allowed; it is then counted."""
        now = self._now()
        left, then = self._left.pop(key, (float(self._most), now))
        left = min(float(self._most), left + (now - then) * self._refill)
        self._left[key] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        return left >= 1

    def ask(self, key: str) -> None:
        """Count one; raises `Refusal` if it is not allowed."""
        if not self.allows(key):
            raise Refusal("too-fast", "That is too much at once. Wait a moment, then try again.")


class KeyedLocks:
    """A lock for each key, held from counting something until the count has been used."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: str) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())


class CachedAnswer(Generic[T]):
    """The result of `work`, kept for `seconds`. Concurrent callers wait for the same call."""

    def __init__(self, work: Callable[[], Awaitable[T]], seconds: float) -> None:
        self._work, self._seconds = work, seconds
        self._answer: asyncio.Future[T] | None = None
        self._until = 0.0

    async def ask(self) -> T:
        """The kept answer, the one under way, or else a new one."""
        if self._answer is None or (self._answer.done() and time.monotonic() >= self._until):
            self._answer = asyncio.ensure_future(self._renew())
        return await asyncio.shield(self._answer)  # a cancelled caller does not cancel it

    async def _renew(self) -> T:
        answer = await self._work()
        self._until = time.monotonic() + self._seconds
        return answer


class ConnectionLimit:
    """At most so many at the same time: `most` for each key, `in_all` for all of them."""

    def __init__(
        self,
        most: int,
        in_all: int | None = None,
        words: str = "Too many connections. Close some, then try again.",
    ) -> None:
        self._most, self._in_all, self._words = most, in_all, words
        self._there: Counter[str] = Counter()

    @contextmanager
    def one(self, key: str) -> Iterator[None]:
        """Count one while the context is open; raises `Refusal` if there are too many."""
        full = self._in_all is not None and self._there.total() >= self._in_all
        if full or self._there[key] >= self._most:
            raise Refusal("too-many", self._words)
        self._there[key] += 1
        try:
            yield
        finally:
            self._there[key] -= 1
            if not self._there[key]:
                del self._there[key]
