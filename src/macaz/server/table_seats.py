"""What people do at a table: decide, sit down, leave, come back."""

from __future__ import annotations

import hashlib

from macaz.fair import pledge_of
from macaz.moves import IllegalMove, MoveError
from macaz.server import wire
from macaz.server.entries import CameBack, Closed, Left, NonceAdded, Sat, StoodIn
from macaz.server.names import check_name
from macaz.server.refusal import Refusal
from macaz.server.state import TableState, act, free_color
from macaz.server.table_log import AlreadySo, Log, Wish


class Seats(Log):
    """A table as far as people use it."""

    def seats_of(self, person: str) -> tuple[int, ...]:
        """The seats that belong to a person."""
        return tuple(i for i, c in enumerate(self.state.chairs) if c.person == person)

    def _owned(self, person: str, seat: int) -> None:
        if seat not in self.seats_of(person):
            raise Refusal("not-allowed", "That seat is not yours.")

    async def decide(self, person: str, seat: int, message: wire.Act) -> int:
        """A person decides; returns the version."""
        nonce = f"{person}:{seat}:{message.nonce}"
        for known, version in self.nonces:
            if known == nonce:
                return version
        if self.node.settings.redis and message.version > self.state.version:
            await self.catch_up(message.version)  # they saw it on another node
        try:
            return await self.change(lambda: self._decision(person, seat, message, nonce))
        except Refusal as refusal:
            # It may be an old message, sent again, whose question has passed since.
            if refusal.code != "storage" and (version_ := await self._version_of(nonce)):
                return version_
            raise

    def _decision(self, person: str, seat: int, message: wire.Act, nonce: str) -> Wish:
        state = self.state
        self._owned(person, seat)
        self._running()
        since = state.since[seat]
        if message.version > state.version:
            raise Refusal("stale", "That is a version this table has not reached.")
        if since is None:
            raise Refusal("not-your-turn", "It is not for you to decide now.")
        if state.chairs[seat].bot:
            raise Refusal("not-your-turn", "A bot plays this seat. Take it back first.")
        if message.version < since[0]:
            raise Refusal("stale", "The table has gone on since. Look again, then decide.")
        return self._acted(seat, message.action, nonce=nonce)

    def _acted(self, seat: int, action: int, *, bot: str = "", nonce: str | None = None) -> Wish:
        assert self.state.game is not None, "running tables have a game"
        try:
            game, entry = act(self.deal.dealer_of(self.state), self.state.game, seat, action, bot)
        except IllegalMove as error:
            why = f"The rules do not allow that now: {error.why}."
            raise Refusal("illegal", why, reason=error.reason) from error
        except MoveError as error:
            raise Refusal("illegal", "The rules do not allow that now.") from error
        return Wish(entry, game, nonce)

    def _running(self) -> TableState:
        state = self.state
        if state.status != "running":
            raise Refusal("not-now", f"The game is not running: the table is {state.status}.")
        return state

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

        `address` is the digest of the address that the person comes from.

        Whoever sits already and names no other seat keeps theirs: asking twice does no harm.
        `several` allows one person more than one seat, as friends on one screen have.
        """
        taken = -1

        def wish() -> Wish:
            nonlocal taken
            mine = self.seats_of(person)
            if mine and seat in (None, *mine):
                taken = mine[0] if seat is None else seat
                raise AlreadySo
            if mine and not several:
                raise Refusal(
                    "not-allowed", "You sit here already. The other seats are for others."
                )
            if self.state.status != "waiting":
                raise Refusal("not-now", "The game has begun already.")
            taken = self._free_seat(person, seat)
            self._check_name(name, taken)
            network = self._network(address)
            entry = Sat(taken, person, name, free_color(self.state, color, taken), pledge, network)
            return Wish(entry, person=person)

        await self.change(wish)
        return taken

    def _network(self, address: str) -> str:
        """What tells seats of one address from others, at this table only; none if not listed."""
        if not self.row.listed:
            return ""
        return hashlib.sha256(f"{self.id} {address}".encode()).hexdigest()[:16]

    def _check_name(self, name: str, seat: int) -> None:
        check_name(name, (c.name for i, c in enumerate(self.state.chairs) if i != seat))

    def _free_seat(self, person: str, wanted: int | None) -> int:
        chairs, terms = self.state.chairs, self.terms.seats
        if wanted is not None and wanted >= len(chairs):
            raise Refusal("bad-value", f"There is no seat {wanted} at this table.")
        free = [i for i, chair in enumerate(chairs) if chair.free]
        mine = [i for i in free if terms[i].kept_for == person]
        open_ = [i for i in free if terms[i].kept_for is None]
        fitting = [i for i in mine + open_ if wanted in (None, i)]
        if not fitting:
            raise Refusal("taken", "There is no free seat for you here.")
        return fitting[0]

    async def move_over(
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
        """Give a seat to whoever opened its link, which is used up: the giver's own, or a free one.

        A free one is the host's to give, or theirs for whom it is kept.
        """

        def wish() -> Wish:
            chair = self.state.chairs[seat]
            # Somebody may have sat down since the link was made.
            if chair.person == person:
                raise AlreadySo
            if chair.person not in (None, giver):
                raise Refusal("taken", "Somebody else sits there now.")
            if chair.free and giver not in (self.row.host, self.terms.seats[seat].kept_for):
                raise Refusal("not-allowed", "That seat is no longer theirs to give.")
            if self.terms.seats[seat].bot or self.state.status in ("finished", "closed"):
                raise Refusal("not-now", "That seat can no longer be taken.")
            if chair.free:
                self._check_name(name, seat)
                own = free_color(self.state, color, seat)
                entry = Sat(seat, person, name, own, pledge, self._network(address))
            else:
                # In a game it stays as it was: lists show it at once, even where there is a delay.
                network = chair.network if self.state.game else self._network(address)
                entry = Sat(seat, person, chair.name or name, chair.color, pledge, network)
            return Wish(entry, person=person, link=link)

        await self.change(wish)

    async def add_nonce(self, person: str, nonce: str) -> None:
        """Add a nonce to the deal, for all seats of a person that pledged it."""
        if self.node.settings.redis and self.state.announced is None:
            await self.catch_up()  # they saw the announcement on another node
        pledge = pledge_of(bytes.fromhex(nonce))

        def wish() -> Wish:
            state = self.state
            if state.announced is None:
                raise Refusal("not-now", "Keep your nonce until the terms are announced.")
            shares = state.shares or ()
            seats = tuple(i for i in self.seats_of(person) if shares and shares[i].pledge == pledge)
            if not seats:
                raise Refusal("bad-value", "That is not a nonce that you pledged at this table.")
            if all(shares[i].nonce for i in seats):
                raise AlreadySo
            if state.status != "waiting":
                raise Refusal("not-now", "Too late: the cards were dealt without your nonce.")
            return Wish(NonceAdded(seats, nonce))

        await self.change(wish)

    async def leave(self, person: str, seat: int) -> None:
        """Get up: before the game the seat is free again, in the game a bot stands in."""

        def wish() -> Wish:
            self._owned(person, seat)
            state = self.state
            if state.status == "waiting" and state.announced is None:
                return Wish(Left(seat))
            if state.status != "waiting":  # else it is about to begin, with the names announced
                self._running()
            if state.chairs[seat].bot:
                raise AlreadySo
            return Wish(StoodIn(seat, self.terms.stand_in, "left"))

        await self.change(wish)

    async def come_back(self, person: str, seat: int) -> None:
        """Take a seat back from the bot that stands in."""

        def wish() -> Wish:
            self._owned(person, seat)
            if not self._running().chairs[seat].bot:
                raise AlreadySo
            return Wish(CameBack(seat))

        await self.change(wish)

    async def call_stand_in(self, person: str, seat: int) -> None:
        """Let a bot play for somebody who keeps the table waiting for long."""

        def wish() -> Wish:
            # A host who only watches may be behind, and must not learn here what goes on.
            host = person == self.row.host and not self.terms.delay
            if not host and not self.seats_of(person):
                raise Refusal("not-allowed", "Only those who play here can do that.")
            state = self._running()
            if self.terms.move_seconds is not None:
                raise Refusal("not-now", "There is a clock at this table: it decides.")
            since = state.since[seat] if seat < len(state.chairs) else None
            if since is None or state.chairs[seat].bot:
                raise Refusal("not-now", "The table is not waiting for a person on that seat.")
            waiting = self.node.clock.now() - (state.clocks[seat] or since[1])
            left = self.node.settings.patience - waiting / 1000
            if left > 0:
                raise Refusal("not-now", f"Give them {left:.0f} more seconds.")
            return Wish(StoodIn(seat, self.terms.stand_in, "called"))

        await self.change(wish)

    async def close(self, person: str) -> None:
        """End the table before its end: its maker may, if no other person has a seat in its game.

        A person who is away, or for whom a bot stands in, still has a seat. The same refusal is
        given after the end of the game, which a maker who only watches may not know of yet.
        """

        def wish() -> Wish:
            if person != self.row.host:
                raise Refusal("not-allowed", "Only whoever made the table can close it.")
            others = {c.person for c in self.state.chairs if c.person} - {person}
            if self.state.announced is not None and others:
                raise Refusal(
                    "not-allowed",
                    "Others have seats in this game, so it is played to its end. "
                    "You can leave your seat: a bot plays on for you.",
                )
            if self.state.status in ("finished", "closed"):
                raise AlreadySo
            return Wish(Closed())

        await self.change(wish)
