"""The bots of a table: which of them think now, and what becomes of their decisions."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import TYPE_CHECKING

from macaz.server.bots import Question, ThinkingFailed
from macaz.server.refusal import Refusal
from macaz.server.schedule import Priority
from macaz.server.table.proposal import Proposal, decision

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.state import TableState
    from macaz.server.store.rows import GameRow
    from macaz.server.table.audience import Audience
    from macaz.server.table.log import Log

log = logging.getLogger("macaz.table")

LAST_RESORTS = ("greedy", "random")


class Bots:
    """The questions that bots are thinking about, one task each."""

    def __init__(self, node: Node, row: GameRow, audience: Audience) -> None:
        self._node = node
        self._row = row
        self._audience = audience
        # By seat and version of the question.
        self.thinking: dict[tuple[int, int], asyncio.Task[None]] = {}

    def ask(self, table_log: Log) -> None:
        """Ask the bots that are to decide, unless they are asked already."""
        state = table_log.state
        for seat in state.deciding:
            since = state.since[seat]
            if state.chairs[seat].bot and since and (seat, since[0]) not in self.thinking:
                thought = self._node.spawn(self._think(table_log, seat, since[0]))
                self.thinking[seat, since[0]] = thought

    def cancel_outdated(self, state: TableState) -> None:
        """Cancel the questions that the table no longer asks."""
        for question, thought in self.thinking.items():
            if not state.asks_bot(*question):
                thought.cancel()

    async def _think(self, table_log: Log, seat: int, version: int) -> None:
        wait = 0.5  # seconds until the next attempt
        # The pace does not depend on how long the bot thinks: that would reveal its hand in part.
        pace = self._node.settings.bot_pace if self._audience.listeners else 0
        paced = asyncio.create_task(asyncio.sleep(pace))
        try:
            while table_log.state.asks_bot(seat, version) and not self._node.draining:
                try:
                    action, bot = await self._ask(table_log, seat, version)
                    await paced
                    await table_log.change(
                        lambda: _thought(table_log, seat, version, action, bot)  # noqa: B023
                    )
                except Refusal as refusal:
                    if refusal.code != "storage":
                        return
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, 15)
        finally:
            paced.cancel()
            del self.thinking[seat, version]

    async def _ask(self, table_log: Log, seat: int, version: int) -> tuple[int, str]:
        """The decision, and the bot that made it: one of `LAST_RESORTS` if the seat's own fails."""
        state = table_log.state
        game, chair = state.game, state.chairs[seat]
        assert game is not None, "there is a game where a seat decides"
        assert chair.bot, "only a bot that is to decide is asked"
        # Seeds that no player can predict, and that are the same after a crash.
        secret = table_log.deal.dealer.secret
        legal = tuple(game.engine.legal(game.state, seat))
        waiting = state.present
        priority = Priority.PEOPLE if waiting else Priority.BOTS
        for bot in dict.fromkeys((chair.bot, *LAST_RESORTS)):
            question = Question(
                edition_name=game.edition.qualified_id,
                edition_text=self._node.editions.own_text(game.edition),
                seats=game.seats,
                view=bytes(game.view(seat)),
                legal=legal,
                bot=bot,
                seed=_seed(b"%s bot %d" % (secret, version)),
                game_seed=_seed(b"%s seat %d" % (secret, seat)),
            )
            try:
                people = waiting or (self._row.host,)
                return await self._node.thinkers.choose(question, priority, people), bot
            except ThinkingFailed as error:
                if error.reason in ("busy", "closed"):
                    break  # no other bot could be asked either: `_think` asks the seat's own again
                log.error("a bot failed: %s", error, extra={"table": self._row.id, "bot": bot})
        raise Refusal("storage", "No bot can think now.")


def _seed(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:16]


def _thought(table_log: Log, seat: int, version: int, action: int, bot: str) -> Proposal:
    if not table_log.state.asks_bot(seat, version):
        raise Refusal("stale", "The table has gone on.")
    return decision(table_log.deal, table_log.state, seat, action, bot=bot)
