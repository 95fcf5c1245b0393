"""One live table: the only writer of its log on this node, and the teller of its news.

Everybody comes through the same door: people (`table_seats`), and here bots, stand-ins and clocks.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from contextlib import suppress
from functools import partial

from macaz.server.bots import Question, ThinkingFailed
from macaz.server.entries import Closed, StoodIn
from macaz.server.refusal import Refusal
from macaz.server.schedule import Priority
from macaz.server.state import TableState, deadlines
from macaz.server.table_log import Wish
from macaz.server.table_seats import Seats

log = logging.getLogger("macaz.table")

WAITING_DAYS = 14  # until a table that nobody fills is closed
BEGIN_MS = 3000  # after which another node begins a full table
BOT_GRACE_MS = 3000  # after which another node thinks for a bot
RESTART_GRACE_MS = 60_000  # for those whose time ran out while no server was there
LAST_RESORTS = ("greedy", "random")


def waits_until(since: int, full: bool) -> int:
    """When a table that has not begun is looked after, whatever happens."""
    return since + (BEGIN_MS if full else WAITING_DAYS * 86_400_000)


class Table(Seats):
    """A table that is in memory."""

    def wake_at(self, state: TableState) -> int | None:
        """When somebody must look after the table, whatever happens."""
        if state.status == "waiting":
            waits = int(self.node.settings.nonce_wait * 1000) if state.nonces_missing else 0
            return waits + waits_until(max(state.at, self.row.created_at), state.full)
        overdue = 2 * int(self.node.settings.bot_limit * 1000) + BOT_GRACE_MS
        bots = [
            since[1] + overdue
            for chair, since in zip(state.chairs, state.since, strict=True)
            if since is not None and chair.bot
        ]
        people = [time for time in deadlines(state, self.terms) if time is not None]
        return min((*bots, *people), default=None)

    async def wake(self) -> None:
        """The time has come that `wake_at` said."""
        state, now = self.state, self.node.clock.now()
        if state.status == "waiting":
            if state.full:
                await self.go_on()
            elif now >= (self.wake_at(state) or now + 1):
                await self.change(lambda: Wish(Closed()))
            return
        self.rouse()
        for seat, deadline in enumerate(self.deadlines()):
            if deadline is not None and now >= self._with_grace(deadline):
                with suppress(Refusal):  # the next sweep tries again
                    await self.change(partial(self._run_out, seat, deadline))

    def _with_grace(self, deadline: int) -> int:
        """Who ran out of time while no server was there gets some more."""
        started = self.node.clock.started
        if deadline >= started:
            return deadline
        return started + min(RESTART_GRACE_MS, (self.terms.move_seconds or 0) * 1000)

    def _run_out(self, seat: int, deadline: int) -> Wish:
        self._running()
        if self.deadlines()[seat] != deadline:
            raise Refusal("not-now", "They have decided.")
        return Wish(StoodIn(seat, self.terms.stand_in, "time"))

    def rouse(self) -> None:
        """Let the bots think whose turn it is."""
        for seat in self.state.deciding:
            since = self.state.since[seat]
            if self.state.chairs[seat].bot and since and (seat, since[0]) not in self.thinking:
                thought = self.node.spawn(self._think(seat, since[0]))
                self.thinking[seat, since[0]] = thought

    async def _think(self, seat: int, version: int) -> None:
        wait = 0.5
        # A pace that does not depend on the thinking: that would tell something of a bot's hand.
        pace = self.node.settings.bot_pace if self.listeners else 0
        paced = asyncio.create_task(asyncio.sleep(pace))
        try:
            while self.state.asks_bot(seat, version) and not self.node.draining:
                try:
                    action, bot = await self._ask(seat, version)
                    await paced
                    await self.change(lambda: self._thought(seat, version, action, bot))  # noqa: B023
                except Refusal as refusal:
                    if refusal.code != "storage":
                        return
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, 15)
        finally:
            paced.cancel()
            del self.thinking[seat, version]

    def _thought(self, seat: int, version: int, action: int, bot: str) -> Wish:
        if not self.state.asks_bot(seat, version):
            raise Refusal("stale", "The table has gone on.")
        return self._acted(seat, action, bot=bot)

    async def _ask(self, seat: int, version: int) -> tuple[int, str]:
        """A bot's decision, and the bot: another one where the seat's own fails."""
        game, chair = self.state.game, self.state.chairs[seat]
        assert game is not None, "somebody decides in a game"
        assert chair.bot, "only a bot that is to decide is asked"
        # No player can foresee it, and it is the same again after a crash.
        key = b"%s bot %d" % (self.deal.dealer.secret, version)
        legal = tuple(game.engine.legal(game.state, seat))
        waiting = self.state.present
        priority = Priority.PEOPLE if waiting else Priority.BOTS
        for bot in dict.fromkeys((chair.bot, *LAST_RESORTS)):
            question = Question(
                edition_name=game.edition.qualified_id,
                edition_text=self.node.editions.own_text(game.edition),
                seats=game.seats,
                view=bytes(game.view(seat)),
                legal=legal,
                bot=bot,
                seed=hashlib.sha256(key).hexdigest()[:16],
            )
            try:
                people = waiting or (self.row.host,)
                return await self.node.thinkers.choose(question, priority, people), bot
            except ThinkingFailed as error:
                if error.reason in ("busy", "closed"):
                    break  # nobody else could think either: the seat's own bot is asked again
                log.error("a bot failed: %s", error, extra={"table": self.id, "bot": bot})
        raise Refusal("storage", "No bot can think now.")
