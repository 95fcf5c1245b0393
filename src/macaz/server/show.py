"""What each client may see of a table: the only place where a game becomes messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from macaz.game.data import GameView, Situation, event_data, moves_data, situation, view_data
from macaz.game.events import Event, GameEnded, narrow
from macaz.game.fair import Share
from macaz.game.outcome import longest_paths
from macaz.game.view import View
from macaz.server import wire
from macaz.server.entries import (
    Acted,
    Announced,
    AnyEntry,
    CameBack,
    Closed,
    Dealt,
    Left,
    NonceAdded,
    Resigned,
    Sat,
    StoodIn,
    TakebackAccepted,
    TakebackAsked,
    TakebackRefused,
    TakenBack,
)
from macaz.server.state import Terms, deadlines, happened
from macaz.server.takeback import takeback

if TYPE_CHECKING:
    import numpy as np

    from macaz.game import Game
    from macaz.game.outcome import Outcome
    from macaz.kernel.spec import Spec
    from macaz.server.state import Deal, TableState
    from macaz.server.store.rows import GameRow, PlayedRow

# Who looks: a seat, a spectator (None), or, after the game, a client that may see all seats.
Eyes = int | None | Literal["all"]


class Page(msgspec.Struct, frozen=True):
    """One entry of a log with its events, not redacted: `update` narrows them for a client."""

    version: int
    at: int
    by: str | None
    events: tuple[Event | msgspec.Struct, ...]
    game: tuple[Spec, np.ndarray] | None  # the rules and the state then; null before the game
    deciding: tuple[int, ...]
    deadlines: tuple[int | None, ...]
    takeback: wire.Takeback | None = None
    rewound: bool = False  # whether decisions were taken back with it

    def situation(self, eyes: Eyes) -> Situation | None:
        """What is to be decided, as `eyes` may see it; None before the game."""
        if self.game is None:
            return None
        return situation(View.of(*self.game, None if eyes == "all" else eyes))

    def view(self, eyes: Eyes) -> GameView | None:
        """The whole view of a running game, where events do not lead to it."""
        if self.game is None or not self.rewound:
            return None
        if eyes != "all":
            return view_data(View.of(*self.game, eyes))
        return _open_view(*self.game)


def page(state: TableState, entry: AnyEntry, terms: Terms) -> Page:
    """The page of the entry that led to a state, whose game still has the steps of it."""
    events: list[Event | msgspec.Struct] = []
    if (event := table_event(entry)) is not None:
        events.append(event)
    if state.game is not None and isinstance(entry, Dealt | Acted):
        events += happened(state.game)
    if isinstance(entry, Resigned) and entry.ends:
        assert state.game is not None, "a resignation before the deal"
        events.append(GameEnded(state.game.standing()))
    by = entry.bot or None if isinstance(entry, Acted) else None
    times = deadlines(state, terms)
    game = None if state.game is None else (state.game.spec, state.game.state.copy())
    return Page(
        version=state.version,
        at=state.at,
        by=by,
        events=tuple(events),
        game=game,
        deciding=state.deciding,
        deadlines=times,
        takeback=takeback(state),
        rewound=isinstance(entry, TakenBack),
    )


def update(page: Page, eyes: Eyes, legal: tuple[Any, ...] = ()) -> wire.Update:
    """The message of an entry for a client."""
    return wire.Update(
        version=page.version,
        at=page.at,
        by=page.by,
        events=tuple(_narrowed(event, eyes) for event in page.events),
        situation=page.situation(eyes),
        deciding=page.deciding,
        deadlines=page.deadlines,
        legal=legal,
        takeback=page.takeback,
        view=page.view(eyes),
    )


def _narrowed(event: Event | msgspec.Struct, eyes: Eyes) -> msgspec.Struct:
    if isinstance(event, msgspec.Struct):
        return event
    return event_data(event if eyes == "all" else narrow(event, eyes))


def table_event(entry: AnyEntry) -> msgspec.Struct | None:  # noqa: PLR0911 - a table of entries
    """The event of an entry about the table itself; it has names, never the ids of people."""
    match entry:
        case Sat():
            return wire.SatDown(entry.seat, entry.name, entry.color)
        case Left():
            return wire.GotUp(entry.seat)
        case StoodIn():
            return wire.BotStoodIn(entry.seat, entry.bot, entry.reason)
        case CameBack():
            return wire.PersonCameBack(entry.seat)
        case Announced():
            return wire.TermsAnnounced(entry.text)
        case NonceAdded():
            return wire.NonceAdded(entry.seats)
        case TakebackAsked():
            return wire.TakebackAsked(entry.seat)
        case TakebackAccepted():
            return wire.TakebackAccepted(entry.seat)
        case TakebackRefused():
            return wire.TakebackRefused(entry.seat)
        case TakenBack():
            return wire.TakenBack(entry.seat, entry.version, entry.decisions)
        case Resigned():
            return wire.PlayerResigned(entry.seat, entry.bot, entry.ends)
        case Closed():
            return wire.TableClosed()
    return None


def legal_now(state: TableState, seat: int | None) -> tuple[Any, ...]:
    """What the person of a seat may do now; nothing for spectators, or where a bot decides."""
    game = state.game
    if seat is None or game is None or seat not in state.deciding or state.chairs[seat].bot:
        return ()
    return moves_data(game.view(seat), game.legal_moves_of(seat))


def game_view(game: Game, eyes: Eyes) -> GameView:
    """A game as `eyes` may see it."""
    paths = longest_paths(game)
    if eyes != "all":
        return view_data(game.view(eyes), game.outcome, paths)
    return _open_view(game.spec, game.state, game.outcome, paths)


def _open_view(
    spec: Spec,
    state: np.ndarray,
    outcome: Outcome | None = None,
    paths: Sequence[tuple[int, ...]] = (),
) -> GameView:
    """A view in which the hands and tickets of all seats are open."""
    seats = [view_data(View.of(spec, state, seat)).seats[seat] for seat in range(spec.seats)]
    view = view_data(View.of(spec, state, None), outcome, paths)
    return msgspec.structs.replace(view, seats=tuple(seats))


def table_info(
    row: GameRow,
    deal: Deal,
    state: TableState,
    person: str | None,
    *,
    patience: float,
    absence: float,
    rematch: str | None = None,
) -> wire.TableInfo:
    """A table in a given state, as a person may know it."""
    terms, edition = deal.terms, deal.edition
    return wire.TableInfo(
        id=row.id,
        edition=edition.qualified_id,
        title=edition.title,
        fingerprint=edition.fingerprint,
        status=state.status,
        version=state.version,
        seats=seat_infos(state, terms, person),
        host=person == row.host,
        listed=row.listed,
        first=terms.first,
        move_seconds=terms.move_seconds,
        stand_in=terms.stand_in,
        patience=patience,
        absence=absence,
        delay=terms.delay,
        reactions=terms.reactions,
        hints=terms.hints_allowed,
        seeded=deal.dealer.seed is not None,
        origin=origin_of(row),
        commitment=deal.dealer.commitment,
        announcement=state.announced,
        created_at=row.created_at,
        previous=row.previous,
        rematch=rematch,
    )


def origin_of(row: GameRow | PlayedRow) -> wire.Origin:
    return "server" if row.imported is None else "browser"


def seat_infos(state: TableState, terms: Terms, person: str | None) -> tuple[wire.SeatInfo, ...]:
    """Who sits where, as a person may know it."""
    return tuple(
        wire.SeatInfo(
            kind="bot" if seat.bot else "person",
            name=chair.name,
            color=chair.color,
            bot=chair.bot,
            reason=chair.reason,
            mine=person is not None and chair.person == person,
            kept=chair.free and seat.kept_for is not None,
            nonce=_nonce(state, i),
            shared_with=state.sharing(i),
        )
        for i, (chair, seat) in enumerate(zip(state.chairs, terms.seats, strict=True))
    )


def _nonce(state: TableState, seat: int) -> Literal["none", "pledged", "added", "missing"]:
    """The state of the nonce that a seat adds to the deal."""
    pledge, nonce = state.chairs[seat].pledge, None
    if state.announced is not None:
        share = state.shares[seat] if state.shares is not None else Share()
        pledge, nonce = share.pledge, share.nonce
    if pledge is None or nonce is not None:
        return "none" if pledge is None else "added"
    return "pledged" if state.game is None else "missing"


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lists show of a table without replaying it."""

    names: tuple[str | None, ...]
    move_seconds: int | None = None
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    tickets: tuple[tuple[int, int], ...] | None = None  # by seat: kept, and completed of these
    longest: tuple[int, ...] = ()  # the seats with the bonus for the longest path
    resigned: tuple[int, ...] = ()
    stopped: bool = False  # whether a resignation ended the game before its end
    shared: tuple[int, ...] = ()  # the seats that were taken from an address together with others


def summary(state: TableState, terms: Terms) -> str:
    """The summary of a table, as the store keeps it."""
    outcome = state.game.outcome if state.game is not None else None
    names: Sequence[str | None] = [chair.name for chair in state.chairs]
    made = Summary(
        names=tuple(names),
        move_seconds=terms.move_seconds,
        scores=outcome.totals if outcome else None,
        winners=outcome.winners if outcome else None,
        tickets=tuple((len(s.tickets), s.completed) for s in outcome.seats) if outcome else None,
        longest=tuple(i for i, s in enumerate(outcome.seats) if s.longest_path) if outcome else (),
        resigned=outcome.resigned if outcome else (),
        stopped=bool(outcome and outcome.stopped),
        shared=tuple(i for i in range(len(state.chairs)) if state.sharing(i)),
    )
    return msgspec.json.encode(made).decode()


def line_of(row: GameRow, title: str, mine: tuple[int, ...], now: int) -> wire.TableLine:
    """A table as a line of a list, from the store alone: the table need not be in memory."""
    known = msgspec.json.decode(row.summary or '{"names":[]}', type=Summary)
    names = known.names or (None,) * row.seats
    if not mine and row.status != "waiting" and _is_delayed(row, now):
        # With a delay for spectators, a line shows only that the game has begun.
        row = msgspec.structs.replace(row, status="running", updated_at=row.created_at)
        known = msgspec.structs.replace(known, scores=None, winners=None, resigned=())
    return wire.TableLine(
        id=row.id,
        edition=row.edition,
        title=title,
        status=row.status,
        names=names,
        move_seconds=known.move_seconds,
        created_at=row.created_at,
        updated_at=row.updated_at,
        origin=origin_of(row),
        scores=known.scores,
        winners=known.winners,
        resigned=known.resigned,
        mine=mine,
        free=_free_seats(row, names),
        shared=known.shared,
    )


def _free_seats(row: GameRow, names: tuple[str | None, ...]) -> tuple[int, ...]:
    """The seats that any person who may see the table can take."""
    if row.status != "waiting":
        return ()
    terms = msgspec.json.decode(row.terms, type=Terms)
    return tuple(
        seat
        for seat, (wanted, name) in enumerate(zip(terms.seats, names, strict=True))
        if name is None and wanted.bot is None and wanted.kept_for is None
    )


def _is_delayed(row: GameRow, now: int) -> bool:
    """Whether spectators may not know yet how a game that has begun stands."""
    if row.status in ("finished", "closed"):
        return row.end_shown_at is not None and now < row.end_shown_at
    return msgspec.json.decode(row.terms, type=Terms).delay > 0
