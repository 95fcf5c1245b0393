"""The report on a map, as tables for the terminal and as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from macaz.edition import Edition
from macaz.edition.board import Board, color_name
from macaz.lab.maps.balance import Balance, balance_of, first_lanes
from macaz.lab.pages import write_html
from macaz.lab.shares import Share, wilson

if TYPE_CHECKING:
    from macaz.lab.maps.played import Cases, Played

_TEMPLATE = Path(__file__).with_name("report.html.jinja")

# From which point on something is worth a remark.
COLOUR_OFF = 0.15  # of the mean number of spaces of a colour
WORTH_OFF = 0.25  # of the mean points for a space
REGION_OFF = 0.35  # of the mean spaces, or ticket ends, of a city
SELDOM = 0.05  # of the games in which a route is taken
HARD, EASY = 0.6, 1.5  # times the usual share of tickets that are completed
ALWAYS = 0.98  # a share that stands out even where most tickets are completed
ENOUGH = 50  # games after which a route should have been taken once
SHOWN = 6  # names in a remark


@dataclass(frozen=True, slots=True)
class Section:
    """A table with its heading; the first column is text, the others are numbers."""

    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that is said about a map."""

    title: str
    lead: str
    remarks: tuple[str, ...]
    sections: tuple[Section, ...]


def report_on(edition: Edition, played: Played | None = None) -> Report:
    """The report on a map, with the games that were played on it, if any."""
    balance = balance_of(edition)
    board = edition.board
    sections = [_colours(balance), _regions(balance)]
    remarks = [
        *_colour_remarks(balance),
        *_region_remarks(balance),
        *_city_remarks(board),
        *_worth_remarks(board, balance),
    ]
    lead = f"{len(board.cities)} cities, {len(board.routes)} lanes, {len(board.tickets)} tickets"
    if played is None or not played.games:
        return Report(edition.title, lead, tuple(remarks), (*sections, _tickets(board, balance)))
    seats = played.games * played.players
    lead += (
        f"; {played.games} games of {played.players} players ({', '.join(played.bots)}), "
        f"seed {played.seed}: {played.scores / seats:.0f} points and {played.turns / seats:.0f} "
        "turns for a player on average"
    )
    remarks += [*_route_remarks(board, played), *_ticket_remarks(board, played)]
    remarks += _seat_remarks(played)
    sections += [
        _wins("Wins by order of play", _place_rows(played), played),
        _wins("Wins by completed tickets", sorted(played.by_tickets.items()), played),
        _wins("What wins", played.by_feat.items(), played),
        *([_wins("Wins by bot", played.by_bot.items(), played)] if len(played.by_bot) > 1 else []),
        _tickets(board, balance, played),
        _routes(board, played),
    ]
    return Report(edition.title, lead, tuple(remarks), tuple(sections))


# -- tables ----------------------------------------------------------------------------------------


def _colours(balance: Balance) -> Section:
    rows = tuple((c.name, str(c.lanes), str(c.spaces)) for c in balance.colours)
    note = "Every colour should have about as many spaces."
    return Section("Colours", note, ("colour", "lanes", "spaces"), rows)


def _regions(balance: Balance) -> Section:
    rows = tuple(
        (
            region.name,
            str(region.cities),
            f"{region.spaces:g}",
            f"{region.spaces / region.cities:.1f}",
            str(region.ticket_ends),
            f"{region.ticket_ends / region.cities:.1f}",
        )
        for region in balance.regions
    )
    heads = ("region", "cities", "spaces", "a city", "ticket ends", "a city")
    return Section("Regions", "The quarters of the map around its middle.", heads, rows)


def _tickets(board: Board, balance: Balance, played: Played | None = None) -> Section:
    ways = sorted(balance.ways, key=lambda way: (-way.worth, way.ticket))
    rows = []
    for way in ways:
        name = ticket_name(board, way.ticket)
        row: tuple[str, ...] = (name, str(way.points), str(way.spaces), f"{way.worth:.2f}")
        if played is not None:
            kept, done = played.kept[way.ticket], played.done[way.ticket]
            row += (str(kept), *_share(wilson(done, kept)))
        rows.append(row)
    heads: tuple[str, ...] = ("ticket", "points", "spaces", "a space")
    note = "With the spaces of their shortest ways, and the points for each; the best paid first."
    if played is not None:
        heads += ("kept", "done", "95 %")
    return Section("Tickets", note, heads, tuple(rows))


def _routes(board: Board, played: Played) -> Section:
    rows = []
    for number in sorted(first_lanes(board), key=lambda route: (played.taken[route], route)):
        share = _share(wilson(played.taken[number], played.games))
        rows.append((route_name(board, number), str(board.routes[number].length), *share))
    note = "In how many games a lane of each route is taken, the least wanted first."
    return Section("Routes", note, ("route", "length", "taken", "95 %"), tuple(rows))


def _place_rows(played: Played) -> list[tuple[str, Cases]]:
    return [
        ("1, begins" if place == 0 else str(place + 1), cases)
        for place, cases in sorted(played.by_place.items())
    ]


def _wins(title: str, rows: Iterable[tuple[object, Cases]], played: Played) -> Section:
    found = [(str(name), str(cases.count), *_share(cases.wins)) for name, cases in rows]
    note = f"An even share is {100 * played.even:.0f} %."
    return Section(title, note, ("", "players", "wins", "95 %"), tuple(found))


def _share(share: Share) -> tuple[str, str]:
    if share.share != share.share:  # nan: there was no case
        return "–", ""
    return f"{100 * share.share:.0f} %", f"{100 * share.low:.0f}–{100 * share.high:.0f} %"


def ticket_name(board: Board, number: int) -> str:
    ticket = board.tickets[number]
    long = " (long)" if ticket.deck == "long" else ""
    return f"{board.cities[ticket.a].label}–{board.cities[ticket.b].label}{long}"


def route_name(board: Board, number: int) -> str:
    """The cities of a route, the colours of its lanes, and its kind if it is not plain track."""
    route = board.routes[number]
    kind = "" if route.kind == "track" else f", {route.kind}"
    ends = f"{board.cities[route.a].label}–{board.cities[route.b].label}"
    colors = [color_name(board.routes[lane].color) for lane in board.pair_lanes(number)]
    return f"{ends} ({', '.join(colors)}{kind})"


# -- remarks ---------------------------------------------------------------------------------------


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _colour_remarks(balance: Balance) -> Iterator[str]:
    colours = [c for c in balance.colours if c.name != "gray"]
    usual = mean(c.spaces for c in colours) if colours else 0
    off = [f"{c.name} {c.spaces}" for c in colours if abs(c.spaces - usual) > COLOUR_OFF * usual]
    if off:
        yield f"Colours with many or few spaces (the mean is {usual:.1f}): {_names(off)}."


def _region_remarks(balance: Balance) -> Iterator[str]:
    cities = sum(region.cities for region in balance.regions)
    for what, counts in (
        ("spaces", [region.spaces for region in balance.regions]),
        ("ticket ends", [region.ticket_ends for region in balance.regions]),
    ):
        usual = sum(counts) / cities
        for region, count in zip(balance.regions, counts, strict=True):
            found = count / region.cities
            if abs(found - usual) > REGION_OFF * usual:
                many = "many" if found > usual else "few"
                yield (
                    f"The {region.name} has {many} {what}: {found:.1f} a city, "
                    f"usual is {usual:.1f}."
                )


def _city_remarks(board: Board) -> Iterator[str]:
    ends = {city for ticket in board.tickets for city in (ticket.a, ticket.b)}
    without = [city.label for number, city in enumerate(board.cities) if number not in ends]
    if without:
        yield f"Cities on no ticket: {_names(without)}."


def _worth_remarks(board: Board, balance: Balance) -> Iterator[str]:
    usual = mean(way.worth for way in balance.ways)
    for what, sign in (("well", 1), ("badly", -1)):
        off = [w for w in balance.ways if sign * (w.worth - usual) > WORTH_OFF * usual]
        if off:
            names = [f"{ticket_name(board, w.ticket)} ({w.worth:.2f} a space)" for w in off]
            yield f"Tickets that are paid {what}: {_names(names)}."


def _route_remarks(board: Board, played: Played) -> Iterator[str]:
    seldom = [
        route_name(board, number)
        for number in first_lanes(board)
        if wilson(played.taken[number], played.games).high < SELDOM
        or (played.games >= ENOUGH and not played.taken[number])
    ]
    if seldom:
        yield f"Routes that are hardly ever taken: {_names(seldom)}."


def _ticket_remarks(board: Board, played: Played) -> Iterator[str]:
    usual = played.done.total() / max(1, played.kept.total())
    hard, easy = [], []
    for number in range(len(board.tickets)):
        share = wilson(played.done[number], played.kept[number])
        if share.high < HARD * usual:
            hard.append(ticket_name(board, number))
        if share.low > min(ALWAYS, EASY * usual):
            easy.append(ticket_name(board, number))
    if hard:
        yield f"Tickets that are seldom completed ({100 * usual:.0f} % are usual): {_names(hard)}."
    if easy:
        yield f"Tickets that are nearly always completed: {_names(easy)}."


def _seat_remarks(played: Played) -> Iterator[str]:
    for place, cases in sorted(played.by_place.items()):
        wins = cases.wins
        if wins.low > played.even or wins.high < played.even:
            more = "more" if wins.share > played.even else "less"
            share, low, high = (100 * part for part in (wins.share, wins.low, wins.high))
            found = f"{share:.0f} % ({low:.0f}–{high:.0f} %)"
            seat = f"Seat {place + 1}" if place else "Seat 1, which begins,"
            yield f"{seat} wins {more} than an even share: {found}."
    if played.failures:
        yield f"Bots failed {played.failures} times, and a stand-in played on for them."


# -- the page --------------------------------------------------------------------------------------


def write_page(report: Report, edition: Edition, path: Path) -> None:
    """Write the report as an HTML page, with a picture of the board."""
    from macaz.draw.plates import plate_of
    from macaz.edition.picture import picture_of

    picture = picture_of(plate_of(edition), edition.board)
    write_html(path, _TEMPLATE, report=report, picture=picture)
