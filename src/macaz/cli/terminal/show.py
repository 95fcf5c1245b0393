"""Shows a game in the terminal: the table, the events, the choices, the score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from macaz.bots.chart import Chart
from macaz.cli.text import COLOR_STYLE, new_table, plural, signed
from macaz.edition.board import CARDS, GRAY, LOCOMOTIVE, color_name
from macaz.game.event_words import say
from macaz.game.events import (
    CardDealt,
    GameBegan,
    GameEnded,
    MarkerSkipped,
    RowFilled,
    TicketsDealt,
    TurnEnded,
    game_events,
    narrow,
)
from macaz.kernel.help import prices

if TYPE_CHECKING:
    from rich.console import Console

    from macaz.game import Game
    from macaz.game.events import Event
    from macaz.game.moves import Move
    from macaz.game.outcome import Outcome
    from macaz.kernel.help import Price

# Events that are not printed, because the table shows them.
QUIET = (CardDealt, RowFilled, TicketsDealt, TurnEnded, GameEnded, MarkerSkipped)
LABEL = 9  # width of the label column
NBSP = "\u00a0"
OTHER_LINES = 19  # of a screen, besides routes
QUESTIONS = (
    ("a city", "the routes you can claim there"),
    ("map CITY", "all routes around a city"),
    ("goals", "your tickets, and a cheap way for each"),
    ("log", "what has happened so far"),
    ("undo", "take your last move back, if it showed nothing new"),
    ("resign", "end the game as lost"),
    ("Enter", "the table again"),
    ("quit", "leave; you can save the game and go on with it later"),
)
_TIES = {
    "tickets": "the tie went to most completed tickets",
    "stations": "the tie went to fewest stations",
    "longest-path": "the tie went to the longest path",
    "shared": "nothing broke the tie",
}


class Screen:
    """Shows a game to one seat."""

    def __init__(self, console: Console, game: Game, me: int) -> None:
        self.console, self.game, self.me = console, game, me
        self.board, self.rules = game.edition.board, game.edition.rules
        self.printed = 0  # length of the history whose events were printed

    # -- words ---------------------------------------------------------------------------------

    def card(self, color: int, text: str | None = None) -> str:
        """The name of a colour, styled in that colour."""
        name = color_name(color)
        return f"[{COLOR_STYLE[name]}]{text or name}[/]"

    def cards(self, counts: Sequence[int]) -> str:
        """Counts of cards by colour, as text."""
        shown = [
            self.card(c, f"{n} {CARDS[c]}{'s' if c == LOCOMOTIVE and n > 1 else ''}")
            for c, n in enumerate(counts)
            if n
        ]
        return self.dotted(shown) or "none"

    def route(self, route: int) -> str:
        """A route with its length, colour and kind."""
        r = self.board.routes[route]
        kind = "" if r.kind == "track" else f" {r.kind}"
        name = escape(self.game.notation.route_label(route))
        return f"{name} {r.length} {self.card(r.color)}{kind}"

    def paid(self, move: Move) -> Price:
        """The colour, its cards and the locomotives that a move pays."""
        action = self.game.notation.action(move, self.game.offer(self.me))
        [price] = prices(self.game.spec, self.game.state, [action])
        return price

    def payment(self, move: Move) -> str:
        """The cards that a move pays."""
        color, cards, locos = self.paid(move)
        parts = [self.card(color, f"{cards} {CARDS[color]}")] if cards else []
        if locos:
            parts.append(self.card(LOCOMOTIVE, plural(locos, "locomotive")))
        return " and ".join(parts)

    def ticket(self, ticket: int) -> str:
        """A ticket with its points."""
        return escape(self.game.notation.ticket_label(ticket))

    def dotted(self, items: Iterable[str], room: int | None = None) -> str:
        """Items separated by dots, with line breaks only between items."""
        room = self.console.width - LABEL if room is None else room
        lines: list[str] = []
        used = room
        for item in items:
            size = Text.from_markup(item).cell_len
            if used + 3 + size > room:
                lines.append(item)
                used = size
            else:
                lines[-1] += f" · {item}"
                used += 3 + size
        return "\n".join(lines)

    # -- parts ---------------------------------------------------------------------------------

    def line(self, label: str, text: str | Text) -> None:
        """Print a labelled text; further lines are indented."""
        grid = Table.grid(padding=0)
        grid.add_column(width=LABEL, style="bold")
        grid.add_column()
        grid.add_row(label, text)
        self.console.print(grid)

    def rows_to_spare(self) -> int:
        """The number of lines available for routes or cities."""
        return min(8, max(4, self.console.height - OTHER_LINES - self.game.seats))

    def listed(self, label: str, items: Iterable[str], most: int | None = None) -> int:
        """Print labelled items in columns, at most `most` rows; returns how many did not fit."""
        texts = [Text.from_markup(item) for item in items]
        if not texts:
            return 0
        room = self.console.width - LABEL
        if sum(t.cell_len + 3 for t in texts) <= room + 3:  # they fit in one line
            self.line(label, Text("   ").join(texts))
            return 0
        columns, width, shown = 1, room, texts
        for columns in range(6, 0, -1):
            shown = texts[: columns * most] if most else texts
            width = max(t.cell_len for t in shown) + 3
            if columns * width <= room + 3:
                break
        for start in range(0, len(shown), columns):
            row = Text(f"{label if start == 0 else '':<{LABEL}}", style="bold")
            for t in shown[start : start + columns]:
                t.truncate(min(width, room), overflow="ellipsis", pad=True)
                row.append(Text("", style="not bold") + t)
            row.rstrip()
            self.console.print(row, no_wrap=True, overflow="ellipsis")
        return len(texts) - len(shown)

    def news(self, again: bool = False) -> None:
        """Print the events since the last call, or all of them, one line for each turn."""
        lines: list[tuple[int, list[str]]] = [(-1, [])]
        for _, events in game_events(self.game, 0 if again else self.printed):
            for event in events:
                seat = getattr(event, "seat", lines[-1][0])
                if isinstance(event, TurnEnded):
                    lines.append((-1, []))
                elif not isinstance(event, QUIET):
                    if seat != lines[-1][0]:
                        lines.append((seat, []))
                    lines[-1][1].append(self._sentence(event))
        self.printed = len(self.game.history)
        for _, sentences in lines:
            if sentences:
                self.console.print(" ".join(sentences), markup=False, style="cyan")

    def _sentence(self, event: Event) -> str:
        if isinstance(event, GameBegan):
            name = self.game.names[event.first]
            return "You begin." if name == "You" else f"{name} begins."
        return say(narrow(event, self.me), self.game.names, self.board)

    def cards_now(self) -> None:
        """Print the face-up cards and the hand, between the two cards of a turn."""
        view = self.game.view(self.me)
        self.line("Face up", self.cards(view.row))
        self.line("Hand", self.cards(view.hand))

    def table(self) -> None:
        """Print the table as this seat sees it."""
        game, view = self.game, self.game.view(self.me)
        marks = {"station": self.rules.stations, "marker": self.rules.markers}
        kind = next((k for k in marks if k in self.rules.phases), None)
        last = f" · last round, {plural(view.last_turns, 'turn')} left" if view.last_turns else ""
        self.console.rule(f"{escape(game.edition.title)}{last}", style="dim", align="left")
        wide = max(12, *(len(name) for name in game.names))
        heads = ["points", "trains", "cards", "tickets", *([f"{kind}s"] if kind else [])]
        self.console.print(" " * wide + "".join(f"{h:>9}" for h in heads), style="bold")
        for seat, name in enumerate(game.names):
            numbers = [view.scores, view.trains, view.hand_sizes, view.tickets_held]
            cells = [signed(row[seat], 0) for row in numbers]
            if kind:
                cells.append(str(marks[kind] - len(view.marks_of(seat))))
            self.console.print(
                f"{name:<{wide}}" + "".join(f"{c:>9}" for c in cells),
                style="bold green" if seat == self.me else "",
                markup=False,
            )
        self.line("Face up", self.cards(view.row))
        tickets = plural(view.ticket_stock, "ticket")
        self.line("Deck", f"{plural(view.deck_size, 'card')}, {tickets}")
        if view.alvin_city is not None:
            holder = view.alvin_holder
            whose = "free" if holder is None else f"with {escape(game.names[holder])}"
            self.line("Alvin", f"in {self.board.cities[view.alvin_city].label}, {whose}")
        self.line("Hand", self.cards(view.hand))
        if view.tickets:
            self.line("Tickets", self.dotted(self._ticket_states()))

    def done(self) -> dict[int, bool]:
        """Which of this seat's tickets are completed, as if the game ended now."""
        return {t.ticket: t.completed for t in self.game.standing().seats[self.me].tickets}

    def _ticket_states(self) -> list[str]:
        return [
            f"[green]✓{NBSP}{self.ticket(t)}[/]" if done else f"{self.ticket(t)}"
            for t, done in self.done().items()
        ]

    def goals(self) -> None:
        """Print each ticket with a cheapest way for it."""
        view = self.game.view(self.me)
        chart = Chart(view, self.me)
        done = self.done()
        table = new_table()
        table.add_column("ticket", no_wrap=True)
        table.add_column("trains", justify="right")
        table.add_column("a cheap way")
        tickets = (*view.tickets, *view.offer)
        room = self.console.width - max((len(self.ticket(t)) for t in tickets), default=0) - 14
        for t in tickets:
            ticket = self.board.tickets[t]
            way = chart.way([ticket.a], ticket.b, set())
            if done.get(t):
                table.add_row(self.ticket(t), "", "[green]done[/]")
            elif way is None:
                table.add_row(self.ticket(t), "", "there is none left")
            else:
                cars = sum(self.board.routes[i].length for i in way)
                routes = self.dotted(map(self.route, way[::-1]), room)
                table.add_row(self.ticket(t), str(cars), routes)
        self.console.print(table)

    def around(self, city: int) -> None:
        """Print the routes at a city."""
        view = self.game.view(self.me)
        table = new_table(self.board.cities[city].label)
        for heading in ("to", "length", "colour", "kind", "taken by"):
            table.add_column(heading, justify="right" if heading == "length" else "left")
        opened = Chart(view, self.me).open
        for i, r in enumerate(self.board.routes):
            if city not in (r.a, r.b):
                continue
            owner = view.owners[i]
            taken = "" if owner is None else escape(self.game.names[owner])
            if owner is None and i not in opened:
                taken = "closed to you"
            needs = f", {plural(r.locomotives, 'locomotive')}" if r.locomotives else ""
            table.add_row(
                self.board.cities[r.b if city == r.a else r.a].label,
                str(r.length),
                self.card(r.color),
                ("" if r.kind == "track" else r.kind) + needs,
                taken,
            )
        self.console.print(table)

    def help(self) -> None:
        """Print the commands, with examples from this edition."""
        self.console.print("Type the number of a choice, or the move itself:")
        self._pairs(self._moves_to_type())
        self.console.print("Or ask:")
        self._pairs(QUESTIONS)

    def _pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, style="bold")
        grid.add_column()
        for typed, meaning in pairs:
            grid.add_row(f"  {escape(typed)}", meaning)
        self.console.print(grid)

    def _moves_to_type(self) -> list[tuple[str, str]]:
        notation, phases, cards = self.game.notation, self.rules.phases, self.rules.cards
        color = CARDS[max(range(LOCOMOTIVE), key=lambda c: (cards[c], c))]
        lanes = range(len(self.board.routes))
        # An example with a short name and more than one card.
        lane = min(
            lanes, key=lambda i: (self.board.routes[i].length < 2, len(notation.route_name(i)), i)
        )
        route, r = notation.route_name(lane), self.board.routes[lane]
        paid = f"{color if r.color == GRAY else CARDS[r.color]} {r.length - 1} loco 1"
        ticket = min(map(notation.ticket_name, range(len(self.board.tickets))), key=len)
        city = min((c.name for c in self.board.cities), key=len)
        pairs = [
            (f"take {color}", "a face-up card; take loco for a locomotive"),
            ("blind", "a card from the deck"),
            (f"claim {route}", "a route; what to pay is asked"),
            (f"claim {route} {paid}", "a route and what to pay"),
            ("tickets", "draw tickets"),
            (f"keep {ticket}", "tickets to keep, with commas between them"),
        ]
        if self.rules.return_order == "chosen":
            pairs.append((f"return {ticket}", "the next ticket to go under the deck"))
        for phase, typed, meaning in (
            ("station", f"station {city} {color}", "build a station"),
            ("tunnel", "pay", "what a tunnel costs more; or: pay loco 1"),
            ("tunnel", "decline", "give the tunnel up"),
            ("start-city", f"start {city}", "your starting city"),
            ("marker", f"mark {city} {color}", "a marker on a city"),
            ("marker", "skip", "no marker"),
            ("alvin", f"alvin {city}", "move Alvin"),
        ):
            if phase in phases:
                pairs.append((typed, meaning))
        return pairs

    # -- the end -------------------------------------------------------------------------------

    def score(self, outcome: Outcome) -> None:
        """Print the final score by reason, every ticket, and the winners."""
        names = [escape(name) for name in self.game.names]
        table = new_table("The score")
        table.add_column("")
        for name in names:
            table.add_column(name, justify="right", overflow="ellipsis", max_width=14)
        rows = {
            "routes": [s.routes for s in outcome.seats],
            "tickets": [s.ticket_points for s in outcome.seats],
            "longest path": [s.longest_path for s in outcome.seats],
            "stations left": [s.stations for s in outcome.seats],
            "most tickets": [s.globetrotter for s in outcome.seats],
            "Alvin": [s.alvin for s in outcome.seats],
        }
        for reason, points in rows.items():
            if any(points) or reason in ("routes", "tickets"):
                table.add_row(reason, *(signed(p, 0) for p in points))
        table.add_section()
        table.add_row("total", *(signed(p, 0) for p in outcome.totals), style="bold")
        self.console.print(table)
        for name, seat in zip(names, outcome.seats, strict=True):
            tickets = [
                f"[{'green' if t.completed else 'red'}]{'✓' if t.completed else '✗'}[/]{NBSP}"
                f"{escape(self.game.notation.ticket_label(t.ticket))}"
                for t in seat.tickets
            ]
            tickets = tickets or ["no tickets"]
            tickets[0] = f"[bold]{name}[/]: {tickets[0]}"
            self.console.print(self.dotted(tickets, self.console.width))
        if "longest-path" in self.rules.scorers:
            lengths = (f"{n} {s.path_length}" for n, s in zip(names, outcome.seats, strict=True))
            self.console.print(f"Longest path: {', '.join(lengths)}")
        won = " and ".join(names[p] for p in outcome.winners)
        why = f" ({_TIES[outcome.tie_break]})" if outcome.tie_break else ""
        self.console.print(f"\n[bold]{won} won[/] with {max(outcome.totals)} points{why}.")
