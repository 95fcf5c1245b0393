"""A conformance test of the bot protocol for external bots.

It does not test how well a bot plays: every legal move is a correct answer.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from macaz.bots import Limit
from macaz.bots.protocol import PROTOCOL
from macaz.bots.protocol.dialogue import Dialogue
from macaz.bots.protocol.failure import BotFailed
from macaz.bots.protocol.lines import split
from macaz.bots.protocol.program import GRACE, Program
from macaz.bots.random import RandomBot
from macaz.edition import list_editions, load_edition
from macaz.game import Game
from macaz.kernel.spec import compile_spec

if TYPE_CHECKING:
    from macaz.edition import Edition
    from macaz.game.moves import Move

State = Literal["passed", "doubtful", "failed"]
TWICE = 2  # how often each kind of decision is asked on a map
RANDOM_GAMES = 20  # the most games on a map to reach every kind of decision
LONG_THOUGHT = 30.0  # seconds: the limit of a decision that is stopped, or that has no time limit
SILENCE = 0.3  # seconds to wait for output that was not asked for
SLACK = 0.25  # seconds over its limit that are tolerated
SAME_EFFORT = Limit(effort=20)
SAME_DECISIONS = 10


class Result(NamedTuple):
    """The result of one test."""

    title: str
    state: State
    detail: str


class _Broken(Exception):  # noqa: N818 - named like IllegalMove
    """The program violates the protocol, but runs on."""


class _Doubt(Exception):  # noqa: N818
    """The program does what is allowed but not recommended."""


class Checker:
    """Runs the tests on a program. `step` is called with a description of each step."""

    def __init__(
        self,
        command: Sequence[str],
        limit: Limit,
        step: Callable[[str], None] = lambda what: None,
    ) -> None:
        self._command, self._limit, self._step = command, limit, step
        self._running: Dialogue | None = None
        self._decisions, self._late, self._slowest = 0, 0, 0.0
        self._tests: dict[str, Callable[[], str]] = {
            "says hello": self._hello,
            "sits down at every table": self._tables,
            "ignores what it does not know": self._unknown,
            "decides whatever is to be decided": self._kinds,
            "plays whole games": self._games,
            "keeps to its time": self._time,
            "stops when it is told to": self._stop,
            "answers once": self._once,
            "decides the same from the same seed": self._same,
            "ends on quit, and says no more": self._quit,
            "ends when its input does": self._end_of_input,
        }

    def results(self) -> Iterator[Result]:
        """The results of all tests; only the first if the program does not say hello."""
        try:
            for title in self.titles:
                result = self.run(title)
                yield result
                if result.state == "failed" and title == self.titles[0]:
                    return
        finally:
            self.close()

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the tests, in order."""
        return tuple(self._tests)

    def run(self, title: str) -> Result:
        """Run one test. "Keeps to its time" judges the decisions of the tests before it."""
        self._step(title)
        try:
            return Result(title, "passed", self._tests[title]())
        except _Doubt as doubt:
            return Result(title, "doubtful", str(doubt))
        except (_Broken, BotFailed) as error:
            self.close()  # the next test starts it again
            return Result(title, "failed", str(error))

    def close(self) -> None:
        """Kill the program, if it runs."""
        if self._running is not None:
            self._running.program.kill()
        self._running = None

    def _dialogue(self) -> Dialogue:
        """The program, started if it does not run."""
        if self._running is None:
            self._running = Dialogue(Program(self._command))
            self._running.hello()
        return self._running

    # -- the tests ----------------------------------------------------------------------------

    def _hello(self) -> str:
        began = time.monotonic()
        self._running = Dialogue(Program(self._command))
        info = self._running.hello()
        if not info.name:
            wanted = f'{{"name": …, "author": …, "protocol": {PROTOCOL}}}'
            raise _Broken(f"its hello has no name: bot {wanted}")
        by = f" by {info.author}" if info.author else ""
        return f"{info.name}{by}, after {time.monotonic() - began:.2f} s"

    def _tables(self) -> str:
        count = 0
        for edition in all_editions():
            for seats in range(edition.rules.min_seats, edition.rules.max_seats + 1):
                self._step(f"newgame: {edition.qualified_id}, {seats} seats")
                self._dialogue().new_game(compile_spec(edition, seats), seats - 1, "check")
                count += 1
        return f"{count} tables of {len(all_editions())} maps"

    def _unknown(self) -> str:
        game = Game("tiny", 2, seed=1)
        dialogue = self._dialogue()
        dialogue.program.send("tomorrow", 'tomorrow {"words": ["and", "more"]}', "")
        dialogue.new_game(game.spec, 0, "check", tomorrow=1)
        dialogue.program.send('tomorrow {"now": true}')
        legal = list(game.legal_moves_of(0))
        dialogue.question(game.view(0), legal, self._limit, tomorrow={"a": [None]})
        dialogue.read_move(game.view(0), legal, dialogue.answer("move", self._patience()))
        return "words and entries that later versions may bring"

    def _kinds(self) -> str:
        """Ask for decisions in random games, which reach rare positions."""
        met: Counter[str] = Counter()
        for edition in different_editions():
            self._step(f"decisions: {edition.qualified_id}")
            here: Counter[str] = Counter()
            for seed in range(RANDOM_GAMES):
                if all(here[kind] >= TWICE for kind in kinds_of(edition)):
                    break
                here += self._ask_amid(edition, seed, here)
            met += here
        return ", ".join(f"{kind} {count}" for kind, count in sorted(met.items()))

    def _ask_amid(self, edition: Edition, seed: int, met: Counter[str]) -> Counter[str]:
        """Play a random game and also ask for one seat's decisions; returns the kinds asked."""
        game = Game(edition, edition.rules.max_seats, seed=seed)
        watched, asked = seed % game.seats, Counter[str]()
        chance = RandomBot(seed)
        while not game.over:
            seat = game.deciding[0]
            legal, phase = list(game.legal_moves_of(seat)), game.view(seat).phase
            if seat == watched and met[phase] + asked[phase] < TWICE:
                if not asked:
                    self._dialogue().new_game(game.spec, seat, seed)
                self._decide(game, seat, legal)
                asked[phase] += 1
            game.push(chance.choose(game.view(seat), legal), seat)
        return asked

    def _games(self) -> str:
        results = []
        for number, edition in enumerate(different_editions()):
            name = edition.qualified_id
            self._step(f"a game: {name}")
            game = Game(edition, edition.rules.min_seats, seed=number)
            mine = number % game.seats
            self._play(game, mine, self._limit, most=None)
            assert game.outcome is not None
            results.append(f"{name} {game.outcome.totals[mine]}")
        return "points: " + ", ".join(results)

    def _play(self, game: Game, mine: int, limit: Limit, most: int | None) -> list[str]:
        """Play against random bots; returns its decisions, at most `most`."""
        self._dialogue().new_game(game.spec, mine, "check")
        chance, decided = RandomBot(1), list[str]()
        while not game.over and len(decided) != most:
            seat = game.deciding[0]
            legal = list(game.legal_moves_of(seat))
            if seat == mine:
                move = self._decide(game, seat, legal, limit)
                decided.append(game.text(move))
            else:
                move = chance.choose(game.view(seat), legal)
            game.push(move, seat)
        return decided

    def _decide(self, game: Game, seat: int, legal: list[Move], limit: Limit | None = None) -> Move:
        began = time.monotonic()
        move = self._dialogue().decide(game.view(seat), legal, limit or self._limit)
        took = time.monotonic() - began
        self._decisions += 1
        self._slowest = max(self._slowest, took)
        self._late += self._limit.seconds is not None and took > self._limit.seconds + SLACK
        return move

    def _time(self) -> str:
        took = f"the slowest of {self._decisions} decisions took {self._slowest:.2f} s"
        if self._late:
            raise _Doubt(f"{took}; {self._late} took longer than {self._limit}")
        return took

    def _stop(self) -> str:
        game = Game("usa-classic", 2, seed=1)
        dialogue = self._dialogue()
        dialogue.new_game(game.spec, 0, "check")
        legal, view = list(game.legal_moves_of(0)), game.view(0)
        dialogue.question(view, legal, Limit(seconds=LONG_THOUGHT))
        began = time.monotonic()
        dialogue.read_move(view, legal, dialogue.stop(0.0))
        took = time.monotonic() - began
        dialogue.program.send("stop")  # must be ignored when no decision is pending
        dialogue.read_move(view, legal, self._answer_to(game))
        return f"after {took:.2f} s"

    def _answer_to(self, game: Game) -> str:
        dialogue = self._dialogue()
        dialogue.question(game.view(0), list(game.legal_moves_of(0)), self._limit)
        return dialogue.answer("move", self._patience())

    def _patience(self) -> float:
        return (self._limit.seconds or LONG_THOUGHT) + GRACE

    def _once(self) -> str:
        game = Game("tiny", 2, seed=1)
        self._dialogue().new_game(game.spec, 0, "check")
        self._answer_to(game)
        deadline = time.monotonic() + SILENCE
        while (text := self._dialogue().program.receive(deadline)) is not None:
            if split(text)[0] in ("move", "ready", "bot"):
                raise _Broken(f"after its answer it wrote {text!r}, which was not asked for")
        return ""

    def _same(self) -> str:
        played = []
        for _ in range(2):
            self.close()
            game = Game("usa-classic", 2, seed=5)
            played.append(self._play(game, 0, SAME_EFFORT, SAME_DECISIONS))
        if played[0] != played[1]:
            one, other = next(pair for pair in zip(*played, strict=False) if pair[0] != pair[1])
            raise _Doubt(f"first {one!r}, then {other!r}: games with it cannot be repeated")
        return f"{SAME_DECISIONS} decisions of the same effort"

    def _quit(self) -> str:
        program = self._dialogue().program
        program.ask("quit")
        written = program.wait(time.monotonic() + GRACE)
        status, self._running = program.exit_status, None
        program.kill()
        if written:
            raise _Broken(f"after quit it wrote {written[0]!r}")
        if status:
            raise _Broken(f"its exit status is {status}, not 0")
        return ""

    def _end_of_input(self) -> str:
        program = self._dialogue().program
        program.end_input()
        program.wait(time.monotonic() + GRACE)
        return ""


def kinds_of(edition: Edition) -> set[str]:
    """The kinds of decisions on a map, as `View.phase` names them."""
    rules = edition.rules
    some = {"start-city": "start", "tunnel": "tunnel", "marker": "mark", "alvin": "alvin"}
    kinds = {"choose", "turn", "second", "keep"} | {some[p] for p in rules.phases if p in some}
    return kinds | ({"return"} if rules.return_order == "chosen" else set())


@cache
def all_editions() -> tuple[Edition, ...]:
    """All editions that come with Macaz, also with each of their options."""
    found = []
    for name in list_editions():
        edition = load_edition(name)
        found += [edition, *(load_edition(name, [o.name]) for o in edition.available_options)]
    return tuple(found)


def different_editions() -> tuple[Edition, ...]:
    """Of all editions, one for each combination of phases, scorers and orders of returning."""
    found: dict[object, Edition] = {}
    for edition in all_editions():
        rules = edition.rules
        found.setdefault((rules.phases, rules.scorers, rules.return_order), edition)
    return tuple(found.values())
