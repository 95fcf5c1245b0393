"""The page derives each view from the one before: it must equal the view of the server.

Whole games are played with the server's own code and recorded as several watchers see them;
then the page's code follows the updates, in `web/tests/games.test.ts`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from tests.page.units import run_vitest

from macaz.edition import Edition, load_edition
from macaz.game import Game
from macaz.game.moves import Blind, Claim, Decline, DrawTickets, Mark, Move, Station, Take
from macaz.server import show
from macaz.server.editions import map_of
from macaz.server.entries import Acted, CameBack, Dealt, StoodIn
from macaz.server.state import Deal, SeatTerms, TableState, Terms, act, begin, follow, new_state
from macaz.server.wire import Update

GAMES = [
    ("usa-classic", 2),
    ("usa-classic", 5),
    ("usa", 3),
    ("usa", 4),
    ("europe", 2),
    ("europe", 3),
    ("europe", 5),
    ("old-west+alvin", 2),
    ("old-west+alvin", 4),
    ("old-west", 3),
]
# Preferences of these players: some of everything, and an end within a few hundred decisions.
TASTE: dict[type[Move], float] = {
    Claim: 30,
    Blind: 12,
    Take: 12,
    DrawTickets: 2,
    Station: 1,
    Mark: 6,
    Decline: 2,
}
# These must occur in some game for the test to be meaningful.
NEEDED = {
    *("card-dealt", "card-taken", "blind-drawn", "row-filled", "row-replaced", "deck-shuffled"),
    *("tickets-drawn", "tickets-dealt", "tickets-kept", "tickets-returned", "route-claimed"),
    *("tunnel-tried", "tunnel-revealed", "tunnel-paid", "tunnel-declined", "station-built"),
    *("city-started", "marker-placed", "marker-skipped", "alvin-captured", "alvin-moved"),
    *("turn-ended", "last-round-began", "game-ended", "bot-stood-in", "person-came-back"),
}


def chosen(game: Game, seat: int, rng: random.Random) -> Move:
    """A random kind of move by preference, then any move of it."""
    moves = list(game.legal_moves_of(seat))
    kinds = sorted({type(move) for move in moves}, key=lambda kind: kind.__name__)
    kind = rng.choices(kinds, [TASTE.get(kind, 6) for kind in kinds])[0]
    return rng.choice([move for move in moves if type(move) is kind])


def steps(edition: Edition, seats: int, seed: str) -> Iterator[tuple[show.Page, TableState]]:
    """A whole game, entry by entry from the deal on."""
    rng = random.Random(seed)
    terms = Terms(seats=(SeatTerms(bot="random"),) * seats, stand_in="random")
    deal = Deal(edition, terms, b"", seed)
    state = new_state(terms)

    def entered(entry: Dealt | Acted | StoodIn | CameBack, game: Game | None) -> show.Page:
        nonlocal state
        state = follow(deal, state, entry, 1000 * state.version, game)
        return show.page(state, entry, terms)

    game, dealt = begin(deal, state)
    yield entered(dealt, game), state
    while not game.over:
        seat = rng.choice(game.deciding)
        game, acted = act(
            deal.dealer_of(state), game, seat, game.parse(chosen(game, seat, rng), seat)
        )
        yield entered(acted, game), state
        if (
            state.version == 20
        ):  # the view does not change, but an update says what is to be decided
            yield entered(StoodIn(0, "random", "left"), None), state
            yield entered(CameBack(0), None), state


class Watched(msgspec.Struct):
    """A game as one watcher saw it."""

    title: str
    map: Any
    updates: list[Update]
    views: list[Any]  # the server's, after each of them


def watched(edition: Edition, seats: int, seed: str) -> Iterator[Watched]:
    """One game as its first and its last seat, a spectator, and a watcher of all seats see it."""
    eyes: tuple[show.Eyes, ...] = (0, seats - 1, None, "all")
    seen = {who: Watched(f"{seed}, {who}", map_of(edition), [], []) for who in eyes}
    for page, state in steps(edition, seats, seed):
        assert state.game is not None, "these tables begin with the deal"
        for who, log in seen.items():
            log.updates.append(show.update(page, who))
            log.views.append(show.game_view(state.game, who))
    yield from seen.values()


def test_the_page_sees_every_game_as_the_server_does(tmp_path: Path) -> None:
    games = [
        game
        for name, seats in GAMES
        for game in watched(load_edition(name), seats, f"{name} with {seats}")
    ]
    met = {
        event["type"]
        for game in games
        for update in game.updates
        for event in msgspec.to_builtins(update.events)
    }
    assert NEEDED - met == set()
    path = tmp_path / "games.json"
    path.write_bytes(msgspec.json.encode(games))
    result = run_vitest("tests/games.test.ts", MACAZ_GAMES=str(path))
    assert result.returncode == 0, (result.stdout + result.stderr)[-6000:]
    assert f"{len(games)} passed" in result.stdout
