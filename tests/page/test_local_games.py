"""A game in a browser equals the game on the server: the same deals, messages, aids and records.

Games of every edition, with every choice of options and number of seats, are played by Python and
recorded as each seat, a spectator and a watcher of all seats saw them.
`web/tests/local.test.ts` plays the same decisions with the page's own dealer and compares.
`verify_record` then reads the records that it wrote.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from tests.page.test_reduce import NEEDED, chosen
from tests.page.units import run_vitest

from macaz.edition import Edition
from macaz.game import Game
from macaz.game.data import Situation, event_data, moves_data, situation
from macaz.game.events import Event, game_events, narrow
from macaz.game.fair import Dealer, Share, pledge_of
from macaz.game.moves import IllegalMove, MoveError
from macaz.game.record import announcement, dump_record, verify_record
from macaz.help.aids import Aids, aids_of
from macaz.server import show
from macaz.server.data_files import DataFiles, make_data_files
from macaz.server.editions import Catalog

OFTEN = 0.2  # the share of steps after which the large data is recorded
SHORT = 30  # decisions of a game in which some are taken back
MIDDLE = 40  # the moment of a long game at which it is written unfinished
NAMES = (
    *("Ana", 'Zoë: "Z"', "Józef", "x; y\u200b", " c\\", "Ana", "a, b", "", "tab\t\u2028"),
    *("\U000e0041 tag", "\u00a0", "Ștefan 🚂", '"', "e "),
)
TABLE_EVENTS = {"bot-stood-in", "person-came-back"}


class Large(msgspec.Struct):
    """The data of a moment, by watcher or by seat."""

    views: list[Any]
    legal: list[Any]
    aids: list[Aids]
    illegal: list[tuple[int, int, str | None]]  # a seat, an action, why it is illegal


class Moment(msgspec.Struct):
    """The results of a decision, or of the deal before the first."""

    seat: int | None
    action: int | None
    chances: list[int]
    deciding: tuple[int, ...]
    events: list[list[Any]]  # by watcher
    situations: list[Situation]
    large: Large | None


class Noted(msgspec.Struct):
    """A short game in which decisions are taken back and seats resign, and its record.

    The number of an entry is an action, so many decisions, or 1 if the game ends. `retractable` is
    how many decisions could be taken back after it.
    """

    entries: list[tuple[str, int, int, int]]  # what, the seat, the number, retractable
    outcome: Any
    record: str


class Played(msgspec.Struct):
    """A game; the watchers are each seat, a spectator, and one who sees all seats."""

    title: str
    map: str  # the file of the map, and of the table
    table: str
    seats: int
    names: tuple[str, ...]
    first: int | None
    seed: str | None
    secret: str | None
    shares: tuple[Share, ...] | None
    date: str | None
    announcement: str | None
    moments: list[Moment]
    middle: int  # the number of moments before the unfinished game was written
    unfinished: str
    record: str
    noted: Noted


@cache
def data_files() -> DataFiles:
    return make_data_files(Catalog())


def eyes_of(seats: int) -> tuple[show.Eyes, ...]:
    return (*range(seats), None, "all")


def refusals(game: Game, rng: random.Random) -> Iterator[tuple[int, int, str | None]]:
    """Some actions that a seat may not take, and why; None for numbers that are no action."""
    top = game.spec.actions
    base = game.spec.table["base"][0].tolist()
    for action in (-1, top, *(rng.randrange(top) for _ in range(4)), *rng.sample(base[:-1], 4)):
        seat = rng.choice([*game.deciding, *range(game.seats)])
        try:
            game.copy().push(action, seat)
        except IllegalMove as error:
            yield seat, action, error.reason
        except MoveError:
            yield seat, action, None


def large(game: Game, rng: random.Random) -> Large:
    seats = range(game.seats)
    return Large(
        views=[show.game_view(game, who) for who in eyes_of(game.seats)],
        legal=[moves_data(game.view(seat), game.legal_moves_of(seat)) for seat in seats],
        aids=[aids_of(game.view(seat)) for seat in seats],
        illegal=list(refusals(game, rng)),
    )


def shown(event: Event, who: show.Eyes) -> Any:
    return event_data(event if who == "all" else narrow(event, who))


def moment(game: Game, start: int, rng: random.Random) -> Moment:
    """The results of the steps from a ply on."""
    steps = game.history[start:]
    events = [event for _, some in game_events(game, start) for event in some]
    eyes = eyes_of(game.seats)
    views = [game.view(None if who == "all" else who) for who in eyes]
    whole = start == 0 or game.over or rng.random() < OFTEN
    return Moment(
        seat=steps[0].seat,
        action=None if steps[0].seat is None else steps[0].number,
        chances=[step.number for step in steps if step.seat is None],
        deciding=game.deciding,
        events=[[shown(event, who) for event in events] for who in eyes],
        situations=list(map(situation, views)),
        large=large(game, rng) if whole else None,
    )


def dealer_of(number: int, seats: int, rng: random.Random) -> Dealer:
    """In turn: of a seed, of a secret alone, of a secret with nonces, one of them missing."""
    if number % 3 == 0:
        return Dealer.seeded(f"local {number}")
    if number % 3 == 1:
        return Dealer(rng.randbytes(32))
    nonces = [rng.randbytes(32) for _ in range(seats)]
    shares = [Share(pledge_of(nonce), nonce.hex()) for nonce in nonces]
    shares[-1] = Share(shares[-1].pledge) if number % 2 else Share()
    return Dealer(rng.randbytes(32), shares)


def noted(game: Game, rng: random.Random) -> Noted:
    """Play on for a while, then let the seats resign, the last but one with the end of the game."""
    entries: list[tuple[str, int, int, int]] = []
    for _ in range(SHORT):
        if game.over:
            break
        seat = rng.choice(game.deciding)
        action = game.push(chosen(game, seat, rng), seat)
        entries.append(("act", seat, action, game.retractable))
        if game.retractable and rng.random() < 0.5:
            back = rng.randint(1, game.retractable)
            game.take_back(back)
            entries.append(("take-back", -1, back, game.retractable))
        if len(entries) == SHORT // 2 and game.seats > 2 and not game.over:
            game.resign(0)
            entries.append(("resign", 0, 0, game.retractable))
    if not game.over:
        game.resign(1, ends=True)
        entries.append(("resign", 1, 1, game.retractable))
    return Noted(entries, game.outcome, dump_record(game))


def played(edition: Edition, seats: int, number: int, files: dict[str, Any]) -> Played:
    title = f"{edition.qualified_id} with {seats}"
    rng = random.Random(title)
    dealer = dealer_of(number, seats, rng)
    first = None if number % 4 else seats - 1
    names = [NAMES[(2 * number + seat) % len(NAMES)] for seat in range(seats)]
    game = Game(edition, seats, dealer=dealer, first=first, names=names)
    game.in_browser = True
    game.date = None if number % 2 else "2026-11-18"
    announced = None
    with contextlib.suppress(ValueError):  # a game with a seed has none
        announced = announcement(game)
    also = noted(game.copy(), random.Random(f"{title} noted"))
    moments = [moment(game, 0, rng)]
    middle, unfinished = 1, dump_record(game)
    while not game.over:
        seat, start = rng.choice(game.deciding), len(game.history)
        game.push(chosen(game, seat, rng), seat)
        moments.append(moment(game, start, rng))
        if len(moments) <= MIDDLE:
            middle, unfinished = len(moments), dump_record(game)
    return Played(
        title,
        files["maps"][edition.qualified_id],
        files["tables"][edition.qualified_id][str(seats)],
        seats,
        game.names,
        first,
        dealer.seed,
        None if dealer.seed else dealer.secret.hex(),
        dealer.shares,
        game.date,
        announced,
        moments,
        middle,
        unfinished,
        dump_record(game),
        also,
    )


def test_a_game_in_a_browser_is_the_game_on_the_server(tmp_path: Path) -> None:
    made = data_files()
    for name in made.files:
        (tmp_path / name).write_bytes(made.files[name])
    index, catalog = msgspec.json.decode(made.index), Catalog()
    editions = [edition for name in catalog.names() for edition in catalog.variants(name)]
    tables = [
        (edition, int(seats))
        for edition in editions
        for seats in index["tables"][edition.qualified_id]
    ]
    met: set[str] = set()
    reasons: set[str | None] = set()
    announced: dict[str, str | None] = {}
    taken_back = 0
    for number, (edition, seats) in enumerate(tables):
        game = played(edition, seats, number, index)
        announced[f"{number}.record"] = game.announcement
        taken_back += sum(what == "take-back" for what, *_ in game.noted.entries)
        met |= {e.__struct_config__.tag for m in game.moments for e in m.events[-1]}
        reasons |= {why for m in game.moments if m.large for _, _, why in m.large.illegal}
        (tmp_path / f"{number}.game").write_bytes(msgspec.json.encode(game))
    assert NEEDED - met == TABLE_EVENTS
    assert len(reasons) > 12, reasons
    assert taken_back > len(tables)
    result = run_vitest(
        "tests/local.test.ts", MACAZ_LOCAL=str(tmp_path), MACAZ_KERNEL=index["kernel"]
    )
    assert result.returncode == 0, (result.stdout + result.stderr)[-6000:]
    assert f"{len(tables)} passed" in result.stdout
    for name, told in announced.items():
        proof = verify_record((tmp_path / name).read_bytes(), announced=told)
        assert proof.verdict == ("seeded" if told is None else "consistent"), proof
        assert proof.in_browser == (told is not None)
