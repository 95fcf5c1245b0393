"""How people take their decisions back: at once, or after the others have agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.server.entries import TakebackAccepted, TakebackAsked, TakebackRefused, TakenBack
from macaz.server.refusal import Refusal
from macaz.server.table.proposal import NoChange, Proposal, require_running
from macaz.server.takeback import takeback

if TYPE_CHECKING:
    from macaz.server import wire
    from macaz.server.table.log import Log
    from macaz.server.table.seats import Seats


class Takebacks:
    """Checks requests to take decisions back, and the answers to them."""

    def __init__(self, log: Log, seats: Seats) -> None:
        self._log = log
        self._seats = seats

    async def ask(self, person: str, seat: int, version: int) -> None:
        """Take the decision with that version back, or ask the other people whether they agree.

        A request that is sent again does nothing more.
        """

        def propose() -> Proposal:
            found = self._found(person, seat, version)
            if found.seat != seat:
                raise Refusal("not-allowed", "That decision is not yours.")
            if not found.waiting:
                return Proposal(TakenBack(seat, version, found.decisions))
            if found.asked:
                raise NoChange
            return Proposal(TakebackAsked(seat, version))

        await self._log.change(propose, latest=True)

    async def answer(self, person: str, seat: int, version: int, *, accept: bool) -> None:
        """Agree that the decision with that version is taken back, or not."""

        def propose() -> Proposal:
            found = self._found(person, seat, version)
            if not found.asked:
                raise Refusal("not-now", "No request to take a decision back is open.")
            if seat not in found.waiting:
                raise NoChange
            if not accept:
                return Proposal(TakebackRefused(seat))
            mine = self._seats.of(person)
            if all(i in mine for i in found.waiting):
                return Proposal(TakenBack(found.seat, version, found.decisions))
            return Proposal(TakebackAccepted(seat))

        await self._log.change(propose, latest=True)

    def _found(self, person: str, seat: int, version: int) -> wire.Takeback:
        """The decision that can be taken back, if it is the one with that version."""
        self._seats.require_owned(person, seat)
        require_running(self._log.state)
        found = takeback(self._log.state)
        if found is None or found.version != version:
            raise Refusal(
                "not-now",
                "That decision cannot be taken back: something was revealed since, another player "
                "has answered, or it was refused.",
            )
        return found
