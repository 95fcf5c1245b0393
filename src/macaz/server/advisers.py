"""Advice to those who play, and reviews of finished games.

Both are worked out by the processes of the bots, never here, and once for all who ask. A review is
asked for decision by decision, one at a time: bots that are to decide come in between. Its seed is
that of the table, so that it is the same again after a restart and on every node.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.advice import LIVE
from macaz.advice.past import Decision, Judgement, decisions, sum_up
from macaz.advice.thinking import seed_of
from macaz.record import load_record
from macaz.server import history, wire
from macaz.server.bots import AdviceQuestion, JudgeQuestion, ThinkingFailed
from macaz.server.entries import Acted, decode_entry
from macaz.server.limits import Rate
from macaz.server.refusal import Refusal
from macaz.server.show_advice import review_message

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.server.node import Node
    from macaz.server.state import TableState
    from macaz.server.table import Table

log = logging.getLogger("macaz.advice")

KEPT = 64  # pieces of advice, and as many reviews, that are kept for who asks again
ADVICE_PER_MINUTE = 60  # for one person: as often as a game goes on, and more
REVIEWS_PER_HOUR = 30  # begun by one person
ADVICE_EFFORT = LIVE.effort or 0
REVIEW_EFFORT = 200  # for each decision; `macaz.advice.past.judge` says when it is more
_judgement: msgspec.json.Decoder[Judgement | None] = msgspec.json.Decoder(Judgement | None)


class Advisers:
    """What was asked for on this node, and what was found."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._advice: OrderedDict[tuple[str, int, int], asyncio.Task[Any]] = OrderedDict()
        self._reviews: OrderedDict[str, _ReviewAtWork] = OrderedDict()
        self._judging = asyncio.Lock()
        self._advising = Rate(ADVICE_PER_MINUTE, 60)
        self._reviewing = Rate(REVIEWS_PER_HOUR, 3600)

    async def advice(self, person: str, table: Table, seat: int) -> wire.Advice:
        """What a seat should do now, as far as its view tells."""
        state = table.state
        key = (table.id, seat, state.version)
        task = self._advice.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            self._advising.ask(person)
            task = self._advice[key] = self._node.spawn(self._advise(table.id, state, seat))
            if len(self._advice) > KEPT:
                self._advice.popitem(last=False)
        # Several may wait for it, and one that goes away must not stop it for the others.
        found: wire.Advice = await asyncio.shield(task)
        return found

    async def _advise(self, name: str, state: TableState, seat: int) -> wire.Advice:
        game = state.game
        assert game is not None, "there is advice in a game only"
        acts = seat in state.deciding and not state.chairs[seat].bot
        question = AdviceQuestion(
            edition_name=game.edition.qualified_id,
            edition_text=self._node.editions.own_text(game.edition),
            seats=game.seats,
            view=bytes(game.view(seat)),
            legal=tuple(game.engine.legal(game.state, seat)) if acts else (),
            version=state.version,
            effort=ADVICE_EFFORT,
            seed=seed_of("advice", name, seat, state.version),
        )
        return msgspec.json.decode(await self._find(question), type=wire.Advice)

    def review(self, person: str, table: Table) -> wire.Reviewing:
        """How far the review of a finished game has come; it begins when it is first asked for."""
        work = self._reviews.get(table.id)
        if work is None:
            self._make_room()
            self._reviewing.ask(person)
            work = self._reviews[table.id] = _ReviewAtWork()
        if work.task is None:
            work.task = self._node.spawn(self._review(table, work))
        if not work.task.done():
            return wire.Reviewing(len(work.found), work.total, None)
        self._reviews.move_to_end(table.id)
        task, work.task = work.task, None
        review: wire.Review = task.result()  # if it failed, who asks again lets it go on
        work.task = task
        return wire.Reviewing(work.total, work.total, review)

    def _make_room(self) -> None:
        """Forget the review that nobody has asked for the longest, if there are too many."""
        if len(self._reviews) < KEPT:
            return
        for name, work in self._reviews.items():
            if work.task is None or work.task.done():
                del self._reviews[name]
                return
        raise Refusal("too-many", "Too many games are being reviewed. Try again later.")

    async def _review(self, table: Table, work: _ReviewAtWork) -> wire.Review:
        text = await history.record(table)
        game, met = await asyncio.to_thread(_replay, table, text)
        work.total = len(met)
        people = [i for i, chair in enumerate(table.state.chairs) if chair.person]
        seats = people or range(game.seats)
        own_text = self._node.editions.own_text(game.edition)
        for ply in range(len(work.found), len(met)):
            decision = met[ply]
            question = JudgeQuestion(
                edition_name=game.edition.qualified_id,
                edition_text=own_text,
                seats=game.seats,
                view=bytes(decision.view),
                legal=decision.legal,
                seat=decision.seat,
                played=decision.played,
                weigh=decision.seat in seats,
                effort=REVIEW_EFFORT,
                seed=seed_of("review", table.id, ply),
            )
            async with self._judging:
                work.found.append(_judgement.decode(await self._find(question)))
        review = await asyncio.to_thread(sum_up, game, met, work.found, seats)
        rows = await history.read(table, table.state.version)
        acted = [row.version for row in rows if isinstance(decode_entry(row.body), Acted)]
        return await asyncio.to_thread(review_message, game, review, acted)

    async def _find(self, question: AdviceQuestion | JudgeQuestion) -> bytes:
        try:
            return await self._node.thinkers.find(question)
        except ThinkingFailed as error:
            if error.reason in ("busy", "late"):  # its work is measured: the machine was slow
                log.warning("no advice: %s", error)
                raise Refusal("too-many", "Too much is being thought about. Try again.") from error
            if error.reason == "closed":
                raise Refusal("closing", "This server is going down. Connect again.") from error
            log.exception("no advice: %s", error)
            raise Refusal("failed", "The adviser failed. Try again.") from error


class _ReviewAtWork:
    """A review that is asked for, or was."""

    def __init__(self) -> None:
        self.task: asyncio.Task[Any] | None = None
        self.total = 0
        self.found: list[Judgement | None] = []


def _replay(table: Table, text: str) -> tuple[Game, list[Decision]]:
    game = load_record(text, edition=table.deal.edition)
    return game, decisions(game)
