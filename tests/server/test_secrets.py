"""Nothing that a seat or a spectator is sent depends on hidden information.

A whole game is played over real sockets, and everything that each client receives is kept. Then its
twin is played (see `twins`): cards and tickets of some seats differ, and everything that the others
may see is the same. Ids, secrets and the clock are fixed, so clients that cannot see the difference
must have been sent the very same bytes, in the same order.

The comparison ends before the update with the end of the game, which reveals
everything. The commitment to the cards is the same in both games: it is the hash of a secret
that is the same, while the cards are scripted.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
import pytest
from tests import amount
from tests.server.harness import Client, say, serving, settings
from tests.server.twins import Story, differences, hidden_sets, random_story, twin
from websockets import ClientConnection

from macaz.edition import load_edition
from macaz.game.fair import Dealer, pledge_of
from macaz.game.record import load_record
from macaz.server import logs, node, people, show, state, wire
from macaz.server.clock import Clock
from macaz.server.entries import NonceAdded
from macaz.server.http import aids, links, past
from macaz.server.state import TableState
from macaz.server.table.audience import Audience

# Games per table. The usual number is for games without a server, which are faster.
GAMES = max(1, amount.GAMES // amount.USUAL)
EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")
SEATS = (3, 4, 2, 4, 2, 4)  # with two and four, over all editions; thoroughly, each with both
TABLES = [
    (edition, min(seats, load_edition(edition).rules.max_seats))
    for edition, usual in zip(EDITIONS, SEATS, strict=True)
    for seats in ((2, 4) if GAMES > 1 else (usual,))
]
TRIES = 120  # attempts to change something hidden, for a twin
ENOUGH = {"tiny": (2, 1)}  # cards and tickets that must differ in a twin
NAMES = ("Ana", "Ion", "Eva", "Dan")
HIDDEN_FIELDS = ("hand", "tickets", "offer")


# -- a server with predictable bytes ---------------------------------------------------------------


class Ticking(Clock):
    """A clock that a test advances."""

    def __init__(self) -> None:
        self.seconds = 0.0
        super().__init__(wall=lambda: 1_700_000_000.0, count=lambda: self.seconds)


class Foretold:
    """Replaces `secrets`: always the same values, and all of them are recorded."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self._count = 0

    def _next(self, size: int) -> bytes:
        self._count += 1
        return hashlib.shake_256(f"foretold {self._count}".encode()).digest(size)

    def token_bytes(self, size: int) -> bytes:
        """The secret of a game."""
        made = self._next(size)
        self.given += [made.hex(), base64.b64encode(made).decode()]
        return made

    def token_urlsafe(self, size: int) -> str:
        """Ids of people and tables, and tokens."""
        self.given.append(base64.urlsafe_b64encode(self._next(size)).rstrip(b"=").decode())
        return self.given[-1]

    def token_hex(self, size: int) -> str:
        """Ids of requests, which the client may know."""
        return self._next(size).hex()


def scripted(ways: list[int]) -> type[Dealer]:
    """Dealers with these outcomes of chance."""

    class Scripted(Dealer):
        def draw(self, index: int, ways_: int) -> int:
            assert ways[index] < ways_
            return ways[index]

    return Scripted


# -- playing, with everything recorded -------------------------------------------------------------


@dataclass
class Watcher:
    """A client at the table, or a spectator, and everything they were sent."""

    client: Client
    table: str
    seat: int | None
    socket: ClientConnection
    version: int = 0
    got: list[bytes] = field(default_factory=list)  # while the game lasts
    messages: list[Any] = field(default_factory=list)  # the same, read
    end: list[Any] = field(default_factory=list)  # from the update that tells the end

    async def hear(self) -> dict[str, Any]:
        """The next message of the socket."""
        async with asyncio.timeout(30):
            raw = await self.socket.recv()
        message: dict[str, Any] = json.loads(raw)
        if message["type"] in ("welcome", "update"):
            self.version = message["version"]
        if self.end or any(e["type"] == "game-ended" for e in message.get("events", ())):
            self.end.append(message)
        else:
            self._keep(str(raw).encode(), message)
        return message

    def has_heard(self, kind: str, seat: int | None) -> bool:
        """Whether an event about a seat was received."""
        events = [e for m in self.messages for e in m.get("events", ()) if e["type"] == kind]
        return any(seat in event["seats"] for event in events)

    async def hear_upto(self, version: int) -> None:
        """Receive all messages up to a version of the table."""
        while self.version < version:
            await self.hear()

    async def answer(self, kind: str) -> None:
        """Receive all messages up to the next of a kind."""
        while (message := await self.hear())["type"] != kind:
            assert message["type"] != "refused", message

    async def ask(self, path: str) -> None:
        """The response of an HTTP request, headers included."""
        found = await self.client.ask("GET", path)
        lines = [f"{name}: {value}" for name, value in found.headers.items() if name != "date"]
        head = "\n".join([f"{path} {found.status_code}", *lines, ""])
        self._keep(head.encode() + found.content, found.json())

    def _keep(self, raw: bytes, message: Any) -> None:
        self.got.append(raw)
        self.messages.append(message)

    async def look_around(self, seats: int, foreign: int | None) -> None:
        """Request everything available, and things that this client may not see."""
        place, now = f"/tables/{self.table}", self.version
        not_mine = next(p for p in range(seats) if p != self.seat)
        paths = ["/me/tables", "/tables", place, f"{place}/record", f"{place}/updates"]
        paths += [f"{place}/updates?after={now - 2}", f"{place}/updates?eyes=all"]
        paths += [f"{place}/moments/{n}" for n in (now // 4, now // 2, now)]
        paths += [f"{place}/moments/{now}?eyes={not_mine}", "/me/statistics", "/whoami"]
        mine = not_mine if self.seat is None else self.seat
        paths += [f"{place}/aids?seat={mine}", f"{place}/aids?seat={not_mine}"]
        paths += [f"{place}/aids?seat={mine}&version={now // 2}"]
        for path in paths:
            await self.ask(path)
        await say(self.socket, "look")
        await self.answer("welcome")
        await say(self.socket, "hello", table=self.table, seat=self.seat, after=now - 1)
        await self.answer("update")
        await say(self.socket, "hello", table=self.table, seat=not_mine)
        await self.answer("refused")
        if foreign is not None:  # a legal action of another seat
            await say(self.socket, "act", action=foreign, version=now, nonce=f"guess-{now}")
            await self.answer("refused")


@dataclass(repr=False)  # `asyncio.run` makes the text of its result twice, which takes seconds
class Played:
    """A game that was played on a server."""

    watchers: list[Watcher]  # the seats, and a spectator
    record: str
    opened: Any  # all updates, as a spectator finds them after the end
    secrets: list[str]  # what the server must not reveal


async def _play(address: str, story: Story, clock: Ticking, given: list[str]) -> Played:
    seats, edition, decisions = story.table.seats, story.table.edition, story.script()[1]
    watchers: list[Watcher] = []
    async with AsyncExitStack() as stack:
        clients = [await Client.new(address, name) for name in (*NAMES[:seats], "Zoe")]
        for client in clients:
            stack.push_async_callback(client.close)
        others = ["person"] * (seats - 1)
        terms: dict[str, Any] = {"edition": edition, "listed": True, "move_seconds": 36_000}
        nonces = [hashlib.sha256(name.encode()).digest() for name in NAMES[:seats]]
        pledges = [{"pledge": pledge_of(nonce)} for nonce in nonces]
        table = await clients[0].table("me", *others, **terms, **pledges[0])

        async def watch(client: Client, seat: int | None) -> None:
            socket = await stack.enter_async_context(await client.connect())
            watchers.append(Watcher(client, table, seat, socket))
            await say(socket, "hello", table=table, seat=seat)
            await watchers[-1].answer("welcome")

        await watch(clients[-1], None)
        await watch(clients[0], 0)
        for seat in range(1, seats):
            await clients[seat].post(f"/tables/{table}/sit", {"seat": seat} | pledges[seat])
            await watch(clients[seat], seat)
        watchers.append(watchers.pop(0))
        for watcher, own in zip(watchers[:-1], nonces, strict=True):
            await say(watcher.socket, "add-nonce", nonce=own.hex())
            for one in watchers:
                while not one.has_heard("nonce-added", watcher.seat):
                    await one.hear()
        for one in watchers:
            while not any(message.get("situation") for message in one.messages):
                await one.hear()  # the deal
        given += [own.hex() for own in nonces]
        looks = (1, len(decisions) - 1)  # while first tickets are chosen, and before the end
        for n, (seat, action) in enumerate(decisions):
            actor = watchers[seat]
            version = max(watcher.version for watcher in watchers)
            for watcher in watchers:
                await watcher.hear_upto(version)
            clock.seconds += 1
            for watcher in watchers if n in looks else ():
                await watcher.look_around(seats, None if watcher is actor else action)
            nonce = f"nonce-of-{seat}-{n}"
            await say(actor.socket, "act", action=action, version=version, nonce=nonce)
            await actor.answer("done")
        for watcher in watchers:
            while not watcher.end:
                await watcher.hear()
        records = [await client.get(f"/tables/{table}/record") for client in clients]
        assert len(set(records)) == 1, "all clients get the same record"
        opened = await clients[-1].get(f"/tables/{table}/updates?eyes=all")
    return Played(watchers, records[0], opened, [text for text in given if text != table])


def play(story: Story, folder: Path) -> Played:
    """Play a recorded game on a new server."""
    foretold, clock = Foretold(), Ticking()
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "Dealer", scripted(story.script()[0]))
        for module in (node, people, links, logs):
            patch.setattr(module, "secrets", foretold)
        with serving(settings(folder), clock) as server:
            return asyncio.run(_play(server.address, story, clock, foretold.given))


# -- requirements ----------------------------------------------------------------------------------


def told_apart(one: Played, other: Played, hidden: tuple[int, ...]) -> list[tuple[bytes, bytes]]:
    """The differences, before the end, in what was sent to clients that must not see any."""
    found: list[tuple[bytes, bytes]] = []
    for a, b in zip(one.watchers, other.watchers, strict=True):
        assert a.seat == b.seat
        assert a.end
        assert b.end
        if a.seat not in hidden:
            pairs = zip_longest(a.got, b.got, fillvalue=b"nothing")
            found += [(x, y) for x, y in pairs if x != y]
    return found


def objects(message: Any) -> Iterator[dict[str, Any]]:
    """Every object in a message."""
    if isinstance(message, dict):
        yield message
    for part in message.values() if isinstance(message, dict) else message:
        if isinstance(part, dict | list):
            yield from objects(part)


def secrets_told(played: Played) -> list[str]:
    """Secrets and nonces that were sent to clients that must not have them, before the end."""
    found: list[str] = []
    for watcher in played.watchers:
        seats = range(len(played.watchers) - 1)
        nonces = [f"nonce-of-{p}-" for p in seats if p != watcher.seat]
        everything = b"\n".join(watcher.got).decode()
        found += [text for text in (*played.secrets, *nonces) if text in everything]
    return found


def check_nothing_of_others(played: Played) -> None:
    """During the game: no hand, ticket, id, token, secret or nonce of another person is sent."""
    assert not secrets_told(played)
    for watcher in played.watchers:
        me, own = watcher.seat, 0
        for thing in (o for message in watcher.messages for o in objects(message)):
            if thing.get("type") != "nonce-added" and "hand_size" in thing.get("seats", [{}])[0]:
                for p, seat in enumerate(thing["seats"]):
                    assert p == me or [seat[name] for name in HIDDEN_FIELDS] == [None] * 3
                    own += p == me and seat["hand"] is not None and seat["tickets"] is not None
            if thing.get("type") in ("card-dealt", "blind-drawn"):
                assert (thing["color"] is None) == (thing["seat"] != me)
            if thing.get("type") in ("tickets-dealt", "tickets-kept", "tickets-returned"):
                assert (thing["tickets"] is None) == (thing["seat"] != me)
            if thing.get("type") in ("welcome", "update") and me not in thing["deciding"]:
                assert thing["legal"] == []
        assert (own > 0) == (me is not None)


def check_all_open(story: Story, played: Played) -> None:
    """After the end: the record and the log are complete, for all clients."""
    for watcher in played.watchers:
        assert watcher.end[0]["events"][-1]["type"] == "game-ended"
    numbers = [
        story.table.action(before, fact) if fact.kind in ("action", "choice") else fact.what
        for before, fact in zip(story.states, story.facts, strict=False)
    ]
    assert [step.number for step in load_record(played.record).history] == numbers
    events = [event for update in played.opened["updates"] for event in update["events"]]
    drawn = [e["color"] for e in events if e["type"] in ("card-dealt", "blind-drawn")]
    assert drawn == [f.what for f in story.facts if f.kind == "card" and f.seat is not None]
    assert None not in [e.get("tickets", ()) for e in events]


def story_and_twins(
    edition: str, seats: int, game: int, sets: Sequence[tuple[int, ...]]
) -> tuple[Story, list[Story]]:
    """A game, and for each set of seats a twin in which enough of theirs is different."""
    cards, tickets = ENOUGH.get(edition, (10, 3))
    for seed in range(100):
        story = random_story(edition, seats, (game, seed))
        twins = [twin(story, hidden, tries=TRIES) for hidden in sets]
        counts = [differences(story, other) for other in twins]
        if all(c["card"] >= cards and c["ticket"] + c["choice"] >= tickets for c in counts):
            return story, twins
    raise AssertionError("no game has twins that differ enough")


def sets_for(edition: str, seats: int) -> Sequence[tuple[int, ...]]:
    """Whose secrets are changed. Half of the sets of a large table, in turn, unless all are wanted:
    over all editions, every seat is tested against every other.
    """
    sets = hidden_sets(seats)
    if GAMES > 1 or len(sets) == 2:
        return sets
    return sets[2:] if edition == "europe" else sets[:2]


@pytest.mark.slow
@pytest.mark.parametrize("game", range(GAMES))
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_is_sent_does_not_depend_on_what_is_hidden(
    tmp_path: Path, edition: str, seats: int, game: int
) -> None:
    """P1, P2 over the wire: not a byte, not a message more or less."""
    sets = sets_for(edition, seats)
    story, twins = story_and_twins(edition, seats, game, sets)
    played = play(story, tmp_path / "story")
    check_nothing_of_others(played)
    check_all_open(story, played)
    for n, (hidden, other) in enumerate(zip(sets, twins, strict=True)):
        played_other = play(other, tmp_path / f"twin {n}")
        assert not told_apart(played, played_other, hidden)
        check_all_open(other, played_other)
        # The seats whose cards were changed were sent different data: the games did differ.
        pairs = [(played.watchers[seat], played_other.watchers[seat]) for seat in hidden]
        assert any(mine.got != yours.got for mine, yours in pairs)


# -- tests of the test -----------------------------------------------------------------------------


def leak_events(patch: pytest.MonkeyPatch) -> None:
    """Events are sent without redaction."""
    narrowed = show._narrowed
    patch.setattr(show, "_narrowed", lambda event, _eyes: narrowed(event, "all"))


def leak_hands(patch: pytest.MonkeyPatch) -> None:
    """A view shows all hands."""
    game_view = show.game_view
    patch.setattr(show, "game_view", lambda game, _eyes: game_view(game, "all"))


def leak_legal(patch: pytest.MonkeyPatch) -> None:
    """All clients get the legal moves of the seat that decides."""
    legal = show.legal_now
    patch.setattr(show, "legal_now", lambda s, _: legal(s, next(iter(s.deciding), None)))


def leak_past(patch: pytest.MonkeyPatch) -> None:
    """Past moments are open to all, over HTTP only."""

    patch.setattr(past, "eyes_of", lambda *_: "all")


def leak_aids(patch: pytest.MonkeyPatch) -> None:
    """All clients get the aids of any seat."""
    patch.setattr(aids, "eyes_of", lambda *_: None)


def leak_count(patch: pytest.MonkeyPatch) -> None:
    """An additional empty message now and then, whose time depends on the hands."""
    tell = Audience.tell

    def tell_more(audience: Audience, page: show.Page, state: TableState) -> None:
        tell(audience, page, state)
        if state.game and crc32(state.game.state["hand"].tobytes()) % 2:
            for listener in audience.listeners:
                listener.send(wire.encode(wire.Pong(0)))

    patch.setattr(Audience, "tell", tell_more)


class NonceTold(msgspec.Struct, tag_field="type", tag="nonce-added"):
    """The messages of a server that does not keep nonces secret."""

    seats: tuple[int, ...]
    nonce: str


def leak_nonces(patch: pytest.MonkeyPatch) -> None:
    """All clients receive the nonces that are added to the deal."""
    honest = show.table_event

    def table_event(entry: Any) -> Any:
        told = isinstance(entry, NonceAdded)
        return NonceTold(entry.seats, entry.nonce) if told else honest(entry)

    patch.setattr(show, "table_event", table_event)


LEAKS = [leak_events, leak_hands, leak_legal, leak_past, leak_aids, leak_count, leak_nonces]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    story, other = small_pair()
    leak(monkeypatch)
    played, played_other = play(story, tmp_path / "story"), play(other, tmp_path / "twin")
    assert told_apart(played, played_other, (1,)) or secrets_told(played)


@cache
def small_pair() -> tuple[Story, Story]:
    """A small game and a twin in which one seat has other cards, tickets and legal moves."""
    for game in range(100):
        story, [other] = story_and_twins("tiny", 2, game, [(1,)])
        if legal_of(story, 1) != legal_of(other, 1):
            return story, other
    raise AssertionError("no small game has such a twin")


def legal_of(story: Story, seat: int) -> list[Sequence[int]]:
    """The legal actions of a seat at each of its decisions, tickets aside."""
    steps = zip(story.states, story.facts, strict=False)
    return [
        story.table.engine.legal(before, seat)
        for before, fact in steps
        if fact.kind == "action" and fact.seat == seat
    ]
