"""Hints for players, computed in the bot processes.

A person has one hint under way. It is cancelled when the person asks for another one or
disconnects.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from macaz.help import LIVE
from macaz.help.advice import Advice
from macaz.help.seeds import seed_of
from macaz.server import wire
from macaz.server.bots import AdviceQuestion, ThinkingFailed
from macaz.server.limits import ConnectionLimit, RateLimit
from macaz.server.refusal import Refusal
from macaz.server.schedule import Priority

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.state import TableState
    from macaz.server.table import Table

log = logging.getLogger("macaz.hints")

KEPT = 64  # hints kept for repeated requests
PER_MINUTE = 60  # for one person: more often than a game needs
EFFORT = LIVE.effort or 0


class _Key(NamedTuple):
    """What a hint is about."""

    table: str
    seat: int
    version: int


class _Hint:
    """A hint that is being worked out, and how many requests of its person wait for it."""

    def __init__(self, key: _Key, task: asyncio.Task[wire.Hint]) -> None:
        self.key, self.task = key, task
        self.waiting = 0


class Hints:
    """The hints that are asked for on this node, and those that were found."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._found: OrderedDict[_Key, wire.Hint] = OrderedDict()
        self._open: dict[str, _Hint] = {}  # by person
        self._rate = RateLimit(PER_MINUTE, 60)
        self._limit = ConnectionLimit(
            node.settings.hints_per_address,
            words="Too many hints are asked for from here. Wait for one, then try again.",
        )

    async def hint(self, person: str, address: str, table: Table, seat: int) -> wire.Hint:
        """The best moves of a seat, computed from its view."""
        state = table.state
        key = _Key(table.id, seat, state.version)
        if (found := self._found.get(key)) is not None:
            return found
        hint = self._open.get(person)
        if hint is None or hint.key != key:
            self._rate.ask(person)
            if hint is not None:
                hint.task.cancel()
            task = self._node.spawn(self._work_out(key, state, person, address))
            hint = self._open[person] = _Hint(key, task)
        return await self._wait(person, hint)

    async def _wait(self, person: str, hint: _Hint) -> wire.Hint:
        hint.waiting += 1
        try:
            return await asyncio.shield(hint.task)
        except asyncio.CancelledError:
            if self._open.get(person) is not hint and hint.task.done():
                raise Refusal("stale", "You have asked for another hint since.") from None
            raise
        finally:
            hint.waiting -= 1
            if not hint.waiting:
                hint.task.cancel()
                if self._open.get(person) is hint:
                    del self._open[person]

    async def _work_out(self, key: _Key, state: TableState, person: str, address: str) -> wire.Hint:
        game, seat = state.game, key.seat
        assert game is not None, "there are hints in a game only"
        acts = seat in state.deciding and not state.chairs[seat].bot
        question = AdviceQuestion(
            edition_name=game.edition.qualified_id,
            edition_text=self._node.editions.own_text(game.edition),
            seats=game.seats,
            view=bytes(game.view(seat)),
            legal=tuple(game.engine.legal(game.state, seat)) if acts else (),
            effort=EFFORT,
            seed=seed_of("advice", *key),
        )
        with self._limit.one(address):
            body = await self._find(question, person)
        found = wire.Hint(key.version, msgspec.json.decode(body, type=Advice))
        self._found[key] = found
        if len(self._found) > KEPT:
            self._found.popitem(last=False)
        return found

    async def _find(self, question: AdviceQuestion, person: str) -> bytes:
        try:
            return await self._node.thinkers.find(question, Priority.HINT, (person,))
        except ThinkingFailed as error:
            if error.reason in ("busy", "late"):  # the effort is fixed, so the machine was slow
                log.warning("no hint: %s", error)
                raise Refusal("too-many", "Too much is being thought about. Try again.") from error
            if error.reason == "closed":
                raise Refusal("closing", "This server is going down. Connect again.") from error
            log.exception("no hint: %s", error)
            raise Refusal("failed", "The adviser failed. Try again.") from error
