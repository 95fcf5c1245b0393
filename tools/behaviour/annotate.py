"""Write a page of annotated games: their final tables, and the moments that decided them.

    python tools/behaviour annotate game.macaz other.macaz --out games.md
    python tools/behaviour annotate --arena cup --games 3,17,40 --out games.md
    python tools/behaviour annotate --bots planner,search:100 --edition europe --games 0,1

The games are read from records, or from the folder of a tournament (--games are their numbers), or
are played now by these bots (--games are the numbers of the deals). Unless --effort is 0, a review
judges every decision; it takes about ten seconds for a game at two seats.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from macaz.bots import Limit
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.game.outcome import Outcome
from macaz.game.record import load_record, open_record
from macaz.help.advice import Review, review
from macaz.lab.arena.store import read_game, read_settings
from macaz.lab.arena.work import Job, Map, play
from story import Moment, Story, story_of

PATIENCE = 600.0  # seconds for a decision: long enough that no bot loses by it
HOW_TO_READ = """\
This page uses all hands. What a player *needed* at a moment are the routes that the exact planner
plans for it then, from its own hand and tickets. Chances of winning are estimated by tries,
with the information that the player had; a mistake is a move with a significant loss of that chance
([advice](advice.md#after-a-game)). Turns are numbered as in records.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("records", nargs="*", type=Path, help="files with records")
    parser.add_argument("--arena", type=Path, help="the folder of a tournament")
    parser.add_argument(
        "--bots", help="the bots that play now, one for each seat, separated by commas"
    )
    parser.add_argument("--edition", default="usa-classic", help="the edition that they play")
    parser.add_argument("--games", default="0", help="numbers of games, or of deals")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals and of the review")
    parser.add_argument(
        "--effort",
        type=int,
        default=64,
        help="tries of each compared move in the review; 0: no review",
    )
    parser.add_argument("--most", type=int, default=10, help="largest number of moments of a game")
    parser.add_argument("--title", default="Annotated games")
    parser.add_argument("--out", type=Path, help="file of the page; default: the standard output")


def run(args: argparse.Namespace) -> None:
    """Write the page."""
    if sum(map(bool, (args.records, args.arena, args.bots))) != 1:
        raise MacazError("name records, or give --arena FOLDER, or --bots A,B.")
    parts = [f"# {args.title}\n", HOW_TO_READ]
    for number, (name, game) in enumerate(games(args), 1):
        print(f"annotating {name} …", file=sys.stderr, flush=True)
        judged = None
        if args.effort:
            limit = Limit(effort=args.effort)
            judged = review(game, limit=limit, seed=args.seed)
        parts.append(page(game, story_of(game, judged, args.most), judged, number, name))
    text = "\n".join(parts)
    if args.out is None:
        print(text, end="")
    else:
        args.out.write_text(text, encoding="utf-8", newline="\n")


def games(args: argparse.Namespace) -> Iterator[tuple[str, Game]]:
    """Pairs of a title and a game."""
    numbers = [int(part) for part in args.games.split(",")]
    if args.records:
        for file in args.records:
            yield file.name, open_record(file)
    elif args.arena:
        edition = load_edition(read_settings(args.arena).edition)
        for number in numbers:
            text = read_game(args.arena, number).record
            if not text:
                raise MacazError(
                    f"game {number} was played with --no-records: it cannot be replayed."
                )
            yield f"game {number}", load_record(text, edition=edition)
    else:
        lineup = tuple(args.bots.split(","))
        edition = load_edition(args.edition)
        board = Map.of(edition)
        for deal in numbers:
            # The bots change seats from deal to deal, as in a tournament.
            rotated = lineup[deal % len(lineup) :] + lineup[: deal % len(lineup)]
            played = play(Job(board, args.seed, deal, rotated, record=True, patience=PATIENCE))
            yield f"deal {deal} of seed {args.seed}", load_record(played.record, edition=edition)


def page(game: Game, story: Story, judged: Review | None, number: int, name: str) -> str:
    """One game as Markdown."""
    outcome = game.outcome
    assert outcome is not None
    first = story.names[int(game.state["first"][0])]
    lines = [
        f"## Game {number}: {_title(story, outcome)}",
        "",
        f"{game.edition.title}, {game.seats} seats, {name}; {first} begins.",
        "",
        *_table(game, story, judged),
        "",
        *story.setup,
        "",
    ]
    lines += [f"- **{_when(moment)}.** {' '.join(moment.sentences)}" for moment in story.moments]
    return "\n".join([*lines, "", f"**The end:** {story.result}", ""])


def _when(moment: Moment) -> str:
    return f"Turn {moment.turn}" if moment.turn else "Before the first turn"


def _title(story: Story, outcome: Outcome) -> str:
    order = sorted(range(len(story.names)), key=lambda seat: -outcome.totals[seat])
    return ", ".join(f"{story.names[seat]} {outcome.totals[seat]}" for seat in order)


def _table(game: Game, story: Story, judged: Review | None) -> list[str]:
    outcome, board = game.outcome, game.edition.board
    assert outcome is not None
    rows = []
    for seat, score in enumerate(outcome.seats):
        tickets = ", ".join(
            f"{'✓' if t.completed else '✗'} {game.notation.ticket_name(t.ticket)}"
            for t in sorted(score.tickets, key=lambda t: -board.tickets[t.ticket].points)
        )
        extras = score.longest_path + score.stations + score.globetrotter + score.alvin
        cells = [
            f"{story.names[seat]}{' ★' * (seat in outcome.winners)}",
            *(_number(n) for n in (score.routes, score.ticket_points, extras, score.total)),
            tickets,
        ]
        if judged is not None:
            mine = next(s for s in judged.seats if s.seat == seat)
            cells.insert(5, f"{mine.mistakes} of {mine.decisions}")
        rows.append(cells)
    heads = ["", "routes", "tickets", "extras", "total", "its tickets"]
    if judged is not None:
        heads.insert(5, "mistakes")
    rule = ["---", *["---:"] * (len(heads) - 2), "---"]
    return [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]


def _number(value: int) -> str:
    return str(value).replace("-", "−")
