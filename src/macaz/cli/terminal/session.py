"""A game in the terminal: shows it, asks for moves, runs the bots, saves."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from macaz.cli.options import bots_text, program
from macaz.cli.signals import handled_signals

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.bots import Bot
    from macaz.cli.terminal.choices import Choice
    from macaz.game import Game
    from macaz.game.moves import Move

INTERRUPTED = 130  # exit status after Ctrl-C: 128 + SIGINT, as shells have it
# What to say if only the first word of a move was typed.
INCOMPLETE = {
    "take": "Take which card? Type it as in: take red",
    "claim": "Claim which route? Type it as in: claim Denver–Omaha",
    "keep": "Keep which tickets? Type their numbers",
    "station": "A station in which city? Type it as in: station Paris",
    "mark": "A marker on which city? Type it as in: mark Reno",
    "start": "Start in which city? Type it as in: start Reno",
}
WAY_NOTE = "* on a cheap way for your tickets"


class Rewound(Exception):  # noqa: N818 - it is no error
    """The game is at another decision than the one that was asked for."""


class Leave(Exception):  # noqa: N818 - not an error
    """The player leaves the game; `typed` if with the command quit. `status` is the exit status."""

    def __init__(self, typed: bool = False, status: int = 0) -> None:
        super().__init__()
        self.typed, self.status = typed, status


class Session:
    """One interactive session."""

    def __init__(
        self,
        console: Console,
        game: Game,
        opponents: dict[int, str],
        record: Path | None,
        seed: int | None,
    ) -> None:
        from macaz.bots import make_bot
        from macaz.cli.terminal.show import Screen

        self.console, self.game, self.record = console, game, record
        self.opponents = opponents
        [self.me] = set(range(game.seats)) - set(opponents)
        self.screen = Screen(console, game, self.me)
        base = game.commitment if seed is None else seed
        self.bots: dict[int, Bot] = {
            seat: make_bot(bot, seed=f"{base} {seat} {len(game.history)}")
            for seat, bot in opponents.items()
        }
        self.choices: list[Choice] = []  # those that are listed, numbered from 1
        self.stations: list[Choice] = []  # one for each city; not listed, as there are too many

    # -- the game loop -------------------------------------------------------------------------

    def run(self) -> int:
        """Play until the game ends or the player leaves; returns the exit status."""
        from macaz.bots import close_bot
        from macaz.bots.external import BotFailed

        others = ", ".join(n for s, n in enumerate(self.game.names) if s != self.me)
        self.console.print(
            f"Macaz: {self.game.edition.title}, you against {others}. Type ? for help.",
            markup=False,
        )
        try:
            with _leave_on_signals():
                if self.record is not None:
                    self._save()
                while not self.game.over:
                    self._step()
                    if self.record is not None:
                        self._save()
        except Leave as leave:
            return self._leave(leave)
        except KeyboardInterrupt:
            return self._leave(Leave(status=INTERRUPTED))
        except BotFailed as error:
            self._complain(f"the bot failed: {error}")
            return self._leave(Leave(status=1))
        finally:
            for bot in self.bots.values():
                close_bot(bot)
        self.screen.news()
        outcome = self.game.outcome
        assert outcome is not None
        self.screen.score(outcome)
        self.console.print(f"The record of the game is in {self._save()}", soft_wrap=True)
        return 0

    def _step(self) -> None:
        game = self.game
        if self.me in game.deciding:
            with suppress(Rewound):
                game.push(self._decide())
            return
        seat = game.deciding[0]
        game.push(self.bots[seat].choose(game.view(seat), list(game.legal_moves_of(seat))))

    def _save(self) -> Path:
        from macaz.game.record import save_record

        if self.record is None:
            import datetime

            now = datetime.datetime.now()
            stem = f"{self.game.edition.qualified_id}-{now:%Y-%m-%d-%H%M%S}"
            self.record = Path(f"{stem}.macaz")
        save_record(self.record, self.game, disclose=True)  # the secret is needed to continue
        return self.record

    def _leave(self, leave: Leave) -> int:
        """Save unless the player declines, and print how to continue."""
        from macaz.cli.terminal.bots import bot_named

        self.console.print()
        # A game with a record is saved at every decision anyway.
        if leave.typed and self.record is None and not self._wants_to_save():
            self.console.print("Not saved. Goodbye.")
            return leave.status
        path = self._save()
        words = ["terminal", "--continue", str(path)]
        names = self.game.names
        if any(bot_named(names[seat]) != bot for seat, bot in self.opponents.items()):
            # The record does not name programs and networks.
            words += ["--bots", bots_text(self.opponents.values())]
        again = f"{program()} {shlex.join(words)}"
        self.console.print(
            f"The game is saved. Continue it with:\n  {again}", markup=False, soft_wrap=True
        )
        return leave.status

    def _wants_to_save(self) -> bool:
        while True:
            try:
                answer = self._read("Save the game, to go on later? [Y/n] ").lower()
            except (Leave, KeyboardInterrupt):
                return True
            if answer in ("", "y", "yes", "n", "no"):
                return answer not in ("n", "no")
            self._complain("Type y or n")

    # -- asking --------------------------------------------------------------------------------

    def _read(self, prompt: str) -> str:
        """Read a line and strip it; raises `Leave` at the end of the input."""
        if sys.stdin.isatty():
            try:
                return input(prompt).strip()
            except EOFError:
                raise Leave from None
        # Echo input from a pipe, so that the output reads like an interactive session.
        self.console.print(prompt, end="", markup=False)
        line = sys.stdin.readline()
        self.console.print(line.strip(), markup=False)
        if not line:
            raise Leave
        return line.strip()

    def _complain(self, text: object) -> None:
        """Print, as a sentence, why an input was not accepted."""
        sentence = _capitalized(str(text).strip())
        if not sentence.endswith((".", "?")):
            sentence += "."
        self.console.print(sentence, markup=False, style="yellow")

    def _decide(self) -> Move:
        """Show the position, and ask until the player enters a legal move."""
        legal = list(self.game.legal_moves_of(self.me))
        self.screen.news()
        phase = self.game.view(self.me).phase
        if phase in ("choose", "start", "turn"):
            self.screen.table()
        elif phase == "second":
            self.screen.cards_now()
        self._choices(legal)
        picking = phase in ("choose", "keep")
        while True:
            text = self._read(f"{self._question(legal)}: ")
            if self._common(text, legal):
                continue
            move = self._pick_tickets(text, legal) if picking else self._pick(text, legal)
            if move is not None:
                return move

    def _question(self, legal: Sequence[Move]) -> str:
        from macaz.game.moves import Choose, Keep

        counts = [len(m.tickets) for m in legal if isinstance(m, Choose | Keep)]
        if counts:
            return f"Keep which? At least {min(counts)}, as in 1 2, or all"
        return "Your move"

    def _common(self, text: str, legal: Sequence[Move]) -> bool:
        """Run a command that is available at every decision; returns whether the text is one."""
        from macaz.game.moves import InvalidMove

        word, _, rest = text.partition(" ")
        if text in ("?", "help"):
            self.screen.help()
        elif text in ("quit", "q", "exit"):
            raise Leave(typed=True)
        elif not text:
            self.screen.table()
            self._choices(legal)
        elif text == "undo":
            self._take_back()
        elif text == "resign":
            self._resign()
        elif text == "goals":
            self.screen.goals()
        elif text == "log":
            self.screen.news(again=True)
        elif word == "map":
            try:
                self.screen.around(self._city(rest))
            except InvalidMove as error:
                self._complain(error if rest else "Which city? Type it as in: map Denver")
        else:
            return False
        return True

    def _take_back(self) -> None:
        """Take the player's last decision back, with the answers of bots."""
        game = self.game
        last = [step.seat for step in game.history[len(game.history) - game.retractable :]]
        if self.me not in last:
            self._complain("You cannot take a move back: something new was shown since")
            return
        game.take_back(len(last) - max(i for i, seat in enumerate(last) if seat == self.me))
        self.screen.printed = len(game.history)
        self.console.print("Your last move is taken back.")
        raise Rewound

    def _resign(self) -> None:
        answer = self._read("Resign? The game ends, and you have lost it (y or n): ").lower()
        if answer not in ("y", "yes"):
            return
        self.game.resign(self.me, ends=True)
        self.console.print("You resigned.")
        raise Rewound

    def _city(self, text: str) -> int:
        """Find a city by its name or a unique prefix."""
        from macaz.edition.board import fold

        names = [fold(c.name) for c in self.game.edition.board.cities]
        found = [i for i, name in enumerate(names) if name.startswith(fold(text))]
        return found[0] if text and len(found) == 1 else self.game.notation.city_named(text)

    # -- parsing input -------------------------------------------------------------------------

    def _pick_tickets(self, text: str, legal: Sequence[Move]) -> Move | None:
        from macaz.game.moves import Choose, Keep

        offer = self.game.view(self.me).offer
        words = text.replace(",", " ").split()
        if text == "all":
            words = [str(n + 1) for n in range(len(offer))]
        if not all(word.isdecimal() for word in words):
            return self._typed(text, legal)
        numbers = {int(word) for word in words}
        if not all(1 <= n <= len(offer) for n in numbers):
            self._complain(f"The tickets have numbers from 1 to {len(offer)}")
            return None
        kept = tuple(sorted(offer[n - 1] for n in numbers))
        for move in legal:
            if isinstance(move, Choose | Keep) and move.tickets == kept:
                return move
        self._complain(f"That is too few. {self._question(legal)}")
        return None

    def _pick(self, text: str, legal: Sequence[Move]) -> Move | None:
        if text.isdecimal():
            if 1 <= int(text) <= len(self.choices):
                return self._pay(self.choices[int(text) - 1])
            self._complain(f"There is no choice {text}; they go from 1 to {len(self.choices)}")
            return None
        if self._filter(text, legal):
            return None
        return self._typed(text, legal)

    def _filter(self, text: str, legal: Sequence[Move]) -> bool:
        """Show the choices at a city; returns whether the text is a city."""
        from macaz.edition.board import fold

        board = self.game.edition.board
        cities = {i for i, c in enumerate(board.cities) if fold(c.name).startswith(fold(text))}
        if not cities:
            return False
        found = [(i, c) for i, c in enumerate(self.choices, 1) if cities & self._cities_of(c)]
        if found:
            self.screen.listed("There", (f"[bold]{i})[/] {c.text}" for i, c in found))
        else:
            names = ", ".join(board.cities[i].label for i in sorted(cities))
            self._complain(f"There is nothing you can do now at {names}")
        return True

    def _cities_of(self, choice: Choice) -> set[int]:
        if choice.route is None:
            return set() if choice.city is None else {choice.city}
        route = self.game.edition.board.routes[choice.route]
        return {route.a, route.b}

    def _typed(self, text: str, legal: Sequence[Move]) -> Move | None:
        """Parse a move in the notation; print what is wrong with it otherwise."""
        from macaz.game.moves import Choose, InvalidMove

        word, _, rest = text.partition(" ")
        text = f"{word.lower()} {rest}".strip()
        if text in INCOMPLETE:
            self._complain(INCOMPLETE[text])
            return None
        short = self._without_payment(word.lower(), rest)
        if short is not None:
            return self._pay(short)
        seat = self.me if isinstance(legal[0], Choose) else -1
        try:
            move = self.game.notation.parse(text, seat)
        except InvalidMove as error:
            more = "" if str(error).endswith("?") else "."
            self._complain(
                f"{error}{more} Type ? for help" if "not a move" in str(error) else error
            )
            return None
        if move in legal:
            return move
        self._complain(self._why_not(move, text))
        return None

    def _without_payment(self, word: str, rest: str) -> Choice | None:
        """The choice that a text without a payment names, such as "claim Denver–Omaha"."""
        from macaz.game.moves import InvalidMove

        notation = self.game.notation
        with suppress(InvalidMove, KeyError):
            if word == "claim":
                route = notation.route_named(rest)
                return next((c for c in self.choices if c.route == route), None)
            if word in ("station", "mark", "start", "alvin"):
                city = self._city(rest)
                return next((c for c in self.stations + self.choices if c.city == city), None)
        return None

    def _why_not(self, move: Move, text: str) -> str:
        from macaz.game.moves import Claim, InvalidMove
        from macaz.game.why import sentence
        from macaz.kernel.help import why_not

        game = self.game
        if isinstance(move, Claim) and any(c.route == move.route for c in self.choices):
            name = game.notation.route_label(move.route)
            return f"You do not have these cards. Type 'claim {name}' to see what you can pay"
        try:
            action = game.parse(move, self.me)
        except InvalidMove as error:
            return str(error)
        reason = why_not(game.spec, game.state, self.me, action)
        why = sentence(game, self.me, reason, *game.notation.place(action))
        return f"You may not {text!r} now: {why}. Press Enter to see what you may"

    def _pay(self, choice: Choice) -> Move | None:
        """The move of a choice; asks for the payment if there are several.

        None if the player goes back.
        """
        if choice.ask:
            try:
                return self._pay(self._station_choice(self._read(choice.ask)))
            except LookupError as error:
                self._complain(error.args[0])
                return None
        moves = sorted(choice.moves, key=self._price)
        if len(moves) == 1:
            return moves[0]
        self.console.print(f"{_capitalized(choice.text)}: what do you pay?")
        if choice.route is not None and self.screen.board.routes[choice.route].kind == "tunnel":
            shown = self.screen.rules.tunnel_cards
            self.console.print(
                f"A tunnel: {shown} cards are revealed; each that fits costs one more."
            )
        self.screen.listed(
            "Pay", (f"[bold]{i})[/] {self.screen.payment(m)}" for i, m in enumerate(moves, 1))
        )
        while True:
            text = self._read("Your payment (Enter for 1, 0 to go back): ")
            if text == "0":
                return None
            if text in ("quit", "q"):
                raise Leave(typed=True)
            number = int(text or 1) if (text or "1").isdecimal() else 0
            if 1 <= number <= len(moves):
                return moves[number - 1]
            self._complain(f"Type a number from 1 to {len(moves)}, or 0 to do something else")

    def _price(self, move: Move) -> tuple[int, int]:
        """Sort key of payments: few locomotives first, then the most frequent colour in hand."""
        color, _, locos = self.screen.paid(move)
        return locos, -self.game.view(self.me).hand[color]

    def _station_choice(self, text: str) -> Choice:
        from macaz.game.moves import InvalidMove

        try:
            city = self._city(text)
        except InvalidMove as error:
            raise LookupError(str(error)) from error
        found = next((c for c in self.stations if c.city == city), None)
        if found is None:
            raise LookupError("You cannot build a station there now")
        return found

    # -- the choices ---------------------------------------------------------------------------

    def _choices(self, legal: Sequence[Move]) -> None:
        """Show the choices in groups, each with its number."""
        from macaz.cli.terminal.choices import ASK_STATION, groups

        self.choices, self.stations = [], []
        for label, group in groups(self.screen, legal):
            found = group
            if label == "Stations":
                self.stations, found = group, [ASK_STATION]
            start = len(self.choices) + 1
            self.choices += found
            texts = [f"[bold]{i})[/] {choice.text}" for i, choice in enumerate(found, start)]
            rows = self.screen.rows_to_spare() if label in ("Routes", "Start") else None
            left = self.screen.listed(label, texts, rows)
            star = "* of your tickets" if label in ("Start", "Alvin") else WAY_NOTE
            notes = [star] if any(c.wanted for c in found) else []
            if left:
                notes.append(f"{left} more: type a city to see those there")
            if notes:
                self.screen.line("", f"[dim]{'; '.join(notes)}[/]")


@contextmanager
def _leave_on_signals() -> Iterator[None]:
    """Raise `Leave` on SIGHUP and SIGTERM, so that the game is saved.

    Only the main thread can handle signals; in another one this does nothing.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()

    def handle(number: int, frame: Any) -> None:
        raise Leave(status=128 + number)

    numbers = handled_signals("SIGHUP", "SIGTERM") if in_main_thread else []
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
