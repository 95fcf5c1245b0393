"""Games that were played in a browser without a server, and are sent to this one.

The log of such a game is followed from its first entry as if it were played here: each entry must
be the one that this server would have written. The sender knows the secret, so the table is never
listed, and only the sender plays there.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from macaz.game.fair import SECRET_BYTES, pledge_of
from macaz.server import show, wire
from macaz.server.entries import (
    Acted,
    Announced,
    AnyEntry,
    CameBack,
    Dealt,
    Left,
    NonceAdded,
    Resigned,
    Sat,
    StoodIn,
    TakenBack,
    encode_entry,
)
from macaz.server.limits import RateLimit
from macaz.server.people import one_line
from macaz.server.refusal import Refusal
from macaz.server.state import (
    Deal,
    TableState,
    Terms,
    announce,
    begin,
    follow,
    free_color,
    new_state,
)
from macaz.server.store.rows import EntryRow, GameRow
from macaz.server.store.trouble import Unavailable
from macaz.server.table.clocks import wake_at
from macaz.server.table.proposal import decision, require_running
from macaz.server.takeback import takeback
from macaz.server.terms import check_bot, check_terms, seat_terms

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.server.node import Node
    from macaz.server.store.rows import PersonRow
    from macaz.server.table import Table

BODY_BYTES = 1024 * 1024
PER_MINUTE = 12  # games that one person may send
AT_ONCE = 2  # games that are checked at the same time: each is replayed
CLOCK_SKEW_MS = 300_000  # by which the clock of a browser may be ahead of this one


class LocalGames:
    """Checks games that people send, and makes tables of them."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._rate = RateLimit(PER_MINUTE, 60)
        self._checking = asyncio.Semaphore(AT_ONCE)

    async def add(self, person: PersonRow, address: str, sent: wire.LocalGame) -> Table:
        """The table of a game; the same one if this person sent the same game before.

        `address` is the digest of the person's address.
        """
        node = self._node
        self._rate.ask(person.id)
        digest = hashlib.sha256(person.id.encode() + b"\n" + wire.encode(sent)).hexdigest()
        if (known := await self._known(digest)) is not None:
            return await node.table(known)
        deal = self._deal(sent)
        now = node.clock.now()
        async with self._checking:
            log, state = await asyncio.to_thread(follow_log, deal, sent, person.id, now)
        row = GameRow(
            id=secrets.token_urlsafe(12),
            edition=deal.edition.qualified_id,
            fingerprint=deal.edition.fingerprint,
            seats=len(sent.seats),
            terms=msgspec.json.encode(deal.terms),
            secret=deal.dealer.secret,
            seed=sent.seed,
            host=person.id,
            listed=False,
            status=state.status,
            wake_at=wake_at(state, deal.terms, now, node.settings),
            # By these times it is counted and kept: as a game that was made, or ended, now.
            created_at=now,
            updated_at=now,
            finished_at=now if state.status == "finished" else None,
            summary=show.summary(state, deal.terms),
            imported=digest,
        )
        persons = [chair.person for chair in state.chairs]
        if not await node.keep(row, deal.edition, persons, address=address, log=log):
            return await node.table(await self._known(digest) or "")  # sent twice at once
        return await node.table(row.id)

    async def _known(self, digest: str) -> str | None:
        try:
            return await self._node.store.games.imported_as(digest)
        except Unavailable as error:
            raise Refusal("storage", "No game can be stored now. Try again.") from error

    def _deal(self, sent: wire.LocalGame) -> Deal:
        """The terms of the game, if this server knows its edition and its bots."""
        node = self._node
        if (sent.secret is None) == (sent.seed is None):
            raise Refusal("bad-value", "A game has either a secret or a seed.")
        if sent.seed is not None and not sent.seed.isprintable():
            raise Refusal("bad-value", "A seed is one line of signs that can be seen.")
        edition = node.editions.find(sent.edition)
        if edition.fingerprint != sent.fingerprint:
            raise Refusal(
                "bad-value",
                f"{edition.title} has the fingerprint {edition.fingerprint} here, not "
                f"{sent.fingerprint}: the map or the rules of this game are others.",
            )
        if sent.stand_in is not None:
            check_bot(sent.stand_in)
        terms = Terms(
            seats=seat_terms(sent.seats),
            stand_in=sent.stand_in or node.settings.stand_in,
            first=sent.first,
            reactions=sent.reactions,
            hints=sent.hints,
        )
        check_terms(edition, terms)
        secret = bytes(SECRET_BYTES) if sent.secret is None else bytes.fromhex(sent.secret)
        return Deal(edition, terms, secret, sent.seed, in_browser=True)


def follow_log(
    deal: Deal, sent: wire.LocalGame, person: str, now: int
) -> tuple[list[EntryRow], TableState]:
    """The log as this server stores it, and the table after it; `Refusal` names a wrong entry."""
    state, log, before = new_state(deal.terms), [], 0
    for line in sent.log:
        try:
            if line.at < before:
                raise Refusal("bad-value", "It is earlier than the entry before it.")
            if line.at > now + CLOCK_SKEW_MS:
                raise Refusal("bad-value", "It is in the future. Is the clock of your device set?")
            entry, game = _entry(deal, state, line.entry, person)
        except Refusal as refusal:
            said = f"Entry {state.version + 1} of the log: {refusal.message}"
            raise Refusal(refusal.code, said, name=refusal.name, reason=refusal.reason) from refusal
        state, before = follow(deal, state, entry, line.at, game), line.at
        log.append(EntryRow(state.version, None, line.at, encode_entry(entry)))
    if state.game is None:
        raise Refusal("bad-value", "A game can be sent once its cards are dealt.")
    return log, state


class _Entry(NamedTuple):
    entry: AnyEntry
    game: Game | None = None


def _entry(  # noqa: PLR0911 - a table of entries
    deal: Deal, state: TableState, sent: wire.LocalEntry, person: str
) -> _Entry:
    """The entry that this server would have written, with the game after it where there is one."""
    match sent:
        case wire.LocalSat():
            return _Entry(_sat(state, sent, person))
        case wire.LocalLeft():
            _require_before_announcement(state)
            _bot_instead(state, sent.seat)
            return _Entry(Left(sent.seat))
        case wire.LocalAnnounced():
            return _Entry(_announced(deal, state, sent))
        case wire.LocalNonceAdded():
            return _Entry(_nonce_added(state, sent))
        case wire.LocalDealt():
            return _dealt(deal, state, sent)
        case wire.LocalActed():
            return _acted(deal, state, sent)
        case wire.LocalStoodIn():
            return _Entry(_stood_in(state, sent))
        case wire.LocalCameBack():
            require_running(state)
            if _bot_instead(state, sent.seat) is None:
                raise Refusal("bad-value", f"No bot plays seat {sent.seat}.")
            if state.chairs[sent.seat].resigned:
                raise Refusal("bad-value", f"Seat {sent.seat} has resigned.")
            return _Entry(CameBack(sent.seat))
        case wire.LocalTakenBack():
            return _Entry(_taken_back(state, sent))
        case wire.LocalResigned():
            return _Entry(_resigned(state, sent))


def _sat(state: TableState, sent: wire.LocalSat, person: str) -> Sat:
    _require_before_announcement(state)
    if sent.seat >= len(state.chairs) or not state.chairs[sent.seat].free:
        raise Refusal("bad-value", f"There is no free seat {sent.seat}.")
    if one_line(sent.name) != sent.name:
        raise Refusal("bad-value", "A name is one line of signs that can be seen.")
    # Only the sender plays here, so names that look alike do no harm.
    if sent.name in [chair.name for chair in state.chairs]:
        raise Refusal("bad-value", f"Two players are called {sent.name}.")
    if free_color(state, sent.color, sent.seat) != sent.color:
        raise Refusal("bad-value", f"Another person has the colour {sent.color}.")
    return Sat(sent.seat, person, sent.name, sent.color, sent.pledge)


def _announced(deal: Deal, state: TableState, sent: wire.LocalAnnounced) -> Announced:
    _require_before_announcement(state)
    if not state.full:
        raise Refusal("bad-value", "There are free seats.")
    announced = announce(deal, state)
    if announced.text != sent.text:
        raise Refusal("bad-value", "These are not the terms of this game.")
    return announced


def _nonce_added(state: TableState, sent: wire.LocalNonceAdded) -> NonceAdded:
    if state.announced is None or state.game is not None:
        raise Refusal("bad-value", "It is not time for nonces.")
    shares, pledge = state.shares or (), pledge_of(bytes.fromhex(sent.nonce))
    seats = tuple(i for i, share in enumerate(shares) if share.pledge == pledge)
    if not seats or seats != sent.seats or shares[seats[0]].nonce is not None:
        raise Refusal("bad-value", "That is not the nonce that was pledged for these seats.")
    return NonceAdded(seats, sent.nonce)


def _dealt(deal: Deal, state: TableState, sent: wire.LocalDealt) -> _Entry:
    if state.announced is None or state.game is not None:
        raise Refusal("bad-value", "It is not time to deal.")
    game, dealt = begin(deal, state)
    _check_chances(dealt, sent)
    return _Entry(dealt, game)


def _acted(deal: Deal, state: TableState, sent: wire.LocalActed) -> _Entry:
    require_running(state)
    if sent.seat not in state.deciding:
        raise Refusal("bad-value", f"It is not for seat {sent.seat} to decide.")
    if sent.bot:
        check_bot(sent.bot)
    if bool(sent.bot) != bool(state.chairs[sent.seat].bot):
        player = "a bot" if state.chairs[sent.seat].bot else "a person"
        raise Refusal("bad-value", f"Seat {sent.seat} is played by {player}.")
    made = decision(deal, state, sent.seat, sent.action, bot=sent.bot)
    assert isinstance(made.entry, Acted), "a decision"
    _check_chances(made.entry, sent)
    return _Entry(made.entry, made.game)


def _stood_in(state: TableState, sent: wire.LocalStoodIn) -> StoodIn:
    check_bot(sent.bot)
    if state.announced is None or state.status == "finished":
        raise Refusal("bad-value", "There is no game in which a bot can stand in.")
    if _bot_instead(state, sent.seat) is not None:
        raise Refusal("bad-value", f"A bot plays seat {sent.seat} already.")
    return StoodIn(sent.seat, sent.bot, sent.reason)


def _taken_back(state: TableState, sent: wire.LocalTakenBack) -> TakenBack:
    require_running(state)
    found = takeback(state)
    due = None if found is None else TakenBack(found.seat, found.version, found.decisions)
    if due is None or due != TakenBack(sent.seat, sent.version, sent.decisions):
        raise Refusal("bad-value", "These decisions could not be taken back.")
    return due


def _resigned(state: TableState, sent: wire.LocalResigned) -> Resigned:
    check_bot(sent.bot)
    require_running(state)
    _bot_instead(state, sent.seat)
    if state.chairs[sent.seat].resigned:
        raise Refusal("bad-value", f"Seat {sent.seat} has resigned already.")
    if sent.ends != state.ends_without(sent.seat):
        raise Refusal("bad-value", "A resignation ends the game if fewer than two people are left.")
    return Resigned(sent.seat, sent.bot, sent.ends)


def _check_chances(due: Dealt | Acted, sent: wire.LocalDealt | wire.LocalActed) -> None:
    if due.chances != sent.chances:
        raise Refusal("bad-value", "These outcomes of chance do not follow from the secret.")


def _require_before_announcement(state: TableState) -> None:
    if state.announced is not None:
        raise Refusal("bad-value", "The terms of the game are announced already.")


def _bot_instead(state: TableState, seat: int) -> str | None:
    """The bot that plays for the person of a seat; `Refusal` if there is no person."""
    if seat >= len(state.chairs) or state.chairs[seat].person is None:
        raise Refusal("bad-value", f"There is no person on seat {seat}.")
    return state.chairs[seat].bot
