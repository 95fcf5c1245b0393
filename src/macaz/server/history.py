"""The past of a table, read back from its log."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence
from typing import TYPE_CHECKING

from macaz.game import Game
from macaz.record import dump_record
from macaz.server import show
from macaz.server.entries import Acted, Dealt, decode_entry
from macaz.server.refusal import Refusal, not_found
from macaz.server.state import Deal, TableState, follow, game_names, new_state
from macaz.server.store.rows import EntryRow
from macaz.server.store.trouble import Unavailable

if TYPE_CHECKING:
    from macaz.server.table import Table

KEPT = 16  # tables whose pages are kept in memory once somebody has asked for all of them


async def pages(table: Table, after: int, upto: int | None = None) -> list[show.Page]:
    """What happened after a version: from memory if the gap is short, else from the store."""
    now = table.state.version
    upto = now if upto is None else upto
    found = [page for page in table.recent if page.version > after]
    if len(found) != now - after:
        found = (await _all_pages(table))[after:]
    return [page for page in found if page.version <= upto]


async def _all_pages(table: Table) -> list[show.Page]:
    """Every page of a table; those that were read a while ago are kept for a few tables."""
    kept = table.node.pages
    known = kept.get(table.id, [])
    missing = [page for page in table.recent if page.version > len(known)]
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


async def seen_upto(table: Table) -> int:
    """The last version that spectators have seen, who may be behind."""
    if not table.terms.delay or table.state.status == "finished":
        return table.state.version
    cut = table.node.clock.now() - table.terms.delay * 1000
    return max((page.version for page in await _all_pages(table) if page.at <= cut), default=0)


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
        return await table.node.store.entries(table.id, upto=upto)
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
    """The pages of a log."""
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
    if table.state.status != "finished":
        raise Refusal("not-now", "The record tells every hand: it is there when the game is over.")
    rows = await read(table, table.state.version)
    return await asyncio.to_thread(_record, table.deal, rows)


def _record(deal: Deal, rows: Sequence[EntryRow]) -> str:
    state, game = new_state(deal.terms), None
    for row in rows:
        entry = decode_entry(row.body)
        if isinstance(entry, Dealt):
            game = deal.new_game(game_names(state), None)
            game.date = (
                datetime.datetime.fromtimestamp(row.at / 1000, datetime.UTC).date().isoformat()
            )
        if isinstance(entry, Dealt | Acted):
            assert game is not None, "a decision before the deal"
            if isinstance(entry, Acted):
                game.push(entry.action, entry.seat)
            for outcome in entry.chances:
                game.push_chance(outcome)
        elif game is None:
            state = follow(deal, state, entry, row.at)
    assert isinstance(game, Game), "a finished table has a game"
    game.resume(deal.dealer_of(state))
    return dump_record(game)
