"""Statistics of a person's finished games, from the summaries in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from macaz.server import wire
from macaz.server.show import Summary, origin_of
from macaz.server.store.rows import PlayedRow

LATEST = 20


class Played(NamedTuple):
    """A finished game, and the seat of the person."""

    row: PlayedRow
    summary: Summary
    seat: int

    @property
    def scores(self) -> tuple[int, ...]:
        """The final scores, by seat."""
        return self.summary.scores or ()

    @property
    def score(self) -> int:
        """The person's own score."""
        return self.scores[self.seat]

    @property
    def won(self) -> bool:
        """Whether they won, alone or with others."""
        return self.seat in (self.summary.winners or ())

    @property
    def margin(self) -> int:
        """How far ahead of the best of the others they were, or behind."""
        return self.score - max(s for i, s in enumerate(self.scores) if i != self.seat)

    @property
    def place(self) -> int:
        """1 for a winner, also after a tie-break; those who resigned come behind all others."""
        winners, resigned = self.summary.winners or (), self.summary.resigned
        ranks = [(i in winners, i not in resigned, s) for i, s in enumerate(self.scores)]
        return 1 + sum(rank > ranks[self.seat] for rank in ranks)

    @property
    def resigned(self) -> bool:
        return self.seat in self.summary.resigned

    @property
    def played_out(self) -> bool:
        """Whether they played it to its end: only then does the score say how they play."""
        return not (self.resigned or self.summary.stopped)


def statistics(rows: Iterable[PlayedRow], name: str, titles: Mapping[str, str]) -> wire.Statistics:
    """The statistics of a person; the rows come newest first, one for each seat."""
    games = [_played(list(seats), name) for _, seats in groupby(rows, key=lambda row: row.id)]
    groups: dict[tuple[str, int], list[Played]] = {}
    for game in games:
        groups.setdefault((game.row.edition, game.row.seats), []).append(game)
    return wire.Statistics(
        total=_results(games),
        editions=tuple(
            wire.EditionResults(edition, titles[edition], seats, _results(groups[edition, seats]))
            for edition, seats in sorted(groups)
        ),
        latest=tuple(_line(game, titles[game.row.edition]) for game in games[:LATEST]),
    )


def _played(rows: Sequence[PlayedRow], name: str) -> Played:
    """A game; of several seats of the person, the one with their own name counts, or the first."""
    summary = msgspec.json.decode(rows[0].summary, type=Summary)
    seats = sorted(row.seat for row in rows)
    named = [seat for seat in seats if summary.names[seat] == name]
    return Played(rows[0], summary, (named or seats)[0])


def _results(games: Sequence[Played]) -> wire.Results:
    played_out = [game for game in games if game.played_out]
    scores = [game.score for game in played_out]
    tickets = [game.summary.tickets[game.seat] for game in played_out if game.summary.tickets]
    return wire.Results(
        games=len(games),
        wins=sum(game.won for game in games),
        resigned=sum(game.resigned for game in games),
        played_out=len(played_out),
        average_score=_average(scores),
        best_score=max(scores, default=None),
        average_margin=_average([game.margin for game in played_out]),
        tickets=sum(held for held, _ in tickets),
        tickets_completed=sum(completed for _, completed in tickets),
        longest_paths=sum(game.seat in game.summary.longest for game in played_out),
    )


def _average(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _line(game: Played, title: str) -> wire.PlayedGame:
    return wire.PlayedGame(
        table=game.row.id,
        edition=game.row.edition,
        title=title,
        origin=origin_of(game.row),
        finished_at=game.row.finished_at,
        names=game.summary.names,
        scores=game.scores,
        winners=game.summary.winners or (),
        seat=game.seat,
        place=game.place,
        resigned=game.summary.resigned,
    )
