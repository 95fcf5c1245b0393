"""STAND-IN for the class `Comparison` of macaz.help."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from macaz.bots.compiled.program import guide_of
from macaz.bots.search import search_record
from macaz.bots.styles import style_of
from macaz.game.view import View
from macaz.help.compiled import layout as at
from macaz.help.compiled.program import analysis, desk
from macaz.kernel.compile import default_target
from macaz.kernel.layout import SEATS
from macaz.kernel.views import redacted_state


class Comparison:
    """Moves of a view's seat, compared by tries."""

    def __init__(
        self,
        view: View,
        legal: object,
        seed: int,
        extra: Sequence[int] = (),
        also: Sequence[int] = (),
        only: Sequence[int] | None = None,
    ) -> None:
        self.view, self.seed = view, seed
        self._run, room = analysis(), desk(default_target())
        self._styles = np.repeat(style_of("playout", view.spec), SEATS)
        if only is None:
            room.searches[:] = search_record()
            room.positions[:] = redacted_state(view.record)
            n = self._run.list_lines(
                view.spec.table,
                guide_of(view.spec),
                self._styles,
                room.games,
                room.searches,
                room.positions,
                room.lines,
                view.seat,
            )
            actions = room.lines["action"][:n].tolist()
        else:
            actions = list(only)
        for a in (*extra, *also):
            if a not in actions and len(actions) < at.MOVES:
                actions.append(a)
        self.lines = np.zeros(len(actions), at.dtypes["line"])
        self._run.begin_lines(self.lines, np.array(actions, np.int64))
        for i, a in enumerate(actions):
            if a in extra:
                self.lines["kept"][i] = 1
        self.outcomes = np.zeros((len(actions), at.TRIES_KEPT, SEATS), np.float32)
        self._run.forget_results(self.outcomes)
        self.chunks = 0

    def run(self, chunks: int = 1) -> None:
        room, view = desk(default_target()), self.view
        results = np.zeros((len(self.lines), at.CHUNK, SEATS), np.float32)
        for _ in range(chunks):
            room.views[:] = view.record
            made = self._run.try_lines(
                view.spec.table,
                guide_of(view.spec),
                self._styles,
                room.games,
                room.views,
                room.rooms,
                room.trials,
                self.lines,
                results,
                view.seat,
                self.seed,
                self.chunks,
            )
            assert made, "no world"
            self._run.keep_results(self.outcomes, results, self.chunks)
            self.chunks += 1
            if self.chunks % 2 == 0:
                self._run.rank_lines(view.spec.table, self.lines, self.outcomes, view.seat)
        self._run.rank_lines(view.spec.table, self.lines, self.outcomes, view.seat)
        self.ranked = self.lines[np.argsort(self.lines["rank"], kind="stable")]
