"""What people do at a table: sit down, decide, leave, come back, resign, close it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from macaz.game.fair import pledge_of
from macaz.server import wire
from macaz.server.entries import CameBack, Closed, Left, NonceAdded, Resigned, Sat, StoodIn
from macaz.server.names import check_name
from macaz.server.refusal import Refusal
from macaz.server.state import free_color
from macaz.server.table.proposal import NoChange, Proposal, decision, require_running

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.state import TableState, Terms
    from macaz.server.store.rows import GameRow
    from macaz.server.table.log import Log
    from macaz.server.table.presence import Presence


class Seats:
    """Checks the requests of people and adds them to the log; raises `Refusal` if not allowed."""

    def __init__(self, node: Node, row: GameRow, log: Log, presence: Presence) -> None:
        self._node = node
        self._row = row
        self._log = log
        self._presence = presence

    @property
    def _state(self) -> TableState:
        return self._log.state

    @property
    def _terms(self) -> Terms:
        return self._log.terms

    def of(self, person: str) -> tuple[int, ...]:
        """The seats that belong to a person."""
        return tuple(i for i, c in enumerate(self._state.chairs) if c.person == person)

    def require_owned(self, person: str, seat: int) -> None:
        if seat not in self.of(person):
            raise Refusal("not-allowed", "That seat is not yours.")

    async def decide(self, person: str, seat: int, message: wire.Act) -> int:
        """Make a person's decision; returns its version, also if the message was sent before."""
        nonce = f"{person}:{seat}:{message.nonce}"
        if (known := self._log.recent_version_of(nonce)) is not None:
            return known
        if self._node.settings.redis and message.version > self._state.version:
            await self._log.catch_up(message.version)  # the client saw it on another node
        try:
            return await self._log.change(lambda: self._decision(person, seat, message, nonce))
        except Refusal as refusal:
            # A message that is sent again after its decision was made is refused as stale.
            if refusal.code != "storage" and (made := await self._log.version_of(nonce)):
                return made
            raise

    def _decision(self, person: str, seat: int, message: wire.Act, nonce: str) -> Proposal:
        state = self._state
        self.require_owned(person, seat)
        require_running(state)
        since = state.since[seat]
        if message.version > state.version:
            raise Refusal("stale", "That is a version this table has not reached.")
        if since is None:
            raise Refusal("not-your-turn", "It is not for you to decide now.")
        if state.chairs[seat].bot:
            raise Refusal("not-your-turn", "A bot plays this seat. Take it back first.")
        if message.version < since[0]:
            raise Refusal("stale", "The table has gone on since. Look again, then decide.")
        return decision(self._log.deal, state, seat, message.action, nonce=nonce)

    async def sit(
        self,
        person: str,
        seat: int | None,
        name: str,
        color: str,
        *,
        address: str,
        several: bool = False,
        pledge: str | None = None,
    ) -> int:
        """Sit down on a seat, or on the next free one; returns the seat.

        A person who has a seat already and asks for no other one keeps it. `several` allows one
        person more than one seat, for friends on one screen. `address` is the digest of the
        person's address.
        """
        taken = -1

        def propose() -> Proposal:
            nonlocal taken
            mine = self.of(person)
            if mine and seat in (None, *mine):
                taken = mine[0] if seat is None else seat
                raise NoChange
            if mine and not several:
                raise Refusal(
                    "not-allowed", "You sit here already. The other seats are for others."
                )
            if self._state.status != "waiting":
                raise Refusal("not-now", "The game has begun already.")
            taken = self._free_seat(person, seat)
            self._check_name(name, taken)
            network = self._network(address)
            entry = Sat(taken, person, name, free_color(self._state, color, taken), pledge, network)
            return Proposal(entry, person=person)

        await self._log.change(propose, latest=True)
        return taken

    def _network(self, address: str) -> str:
        """A digest that shows which seats of this table were taken from one address.

        It differs from table to table, and is empty for a table that is not listed.
        """
        if not self._row.listed:
            return ""
        return hashlib.sha256(f"{self._row.id} {address}".encode()).hexdigest()[:16]

    def _check_name(self, name: str, seat: int) -> None:
        check_name(name, (c.name for i, c in enumerate(self._state.chairs) if i != seat))

    def _free_seat(self, person: str, wanted: int | None) -> int:
        chairs, terms = self._state.chairs, self._terms.seats
        if wanted is not None and wanted >= len(chairs):
            raise Refusal("bad-value", f"There is no seat {wanted} at this table.")
        free = [i for i, chair in enumerate(chairs) if chair.free]
        mine = [i for i in free if terms[i].kept_for == person]
        open_ = [i for i in free if terms[i].kept_for is None]
        fitting = [i for i in mine + open_ if wanted in (None, i)]
        if not fitting:
            raise Refusal("taken", "There is no free seat for you here.")
        return fitting[0]

    async def transfer(
        self,
        seat: int,
        person: str,
        name: str,
        color: str,
        giver: str,
        link: str | None,
        pledge: str | None = None,
        *,
        address: str,
    ) -> None:
        """Give a seat to the person who opened its link; a link works once.

        The seat is the giver's own, or a free one, which only the host or the person for whom it
        is reserved may give.
        """

        def propose() -> Proposal:
            chair = self._state.chairs[seat]
            # The seat may have been taken since the link was made.
            if chair.person == person:
                raise NoChange
            if chair.person not in (None, giver):
                raise Refusal("taken", "Another person has that seat now.")
            if chair.free and giver not in (self._row.host, self._terms.seats[seat].kept_for):
                raise Refusal("not-allowed", "That seat is no longer theirs to give.")
            ended = chair.resigned or self._state.status in ("finished", "closed")
            if self._terms.seats[seat].bot or ended:
                raise Refusal("not-now", "That seat can no longer be taken.")
            if chair.free:
                self._check_name(name, seat)
                own = free_color(self._state, color, seat)
                entry = Sat(seat, person, name, own, pledge, self._network(address))
            else:
                # During a game it does not change: the lobby would show the change at once, also to
                # spectators who see the game with a delay.
                network = chair.network if self._state.game else self._network(address)
                entry = Sat(seat, person, chair.name or name, chair.color, pledge, network)
            return Proposal(entry, person=person, link=link)

        await self._log.change(propose, latest=True)

    async def add_nonce(self, person: str, nonce: str) -> None:
        """Add a nonce to the deal, for all seats for which the person pledged it."""
        pledge = pledge_of(bytes.fromhex(nonce))

        def propose() -> Proposal:
            state = self._state
            if state.announced is None:
                raise Refusal("not-now", "Keep your nonce until the terms are announced.")
            shares = state.shares or ()
            seats = tuple(i for i in self.of(person) if shares and shares[i].pledge == pledge)
            if not seats:
                raise Refusal("bad-value", "That is not a nonce that you pledged at this table.")
            if all(shares[i].nonce for i in seats):
                raise NoChange
            if state.status != "waiting":
                raise Refusal("not-now", "Too late: the cards were dealt without your nonce.")
            return Proposal(NonceAdded(seats, nonce))

        await self._log.change(propose, latest=True)

    async def leave(self, person: str, seat: int) -> None:
        """Leave a seat: before the game it is free again, in the game a bot stands in."""

        def propose() -> Proposal:
            self.require_owned(person, seat)
            state = self._state
            if state.status == "waiting" and state.announced is None:
                return Proposal(Left(seat))
            if state.status != "waiting":  # "waiting" here: announced, and about to be dealt
                require_running(state)
            if state.chairs[seat].bot:
                raise NoChange
            return Proposal(StoodIn(seat, self._terms.stand_in, "left"))

        await self._log.change(propose, latest=True)

    async def come_back(self, person: str, seat: int) -> None:
        """Take a seat back from the bot that stands in."""

        def propose() -> Proposal:
            self.require_owned(person, seat)
            require_running(self._state)
            if not self._state.chairs[seat].bot:
                raise NoChange
            if self._state.chairs[seat].resigned:
                raise Refusal("not-now", "You resigned: the bot plays this seat to the end.")
            return Proposal(CameBack(seat))

        await self._log.change(propose, latest=True)

    async def resign(self, person: str, seat: int) -> None:
        """Resign: a bot plays the seat to the end, or the game ends if one person is left."""

        def propose() -> Proposal:
            self.require_owned(person, seat)
            if self._state.chairs[seat].resigned:
                raise NoChange
            require_running(self._state)
            ends = self._state.ends_without(seat)
            return Proposal(Resigned(seat, self._terms.stand_in, ends))

        await self._log.change(propose, latest=True)

    async def call_stand_in(self, person: str, seat: int) -> None:
        """Let a bot play for a person for whom the table waits.

        They have been away for `absence` seconds, or kept it waiting for `patience` seconds. Any
        person who plays here may decide it, as the other takes the seat back at any moment.
        """
        await self._presence.known()

        def propose() -> Proposal:
            state = self._state
            mine = self.of(person)
            # For a host who only watches, a delay holds; a refusal would reveal the present state.
            host = person == self._row.host and not mine and not self._terms.delay
            if not host and all(state.chairs[i].resigned for i in mine):
                raise Refusal("not-allowed", "Only those who play here can do that.")
            require_running(state)
            if self._terms.move_seconds is not None:
                raise Refusal("not-now", "There is a clock at this table: it decides.")
            chair = state.chairs[seat] if seat < len(state.chairs) else None
            if chair is not None and chair.person and chair.bot:
                raise NoChange  # another player was first
            since = state.since[seat] if chair is not None else None
            if chair is None or since is None or chair.bot:
                raise Refusal("not-now", "The table is not waiting for a person on that seat.")
            settings = self._node.settings
            waiting = self._node.clock.now() - (state.clocks[seat] or since[1])
            left = settings.patience - waiting / 1000
            away = self._presence.away_ms(chair.person or "")
            if away is not None:
                left = min(left, settings.absence - away / 1000)
            if left > 0:
                raise Refusal("not-now", f"Give them {left:.0f} more seconds.")
            return Proposal(StoodIn(seat, self._terms.stand_in, "called"))

        await self._log.change(propose, latest=True)

    async def close(self, person: str) -> None:
        """Close the table: its host may, if no other person has a seat in its game.

        A person who is away, or for whom a bot stands in, still has a seat. The same refusal is
        given after the end of the game, which a host who only watches may not know of yet.
        """

        def propose() -> Proposal:
            if person != self._row.host:
                raise Refusal("not-allowed", "Only the person who made the table can close it.")
            others = {c.person for c in self._state.chairs if c.person} - {person}
            if self._state.announced is not None and others:
                raise Refusal(
                    "not-allowed",
                    "Others have seats in this game, so it is played to its end. "
                    "You can leave your seat: a bot plays on for you.",
                )
            if self._state.status in ("finished", "closed"):
                raise NoChange
            return Proposal(Closed())

        await self._log.change(propose, latest=True)
