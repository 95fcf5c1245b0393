"""Moves of a seat, compared by tries: the analysis behind hints, reviews and puzzles.

`macaz.help.compiled` makes and ranks the tries. This module keeps the limit, uses the cores, and
adds up what they found.
"""

from __future__ import annotations

import time
from collections.abc import Sequence, Sized
from typing import TYPE_CHECKING

import numpy as np

from macaz.bots import Limit
from macaz.bots.cancellation import check_cancelled
from macaz.bots.compiled.layout import NOTHING
from macaz.bots.compiled.program import guide_of, players
from macaz.bots.parallel import parallel_map
from macaz.bots.search import search_record
from macaz.bots.styles import style_of
from macaz.game.worlds import sample_world
from macaz.help.compiled.layout import CHUNK, MOVES, NO_RESULT, TRIES_KEPT, dtypes
from macaz.help.compiled.program import analysis, working_memory
from macaz.kernel.compile import AUTO, default_target
from macaz.kernel.layout import SEATS
from macaz.workers import core_count

if TYPE_CHECKING:
    from macaz.game.view import View

STYLE = "playout"  # how all seats play in a try
MIN_TRIES_PER_MOVE = 32  # that each of the compared moves should have
MIN_MOVES = 2  # that are compared, however few the tries
MAX_MOVES = 20  # that are compared because they are worth a thought
TRIES_BETWEEN_CLOCK_CHECKS = 4  # of each move
TRIES_BETWEEN_CLOCK_CHECKS_IN_PLAIN = 1  # in plain Python, where a try can take a second
RESULTS = MOVES * TRIES_KEPT  # that are kept, of all moves; further tries are not made


class Comparison:
    """The moves of a view's seat; or the outcome without a move, where it has none to make.

    Everything random follows from the seed and the number of a try. So the same seed and the same
    number of tries give the same figures, however the tries are divided among cores.
    """

    def __init__(
        self,
        view: View,
        legal: Sized = (),
        *,
        seed: int = 0,
        extra: Sequence[int] = (),
        also: Sequence[int] = (),
        only: Sequence[int] = (),
        most: int = MAX_MOVES,
        target: str = AUTO,
    ) -> None:
        """List the moves to compare; `run` and `spend` make the tries.

        These are the moves that are worth a thought, at most `most`, the actions `also`, which are
        dropped like those when they turn out to be clearly worse, and the actions `extra`, which
        are never dropped. If there are actions `only`, they are compared instead, and never
        dropped. If `legal` is empty, no moves are listed: one line has the chances as they are
        before the decision. Of the legal moves only this matters: whether there are any.
        """
        self.view = view
        self.seed = seed
        self._target = default_target() if target == AUTO else target
        self._run = analysis(self._target)
        self._seat = -1 if view.seat is None else view.seat
        self._styles = np.repeat(style_of(STYLE, view.spec), SEATS)
        self._made = 0  # tries of a move that was never dropped
        if only:
            listed = _new_lines(0)
        elif legal:
            listed = self._worth_a_thought(most)
        else:
            listed = _line_without_move()
        self._listed = len(listed)
        self.lines = self._with(listed, also, kept=0)
        self.lines = self._with(self.lines, [*extra, *only], kept=1)
        if len(self.lines) > MOVES:
            raise ValueError(f"at most {MOVES} moves can be compared, not {len(self.lines)}")
        # By line, try and seat: the final points; `NO_RESULT` of a try that was not made.
        self.results = _no_results(len(self.lines), CHUNK)

    # -- what is compared --------------------------------------------------------------------------

    def _worth_a_thought(self, most: int) -> np.ndarray:
        """Lines for the moves that a search would look at, the likeliest first."""
        room = working_memory(self._target)
        room.views[:] = self.view.record
        room.positions.view(np.uint8)[:] = 0
        room.searches[:] = search_record()
        room.games.dice["word"] = 1
        spec = self.view.spec
        players(self._target).tell_known(spec.table, room.views, room.positions, 1)
        n = self._run.list_lines(
            spec.table,
            guide_of(spec),
            self._styles,
            room.games,
            room.searches,
            room.positions,
            room.lines[:most],
            self._seat,
        )
        lines: np.ndarray = room.lines[:n].copy()
        return lines

    def _lines_of(self, actions: Sequence[int]) -> np.ndarray:
        lines = _new_lines(len(actions))
        self._run.begin_lines(lines, np.array(actions, np.int64))
        return lines

    def _with(self, lines: np.ndarray, actions: Sequence[int], *, kept: int) -> np.ndarray:
        """The lines with those of further actions."""
        known = set(lines["action"].tolist())
        fresh = [action for action in dict.fromkeys(actions) if action not in known]
        found = np.concatenate([lines, self._lines_of(fresh)]) if fresh else lines
        if kept:
            found["kept"][np.isin(found["action"], actions)] = 1
        return found

    # -- tries -------------------------------------------------------------------------------------

    def run(self, chunks: int = 1) -> None:
        """Make chunks of tries on this core; raises `Cancelled`."""
        for _ in range(chunks):
            self._go_on(CHUNK, 1)

    def spend(self, limit: Limit) -> None:
        """Make tries up to a limit; raises `Cancelled`.

        An effort is the number of tries of all moves together, at least one of each, on this core.
        With a limit in seconds all cores of this process are used, and fewer moves are compared
        where there is no time for enough tries of all.
        """
        if limit.effort is not None:
            while (left := limit.effort - self.tries) > 0 or not self._made:
                if not self._go_on(min(CHUNK, max(left // self._going, 1)), 1):
                    break
            return
        seconds = limit.seconds or 0.0
        began = time.perf_counter()
        short = TRIES_BETWEEN_CLOCK_CHECKS
        if self._target == "plain":
            short = TRIES_BETWEEN_CLOCK_CHECKS_IN_PLAIN
        if not self._made:
            # The first tries are those of a few moves, and say how many there is time for.
            self.lines["dropped"][MIN_MOVES:] = 1 - self.lines["kept"][MIN_MOVES:]
            self._go_on(short, core_count())
            each = max(time.perf_counter() - began, 1e-9) / self.tries
            self._keep_likeliest(fitting(seconds / each))
        while self._go_on(short, core_count()) and time.perf_counter() - began < seconds:
            pass

    def _keep_likeliest(self, most: int) -> None:
        """Of the moves that are worth a thought, keep so many, and those that are never dropped."""
        stay = np.ones(len(self.lines), bool)
        stay[most : self._listed] = self.lines["kept"][most : self._listed] == 1
        self.lines, self.results = self.lines[stay], self.results[stay]
        self._rank()

    @property
    def _going(self) -> int:
        """The number of moves that are still tried."""
        return int(np.count_nonzero(self.lines["dropped"] == 0))

    def _go_on(self, each: int, workers: int) -> bool:
        """Make tries of the moves that are not dropped, and rank all; whether any were made.

        Moves that were taken up again first make the tries that they lack. Each worker makes `each`
        tries of a move.
        """
        dropped = self.lines["dropped"] == 1
        start = int(self.lines["tries"][~dropped].min())
        stop = min(start + each * workers, RESULTS // len(self.lines))
        if start < self._made:
            stop = min(stop, self._made)
            dropped |= self.lines["tries"] > start
        if start >= stop:
            return False
        starts = range(start, stop, each)
        parts = parallel_map(
            lambda first: self._try(first, min(each, stop - first), dropped), starts
        )
        self._made = max(self._made, stop)
        self._make_room()
        for first, (lines, results) in zip(starts, parts, strict=True):
            self._run.add_lines(self.view.spec.table, self.lines, lines)
            there = self.results[:, first : first + results.shape[1]]
            there[~dropped] = results[~dropped]
        self._rank()
        return True

    def _try(self, start: int, count: int, dropped: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Make tries in this thread's working memory: their facts and results."""
        check_cancelled()
        room, n = working_memory(self._target), len(self.lines)
        lines = room.lines[:n]
        results = room.results[: n * count * SEATS].reshape(n, count, SEATS)
        room.views[:] = self.view.record
        room.games.dice["word"] = 1
        self._run.begin_lines(lines, self.lines["action"].astype(np.int64))
        lines["dropped"] = dropped
        made = self._run.try_lines(
            self.view.spec.table,
            guide_of(self.view.spec),
            self._styles,
            room.games,
            room.views,
            room.rooms,
            room.trials,
            lines,
            results,
            self._seat,
            self.seed,
            start,
        )
        if not made:
            sample_world(self.view, np.random.default_rng(0))  # raises `NoWorld` with the reason
            raise AssertionError("there is a state that gives the view")
        return lines.copy(), results.copy()

    def _make_room(self) -> None:
        n, size = self.results.shape[:2]
        while size < self._made:
            more = min(size, RESULTS // n - size)  # the kernel takes no larger array
            self.results = np.concatenate([self.results, _no_results(n, more)], axis=1)
            size += more

    def _rank(self) -> None:
        self._run.rank_lines(self.view.spec.table, self.lines, self.results, self._seat)

    # -- what was found ----------------------------------------------------------------------------

    @property
    def tries(self) -> int:
        """The number of tries, of all moves."""
        return int(self.lines["tries"].sum())

    @property
    def order(self) -> list[int]:
        """The numbers of the lines, the best move first."""
        order: list[int] = np.argsort(self.lines["rank"], kind="stable").tolist()
        return order

    @property
    def ranked(self) -> np.ndarray:
        """The lines, the best move first."""
        ranked: np.ndarray = self.lines[self.order]
        return ranked

    @property
    def leader(self) -> np.void:
        """The line of the best move."""
        leader: np.void = self.lines[self.order[0]]
        return leader

    def line_of(self, action: int) -> np.void:
        """The line of an action that is compared."""
        line: np.void = self.lines[self.lines["action"].tolist().index(action)]
        return line

    @property
    def chances(self) -> tuple[float, ...]:
        """The chance of each seat to win after the best move."""
        return tuple(self.leader["chances"][: self.view.seats].tolist())

    @property
    def scores(self) -> tuple[float, ...]:
        """The final points of each seat after the best move, on average."""
        leader = self.leader
        points = leader["points"][: self.view.seats] / max(int(leader["tries"]), 1)
        return tuple(points.tolist())


def compare(
    view: View,
    legal: Sized = (),
    *,
    limit: Limit,
    seed: int = 0,
    extra: Sequence[int] = (),
    also: Sequence[int] = (),
    only: Sequence[int] = (),
    most: int = MAX_MOVES,
) -> Comparison:
    """A comparison after so many tries as the limit allows; with few tries, of fewer moves."""
    if limit.effort is not None:
        most = min(most, fitting(limit.effort))
    found = Comparison(view, legal, seed=seed, extra=extra, also=also, only=only, most=most)
    found.spend(limit)
    return found


def fitting(tries: float) -> int:
    """The number of moves that so many tries are enough for."""
    return max(int(tries) // MIN_TRIES_PER_MOVE, MIN_MOVES)


def _new_lines(count: int) -> np.ndarray:
    return np.zeros(count, dtypes["line"])


def _line_without_move() -> np.ndarray:
    lines = _new_lines(1)
    lines["action"] = NOTHING
    lines["prior"] = 1.0
    return lines


def _no_results(moves: int, tries: int) -> np.ndarray:
    return np.full((moves, tries, SEATS), NO_RESULT, np.float32)
