"""Runs a tournament: checks the settings, plays the missing games, stops when it is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from macaz.bots import bot_problem, close_bot, make_bot
from macaz.game import Game
from macaz.lab.arena.deals import schedule
from macaz.lab.arena.settings import ArenaError
from macaz.lab.arena.sprt import Sprt
from macaz.lab.arena.work import Job, Map

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.lab.arena.result import GameResult
    from macaz.lab.arena.settings import Settings
    from macaz.lab.arena.sprt import Verdict
    from macaz.lab.arena.store import Store

# Plays jobs in any order and yields each result once.
Executor = Callable[[Iterable["Job"]], Generator["GameResult"]]


def check(settings: Settings, edition: Edition) -> None:
    """Raise `ArenaError` if the tournament cannot be played."""
    bots, rules = settings.bots, edition.rules
    twice = [text for text, times in Counter(bots).items() if times > 1]
    if twice:
        raise ArenaError(f"{twice[0]} is listed twice: list every bot once.")
    if len(bots) < 2:
        raise ArenaError("a tournament needs at least two bots, as in --bots greedy,random")
    if not rules.min_seats <= settings.players <= rules.max_seats:
        raise ArenaError(
            f"{edition.title} is for {rules.min_seats} to {rules.max_seats} players, "
            f"not {settings.players}: choose with --players."
        )
    if settings.sprt:
        if not settings.gauntlet and (len(bots), settings.players) != (2, 2):
            raise ArenaError(
                "--sprt asks about one bot: it is for a match of two bots at two seats, or for a "
                "gauntlet (--gauntlet BOT)."
            )
        Sprt(*settings.sprt)
    for text in bots:
        if problem := bot_problem(text):
            raise ArenaError(problem)


def try_out(text: str, edition: Edition, players: int) -> None:
    """Let a bot make one decision, so that a broken one fails before the tournament."""
    game = Game(edition, players, seed=0, first=0)
    seat = game.deciding[0]
    try:
        bot = make_bot(text, seed=0)
        try:
            game.push(bot.choose(game.view(seat), list(game.legal_moves_of(seat))), seat)
        finally:
            close_bot(bot)
    except Exception as error:
        raise ArenaError(f"the bot {text} cannot play {edition.title}: {error}") from error


class Tournament:
    """The missing games of a store, and the sequential test that may end them early."""

    def __init__(self, store: Store, edition: Edition) -> None:
        self._store, settings = store, store.settings
        games = list(schedule(settings))
        self.total = len(games)
        self._games = [game for game in games if not store.has(*game)]
        self._board = Map.of(edition)
        self._test = _Test(settings, games) if settings.sprt else None
        for result in store.results:
            self._count(result)

    @property
    def left(self) -> int:
        """How many games are left to play; 0 if the test is decided."""
        return 0 if self.decided else len(self._games)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of the sequential test; None without a test."""
        return self._test.sprt.verdict if self._test else None

    @property
    def decided(self) -> bool:
        """Whether the sequential test has a final verdict."""
        return self.verdict in ("accept", "reject")

    def play(self, execute: Executor) -> Generator[GameResult]:
        """Play the missing games until the test is decided; yields each game after it is stored."""
        if not self.left:
            return
        with closing(execute(self._jobs())) as results:
            for result in results:
                if kept := self._store.add(result):
                    self._count(kept)
                    yield kept
                    if self.decided:
                        return

    def _jobs(self) -> Iterator[Job]:
        settings = self._store.settings
        for deal, lineup in self._games:
            yield Job(self._board, settings.seed, deal, lineup, settings.records, settings.patience)

    def _count(self, result: GameResult) -> None:
        if self._test:
            self._test.add(result)


class _Test:
    """Feeds the sequential test with complete deals in their order."""

    def __init__(self, settings: Settings, games: Iterable[tuple[int, tuple[str, ...]]]) -> None:
        assert settings.sprt is not None
        self.sprt = Sprt(*settings.sprt)
        self._hero = settings.hero
        self._size = Counter(deal for deal, _ in games)
        self._shares: dict[int, list[float]] = {}
        self._next = 0

    def add(self, result: GameResult) -> None:
        """Add a game; its deal is passed on when it and all earlier deals are complete."""
        share = result.share(result.lineup.index(self._hero))
        self._shares.setdefault(result.deal, []).append(share)
        while len(self._shares.get(self._next, ())) == self._size[self._next] > 0:
            shares = self._shares.pop(self._next)
            self.sprt.update([sum(shares) / len(shares)])
            self._next += 1
