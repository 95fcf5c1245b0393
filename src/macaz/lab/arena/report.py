"""The report of a tournament: one self-contained HTML page."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

import macaz
from macaz.lab.arena import plots
from macaz.lab.arena.plots import MINUS, between, milliseconds, number, percent, percents, signed
from macaz.lab.arena.ratings import BotRating, Pair, Ratings, rate
from macaz.lab.arena.result import GameResult

STYLE = Path(__file__).with_name("report.css")
MAX_ROWS = 1000  # of the table of games, so that browsers can open the page
_NOT_LISTED = ("command", "version")


def write_report(settings: Mapping[str, object], results: Sequence[GameResult], path: Path) -> None:
    """Write the report of these games.

    The settings are listed; `edition` is in the title, `command` is shown, and with `records`
    the report says how to watch the games in its folder by their numbers.
    """
    ratings = rate(results)
    parts = _sections(ratings, settings, results, path.parent) if results else _nothing()
    title = f"Arena: {settings['edition']}" if "edition" in settings else "Arena"
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n"
        f"</head>\n<body>\n<header><h1>{escape(title)}</h1>{_lead(ratings)}</header>\n<main>\n"
        + "\n".join(parts)
        + f"\n{_settings(settings)}\n</main>\n</body>\n</html>\n"
    )
    path.write_text(page, encoding="utf-8", newline="\n")


def _sections(
    ratings: Ratings, settings: Mapping[str, object], results: Sequence[GameResult], folder: Path
) -> Iterator[str]:
    yield plots.ratings_figure(ratings)
    yield _standings(ratings)
    yield _pairs(ratings)
    yield plots.scores_figure(ratings)
    yield plots.margins_figure(ratings)
    yield plots.turns_figure(ratings)
    yield plots.times_figure(ratings)
    yield plots.places_figure(ratings)
    yield _failures(results)
    yield _games(results, folder if settings.get("records") else None)


def _nothing() -> Iterator[str]:
    yield '<section class="wide"><h2>No games yet</h2><p>Nothing is rated.</p></section>'


def _lead(ratings: Ratings) -> str:
    """The result in a sentence or two."""
    if not ratings.bots:
        return ""
    best, *others = ratings.bots
    text = f"{best.name} is first: {signed(best.elo.value)} Elo ({between(best.elo, signed)})"
    if others and (pair := ratings.pairs.get((best.name, others[0].name))):
        text += (
            f", with {percent(pair.share.value)} of the wins against {others[0].name}, the second "
            f"({percents(pair.share)})"
        )
    deals = f"{ratings.deals:,} deal{'s' * (ratings.deals != 1)}"
    counted = (
        f"{ratings.games:,} game{'s' * (ratings.games != 1)} of {ratings.seats} players on {deals}"
    )
    return f'<p class="soft">{counted}</p><p class="lead">{escape(text)}.</p>'


def _standings(ratings: Ratings) -> str:
    heads = (
        *("games", "wins", "rating", "score", "tickets completed<br>of those kept"),
        *("turns", "a decision", "failures"),
    )

    def row(bot: BotRating) -> str:
        tickets = f"{number(bot.tickets_done)} of {number(bot.tickets_kept)}"
        cells = (
            (f"{bot.games:,}", ""),
            (percent(bot.wins.value), percents(bot.wins)),
            (signed(bot.elo.value), between(bot.elo, signed)),
            (number(bot.score.value), between(bot.score, number)),
            (tickets, ""),
            (number(bot.turns), ""),
            (milliseconds(bot.decision_ms), f"slowest {milliseconds(bot.slowest_ms)}"),
            (f"{bot.failures:,}" if bot.failures else "–", ""),
        )
        return f'<tr><th scope="row">{escape(bot.name)}</th>' + "".join(
            f"<td>{escape(value)}<small>{escape(note)}</small></td>" for value, note in cells
        )

    head = '<th class="text">bot</th>' + "".join(f"<th>{name}</th>" for name in heads)
    rows = "</tr>".join(row(bot) for bot in ratings.bots)
    return (
        '<section class="wide"><h2>Standings</h2><div class="scroll"><table><thead><tr>'
        f"{head}</tr></thead><tbody>{rows}</tr></tbody></table></div></section>"
    )


def _pairs(ratings: Ratings) -> str:
    """The table of pairs, coloured by the distance from an even share."""
    names = [bot.name for bot in ratings.bots]

    def cell(pair: Pair | None) -> str:
        if pair is None:
            return "<td>·</td>"
        share, kind = pair.share, "more" if pair.share.value >= 0.5 else "less"
        much = 130 * abs(share.value - 0.5)
        note = f"{100 * share.low:.0f}–{100 * share.high:.0f}"
        return (
            f'<td class="{kind}" style="--much: {much:.0f}%" title="{pair.games:,} games">'
            f"{100 * share.value:.1f}<small>{note}</small></td>"
        )

    head = "".join(
        f'<th title="{escape(name)}">{index}</th>' for index, name in enumerate(names, 1)
    )
    rows = "".join(
        f'<tr><th scope="row">{index}. {escape(one)}</th>'
        + "".join(cell(ratings.pairs.get((one, other))) for other in names)
        + "</tr>"
        for index, one in enumerate(names, 1)
    )
    caption = (
        "Per cent of the games that the bot of the row won against that of the column, a shared "
        "win as a half."
        if ratings.seats == 2
        else "Of the wins that went to one of the two, per cent that went to the bot of the row."
    )
    return (
        f'<section class="wide"><h2>One against another</h2><p class="soft">{caption} Below, the '
        f'95\u202f% interval.</p><div class="scroll"><table class="heat"><thead><tr><td></td>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _failures(results: Sequence[GameResult]) -> str:
    """The failures of bots; empty if there are none."""
    failed = [
        (index, game.lineup[seat], why)
        for index, game in enumerate(results, 1)
        for seat, why in enumerate(game.failures)
        if why
    ]
    if not failed:
        return ""
    lines = "".join(
        f"<li>game {index}, {escape(bot)}: {escape(why[:300])}</li>"
        for index, bot, why in failed[:20]
    )
    more = f"<p>… and {len(failed) - 20:,} more.</p>" if len(failed) > 20 else ""
    return (
        '<section class="wide"><h2 class="failed">Failures</h2><p class="soft">A bot that fails '
        f"loses; a stand-in plays on for it.</p><ul>{lines}</ul>{more}</section>"
    )


def _games(results: Sequence[GameResult], folder: Path | None) -> str:
    """The table of games, and how to watch them if the folder has their records."""
    worth = "".join(
        f"<li>{what}: game {index}, {_seats_and_scores(results[index - 1])}</li>"
        for what, index in _worth_watching(results)
    )
    rows = "".join(
        f"<tr><td>{index}</td><td>{game.deal}</td>"
        f"<td class='text'>{_seats_and_scores(game)}</td></tr>"
        for index, game in enumerate(results[:MAX_ROWS], 1)
    )
    left = (
        f"<p class='soft'>The first {MAX_ROWS:,} of {len(results):,}.</p>"
        if len(results) > MAX_ROWS
        else ""
    )
    how = "<p>The games themselves were not kept, only their results.</p>"
    if folder is not None:
        watch = escape(f"macaz arena watch {shlex.quote(str(folder))}")
        how = (
            "<p>Watch one, turn by turn, by its number, or list them all:</p>"
            f"<pre><code>{watch} 1\n{watch}</code></pre>"
        )
    return (
        f'<section class="wide"><h2>Games</h2>{how}<ul>{worth}</ul>'
        f"<details><summary>All games</summary>{left}"
        '<div class="scroll"><table><thead><tr><th>game</th><th>deal</th><th class="text">'
        "bots by seat, with their scores: ▸ began, ★ won, ✗ failed</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div></details></section>"
    )


def _worth_watching(results: Sequence[GameResult]) -> list[tuple[str, int]]:
    """A few remarkable games, with their numbers."""

    def lead(index: int) -> int:
        second, first = sorted(results[index].scores)[-2:]
        return first - second

    every = range(len(results))
    tables = all(len(game.scores) > 1 for game in results)
    return [
        *([("The closest", min(every, key=lead) + 1)] if tables else []),
        *([("The clearest", max(every, key=lead) + 1)] if tables else []),
        ("The highest score", max(every, key=lambda i: max(results[i].scores)) + 1),
        ("The shortest", min(every, key=lambda i: sum(results[i].turns)) + 1),
        ("The longest", max(every, key=lambda i: sum(results[i].turns)) + 1),
    ]


def _seats_and_scores(game: GameResult) -> str:
    seats = []
    for seat, (bot, score) in enumerate(zip(game.lineup, game.scores, strict=True)):
        text = f"{'▸ ' * (seat == game.first)}{bot} {str(score).replace('-', MINUS)}"
        marks = " ★" * (seat in game.winners) + " ✗" * bool(game.failures[seat])
        kind = ' class="won"' if seat in game.winners else ""
        seats.append(f"<span{kind}>{escape(text + marks)}</span>")
    return ", ".join(seats)


def _settings(settings: Mapping[str, object]) -> str:
    command = settings.get("command")
    made = f"<pre><code>{escape(str(command))}</code></pre>" if command else ""
    shown = {name: value for name, value in settings.items() if name not in _NOT_LISTED}
    shown["macaz"] = settings.get("version", macaz.__version__)
    lines = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(_words(value))}</dd>" for name, value in shown.items()
    )
    return (
        '<section class="wide"><h2>How this was made</h2>'
        "<p>Every deal is played with the seats rotated, so that each bot gets every seat of it. "
        "Ratings are the most likely strengths in the Bradley-Terry model (Luce’s for more than "
        "two at a table), with the order of play as a part of the strength and a weak prior. "
        "Intervals are the central 95\u202f% of 1,000 bootstrap samples of whole deals.</p>"
        f"{made}<dl>{lines}</dl></section>"
    )


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return ", ".join(_words(part) for part in value)
    return str(value)
