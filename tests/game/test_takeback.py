"""Taking decisions back and resigning: what is allowed, and what a record tells of it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.amount import GAMES, USUAL

from macaz import Game
from macaz.game.fair import Dealer
from macaz.game.moves import IllegalMove
from macaz.game.record import (
    RecordError,
    announcement,
    dump_record,
    game_lines,
    load_record,
    verify_record,
)
from macaz.game.steps import Resignation, TakenBack
from macaz.game.worlds import sample_world
from macaz.kernel.views import redact

MANY = max(1, GAMES // USUAL)
TABLES = [("tiny", 2), ("usa-classic", 3), ("europe", 3), ("old-west+alvin", 3)]


def played(edition: str, seats: int, seed: int, *, taking_back: float = 0.3) -> Game:
    """A random game in which decisions are taken back, and one seat of three resigns."""
    game, dice = Game(edition, seats, dealer=Dealer(bytes([seed]) * 32)), random.Random(seed)
    while not game.over:
        game.push(dice.choice(game.legal_moves.actions))
        if game.retractable and dice.random() < taking_back:
            game.take_back(dice.randint(1, game.retractable))
        if seats > 2 and not game.resigned and dice.random() < 0.02:
            game.resign(dice.randrange(seats))
    return game


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_may_be_taken_back_showed_nothing_and_leaves_no_trace(
    edition: str, seats: int
) -> None:
    """The state before comes back to the byte, and no seat saw more than the decision itself.

    In every world that a seat holds for possible, the same decision shows it the same.
    """
    rng, dice = np.random.default_rng(3), random.Random(3)
    checked, seen = 0, set()
    for seed in range(MANY):
        game = Game(edition, seats, seed=seed)
        while not game.over:
            before, actor = game.copy(), game.turn
            game.push(dice.choice(game.legal_moves.actions), None)
            step = game.peek()
            if not game.retractable:
                made = game.history[len(before.history) :]
                assert any(step.reveals for step in made) or game.outcome
                continue
            kind = type(before.move(step)).__name__
            if kind not in seen or dice.random() < 0.5:
                seen.add(kind)
                for seat in (None, *range(seats)):
                    checked += shown_alike(before, game, step.number, seat, rng)
            again = game.copy()
            assert again.take_back() == (step,)
            assert again.state.tobytes() == before.state.tobytes()
            assert (again.history, again.chance_count) == (before.history, before.chance_count)
            assert (again.turn, again.deciding) == (actor, before.deciding)
            assert again.copy().push(step.number) == step.number
    assert checked > 5


def shown_alike(
    before: Game, after: Game, action: int, seat: int | None, rng: np.random.Generator
) -> int:
    """Make a decision in a world that a seat may think true; 0 if it is illegal there."""
    eyes = -1 if seat is None else seat
    world = sample_world(before.view(seat), rng)
    owner = after.peek().seat
    assert owner is not None
    if before.engine.offer(world, owner) != before.engine.offer(before.state, owner):
        return 0  # the number of a choice among tickets would mean other tickets
    if not before.engine.is_legal(world, action):
        return 0
    before.engine.act(world, action)
    assert redact(world, eyes).tobytes() == redact(after.state, eyes).tobytes()
    return 1


def test_what_showed_something_stays() -> None:
    game = Game("usa-classic", 2, seed=1)
    assert game.retractable == 0  # only cards were dealt so far
    with pytest.raises(IllegalMove, match="1 decision cannot be taken back"):
        game.take_back()
    for _ in range(2):
        game.push(game.legal_moves.actions[0])
    assert game.retractable == 2  # both chose tickets
    game.push("blind")
    assert game.retractable == 0
    finished = (played("tiny", 2, seed, taking_back=0) for seed in range(1, 50))
    over = next(game for game in finished if not game.history[-1].reveals)
    assert over.retractable == 0  # all tickets are open
    with pytest.raises(IllegalMove):
        over.take_back()


def test_undoing_for_a_search_is_not_told() -> None:
    game = Game("usa-classic", 2, seed=1)
    untouched = game.copy()
    game.push(game.legal_moves.actions[0])
    game.take_back()
    assert game != untouched
    [note] = game.notes
    assert isinstance(note, TakenBack)
    game.push(game.legal_moves.actions[0])
    game.take_back()
    assert len(game.notes) == 2
    game.push(game.legal_moves.actions[0])
    game.resign(0)
    assert (game.over, game.outcome.resigned if game.outcome else ()) == (True, (0,))
    game.pop()
    assert (game.over, game.resigned, len(game.notes)) == (False, (), 2)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_record_tells_what_was_taken_back_and_who_resigned(edition: str, seats: int) -> None:
    for seed in range(1, 1 + 2 * MANY):
        game = played(edition, seats, seed)
        text = dump_record(game)
        read = load_record(text)
        assert read == game
        assert dump_record(read) == text
        assert dump_record(load_record(text, sealed=False)) == text
        assert any(isinstance(note, TakenBack) for note in game.notes)
        # The game in the end, and its proof, are those of a game in which nothing was taken back.
        assert sum(line.stop - line.start for line in game_lines(read)) == len(game.history)
        proof = verify_record(text, announced=announcement(game))
        assert (proof.verdict, proof.checked) == ("fair", game.chance_count)


def test_a_record_of_decisions_that_were_taken_back_again() -> None:
    """Taking back what follows a takeback: the first one is written inside the second."""
    game = Game("tiny", 2, seed=2, names=("Ana", "Bo"))
    first, second = (game.legal_moves_of(seat).actions for seat in (0, 1))
    game.push(first[0])
    game.push(second[0])
    game.take_back()
    game.push(second[-1])
    game.take_back(2)
    game.push(first[-1])
    [note] = game.notes
    assert isinstance(note, TakenBack)
    assert [type(inner) for inner in note.notes] == [TakenBack]
    text = dump_record(game)
    assert [line.count("undo") for line in text.splitlines() if "choose" in line] == [0, 2, 0]
    assert load_record(text) == game


def test_resigning() -> None:
    game = played("usa-classic", 3, 5, taking_back=0)
    while game.history and (game.over or game.resigned):
        game.pop()
    best = game.standing().winners[0]
    going_on = game.copy()
    going_on.resign(best)
    assert not going_on.over
    assert going_on.deciding == game.deciding  # others decide for the seat
    while not going_on.over:
        going_on.push(going_on.legal_moves.actions[0])
    outcome = going_on.outcome
    assert outcome is not None
    assert (outcome.resigned, outcome.stopped) == ((best,), False)
    others = [i for i in range(3) if i != best]
    assert max(others, key=lambda i: outcome.totals[i]) in outcome.winners
    assert best not in outcome.winners

    game.resign(best, ends=True)
    ended = game.outcome
    assert (game.over, game.turn, game.deciding, list(game.legal_moves)) == (True, None, (), [])
    assert ended is not None
    assert (ended.resigned, ended.stopped) == ((best,), True)
    assert best not in ended.winners
    assert "resigned; winner" in dump_record(game)
    assert "resign" in str(game.outcome)
    assert game.view(None).over  # nothing is hidden any more
    for action in (lambda: game.push("blind"), lambda: game.resign(others[0])):
        with pytest.raises(IllegalMove, match="over"):
            action()


def test_the_last_seat_that_has_not_resigned_wins() -> None:
    game = Game("usa-classic", 3, seed=1)
    game.resign(2)
    with pytest.raises(IllegalMove, match="has resigned already"):
        game.resign(2)
    game.resign(0)
    assert game.notes == (
        Resignation(len(game.history), 2),
        Resignation(len(game.history), 0, True),
    )
    assert game.outcome is not None
    assert game.outcome.winners == (1,)
    assert load_record(dump_record(game)) == game
    with pytest.raises(IllegalMove, match="not begun"):
        Game("usa-classic", 2, dealer=None).resign(0)


def test_a_record_of_a_resignation_under_any_name() -> None:
    names = ("x; y", 'a "b"; undo\\', "Bo")
    game = Game("usa-classic", 3, seed=1, names=names)
    game.resign(0)
    game.resign(1)
    assert load_record(dump_record(game)) == game


def test_decisions_before_a_resignation_stay() -> None:
    game = Game("usa-classic", 3, seed=1)
    game.push(game.legal_moves.actions[0])
    game.resign(1)
    assert game.retractable == 0
    game.push(game.legal_moves.actions[0])
    assert game.retractable == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: text.replace("; undo", "; undo 3", 1), "cannot be taken back"),
        (lambda text: text.replace("; undo", "", 1), "line"),
        (lambda text: text.replace("; undo", "; undo 1", 1), "undo 1"),
    ],
)
def test_a_record_with_a_wrong_takeback_is_refused(change: object, problem: str) -> None:
    game = Game("tiny", 2, seed=2)
    game.push(game.legal_moves.actions[0])
    game.take_back()
    game.push(game.legal_moves.actions[0])
    assert callable(change)
    with pytest.raises(RecordError, match=problem):
        load_record(change(dump_record(game)))
