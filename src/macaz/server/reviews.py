"""Reviews of finished games, computed decision by decision in the bot processes.

Each judgement is stored, so that a review is continued after a failure, a restart, or on another
node. A review continues only while clients ask for it. Its seed is derived from the table's id, so
that every node computes the same review.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from macaz.game.record import load_record
from macaz.help.advice.past import Decision, Judgement, decisions, sum_up
from macaz.help.seeds import seed_of
from macaz.server import history, wire
from macaz.server.bots import JudgeQuestion, ThinkingFailed
from macaz.server.entries import Acted, TakenBack, decode_entry
from macaz.server.limits import RateLimit
from macaz.server.refusal import Refusal
from macaz.server.schedule import Priority
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from macaz.game import Game
    from macaz.help.advice import Review
    from macaz.server.node import Node
    from macaz.server.table import Table

log = logging.getLogger("macaz.reviews")

KEPT = 64  # reviews in memory, under way or done
PER_HOUR = 30  # begun by one person
EFFORT = 32  # tries of each compared move; `macaz.help.advice.past.judge` says when it is more
PATIENCE = 30.0  # seconds without a request, after which a review is stopped
TRIES = 2  # for one decision, if the adviser fails or its process ends
BUSY_SECONDS = 1.0  # until the next try, if too many questions wait
PARTS = 20  # a review under way is sent in about so many parts
_judgement: msgspec.json.Decoder[Judgement | None] = msgspec.json.Decoder(Judgement | None)


@dataclass(slots=True)
class _Past:
    """A finished game as its reviewers need it."""

    game: Game
    decisions: list[Decision]
    seats: Sequence[int]  # whose decisions are judged
    versions: list[int]  # of the log, by decision


@dataclass(slots=True)
class _Work:
    """A review, under way or complete.

    Decisions are judged in the order of play: `found` and `skipped` together are the first `done`
    plies.
    """

    past: _Past | None = None
    found: dict[int, Judgement | None] = field(default_factory=dict)  # by ply
    skipped: set[int] = field(default_factory=set)  # plies
    people: dict[str, None] = field(default_factory=dict)  # those who ask for it, in order
    task: asyncio.Task[None] | None = None
    given_up: asyncio.TimerHandle | None = None
    complete: bool = False
    sent: wire.Reviewing | None = None  # the last message
    sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def done(self) -> int:
        """How many decisions were looked at."""
        return len(self.found) + len(self.skipped)

    @property
    def total(self) -> int:
        """How many decisions there are; 0 before they are read."""
        return len(self.past.decisions) if self.past else 0


class Reviews:
    """The reviews that were asked for on this node."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._works: OrderedDict[str, _Work] = OrderedDict()
        self._rate = RateLimit(PER_HOUR, 3600)

    async def review(self, person: str, table: Table) -> wire.Reviewing:
        """The review of a finished game so far; each request lets it continue for a while."""
        work = self._works.get(table.id)
        if work is None:
            spare = self._spare(person)
            self._rate.ask(person)
            if spare is not None:
                self._forget(spare)
            work = self._works[table.id] = _Work()
        self._works.move_to_end(table.id)
        if not work.complete:
            self._let_go_on(person, table, work)
        return await self._tell(work)

    def _spare(self, person: str) -> str | None:
        """The review to remove before one more of a person is added; None if there is room.

        If all are under way, it is one of a person who has more of them than this person would
        then have.
        """
        if len(self._works) < KEPT:
            return None
        for name, work in self._works.items():
            if work.task is None or work.task.done():
                return name
        under_way = Counter(one for work in self._works.values() for one in work.people)
        crowds = {
            name: min(under_way[one] for one in work.people) for name, work in self._works.items()
        }
        name = max(crowds, key=lambda name: crowds[name])
        if crowds[name] <= under_way[person] + 1:
            raise Refusal("too-many", "Too many games are being reviewed. Try again later.")
        return name

    def _forget(self, name: str) -> None:
        """Remove a review from memory; its judgements are stored."""
        task = self._works.pop(name).task
        if task is not None:
            task.cancel()

    def _let_go_on(self, person: str, table: Table, work: _Work) -> None:
        if work.task is not None and work.task.done() and not work.task.cancelled():
            failed, work.task = work.task, None
            failed.result()  # raises; the next request starts it again
        if work.task is None or work.task.done():
            work.people.clear()
            work.task = self._node.spawn(self._go_on(table, work))
        work.people[person] = None
        if work.given_up is not None:
            work.given_up.cancel()
        work.given_up = asyncio.get_running_loop().call_later(PATIENCE, work.task.cancel)

    async def _go_on(self, table: Table, work: _Work) -> None:
        """Judge the decisions that are left, then those that were skipped."""
        if work.past is None:
            past, found = await self._read(table), await self._kept(table.id)
            looked_at = range(max(found, default=-1) + 1)
            forced = {ply for ply in looked_at if len(past.decisions[ply].legal) == 1}
            work.found = found | dict.fromkeys(forced)
            work.skipped = set(looked_at) - work.found.keys()
            work.past = past
        skipped = sorted(work.skipped)
        for ply in (*range(work.done, work.total), *skipped):
            await self._look_at(table, work, ply)
        work.complete = True

    async def _look_at(self, table: Table, work: _Work, ply: int) -> None:
        """Judge a decision, or skip it."""
        assert work.past is not None, "its decisions were read"
        decision = work.past.decisions[ply]
        if len(decision.legal) == 1:
            work.found[ply] = None
        elif (body := await self._judge(table, work, ply, decision)) is not None:
            work.skipped.discard(ply)
            work.found[ply] = _judgement.decode(body)
            await self._keep(table.id, ply, body)
        else:
            work.skipped.add(ply)

    async def _read(self, table: Table) -> _Past:
        text = await history.record(table)
        game, met = await asyncio.to_thread(_replay, table, text)
        people = [i for i, chair in enumerate(table.state.chairs) if chair.person]
        rows = await history.read(table, table.state.version)
        acted: list[int] = []
        for row in rows:
            match decode_entry(row.body):
                case Acted():
                    acted.append(row.version)
                case TakenBack(decisions=decisions):
                    del acted[-decisions:]
        return _Past(game, met, people or range(game.seats), acted)

    async def _judge(self, table: Table, work: _Work, ply: int, decision: Decision) -> bytes | None:
        """What is found about a decision; None if it cannot be found in time."""
        assert work.past is not None, "its decisions were read"
        game = work.past.game
        question = JudgeQuestion(
            edition_name=game.edition.qualified_id,
            edition_text=self._node.editions.own_text(game.edition),
            seats=game.seats,
            view=bytes(decision.view),
            legal=decision.legal,
            seat=decision.seat,
            played=decision.played,
            weigh=decision.seat in work.past.seats,
            effort=EFFORT,
            seed=seed_of("review", table.id, ply),
        )
        tries = 0
        while tries < TRIES:
            try:
                people = tuple(work.people)
                return await self._node.thinkers.find(question, Priority.REVIEW, people)
            except ThinkingFailed as error:
                if error.reason == "closed":
                    raise Refusal("closing", "This server is going down. Connect again.") from error
                if error.reason == "busy":
                    await asyncio.sleep(BUSY_SECONDS)
                    continue
                log.warning("a decision was not judged: %s", error, extra={"table": table.id})
                tries = TRIES if error.reason == "late" else tries + 1
        return None

    async def _kept(self, name: str) -> dict[int, Judgement | None]:
        """What was found before, by this adviser, here or on another node."""
        try:
            rows = await self._node.store.judgements.of_game(name, _adviser())
        except Unavailable as error:
            raise Refusal("storage", "The review cannot be read now. Try again.") from error
        return {ply: _judgement.decode(body) for ply, body in rows}

    async def _keep(self, name: str, ply: int, body: bytes) -> None:
        try:
            await self._node.store.judgements.keep(name, ply, _adviser(), body)
        except Unavailable as error:  # it is known here, and can be found again
            log.warning("a judgement was not stored: %s", error, extra={"table": name})

    async def _tell(self, work: _Work) -> wire.Reviewing:
        """The review so far; while it goes on it is recomputed only after each of `PARTS` parts."""
        async with work.sending:
            sent, past, complete = work.sent, work.past, work.complete
            done, skipped = work.done, tuple(sorted(work.skipped))
            if past is None:
                return wire.Reviewing(0, 0, (), complete=False, versions=(), review=None)
            if sent is not None and sent.complete:
                return sent
            review, versions = None if sent is None else sent.review, tuple(past.versions)
            step = max(1, work.total // PARTS)
            if complete or sent is None or done - sent.done >= step:
                review = await asyncio.to_thread(_review, past, dict(work.found), done)
                work.sent = wire.Reviewing(done, work.total, skipped, complete, versions, review)
            return wire.Reviewing(done, work.total, skipped, complete, versions, review)


def _adviser() -> str:
    """The method and its effort: judgements of another adviser are not comparable."""
    return f"tries {EFFORT}"


def _review(past: _Past, found: dict[int, Any], done: int) -> Review:
    judgements = [found.get(ply) for ply in range(len(past.decisions))]
    review = sum_up(past.game, past.decisions, judgements, past.seats)
    return review if done == len(judgements) else replace(review, curve=review.curve[:done])


def _replay(table: Table, text: str) -> tuple[Game, list[Decision]]:
    game = load_record(text, edition=table.deal.edition)
    return game, decisions(game)
