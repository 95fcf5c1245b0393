"""The order in which questions are computed: by counting, without a clock."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from macaz.bots import BOTS
from macaz.server.bot_worker import AdviceQuestion, JudgeQuestion, Question
from macaz.server.bots import length_of
from macaz.server.schedule import AGING_TURN, Asked, Length, Priority, Schedule

PEOPLE, BOTS_ONLY, HINT, REVIEW = Priority
QUICK, SHORT, LONG = Length


def drain(schedule: Schedule[str], most: int = 10_000) -> list[str]:
    """The questions in the order in which they are answered, as many at a time as allowed."""
    running: list[Asked[str]] = []
    order: list[str] = []
    while len(order) < most:
        while (asked := schedule.start()) is not None:
            running.append(asked)
            order.append(asked.question)
        if not running:
            return order
        schedule.end(running.pop(0))
    return order


def test_people_come_before_bots_before_hints_before_reviews():
    schedule: Schedule[str] = Schedule(1)
    for priority in (REVIEW, HINT, BOTS_ONLY, PEOPLE):
        schedule.add(priority.name, priority, LONG, ("ana",))
    assert schedule.waiting() == dict.fromkeys(Priority, 1)
    assert drain(schedule) == ["PEOPLE", "BOTS", "HINT", "REVIEW"]
    assert len(schedule) == schedule.running == 0


def test_everybody_gets_a_turn_before_anybody_gets_a_second():
    schedule: Schedule[str] = Schedule(1)
    for number in range(5):
        schedule.add(f"ana {number}", BOTS_ONLY, LONG, ("ana",))
    schedule.add("ion 0", BOTS_ONLY, LONG, ("ion",))
    for number in range(2):
        schedule.add(f"zoe {number}", BOTS_ONLY, LONG, ("zoe",))
    found = drain(schedule)
    assert found == ["ana 0", "ion 0", "zoe 0", "ana 1", "zoe 1", "ana 2", "ana 3", "ana 4"]


def test_where_too_many_wait_who_has_most_gives_one_up():
    schedule: Schedule[str] = Schedule(1)
    for number in range(10):
        schedule.add(f"ana {number}", PEOPLE, LONG, ("ana",))
    schedule.add("ana's hint", HINT, LONG, ("ana",))
    schedule.add("ana, quick", PEOPLE, QUICK, ("ana",))
    assert schedule.too_many(LONG, 11) is None
    for name in ("ion", "zoe"):
        schedule.add(f"{name}'s review", REVIEW, LONG, (name,))
    gone = []
    while (asked := schedule.too_many(LONG, 4)) is not None:
        assert schedule.drop(asked)
        gone.append(asked.question)
    assert gone == ["ana's hint", *(f"ana {number}" for number in range(9, 1, -1))]
    assert schedule.too_many(QUICK, 1) is None


def test_who_asks_one_at_a_time_is_not_left_behind_by_who_asks_for_many():
    schedule: Schedule[str] = Schedule(1)
    for number in range(100):
        schedule.add(f"ana {number}", PEOPLE, SHORT, ("ana",))
    running: list[Asked[str]] = []
    while (asked := schedule.start()) is not None:  # two of them, as there are no long ones
        running.append(asked)
    for number in range(20):
        schedule.add(f"ion {number}", PEOPLE, SHORT, ("ion",))
        schedule.end(running.pop(0))
        asked = schedule.start()
        assert asked is not None
        assert asked.question == f"ion {number}", "it comes next"
        running.append(asked)
        schedule.end(running.pop(0))
        asked = schedule.start()
        assert asked is not None
        assert asked.question.startswith("ana")
        running.append(asked)


def test_of_several_people_at_a_table_the_one_served_last_counts():
    schedule: Schedule[str] = Schedule(1)
    schedule.add("ana", PEOPLE, LONG, ("ana",))
    assert drain(schedule) == ["ana"]
    schedule.add("ana and a new name", PEOPLE, LONG, ("ana", "new"))
    schedule.add("ion", PEOPLE, LONG, ("ion",))
    schedule.add("no person", PEOPLE, LONG, ())
    assert drain(schedule) == ["ion", "no person", "ana and a new name"]


@pytest.mark.parametrize("count", [1, 3])
def test_what_is_long_leaves_room_for_what_is_short_and_both_for_what_is_quick(count):
    schedule: Schedule[str] = Schedule(count)
    for length in (LONG, SHORT, QUICK):
        for _ in range(20):
            schedule.add(length.name, PEOPLE, length, ("ana",))
    started = []
    while (asked := schedule.start()) is not None:
        started.append(asked)
    assert Counter(asked.question for asked in started) == {
        "LONG": count,
        "SHORT": 1,
        "QUICK": 1,
    }
    for asked in [a for a in started if a.length is LONG]:
        schedule.end(asked)
    more = []
    while (asked := schedule.start()) is not None:
        more.append(asked.length)
    assert more == [LONG] * count


@pytest.mark.parametrize("before", [0, 20])
def test_no_hint_waits_for_ever(before):
    schedule: Schedule[str] = Schedule(1)
    for _ in range(before):
        schedule.add("master", BOTS_ONLY, LONG, ("ana",))
    schedule.add("hint", HINT, LONG, ("ion",))
    order: list[str] = []
    for _ in range(3 * AGING_TURN):
        schedule.add("master", BOTS_ONLY, LONG, ("ana",))
        asked = schedule.start()
        assert asked is not None
        order.append(asked.question)
        schedule.end(asked)
    assert order.index("hint") == AGING_TURN - 1


def test_the_other_priorities_take_turns_in_the_share_that_is_left_to_them():
    schedule: Schedule[str] = Schedule(1)
    for _ in range(3 * AGING_TURN):
        for priority in Priority:
            schedule.add(priority.name, priority, LONG, ("ana",))
    order = drain(schedule, 3 * AGING_TURN)
    assert Counter(order) == {
        "PEOPLE": 3 * (AGING_TURN - 1),
        **dict.fromkeys(("BOTS", "HINT", "REVIEW"), 1),
    }


def test_what_is_dropped_is_not_started():
    schedule: Schedule[str] = Schedule(1)
    first, second = (schedule.add(name, HINT, LONG, ("ana",)) for name in ("first", "second"))
    assert schedule.drop(first)
    assert not schedule.drop(first)
    assert schedule.start() == second
    assert not schedule.drop(second)


def test_every_question_is_answered_once_whatever_comes():
    chance = random.Random(7)
    schedule: Schedule[str] = Schedule(2)
    running: list[Asked[str]] = []
    asked_for: set[str] = set()
    answered: Counter[str] = Counter()
    waiting: dict[str, Asked[str]] = {}
    for number in range(5000):
        name = str(number)
        people = tuple(chance.sample("abcdef", chance.randrange(3)))
        priority, length = chance.choice(list(Priority)), chance.choice(list(Length))
        waiting[name] = schedule.add(name, priority, length, people)
        asked_for.add(name)
        if chance.random() < 0.2:
            gone = chance.choice(list(waiting))
            assert schedule.drop(waiting.pop(gone))
            asked_for.discard(gone)
        while (asked := schedule.start()) is not None:
            running.append(asked)
            answered[asked.question] += 1
            waiting.pop(asked.question, None)
            assert sum(a.length is LONG for a in running) <= 2
            assert sum(a.length >= SHORT for a in running) <= 3
            assert len(running) <= 4
        while running and chance.random() < 0.7:
            schedule.end(running.pop(chance.randrange(len(running))))
        assert schedule.running == len(running)
    for asked in running:
        schedule.end(asked)
    for name in drain(schedule):
        answered[name] += 1
    assert answered == dict.fromkeys(asked_for, 1)


def test_how_long_a_question_takes():
    def ask(bot: str, text: str | None = None) -> Length:
        return length_of(Question("usa", text, 2, b"", (), bot, "x"))

    found = {length: {name for name in BOTS if ask(name) is length} for length in Length}
    assert found[LONG] == {"master"}
    assert found[SHORT] == {"search", "expert"}
    assert {"greedy", "learned", "planner", "random"} <= found[QUICK]
    assert ask("learned", "a map of one's own") is SHORT
    assert ask("greedy", "a map of one's own") is QUICK
    assert ask("a host's own") is LONG
    assert length_of(AdviceQuestion("usa", None, 2, b"", (), 9, 1)) is LONG
    assert length_of(JudgeQuestion("usa", None, 2, b"", (), 0, 1, False, 9, 1)) is LONG
