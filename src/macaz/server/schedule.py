"""The order in which questions to bots are answered.

A server process has one schedule. Questions of a higher priority come first; within a priority,
every person gets one answer before any person gets a second. Long questions leave some workers to
short ones, so that quick bots never wait for slow ones.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from enum import IntEnum
from itertools import count
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
AGING_TURN = 8  # every 8th long question is of the priority that was served longest ago
MOST_PEOPLE = 50_000  # whose last turn is remembered


class Priority(IntEnum):
    """What an answer is for; lower numbers come first."""

    PEOPLE = 0  # a bot's decision in a game in which people wait
    BOTS = 1  # a bot's decision in a game among bots
    HINT = 2
    REVIEW = 3


class Length(IntEnum):
    """About how long a question takes to answer."""

    QUICK = 0  # a few milliseconds
    SHORT = 1  # up to half a second
    LONG = 2


class Asked(NamedTuple, Generic[T]):
    """A question that waits for its turn."""

    number: int  # in the order of asking
    priority: Priority
    length: Length
    people: tuple[str, ...]  # for whom it is answered
    question: T


class Schedule(Generic[T]):
    """The questions that wait, and how many of each length are being answered.

    At most `workers` long questions are answered at the same time, `workers` + 1 that are long or
    short, and `workers` + 2 in all.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._waiting: dict[int, Asked[T]] = {}  # by number, so in the order of asking
        self._running: Counter[Length] = Counter()
        self._started = 0  # how many long questions
        # By priority: the value of `_started` at its last long question.
        self._served: Counter[Priority] = Counter()
        self._numbers = count(1)
        self._turns = count(1)
        # By priority and person: the number of their last turn.
        self._last: OrderedDict[tuple[Priority, str], int] = OrderedDict()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many are being answered."""
        return self._running.total()

    def waiting(self) -> Counter[Priority]:
        """How many wait, by priority."""
        return Counter(asked.priority for asked in self._waiting.values())

    def add(
        self, question: T, priority: Priority, length: Length, people: tuple[str, ...]
    ) -> Asked[T]:
        """Queue a question."""
        asked = Asked(next(self._numbers), priority, length, people, question)
        self._waiting[asked.number] = asked
        return asked

    def drop(self, asked: Asked[T]) -> bool:
        """Remove a question from the queue; False if it is not in the queue any more."""
        return self._waiting.pop(asked.number, None) is not None

    def too_many(self, length: Length, most: int) -> Asked[T] | None:
        """The question to drop if more than `most` questions of a length wait, else None.

        It is one of the person who has most of them, so that no person can fill the queue; of
        these it is the least urgent, and of those the newest.
        """
        waiting = [asked for asked in self._waiting.values() if asked.length is length]
        if len(waiting) <= most:
            return None
        crowd = Counter(person for asked in waiting for person in asked.people)

        def burden(asked: Asked[T]) -> tuple[int, int, int]:
            whose = max((crowd[person] for person in asked.people), default=0)
            return whose, asked.priority, asked.number

        return max(waiting, key=burden)

    def start(self) -> Asked[T] | None:
        """The question whose turn it is; None if none may be answered now."""
        fitting = [asked for asked in self._waiting.values() if self._has_room(asked.length)]
        if not fitting:
            return None
        chosen = min(fitting, key=self._rank)
        if chosen.length is Length.LONG and self._started % AGING_TURN == AGING_TURN - 1:
            # Without this, games among bots could delay hints for ever.
            long = [asked for asked in fitting if asked.length is Length.LONG]
            chosen = min(long, key=lambda a: (self._served[a.priority], self._rank(a)))
        del self._waiting[chosen.number]
        self._running[chosen.length] += 1
        if chosen.length is Length.LONG:
            self._started += 1
            self._served[chosen.priority] = self._started
        self._note_turn(chosen)
        return chosen

    def end(self, asked: Asked[T]) -> None:
        """Note that a question that was started has its answer, or was dropped."""
        self._running[asked.length] -= 1

    def _has_room(self, length: Length) -> bool:
        """Whether one more of this length may be answered now."""
        return all(
            sum(self._running[other] for other in Length if other >= quicker)
            < self.workers + (Length.LONG - quicker)
            for quicker in Length
            if quicker <= length
        )

    def _rank(self, asked: Asked[T]) -> tuple[int, int, int]:
        # Of several people the one who had a turn most recently counts: otherwise a person would
        # get ahead of the others by playing with a person who has had no turn yet.
        last = max((self._last.get((asked.priority, p), 0) for p in asked.people), default=0)
        return asked.priority, last, asked.number

    def _note_turn(self, asked: Asked[T]) -> None:
        turn = next(self._turns)
        for person in asked.people:
            key = (asked.priority, person)
            self._last[key] = turn
            self._last.move_to_end(key)
        while len(self._last) > MOST_PEOPLE:
            self._last.popitem(last=False)
