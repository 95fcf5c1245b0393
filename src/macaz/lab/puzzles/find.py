"""Finds the puzzles of one game: short comparisons of many positions, then long ones of a few."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from macaz.bots import make_bot
from macaz.bots.network import network_name
from macaz.game.moves import notation_of
from macaz.game.position import export_view
from macaz.game.view import View
from macaz.help.advice.reasons import reasons_of
from macaz.help.comparison import Comparison
from macaz.help.compiled.layout import CHUNK, MOVES
from macaz.help.puzzles import Check, Compared, Puzzle
from macaz.help.puzzles.check import id_of
from macaz.help.puzzles.choices import Choice, choice_of, kind_of
from macaz.help.reasons import Reason
from macaz.lab.dataset.sources import Match
from macaz.lab.puzzles.settings import Effort
from macaz.lab.puzzles.solvers import STRONG, grade_of, solvers_for, solvers_of
from macaz.lab.puzzles.store import Candidate, Searched

if TYPE_CHECKING:
    import numpy as np

    from macaz.game import Game
    from macaz.game.moves import Move
    from macaz.lab.arena.work import Map

PLAYERS = ("planner", "planner", "conductor", "racer", "search:32")
TRAINED = "learned"  # plays too, where there is a network
BOTH = ("turn", "second")  # the phases that most decisions are made in
FEW_CHOICES = ("tunnel", "mark")  # phases in which two choices are a question
PAYMENTS = 16  # ways to pay for the right move, at most
DECIMALS = 4  # of the figures


class Step(NamedTuple):
    """A comparison: a share of the tries, and of the gap and its standard errors that it must show.

    Those of one stage go on with the tries of those before it; another stage has another seed.
    """

    stage: int
    tries: float
    gap: float
    sure: float


# The moves that are worth a thought; all that are legal; the best and its rivals; all once more.
SCREENED, WHOLE, CONFIRMED, SHOWN = range(4)
SCREEN = (Step(SCREENED, 1 / 64, 0.5, 0.25), Step(SCREENED, 1 / 16, 0.75, 0.5))
CONFIRM = (
    Step(WHOLE, 1 / 16, 0.75, 0.5),
    Step(CONFIRMED, 1 / 4, 1.0, 0.75),
    Step(CONFIRMED, 1 / 2, 1.0, 1.0),
    Step(SHOWN, 1.0, 1.0, 1.0),
)
THOUGHT = 10  # moves that are screened
RIVALS = 3  # other choices that are compared to the end: they are never dropped


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play and to search."""

    boards: tuple[Map, ...]
    number: int
    seed: int
    effort: Effort


def search_game(job: Job) -> Searched:
    """Play a game, and find the puzzles in it; the same job gives the same."""
    rng = random.Random(f"{job.seed} {job.number}")
    edition = rng.choice(job.boards).load()
    seats = rng.randint(edition.rules.min_seats, edition.rules.max_seats)
    players = PLAYERS + (TRAINED,) * (network_name(edition) is not None)
    lineup = tuple(rng.choice(players) for _ in range(seats))
    game = Match(job.number, edition, lineup, f"{job.seed} {job.number}").game()
    promising = [
        question
        for question in _sampled(game, rng, job)
        if all(question.shows(step) for step in SCREEN)
    ]
    found: list[Candidate] = []
    for question in _in_turn(promising):
        if len(found) < job.effort.most and (candidate := question.candidate()):
            found.append(candidate)
    found.sort(key=lambda one: one.ply)
    return Searched(job.number, tuple(found))


class Question:
    """A decision of a game, and what comparisons say about it."""

    def __init__(self, job: Job, ply: int, view: View, moves: Sequence[Move]) -> None:
        self.ply, self.view, self.moves = ply, view, moves
        self._effort, self._seed = job.effort, f"{job.seed} {job.number} {ply}"
        self._notation, self._board = notation_of(view.spec), view.edition.board
        self._comparison: Comparison | None = None
        self._stage, self._chunks = -1, 0
        self._checks: dict[int, Check] = {}  # by stage

    @property
    def planned(self) -> bool:
        """Whether the planner makes the move that is the best so far."""
        move = make_bot("planner", seed=self._seed).choose(self.view, self.moves)
        return choice_of(move, self._board) == self.choice

    @property
    def choice(self) -> Choice:
        """The best so far."""
        assert self._comparison is not None
        return self._choice_of(self._comparison.ranked[0])

    def shows(self, step: Step) -> bool:
        """Whether the best move is still clearly the best, and the same as before."""
        before = None if self._comparison is None else self.choice
        if step.stage != self._stage:
            self._comparison, self._stage, self._chunks = self._compare(step.stage), step.stage, 0
        comparison = self._comparison
        assert comparison is not None
        wanted = max(1, round(step.tries * self._effort.tries / CHUNK))
        comparison.run(wanted - self._chunks)
        self._chunks = wanted
        second = self._second(comparison)
        if second is None or before not in (None, self.choice):
            return False
        gap, sure = step.gap * self._effort.gap, step.sure * self._effort.sure
        clear = second["dropped"] or second["loss"] >= sure * second["doubt"]
        self._checks[step.stage] = Check(
            seed=comparison.seed,
            tries=int(comparison.ranked[0]["tries"]),
            loss=round(float(second["loss"]), DECIMALS),
            doubt=round(float(second["doubt"]), DECIMALS),
        )
        return bool(second["loss"] >= gap and clear)

    def candidate(self) -> Candidate | None:
        """The puzzle, if long comparisons confirm it and a strong bot finds it."""
        ways = [move for move in self.moves if choice_of(move, self._board) == self.choice]
        if len(ways) > PAYMENTS or not all(self.shows(step) for step in CONFIRM):
            return None
        assert self._comparison is not None
        ranked = self._comparison.ranked
        second = self._second(self._comparison)
        assert second is not None
        right = [
            self._move(line)
            for line in ranked
            if self._choice_of(line) == self.choice and line["loss"] < second["loss"] / 2
        ]
        found = solvers_of(self.view, self.moves, right, self._seed)
        if STRONG.isdisjoint(found):
            return None
        position = export_view(self.view)
        puzzle = Puzzle(
            id=id_of(position),
            kind=kind_of(right[0]),
            grade=grade_of(found, solvers_for(self.view.edition)),
            found=found,
            answers=tuple(map(self._notation.text, right)),
            moves=tuple(map(self._compared, ranked)),
            checks=tuple(self._checks.values()),
            reasons=tuple(map(_rounded, self._reasons(int(second["action"])))),
            position=position,
        )
        return Candidate(self.ply, self.view.seats, stage_of(self.view), self.choice, puzzle)

    def _reasons(self, against: int) -> tuple[Reason, ...]:
        assert self._comparison is not None
        actions = self._comparison.lines["action"].tolist()
        best = int(self._comparison.leader["action"])
        return reasons_of(self._comparison, actions.index(best), actions.index(against))

    def _compare(self, stage: int) -> Comparison:
        seed = random.Random(f"{self._seed} {stage}").getrandbits(31)
        if self._comparison is None:
            return Comparison(self.view, self.moves, seed=seed, most=THOUGHT)
        best: dict[Choice, int] = {}
        for line in self._comparison.ranked:
            best.setdefault(self._choice_of(line), int(line["action"]))
        rivals = list(best.values())[: 1 + RIVALS]
        if stage == CONFIRMED:
            return Comparison(self.view, self.moves, seed=seed, only=rivals)
        # The right move paid in all ways, and every other move in one way.
        ways: dict[Choice, list[int]] = {}
        for move in self.moves:
            action = self._notation.action(move, self.view.offer)
            ways.setdefault(choice_of(move, self._board), []).append(action)
        also = ways.pop(self.choice)
        also += [best.get(choice, actions[0]) for choice, actions in ways.items()]
        kept = rivals if stage == SHOWN else ()
        return Comparison(
            self.view, self.moves, seed=seed, extra=kept, also=also[: MOVES - THOUGHT], most=THOUGHT
        )

    def _second(self, comparison: Comparison) -> np.void | None:
        """The best line of another choice."""
        lines = comparison.ranked
        return next((one for one in lines if self._choice_of(one) != self.choice), None)

    def _move(self, line: np.void) -> Move:
        return self._notation.move(int(line["action"]), self.view.offer)

    def _choice_of(self, line: np.void) -> Choice:
        return choice_of(self._move(line), self._board)

    def _compared(self, line: np.void) -> Compared:
        names = ("chance", "error", "loss", "doubt", "margin")
        figures = {name: round(float(line[name]), DECIMALS) for name in names}
        return Compared(self._notation.text(self._move(line)), tries=int(line["tries"]), **figures)


def _rounded(reason: Reason) -> Reason:
    share, instead = (
        None if one is None else round(one, DECIMALS) for one in (reason.share, reason.instead)
    )
    return replace(reason, share=share, instead=instead)


def stage_of(view: View) -> str:
    """The opening, the middle or the end of a game: by the fewest trains that a seat has left."""
    left = min(view.trains) / view.edition.rules.trains
    if view.last_turns or left < 1 / 3:
        return "end"
    return "opening" if left > 2 / 3 else "middle"


def _sampled(game: Game, rng: random.Random, job: Job) -> Iterator[Question]:
    """Some decisions of a game with several choices: half of them of the rarer phases."""
    plies = list(_with_choices(game))
    rng.shuffle(plies)
    rare = [ply for ply in plies if _phase(game, ply) not in BOTH]
    usual = [ply for ply in plies if _phase(game, ply) in BOTH]
    most = job.effort.positions
    chosen = rare[: most // 2]
    chosen += usual[: most - len(chosen)]
    for ply in sorted(chosen):
        view, moves = _decision(game, ply)
        yield Question(job, ply, view, moves)


def _with_choices(game: Game) -> Iterator[int]:
    board = game.edition.board
    for ply, step in enumerate(game.history):
        if step.seat is None:
            continue
        choices = {choice_of(move, board) for move in _decision(game, ply)[1]}
        if len(choices) > 2 or (len(choices) == 2 and _phase(game, ply) in FEW_CHOICES):
            yield ply


def _decision(game: Game, ply: int) -> tuple[View, list[Move]]:
    step = game.history[ply]
    view = View.of(game.spec, step.state, step.seat)
    return view, list(view.legal_moves)


def _phase(game: Game, ply: int) -> str:
    return View.of(game.spec, game.history[ply].state, game.history[ply].seat).phase


def _in_turn(questions: Sequence[Question]) -> Iterator[Question]:
    """The questions, those that the planner answers wrongly alternating with the others."""
    harder = [one for one in questions if not one.planned]
    easier = [one for one in questions if one not in harder]
    while harder or easier:
        for group in (harder, easier):
            if group:
                yield group.pop(0)
