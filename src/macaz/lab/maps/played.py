"""Games of bots on one map, counted: which routes they take, which tickets they make, what wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from macaz.bots import bot_problem
from macaz.edition import Edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.game.record import load_record
from macaz.lab.arena import PATIENCE
from macaz.lab.arena.local import run_local
from macaz.lab.arena.result import GameResult
from macaz.lab.arena.work import Job, Map
from macaz.lab.shares import Share, wilson


@dataclass(slots=True)
class Cases:
    """How often something was there, and the wins that went with it, shared ones as parts."""

    count: int = 0
    won: float = 0.0

    def add(self, won: float) -> None:
        self.count += 1
        self.won += won

    @property
    def wins(self) -> Share:
        return wilson(self.won, self.count)


@dataclass(slots=True)
class Played:
    """The counts of some games. Numbers of routes and tickets are those of the board."""

    edition: Edition
    players: int
    bots: tuple[str, ...]
    seed: int
    asked: int
    games: int = 0
    failures: int = 0
    taken: Counter[int] = field(default_factory=Counter)  # by the first lane of a route
    kept: Counter[int] = field(default_factory=Counter)  # by ticket
    done: Counter[int] = field(default_factory=Counter)  # by ticket
    turns: int = 0  # of all seats
    scores: int = 0  # of all seats
    by_place: dict[int, Cases] = field(default_factory=dict)  # in the order of play, from 0
    by_bot: dict[str, Cases] = field(default_factory=dict)
    by_tickets: dict[int, Cases] = field(default_factory=dict)  # completed ones
    by_feat: dict[str, Cases] = field(default_factory=dict)

    @property
    def even(self) -> float:
        """The share of the wins if all were equal."""
        return 1 / self.players

    def add(self, result: GameResult) -> None:
        """Count a game, which must have its record."""
        game = load_record(result.record, edition=self.edition)
        self.games += 1
        self.failures += sum(map(bool, result.failures))
        self.turns += sum(result.turns)
        self.scores += sum(result.scores)
        board = self.edition.board
        claimed = (lane for lane, owner in enumerate(game.view(0).owners) if owner is not None)
        self.taken.update({board.pair_lanes(lane)[0] for lane in claimed})
        seats = game.standing().seats
        for seat, score in enumerate(seats):
            won = result.share(seat)
            self.kept.update(ticket.ticket for ticket in score.tickets)
            self.done.update(ticket.ticket for ticket in score.tickets if ticket.completed)
            place = (seat - result.first) % self.players
            self.by_place.setdefault(place, Cases()).add(won)
            self.by_bot.setdefault(result.lineup[seat], Cases()).add(won)
            self.by_tickets.setdefault(score.completed, Cases()).add(won)
        for feat, seats_of in _feats(game, self.edition).items():
            for seat in seats_of:
                self.by_feat.setdefault(feat, Cases()).add(result.share(seat))


def _feats(game: Game, edition: Edition) -> dict[str, list[int]]:
    """The seats of a finished game that did something remarkable."""
    seats = game.standing().seats
    found: dict[str, list[int]] = {}
    for feat, points in (
        ("most points from routes", [score.routes for score in seats]),
        ("most points from tickets", [score.ticket_points for score in seats]),
        ("longest path", [score.longest_path for score in seats]),
        ("most tickets completed", [score.completed for score in seats]),
    ):
        if max(points) > 0:
            found[feat] = [seat for seat, n in enumerate(points) if n == max(points)]
    tickets = edition.board.tickets
    great = sorted(ticket.points for ticket in tickets)[2 * len(tickets) // 3]
    for seat, score in enumerate(seats):
        made = [tickets[t.ticket] for t in score.tickets if t.completed]
        if any(ticket.deck == "long" for ticket in made):
            found.setdefault("a long ticket completed", []).append(seat)
        if any(ticket.points >= great for ticket in made):
            found.setdefault(f"a ticket of {great} points or more completed", []).append(seat)
        if len(made) < len(score.tickets):
            found.setdefault("a ticket not completed", []).append(seat)
    return found


def play_games(played: Played, workers: int | None = None) -> Iterator[GameResult]:
    """Play the games that were asked for, count each and yield it. Raises MacazError.

    The bots take turns at the seats, and each seat begins equally often. Close the iterator to
    stop early: what was counted stays.
    """
    for bot in played.bots:
        if problem := bot_problem(bot):
            raise MacazError(problem)
    with closing(run_local(_jobs(played), workers)) as results:
        for result in results:
            played.add(result)
            yield result


def _jobs(played: Played) -> Iterator[Job]:
    board = Map.of(played.edition)
    for deal in range(played.asked):
        lineup = _lineup(played.bots, played.players, deal // played.players)
        yield Job(board, played.seed, deal, lineup, record=True, patience=PATIENCE)


def _lineup(bots: Sequence[str], players: int, turn: int) -> tuple[str, ...]:
    return tuple(bots[(turn + seat) % len(bots)] for seat in range(players))
