"""What a node does without a request: wake tables, send notices, unload, catch up, prune."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import TYPE_CHECKING

from macaz.server.metrics import watch_loop
from macaz.server.refusal import Refusal
from macaz.server.retention import retention_of
from macaz.server.store.trouble import Unavailable
from macaz.server.table.presence import repeat_for_ever

if TYPE_CHECKING:
    from macaz.server.node import Node

log = logging.getLogger("macaz.node")

SWEEP_SECONDS = 1.0  # between two searches for tables that are due
SWEEP_MOST = 200  # tables that one sweep wakes at most
CONCURRENT_WAKES = 16  # more than one, so that a slow table does not delay all others
WAKE_AGAIN_MS = 5000  # until a table that was woken, and is still due, is woken again
CATCH_UP_SWEEPS = 5  # with Redis, every so many sweeps the store is asked for missed entries
PRUNED_AT = "pruned-at"  # the stored setting that tells all nodes when one of them last pruned
PRUNE_MS = 3_600_000  # between two prunings of a database
PRUNE_CHECK_SECONDS = 60.0  # between two checks whether it is time to prune


class Periodic:
    """The periodic jobs of a node."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._tasks: list[asyncio.Task[None]] = []
        self._woken: dict[str, int] = {}  # by table: when it may be woken again
        self._marked_at = 0  # when the tables in memory were last marked as in use
        self._started_at = node.clock.now()
        self._wake_slots = asyncio.Semaphore(CONCURRENT_WAKES)

    def start(self) -> None:
        jobs = (
            self._sweep_for_ever(),
            self._prune_for_ever(),
            repeat_for_ever(self._node),
            watch_loop(self._node.metrics),
        )
        self._tasks += [asyncio.create_task(job) for job in jobs]

    def stop(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _sweep_for_ever(self) -> None:
        """Wake due tables, whether or not they are in memory."""
        node = self._node
        for count in itertools.count():
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
                # Another node may die after a commit and before publishing it, or lose Redis.
                if node.settings.redis and (count % CATCH_UP_SWEEPS == 0 or not node.bus.connected):
                    await node.catch_up_all()
            except (Refusal, Unavailable) as error:
                log.warning("the store does not answer: %s", error)
            except Exception:
                log.exception("the sweep failed")

    async def sweep(self) -> None:
        """Do what is due now."""
        node, now = self._node, self._node.clock.now()
        self._woken = {name: until for name, until in self._woken.items() if until > now}
        for name, _ in await node.store.games.due(now, SWEEP_MOST + len(self._woken)):
            if name not in self._woken:
                self._woken[name] = now + WAKE_AGAIN_MS
                node.spawn(self._wake(name))
        await node.notices.sweep(now)
        self.unload_idle(now)

    async def _wake(self, name: str) -> None:
        async with self._wake_slots:
            try:
                await (await self._node.table(name)).clocks.wake()
            except Refusal as refusal:
                log.warning("not woken: %s", refusal, extra={"table": name})

    def unload_idle(self, now: int) -> None:
        """Remove tables that are not in use from memory; they stay in the store."""
        node = self._node
        # A request that was just given a table may not have used it yet.
        idle_since = now - max(5000, int(node.settings.unload_after * 1000))
        for table in tuple(node.tables.values()):
            if table.at_rest and table.touched < idle_since:
                del node.tables[table.id]
                table.presence.stop()
                node.spawn(node.bus.unsubscribe(table.id))
        node.metrics.tables.set(len(node.tables))

    async def _prune_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRUNE_CHECK_SECONDS)
            try:
                await self.prune()
            except Unavailable as error:
                log.warning("the store does not answer: %s", error)
            except Exception:
                log.exception("old tables could not be deleted")

    async def prune(self) -> None:
        """Delete what is older than the settings say, if no node did so within the last hour.

        Nothing is deleted in the first hour of a node, so that people can come back after a long
        stop, and the host of an older database has time to look at the settings.
        """
        node, now = self._node, self._node.clock.now()
        if now - self._marked_at >= PRUNE_MS:
            await node.store.pruning.mark_seen(list(node.tables))
            self._marked_at = now
        if now - self._started_at < PRUNE_MS or not await node.store.settings.claim(
            PRUNED_AT, PRUNE_MS
        ):
            return
        for found in await node.store.pruning.prune(retention_of(node.settings)):
            node.metrics.pruned.labels(found.kind).inc(found.number)
            if found.number:
                log.info("deleted", extra={"kind": found.kind, "number": found.number})
