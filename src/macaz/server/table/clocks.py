"""When a table must be woken without a request, and what is done then."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from macaz.server.entries import Closed, StoodIn
from macaz.server.refusal import Refusal
from macaz.server.state import deadlines
from macaz.server.table.proposal import Proposal, require_running

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.settings import Settings
    from macaz.server.state import TableState, Terms
    from macaz.server.store.rows import GameRow
    from macaz.server.table.log import Log

WAITING_DAYS = 14  # until a table that is not full is closed
BEGIN_MS = 3000  # after which another node begins a full table, if its own node has not
BOT_GRACE_MS = 3000  # after which another node asks a bot, if its own node has not
RESTART_GRACE_MS = 60_000  # for people whose time ran out while no server was running


def waits_until(since: int, full: bool) -> int:
    """When a table that has not begun must be woken."""
    return since + (BEGIN_MS if full else WAITING_DAYS * 86_400_000)


def wake_at(state: TableState, terms: Terms, created_at: int, settings: Settings) -> int | None:
    """When a table must be woken if no request comes before, in milliseconds since 1970."""
    if state.status == "waiting":
        waits = int(settings.nonce_wait * 1000) if state.nonces_missing else 0
        return waits + waits_until(max(state.at, created_at), state.full)
    overdue = 2 * int(settings.bot_limit * 1000) + BOT_GRACE_MS
    bots = [
        since[1] + overdue
        for chair, since in zip(state.chairs, state.since, strict=True)
        if since is not None and chair.bot
    ]
    people = [time for time in deadlines(state, terms) if time is not None]
    return min((*bots, *people), default=None)


class Clocks:
    """Closes a table that never fills, and lets bots decide for people whose time has run out."""

    def __init__(self, node: Node, row: GameRow, log: Log) -> None:
        self._node = node
        self._row = row
        self._log = log

    async def wake(self) -> None:
        """Do what is due at the time that `wake_at` gave."""
        state, now = self._log.state, self._node.clock.now()
        if state.status == "waiting":
            if state.full:
                await self._log.go_on()
            elif now >= (self._wake_at() or now + 1):
                await self._log.change(lambda: Proposal(Closed()))
            return
        self._log.ask_bots()
        for seat, deadline in enumerate(self._deadlines()):
            if deadline is not None and now >= self._with_grace(deadline):
                with suppress(Refusal):  # the next sweep tries again
                    await self._log.change(partial(self._run_out, seat, deadline))

    def _wake_at(self) -> int | None:
        settings = self._node.settings
        return wake_at(self._log.state, self._log.terms, self._row.created_at, settings)

    def _deadlines(self) -> tuple[int | None, ...]:
        return deadlines(self._log.state, self._log.terms)

    def _with_grace(self, deadline: int) -> int:
        """A deadline, later if it passed while no server was running."""
        started = self._node.clock.started
        if deadline >= started:
            return deadline
        return started + min(RESTART_GRACE_MS, (self._log.terms.move_seconds or 0) * 1000)

    def _run_out(self, seat: int, deadline: int) -> Proposal:
        require_running(self._log.state)
        if self._deadlines()[seat] != deadline:
            raise Refusal("not-now", "They have decided.")
        return Proposal(StoodIn(seat, self._log.terms.stand_in, "time"))
