"""The past of a table, read back from its log."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING

from macaz.game import Game
from macaz.game.poster import final_picture
from macaz.game.record import dump_record
from macaz.server import show, wire
from macaz.server.entries import Acted, AnyEntry, Dealt, Resigned, TakenBack, decode_entry
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import Deal, TableState, follow, game_names, new_state
from macaz.server.store.rows import EntryRow
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.table import Table

KEPT = 16  # tables whose pages are kept in memory after a request for all of them


async def pages(table: Table, after: int, upto: int | None = None) -> list[show.Page]:
    """The pages after a version: from memory if the gap is short, else from the store."""
    now = table.state.version
    upto = now if upto is None else upto
    found = [page for page in table.log.recent if page.version > after]
    if len(found) != now - after:
        found = (await _all_pages(table))[after:]
    return [page for page in found if page.version <= upto]


async def _all_pages(table: Table) -> list[show.Page]:
    """All pages of a table. They are kept for the few tables asked for last."""
    kept = table.node.pages
    known = kept.get(table.id, [])
    missing = [page for page in table.log.recent if page.version > len(known)]
    now = table.state.version
    if len(missing) == now - len(known):
        known = known + missing
    else:
        rows = await read(table, now)
        known = await asyncio.to_thread(_pages, table.deal, rows)
    kept[table.id] = known
    kept.move_to_end(table.id)
    if len(kept) > KEPT:
        kept.popitem(last=False)
    return known


def are_behind(table: Table) -> bool:
    """Whether spectators have not seen the last entry yet, because of the delay."""
    state = table.state
    return state.game is not None and state.at > _shown_now(table)


def will_be_behind(table: Table) -> bool:
    """Whether spectators are sent the next entries late, or some entry has still to be sent."""
    ended = table.state.status in ("finished", "closed")
    return table.terms.delay > 0 and (not ended or are_behind(table))


def _shown_now(table: Table) -> int:
    """The moment of the game that spectators see now."""
    return table.node.clock.now() - table.terms.delay * 1000


async def seen_upto(table: Table) -> int:
    """The last version that spectators have seen. There is no delay before the game."""
    if not are_behind(table):
        return table.state.version
    cut = _shown_now(table)
    found = await _all_pages(table)
    return max((p.version for p in found if p.game is None or p.at <= cut), default=0)


async def seen_by(table: Table, person: str) -> TableState:
    """The table as a person may know it; a spectator may be behind."""
    if table.seats.of(person) or not are_behind(table):
        return table.state
    return await state_at(table, await seen_upto(table))


def is_over_for(table: Table, person: str) -> bool:
    """Whether a person may know that the game is over."""
    known = bool(table.seats.of(person)) or not are_behind(table)
    return known and table.state.status == "finished"


async def state_at(table: Table, version: int) -> TableState:
    """The table as it was after an entry."""
    if not 0 <= version <= table.state.version:
        raise not_found("The table has no such moment.")
    if version == table.state.version:
        return table.state
    rows = await read(table, version)
    return await asyncio.to_thread(_fold, table.deal, rows)


async def read(table: Table, upto: int) -> list[EntryRow]:
    """The entries of a table up to a version."""
    try:
        return await table.node.store.games.entries(table.id, upto=upto)
    except Unavailable as error:
        raise Refusal("storage", "The table cannot be read now. Try again.") from error


def _fold(deal: Deal, rows: Sequence[EntryRow]) -> TableState:
    state = new_state(deal.terms)
    for row in rows:
        state = follow(deal, state, decode_entry(row.body), row.at)
        if state.game is not None:
            state.game.history.clear()
    return state


def _pages(deal: Deal, rows: Sequence[EntryRow]) -> list[show.Page]:
    state, found = new_state(deal.terms), []
    for row in rows:
        entry = decode_entry(row.body)
        state = follow(deal, state, entry, row.at)
        found.append(show.page(state, entry, deal.terms))
        if state.game is not None:
            state.game.history.clear()
    return found


async def record(table: Table) -> str:
    """The record of a finished game, which `macaz verify` and `macaz replay` read."""
    rows = await read(table, table.state.version)
    return await asyncio.to_thread(_record, table.deal, rows)


async def game_log(table: Table) -> wire.GameLog:
    """The actions of a finished game."""
    rows = await read(table, table.state.version)
    edition, terms = table.deal.edition, table.deal.terms
    entries = ((row.version, _game_entry(decode_entry(row.body))) for row in rows)
    return wire.GameLog(
        edition=edition.qualified_id,
        fingerprint=edition.fingerprint,
        seats=len(terms.seats),
        first=terms.first,
        log=tuple(wire.LoggedStep(version, entry) for version, entry in entries if entry),
    )


def _game_entry(entry: AnyEntry) -> wire.GameEntry | None:
    """An entry as the log of a game has it; None if it is about the table only."""
    match entry:
        case Dealt(chances=chances):
            return wire.LocalDealt(chances)
        case Acted(seat=seat, action=action, chances=chances, bot=bot):
            return wire.LocalActed(seat, action, chances, bot)
        case TakenBack(seat=seat, version=version, decisions=decisions):
            return wire.LocalTakenBack(seat, version, decisions)
        case Resigned(seat=seat, bot=bot, ends=ends):
            return wire.LocalResigned(seat, bot, ends)
        case _:
            return None


def picture(state: TableState) -> bytes:
    """The final picture of a finished game."""
    assert state.game is not None, "a finished table has a game"
    game = state.game.copy(dealer=False)  # another request may use the game meanwhile
    game.date = _day(state.at)
    return final_picture(game, [chair.color for chair in state.chairs]).encode()


def _day(at: int) -> str:
    return datetime.datetime.fromtimestamp(at / 1000, datetime.UTC).date().isoformat()


def _record(deal: Deal, rows: Sequence[EntryRow]) -> str:
    state, game = new_state(deal.terms), None
    for row in rows:
        entry = decode_entry(row.body)
        if isinstance(entry, Dealt):
            game = deal.new_game(game_names(state), None)
            game.date = _day(row.at)
        if isinstance(entry, Dealt | Acted):
            assert game is not None, "a decision before the deal"
            if isinstance(entry, Acted):
                game.push(entry.action, entry.seat)
            for outcome in entry.chances:
                game.push_chance(outcome)
        elif isinstance(entry, TakenBack | Resigned):
            assert game is not None, "a resignation before the deal"
            if isinstance(entry, TakenBack):
                game.take_back(entry.decisions)
            else:
                game.resign(entry.seat, ends=entry.ends)
        elif game is None:
            state = follow(deal, state, entry, row.at)
    assert isinstance(game, Game), "a finished table has a game"
    game.resume(deal.dealer_of(state))
    return dump_record(game)
