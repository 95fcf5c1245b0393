"""From a full table to its first decision: announce the terms, wait for nonces, deal."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from macaz.server.refusal import Refusal
from macaz.server.state import announce, begin
from macaz.server.table.proposal import Conflict, Proposal

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.table.log import Log

log = logging.getLogger("macaz.table")


class Opening:
    """Begins the game of a table as soon as it is full."""

    def __init__(self, node: Node, table_log: Log) -> None:
        self._node = node
        self._log = table_log
        self._timer: asyncio.TimerHandle | None = None  # while the deal waits for nonces

    async def advance(self) -> None:
        """Commit what is due; the lock of the log is held. What fails is retried by the clocks."""
        try:
            if self._log.state.status == "waiting" and self._log.state.full:
                await self._begin()
        except Conflict:
            self._log.doubt()
        except Refusal as refusal:
            log.warning("could not begin: %s", refusal, extra={"table": self._log.table_id})

    async def _begin(self) -> None:
        if self._log.state.announced is None:
            await self._log.commit(Proposal(announce(self._log.deal, self._log.state)))
        if (left := self._nonces_left_ms()) > 0:
            self._deal_later(left)
        else:
            game, dealt = begin(self._log.deal, self._log.state)
            await self._log.commit(Proposal(dealt, game))

    def _nonces_left_ms(self) -> int:
        """For how long the deal still waits for nonces that were pledged."""
        state = self._log.state
        if not state.nonces_missing:
            return 0
        whole = int(self._node.settings.nonce_wait * 1000)
        # Another node's clock may be ahead of this one.
        return min(whole, state.announced_at + whole - self._node.clock.now())

    def _deal_later(self, milliseconds: int) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(milliseconds / 1000, self._deal_now)

    def _deal_now(self) -> None:
        self._timer = None
        if not self._node.draining:
            self._node.spawn(self._log.go_on())
