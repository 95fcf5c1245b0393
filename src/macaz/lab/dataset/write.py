"""A dataset is written: games are played or replayed on all cores, their rows go into two files.

The files depend on the games alone, not on cores or timing, and hold them in their order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macaz.lab.dataset.columns import DECISIONS, GAMES, schema_of
from macaz.lab.dataset.rows import decision_rows, game_row
from macaz.lab.dataset.sources import Source
from macaz.lab.parquet import ParquetFile, need_pyarrow
from macaz.lab.pool import results_in_order

GAMES_FILE, DECISIONS_FILE = "games.parquet", "decisions.parquet"
GAMES_GROUP, DECISIONS_GROUP = 1024, 16_384  # rows per row group, some 16 MB
Tables = tuple[Any, Any]  # of a game: its row, and its decisions
Job = tuple[Source, bool]  # a game, and whether its decisions are wanted


@dataclass(slots=True)
class Written:
    """The contents of a written dataset."""

    games: int = 0
    decisions: int = 0
    unfinished: int = 0  # records that were left out


def write_dataset(
    sources: Iterable[Source],
    folder: Path,
    *,
    decisions: bool = True,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Written:
    """Write `games.parquet` and, if wanted, `decisions.parquet` into a folder.

    `progress` is told how many more games are done. Set `stop` to end early: the files then hold
    the games so far.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = Written()
    with ExitStack() as stack:
        games = ParquetFile(folder / GAMES_FILE, schema_of(GAMES), GAMES_GROUP)
        stack.enter_context(games)
        moves = None
        if decisions:
            moves = ParquetFile(folder / DECISIONS_FILE, schema_of(DECISIONS), DECISIONS_GROUP)
            stack.enter_context(moves)
        jobs = ((source, decisions) for source in sources)
        made = stack.enter_context(closing(results_in_order(make_tables, jobs, workers=workers)))
        for tables in made:
            if tables is None:
                written.unfinished += 1
            else:
                games.write(tables[0])
                written.games += 1
                if moves is not None:
                    moves.write(tables[1])
                    written.decisions += len(tables[1])
            if progress is not None:
                progress(1)
            if stop is not None and stop.is_set():
                break
    return written


def make_tables(job: Job) -> Tables | None:
    """The tables of a game; None if it is not finished."""
    source, decisions = job
    game = source.game()
    if not game.over:
        return None
    table_of = need_pyarrow().Table.from_pylist
    row = table_of([game_row(game, source.number)], schema_of(GAMES))
    rows = list(decision_rows(game, source.number)) if decisions else []
    return row, table_of(rows, schema_of(DECISIONS))
