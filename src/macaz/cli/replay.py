"""`macaz replay`: show a recorded game in the terminal, turn by turn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from macaz.game import Game
    from macaz.game.view import View

FORWARD = {"\r", "\n", " ", "n", "\x1b[C", "\x1bOC", "\xe0M"}
BACK = {"b", "p", "\x7f", "\b", "\x1b[D", "\x1bOD", "\xe0K"}
KEYS = "Enter forward · b back · g go to a turn · q quit"


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Print the whole game without pauses.")
@click.option("--turn", metavar="N", type=click.IntRange(min=0), help="Start at this turn.")
@click.option("--seat", metavar="N", type=click.IntRange(min=1), help="Show what this seat saw.")
@click.option("--open", "opened", is_flag=True, help="Show every hand and every ticket.")
@click.option(
    "--edited", is_flag=True, help="Read a record that was edited by hand: ignore its seal."
)
@click.option(
    "--edition",
    metavar="NAME",
    help="The edition of the game, if the one that the record names is not found.",
)
@click.option(
    "--picture",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the final picture of a game that is over, as SVG, and show nothing.",
)
def replay(
    file: Path,
    everything: bool,
    turn: int | None,
    seat: int | None,
    opened: bool,
    edited: bool,
    edition: str | None,
    picture: Path | None,
) -> None:
    """Replay a recorded game, turn by turn: Enter, → or space forward, ← or b back.

    Without --open or --seat it shows what a spectator saw.
    """
    from macaz.cli.text import stdout
    from macaz.game.record import RecordError, open_record

    if picture is not None and picture.suffix.lower() != ".svg":
        raise click.BadParameter(
            f"{picture.name}: only SVG is written; name a file that ends with .svg. The page makes"
            " a PNG of it at the end of a game.",
            param_hint="--picture",
        )
    try:
        game = open_record(file, edition=edition, sealed=not edited)
    except RecordError as error:
        raise click.ClickException(f"{file}: {error}") from None
    if picture is not None:
        write_picture(game, picture)
        return
    if seat is not None and seat > game.seats:
        raise click.BadParameter(f"there is no seat {seat} at a table of {game.seats}")
    film = Film(game, None if seat is None else seat - 1, opened)
    if turn is not None and turn > film.turns:
        raise click.BadParameter(f"the game has {film.turns} turns, and so no turn {turn}")
    at = 0 if turn is None else film.at_turn(turn)
    console = stdout()
    if everything or not (console.is_terminal and sys.stdin.isatty()):
        for i in range(at, len(film.frames)):
            console.print(film.story(i), soft_wrap=True)
        console.print(film.table(len(film.frames) - 1))
        if game.in_browser:
            console.print("Played or begun in a browser, without a server.")
    else:
        watch(console, film, at)


def write_picture(game: Game, file: Path) -> None:
    """Write the final picture of a game."""
    from macaz.game.outcome import NotOver
    from macaz.game.poster import final_picture

    try:
        file.write_text(final_picture(game), encoding="utf-8")
    except (NotOver, OSError) as error:
        raise click.ClickException(f"{file}: {error}") from None


class Film:
    """A recorded game as frames, one for each line of its record."""

    def __init__(self, game: Game, seat: int | None, opened: bool) -> None:
        from macaz.game.record import game_lines
        from macaz.game.record.text import labels

        self.game, self.seat, self.opened = game, seat, opened
        self.names = labels(game.names)  # with control characters escaped
        self.frames = game_lines(game)
        self.turns = self.frames[-1].turn if self.frames else 0

    def at_turn(self, turn: int) -> int:
        """The first frame of a turn; turn 0 is the setup."""
        return next((i for i, frame in enumerate(self.frames) if frame.turn == turn), 0)

    def view(self, i: int, seat: int | None) -> View:
        """What a seat saw after a frame."""
        from macaz.game.view import View

        history, stop = self.game.history, self.frames[i].stop
        over = stop == len(history)
        state = self.game.state if over else history[stop].state
        return View.of(self.game.spec, state, seat)

    def story(self, i: int) -> Text:
        """The events of a frame as text."""
        from rich.text import Text

        from macaz.game.event_words import say
        from macaz.game.events import TurnEnded, game_events, narrow

        frame = self.frames[i]
        sentences = []
        for ply, events in game_events(self.game, frame.start):
            if ply == frame.stop:
                break
            for event in events:
                if not isinstance(event, TurnEnded):
                    seen = event if self.opened else narrow(event, self.seat)
                    sentences.append(say(seen, self.names, self.game.edition.board))
        sentences += self.remarks(i)
        number = f"{frame.turn:>3}  " if frame.turn else "     "
        return Text.assemble((number, "dim"), " ".join(sentences))

    def remarks(self, i: int) -> list[str]:
        """What the history does not have: decisions taken back in a frame, and resignations."""
        from macaz.game.steps import TakenBack

        frame, found = self.frames[i], []
        last = i == len(self.frames) - 1
        for note in self.game.notes:
            if not (frame.start <= note.ply < frame.stop or (last and note.ply == frame.stop)):
                continue
            if isinstance(note, TakenBack):
                n = len(note.steps)
                found.append(f"({n} decision{'s were' if n > 1 else ' was'} taken back here.)")
            else:
                ends = ", and the game ended" if note.ends else ""
                found.append(f"{self.names[note.seat]} resigned{ends}.")
        return found

    def table(self, i: int) -> Table:
        """The scores, trains and cards of all seats after a frame."""
        from rich.text import Text

        from macaz.cli.text import new_table, signed

        view = self.view(i, self.seat)
        phases = view.edition.rules.phases
        headings = ["score", "trains", "cards", "tickets"]
        # Never both: an edition with stations has no markers.
        headings += ["stations"] * ("station" in phases)
        headings += ["markers"] * ("marker" in phases or "start-city" in phases)
        outcome = self.game.outcome if view.over else None
        table = new_table()
        table.add_column("")
        table.add_column("seat")
        for heading in (*headings, *["final"] * bool(outcome)):
            table.add_column(heading, justify="right")
        for seat in range(view.seats):
            row = [
                str(view.scores[seat]),
                str(view.trains[seat]),
                str(view.hand_sizes[seat]),
                str(view.tickets_held[seat]),
            ]
            if len(headings) > 4:
                row.append(str(len(view.marks_of(seat))))
            if outcome:
                row.append(signed(outcome.totals[seat], 0) + " ★" * (seat in outcome.winners))
            acts = not view.over and seat == view.turn
            table.add_row("▸" if acts else "", Text(self.names[seat]), *row)
        return table

    def screen(self, i: int) -> RenderableType:
        """Everything that is shown for a frame."""
        from rich.console import Group
        from rich.text import Text

        view = self.view(i, self.seat)
        turn = self.frames[i].turn
        where = f"turn {turn} of {self.turns}" if turn else "setup"
        origin = "  ·  played in a browser" if self.game.in_browser else ""
        title = Text.assemble((self.game.edition.title, "bold"), f"  ·  {where}{origin}")
        piles = f"   deck {view.deck_size}, discards {sum(view.discards)}"
        parts: list[RenderableType] = [
            title,
            self.table(i),
            Text.assemble("Face up: ", cards(view.row), f"{piles}, tickets {view.ticket_stock}"),
        ]
        if self.opened:
            parts += [self.hand(i, seat) for seat in range(view.seats)]
        elif self.seat is not None:
            parts.append(self.hand(i, self.seat))
        return Group(*parts, Text(), self.story(i))

    def hand(self, i: int, seat: int) -> Text:
        """The cards and the tickets of a seat."""
        from rich.text import Text

        view = self.view(i, seat)
        tickets = [self.game.notation.ticket_label(t) for t in (*view.tickets, *view.offer)]
        return Text.assemble(
            (f"{self.names[seat]}: ", "bold"), cards(view.hand), "\n    ", ", ".join(tickets)
        )


def cards(counts: tuple[int, ...]) -> Text:
    """Cards in their colours: "2 red 1 loco"."""
    from rich.text import Text

    from macaz.cli.text import COLOR_STYLE
    from macaz.edition.board import CARDS
    from macaz.game.moves import CARD_WORDS

    shown = [(f"{n} {CARD_WORDS[c]}", COLOR_STYLE[CARDS[c]]) for c, n in enumerate(counts) if n]
    return Text("  ").join(Text(*pair) for pair in shown) if shown else Text("none")


def watch(console: Console, film: Film, at: int) -> None:
    """Show frames interactively."""
    remark = ""
    while film.frames:
        console.clear()
        console.print(film.screen(at))
        console.print(f"\n{remark or KEYS}", style="dim", markup=False)
        remark = ""
        key = click.getchar()
        if key in FORWARD:
            at = min(at + 1, len(film.frames) - 1)
        elif key in BACK:
            at = max(at - 1, 0)
        elif key == "g":
            asked = console.input(f"Turn (0 to {film.turns}): ").strip()
            if asked.isdecimal() and int(asked) <= film.turns:
                at = film.at_turn(int(asked))
            else:
                remark = f"There is no turn {asked!r}. {KEYS}"
        elif key in ("q", "Q", "\x1b", "\x04"):
            return
