"""Tables played over sockets up to a moment that the page is to show."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from playwright.sync_api import BrowserContext
from tests.page.hosts import Person
from websockets.sync.client import connect

Move = dict[str, Any]
PATIENCE = 120  # seconds; a busy machine is slow
LONG = 5  # a route that is worth its cards, regardless of tickets


@dataclass
class Moment:
    """The information with which a seat decides."""

    version: int
    legal: list[Move] = field(default_factory=list)
    happened: set[str] = field(default_factory=set)  # types of events since the start of `play`

    def offers(self, *types: str) -> bool:
        """Whether there is a move of one of these types."""
        return any(move["type"] in types for move in self.legal)


Until = Callable[[Moment], bool]
Likes = Callable[[Move], bool]


class NeverCameError(Exception):
    """The game ended before the expected moment."""


def nothing(_: Move) -> bool:
    """Prefers no move."""
    return False


def of(*types: str) -> Likes:
    """Prefers moves of these types."""
    return lambda move: move["type"] in types


def turn(version: int = 0) -> Until:
    """It is my turn, and there is a route to claim, not before a version."""
    return lambda now: now.version >= version and now.offers("claim") and now.offers("blind")


def offers(*types: str) -> Until:
    """There is a move of one of these types."""
    return lambda now: now.offers(*types)


class Guest(Person):
    """A person who plays over sockets, and whose cookie a browser can use."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name)
        self.url, self.name = url, name

    def enter(self, context: BrowserContext) -> None:
        """Sign a browser in as this person."""
        for cookie in self._http.cookies.jar:
            assert cookie.value
            context.add_cookies([{"name": cookie.name, "value": cookie.value, "url": self.url}])

    def table(self, *seats: str, edition: str, mine: Iterable[str] = (), **more: Any) -> str:
        """Create a table with seats such as "me", "person" or the name of a bot."""
        kinds = [
            {"kind": "person"} if seat in ("me", "person") else {"kind": "bot", "bot": seat}
            for seat in seats
        ]
        wanted = {"edition": edition, "seats": kinds, "first": 0, "seed": edition, **more}
        names = list(mine) or [self.name]
        made = self.post("/tables", {**wanted, "mine": names[: seats.count("me")]})
        return str(made["id"])

    def let_in(self, table: str, guest: Guest, kind: str = "join") -> None:
        """Let a guest sit down, or only watch, by a link: games with a seed are not listed."""
        made = self.post(f"/tables/{table}/links", {"kind": kind})
        guest.post("/links/open", {"token": made["url"].partition("#")[2]})

    def play(self, table: str, until: Until, *, likes: Likes = nothing, seat: int = 0) -> str:
        """Play a seat, preferring the moves that `likes` accepts, until a moment is reached."""
        dice = random.Random(0)
        now, waiting = Moment(0), ""
        with self._socket() as (say, hear):
            say("hello", table=table, seat=seat)
            while True:
                message = hear()
                assert message["type"] != "refused", message
                if message["type"] == "done":
                    waiting = ""
                if message["type"] in ("welcome", "update"):
                    now.version, now.legal = message["version"], message["legal"]
                    now.happened |= {event["type"] for event in message.get("events", ())}
                if "game-ended" in now.happened:
                    raise NeverCameError(table)
                if waiting:
                    continue
                if until(now):
                    return table
                if not now.legal:
                    continue
                waiting = f"{seat}-{now.version}"
                move = self._chosen(table, seat, now.legal, likes, dice)
                say("act", action=move["action"], version=now.version, nonce=waiting)

    def finish(self, table: str) -> str:
        """Let a bot play my seat to the end of the game."""
        self.post(f"/tables/{table}/seats/0/leave")
        deadline = time.monotonic() + PATIENCE
        while self.get(f"/tables/{table}")["status"] != "finished":
            assert time.monotonic() < deadline, "the bots do not finish"
            time.sleep(0.1)
        return table

    def _chosen(
        self, table: str, seat: int, legal: list[Move], likes: Likes, dice: random.Random
    ) -> Move:
        """A sensible move of a person who plays for their tickets."""
        liked = [move for move in legal if likes(move)]
        if liked:
            return dice.choice(liked)
        kinds: dict[str, list[Move]] = {}
        for move in legal:
            kinds.setdefault(move["type"], []).append(move)
        if "claim" in kinds:
            aids = self.get(f"/tables/{table}/aids?seat={seat}")
            way = {route for aid in aids["tickets"] for route in aid["way"] or ()}
            cost = {move["action"]: move["cards"] + move["locomotives"] for move in kinds["claim"]}
            good = [m for m in kinds["claim"] if m["route"] in way or cost[m["action"]] >= LONG]
            if good:
                return max(good, key=lambda m: (m["route"] in way, cost[m["action"]], m["cards"]))
        for type_ in ("choose", "keep"):
            if type_ in kinds:
                return max(kinds[type_], key=lambda m: len(m["tickets"]))
        for type_ in ("pay-tunnel", "mark", "start", "move-alvin", "blind", "take", "claim"):
            if type_ in kinds:
                return dice.choice(kinds[type_])
        return legal[0]

    @contextmanager
    def _socket(self) -> Iterator[tuple[Callable[..., None], Callable[[], dict[str, Any]]]]:
        address = self.url.replace("http", "ws", 1) + "/api/v1/socket"
        headers = {"authorization": f"Bearer {self.token}"}
        with connect(address, additional_headers=headers, max_size=None, proxy=None) as socket:

            def say(kind: str, **fields: Any) -> None:
                socket.send(json.dumps({"type": kind, **fields}))

            def hear() -> dict[str, Any]:
                message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
                return message

            yield say, hear


class Scene:
    """The people and tables of a server, each created when it is first used."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.turn = cache(self._turn)
        self.finished = cache(self._finished)

    @cached_property
    def ana(self) -> Guest:
        """The person at the page."""
        return Guest(self.url, "Ana")

    @cached_property
    def bogdan(self) -> Guest:
        """A friend."""
        return Guest(self.url, "Bogdan")

    @cached_property
    def newcomer(self) -> Guest:
        """A person who has never played."""
        return Guest(self.url, "Costin-Alexandru")

    def close(self) -> None:
        for name in ("ana", "bogdan", "newcomer"):
            if name in self.__dict__:
                self.__dict__[name].close()

    def _turn(self, edition: str) -> str:
        """Ana's turn in the middle of a game of four."""
        table = self.ana.table("me", "greedy", "greedy", "greedy", edition=edition)
        return self.ana.play(table, turn(120))

    def _finished(self, edition: str) -> str:
        """A game of four that is over."""
        return self.ana.finish(self.ana.table("me", "greedy", "greedy", "greedy", edition=edition))

    @cached_property
    def choosing(self) -> str:
        """Ana chooses her first tickets."""
        return self.ana.table("me", "greedy", edition="europe")

    @cached_property
    def keeping(self) -> str:
        """Ana drew more tickets."""
        table = self.ana.table("me", "greedy", edition="usa")
        return self.ana.play(table, offers("keep"), likes=of("draw-tickets"))

    @cached_property
    def tunnel(self) -> str:
        """Ana tried a tunnel, and it costs more."""
        routes = enumerate(self.ana.get("/editions/europe")["routes"])
        dug = {number for number, route in routes if route["kind"] == "tunnel"}

        def tunnels(move: Move) -> bool:
            return move["type"] == "claim" and move["route"] in dug

        return self._reached("europe", offers("pay-tunnel"), likes=tunnels)

    @cached_property
    def starting(self) -> str:
        """Ana chooses her first city."""
        table = self.ana.table("me", "greedy", edition="old-west")
        return self.ana.play(table, offers("start"))

    @cached_property
    def marking(self) -> str:
        """Ana may put a marker down."""
        return self._reached("old-west", offers("mark"), likes=of("claim"))

    @cached_property
    def alvin(self) -> str:
        """Ana sends Alvin away."""
        return self._reached("old-west+alvin", offers("move-alvin"), likes=of("claim"))

    @cached_property
    def last_round(self) -> str:
        """Ana's turn in the last round."""

        def last(now: Moment) -> bool:
            return "last-round-began" in now.happened and now.offers("claim", "blind")

        return self._reached("usa-classic", last)

    def _reached(self, edition: str, until: Until, likes: Likes = nothing) -> str:
        """A game in which the moment occurs: several seeds are tried."""
        for seed in range(20):
            table = self.ana.table("me", "greedy", edition=edition, seed=f"{edition} {seed}")
            try:
                return self.ana.play(table, until, likes=likes)
            except NeverCameError:
                continue
        raise NeverCameError(edition)

    @cached_property
    def theirs(self) -> str:
        """It is Bogdan's turn."""
        table = self.ana.table("me", "person", edition="usa", first=1)
        self.ana.let_in(table, self.bogdan)
        dealt = self.versions(table)
        self.bogdan.play(table, lambda now: now.version > dealt, seat=1)
        return self.ana.play(table, lambda now: now.version > dealt + 1)

    @cached_property
    def two_here(self) -> str:
        """Ana and her sister play on one screen."""
        return self.ana.table("me", "me", edition="usa", mine=["Ana", "Maria"])

    @cached_property
    def watched(self) -> str:
        """A game that Ana only watches."""
        table = self.bogdan.table("me", "greedy", edition="usa")
        self.bogdan.let_in(table, self.ana, "watch")
        return self.bogdan.play(table, turn(30))

    def new_room(self) -> str:
        """A table of Bogdan's that waits for two more."""
        return self.bogdan.table("me", "person", "person", "greedy", edition="old-west+alvin")

    @cached_property
    def invitation(self) -> str:
        """The address of a link to a table."""
        made = self.bogdan.post(f"/tables/{self.new_room()}/links", {"kind": "join"})
        return str(made["url"])

    @cached_property
    def closed(self) -> str:
        """A table that was closed before its end."""
        table = self.ana.table("me", "person", edition="usa")
        self.ana.post(f"/tables/{table}/close")
        return table

    def versions(self, table: str) -> int:
        """The version of a table."""
        return int(self.ana.get(f"/tables/{table}")["version"])
