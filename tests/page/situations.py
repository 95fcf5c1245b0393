"""Tables at which a certain situation is about to occur, for a person in a browser.

A situation is played twice: here with the kernel, until what is wanted can be done, and then with
the same decisions at a table of the server, which deals the same cards from the same seed. The game
that is here stays the twin of the table: it says what the page must show.

The seeds were found with `python -m tests.page.situations`, which prints for every one of them the
first seed that leads to it.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from playwright.sync_api import Locator, Page, expect
from tests.page.scenes import PATIENCE, Guest
from websockets.sync.client import ClientConnection, connect

from macaz.bots import make_bot
from macaz.edition.board import GRAY, Route
from macaz.game import Game
from macaz.game.moves import (
    Blind,
    Claim,
    DrawTickets,
    Mark,
    Move,
    PayTunnel,
    Start,
    Station,
    Take,
)
from macaz.help.aids import aids_of
from macaz.server import show
from macaz.server.wire import encode

ME, OTHER = 0, 1
MANY_WAYS = 6
MANY_COLORS = 4
MOST_SEEDS = 3000
# The middle of a route or of a city, where a mouse can point at it.
MIDDLE = """
([route, city]) => {
  if (city !== null) {
    const box = document.querySelectorAll(".board g.city")[city].getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
  const line = document.querySelector(`.board g[data-route="${route}"] path`);
  const middle = line.getPointAtLength(line.getTotalLength() / 2);
  const { x, y } = middle.matrixTransform(line.getScreenCTM());
  return [x, y];
}
"""

Player = Callable[[Game], Move]


# -- ways of playing -------------------------------------------------------------------------------


def moves_of(game: Game, seat: int = ME) -> list[Move]:
    """The legal moves of a seat."""
    return list(game.legal_moves_of(seat))


def collect(game: Game) -> Move:
    """Keep all tickets, then take nothing but cards: soon everything can be paid."""
    moves = list(game.legal_moves)
    return next((move for move in moves if isinstance(move, Blind)), moves[-1])


def near_alvin(game: Game) -> Move:
    """As `collect`, but I start in a city with a route to Alvin's."""
    city = game.view(None).alvin_city
    if game.turn == ME:
        for move in game.legal_moves:
            if isinstance(move, Start) and any(
                {move.city, city} == {route.a, route.b} for route in game.edition.board.routes
            ):
                return move
    return collect(game)


def by_bots() -> Player:
    """Both seats are played by bots."""
    bots = [make_bot("greedy", seed=seat) for seat in (ME, OTHER)]

    def play(game: Game) -> Move:
        seat = game.turn
        assert seat is not None
        return bots[seat].choose(game.view(seat), moves_of(game, seat))

    return play


# -- conditions ------------------------------------------------------------------------------------


def routes_of(game: Game) -> dict[int, list[Claim]]:
    """My payments for each route that I can claim now."""
    found = defaultdict(list)
    for move in moves_of(game):
        if isinstance(move, Claim):
            found[move.route].append(move)
    return found


def route_at(game: Game, claim: Claim) -> Route:
    """The route of a claim."""
    return game.edition.board.routes[claim.route]


def anything(game: Game) -> Move | None:
    """The first decision."""
    return moves_of(game)[0]


def any_turn(game: Game) -> Move | None:
    """A turn with all its choices: it has a ticket to draw."""
    return next((move for move in moves_of(game) if isinstance(move, DrawTickets)), None)


def a_start(game: Game) -> Move | None:
    """A starting city is to be chosen."""
    return next((move for move in moves_of(game) if isinstance(move, Start)), None)


def single(game: Game, claim: Claim) -> bool:
    """Whether it is the only lane between its cities."""
    return len(game.edition.board.pair_lanes(claim.route)) == 1


def many_ways(game: Game) -> Move | None:
    """A gray route with many payments: without locomotives, with some, with nothing else."""
    for ways in routes_of(game).values():
        route = route_at(game, ways[0])
        mixes = {way.locomotives for way in ways}
        if (
            (route.kind, route.color) == ("track", GRAY)
            and len(ways) >= MANY_WAYS
            and mixes >= {0, 1, route.length}
            and route.length > 1
            and single(game, ways[0])
        ):
            return ways[0]
    return None


def two_lanes(game: Game) -> Move | None:
    """A double route of which both lanes can be paid."""
    found = routes_of(game)
    for one, other in itertools.combinations(found, 2):
        first, second = (game.edition.board.routes[route] for route in (one, other))
        pair = (first.a, first.b, first.kind) == (second.a, second.b, "track")
        if pair and first.color != second.color:  # equal ones are asked about together
            return found[one][0]
    return None


def a_ferry(game: Game) -> Move | None:
    """A ferry that can be paid in several ways."""
    for ways in routes_of(game).values():
        ferry = route_at(game, ways[0]).kind == "ferry"
        if ferry and len(ways) > 1 and single(game, ways[0]):
            return ways[0]
    return None


def a_rescue(game: Game) -> Move | None:
    """A station that would complete a ticket of mine."""
    stations = [move for move in moves_of(game) if isinstance(move, Station)]
    if not stations:
        return None
    helping = {aid.city for aid in aids_of(game.view(ME)).stations}
    return next((move for move in stations if move.city in helping), None)


def a_tunnel(extra: int, ways: int) -> Callable[[Game], Move | None]:
    """A tunnel with a given extra cost, which can be paid in a given number of ways."""

    def wanted(game: Game) -> Move | None:
        for move in itertools.chain(*routes_of(game).values()):
            if route_at(game, move).kind != "tunnel":
                continue
            game.push(move)
            view = game.view(ME)
            known = view.phase == "tunnel" and view.extra == extra
            payable = sum(isinstance(one, PayTunnel) for one in moves_of(game)) if known else -1
            claimed = move.route in view.routes_of(ME)
            game.pop()
            if claimed if extra == 0 else payable == ways:
                return move
        return None

    return wanted


def many_odds(game: Game) -> Move | None:
    """A tunnel that can be laid in several colours, each with its odds."""
    for ways in routes_of(game).values():
        colors = {way.color for way in ways}
        if route_at(game, ways[0]).kind == "tunnel" and len(colors) == MANY_COLORS:
            return ways[0]
    return None


def a_marker(game: Game) -> Move | None:
    """A route at whose ends I can then place a marker, in several ways."""
    for ways in routes_of(game).values():
        game.push(ways[0])
        marks = [move for move in moves_of(game) if isinstance(move, Mark)]
        game.pop()
        if len(marks) > 1:
            return ways[0]
    return None


def alvin_near(game: Game) -> Move | None:
    """A route into Alvin's city."""
    city = game.view(ME).alvin_city
    for ways in routes_of(game).values():
        route = route_at(game, ways[0])
        if city in (route.a, route.b):
            return ways[0]
    return None


def last_round(game: Game) -> Move | None:
    """My last turn."""
    view = game.view(ME)
    return moves_of(game)[0] if view.last_turns and view.phase == "turn" else None


def the_end(tie: str | None = None) -> Callable[[Game], Move | None]:
    """My card is the last action of the game; with `tie`, this tie-break decides the game."""

    def wanted(game: Game) -> Move | None:
        if not game.view(ME).last_turns:
            return None
        for move in moves_of(game):
            if not isinstance(move, Blind | Take):
                continue
            game.push(move)
            found = game.outcome
            game.pop()
            if found and tie in (None, found.tie_break):
                return move
        return None

    return wanted


@dataclass(frozen=True)
class Situation:
    """A game that is played until a condition is met."""

    edition: str
    wanted: Callable[[Game], Move | None]
    seed: int = 0
    player: Callable[[], Player] = lambda: collect
    most: int = 60  # decisions until then

    def play(self) -> tuple[Game, Move]:
        """Play the game; returns it with the move that meets the condition."""
        game = Game(self.edition, 2, seed=self.seed, first=ME)
        play = self.player()
        while not game.over and sum(step.seat is not None for step in game.history) < self.most:
            if ME in game.deciding and (found := self.wanted(game)) is not None:
                return game, found
            game.push(play(game))
        raise LookupError(f"the situation does not occur: {self}")

    def first_seed(self) -> int:
        """The first seed that leads to the situation."""
        for seed in range(MOST_SEEDS):
            try:
                replace(self, seed=seed).play()
            except LookupError:
                continue
            return seed
        raise LookupError(f"no seed leads to the situation: {self}")


FIRST_TICKETS = Situation("usa-classic", anything)
LONG_TICKETS = Situation("europe", anything)
A_TURN = Situation("europe", any_turn)
RETURN_ORDER = Situation("usa", any_turn)
START = Situation("old-west", a_start)
MANY_PAYMENTS = Situation("usa-classic", many_ways)
TWO_LANES = Situation("usa-classic", two_lanes)
FERRY = Situation("europe", a_ferry)
TUNNEL_FREE = Situation("europe", a_tunnel(0, 0))
TUNNEL_1 = Situation("europe", a_tunnel(1, 2))
TUNNEL_2 = Situation("europe", a_tunnel(2, 3))
TUNNEL_3 = Situation("europe", a_tunnel(3, 2), seed=1)
TUNNEL_TOO_DEAR = Situation("europe", a_tunnel(2, 0))
MANY_ODDS = Situation("europe", many_odds)
RESCUE = Situation("europe", a_rescue, seed=1, player=by_bots, most=140)
MARKER = Situation("old-west", a_marker)
ALVIN = Situation("old-west+alvin", alvin_near, player=lambda: near_alvin)
LAST_ROUND = Situation("tiny", last_round, player=by_bots)
LAST_DECISION = Situation("tiny", the_end(), player=by_bots)
TIE_BY_TICKETS = Situation("tiny", the_end("tickets"), seed=705, player=by_bots)
SHARED = Situation("tiny", the_end("shared"), seed=2, player=by_bots)


# -- the same at a table of the server -------------------------------------------------------------


class Table:
    """A table in a situation: Ana's seat is for a page, Bogdan's is played from here.

    `game` is its twin, and `move` what Ana can do that makes the situation.
    """

    def __init__(self, ana: Guest, bogdan: Guest, situation: Situation, **more: Any) -> None:
        self.ana, self.bogdan = ana, bogdan
        self.game, self.move = situation.play()
        self.id = self.ana.table(
            *("me", "person"),
            edition=situation.edition,
            seed=str(situation.seed),
            **more,
        )
        self.ana.let_in(self.id, self.bogdan)
        self.version = self._versions()
        decided = [step for step in self.game.history if step.seat is not None]
        with self._socket(self.ana, ME) as mine, self._socket(self.bogdan, OTHER) as other:
            for step in decided:
                self._act(other if step.seat else mine, step.number)
        self.check()

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"/tables/{self.id}"

    # -- events at the table

    def did(self, *moves: Move | int) -> None:
        """Ana made these moves in her page, each once: check the table against its twin."""
        for move in moves:
            self.game.push(move, seat=ME)
            self.version += 1
        self.check()

    def bogdan_does(self, move: Move | int) -> None:
        """Bogdan decides."""
        with self._socket(self.bogdan, OTHER) as socket:
            self._act(socket, self.game.push(move, seat=OTHER))

    def bogdan_turns(self) -> None:
        """Bogdan takes cards until it is no longer his turn."""
        while OTHER in self.game.deciding:
            self.bogdan_does(collect(self.game))

    def bogdan_takes_a_turn(self) -> None:
        """Bogdan takes cards after a bot has played, without the twin."""
        with self._socket(self.bogdan, OTHER) as socket:
            acted = False
            while True:
                told: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
                assert told["type"] != "refused", told
                if told["type"] not in ("welcome", "update"):
                    continue
                if acted and OTHER not in told["deciding"]:
                    return
                if moves := told["legal"]:
                    move = next((move for move in moves if move["type"] == "blind"), moves[-1])
                    self.version, acted = told["version"], True
                    self._say_act(socket, move["action"])

    def check(self) -> None:
        """Check that the table has reached the state of its twin, and not gone further."""
        deadline = time.monotonic() + PATIENCE
        while self._versions() < self.version:
            assert time.monotonic() < deadline, "nothing happens at the table"
            time.sleep(0.02)
        assert self._versions() == self.version
        there = self.ana.get(f"/tables/{self.id}/moments/{self.version}?eyes=mine")
        assert there["view"] == msgspec.json.decode(encode(show.game_view(self.game, ME)))

    def legal(self, kind: str, **about: int) -> list[dict[str, Any]]:
        """Ana's moves of a kind as the server lists them, such as those about one route."""
        with self._socket(self.ana, ME) as socket:
            return [
                move
                for move in self._hear(socket, "welcome")["legal"]
                if move["type"] == kind and about.items() <= move.items()
            ]

    def aids(self) -> dict[str, Any]:
        """Ana's planning aids from the server."""
        found: dict[str, Any] = self.ana.get(f"/tables/{self.id}/aids?seat={ME}")
        return found

    # -- helpers

    def _versions(self) -> int:
        return int(self.ana.get(f"/tables/{self.id}")["version"])

    @contextmanager
    def _socket(self, guest: Guest, seat: int) -> Iterator[ClientConnection]:
        address = guest.url.replace("http", "ws", 1) + "/api/v1/socket"
        headers = {"authorization": f"Bearer {guest.token}"}
        with connect(address, additional_headers=headers, max_size=None, proxy=None) as socket:
            socket.send(json.dumps({"type": "hello", "table": self.id, "seat": seat}))
            yield socket

    def _hear(self, socket: ClientConnection, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
            assert message["type"] != "refused", message
            if message["type"] == kind:
                return message

    def _act(self, socket: ClientConnection, action: int) -> None:
        self._say_act(socket, action)
        self.version = self._hear(socket, "done")["version"]

    def _say_act(self, socket: ClientConnection, action: int) -> None:
        act = {"action": action, "version": self.version, "nonce": f"n{self.version}"}
        socket.send(json.dumps({"type": "act", **act}))


# -- its page --------------------------------------------------------------------------------------


def point(page: Page, *, route: int | None = None, city: int | None = None) -> None:
    """Click on a place of the map."""
    x, y = page.evaluate(MIDDLE, [route, city])
    page.mouse.click(x, y)


def settle(page: Page, **settings: Any) -> None:
    """Set the stored settings of a page's browser, unless the page changed them.

    The guide is off, and the order of returned tickets is asked for.
    """
    page.add_init_script(
        f"""
        if (!localStorage.getItem("macaz-settings")) {{
          const settings = {json.dumps({"guide": False, "returns": True, **settings})};
          localStorage.setItem("macaz-settings", JSON.stringify(settings));
        }}
        """
    )


class Tables:
    """Tables in situations, and their pages."""

    def __init__(self, url: str) -> None:
        self.ana, self.bogdan = Guest(url, "Ana"), Guest(url, "Bogdan")

    def arrange(self, situation: Situation, page: Page, **more: Any) -> Table:
        """Create a table in a situation, and open Ana's page."""
        table = Table(self.ana, self.bogdan, situation, **more)
        self.ana.enter(page.context)
        show_table(page, table)
        return table

    def close(self) -> None:
        self.ana.close()
        self.bogdan.close()


def show_table(page: Page, table: Table) -> None:
    """Open the page of a table."""
    page.goto(table.path)
    expect(page.locator("[data-prompt]")).not_to_be_empty()


def sheet(page: Page) -> Locator:
    """The dialog of the question."""
    return page.locator(".decision [role=dialog]")


def hand(page: Page) -> dict[int, int]:
    """Ana's cards as the page shows them."""
    piles = page.locator("[data-hand] [data-color]").all()
    return {
        int(pile.get_attribute("data-color") or ""): int(pile.locator(".count").inner_text())
        for pile in piles
    }


def expect_shown(page: Page, table: Table) -> None:
    """Check that the page shows the twin's cards, points, trains and routes."""
    view = table.game.view(ME)
    for color, many in enumerate(view.hand):
        pile = page.locator(f"[data-hand] [data-color='{color}'] .count")
        expect(pile).to_have_text([str(many)] if many else [])
    for seat, score in enumerate(view.scores):
        shown = page.locator(f"[data-seat='{seat}']")
        expect(shown.locator(".score")).to_contain_text(f" {score}")
        expect(shown.locator(".counts .count").first).to_contain_text(f"{view.trains[seat]}")
    taken = len(view.routes_of(ME)) + len(view.routes_of(OTHER))
    expect(page.locator(".board .taken")).to_have_count(taken)


if __name__ == "__main__":
    for name, situation in sorted(globals().items()):
        if isinstance(situation, Situation):
            sys.stdout.write(f"{name} {situation.first_seed()}\n")
