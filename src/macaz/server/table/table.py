"""A table that is in memory: its parts, and how they are put together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from macaz.server import show, wire
from macaz.server.state import deadlines
from macaz.server.table.audience import Audience
from macaz.server.table.bots import Bots
from macaz.server.table.clocks import Clocks
from macaz.server.table.log import Log
from macaz.server.table.news import Here, Passing, Recheck, decode_news
from macaz.server.table.presence import Presence
from macaz.server.table.seats import Seats
from macaz.server.table.takebacks import Takebacks
from macaz.server.takeback import takeback

if TYPE_CHECKING:
    from macaz.server.node import Node
    from macaz.server.state import Deal, TableState, Terms
    from macaz.server.store.rows import GameRow


class Table:
    """One table on one node.

    People change it through `seats` and `takebacks`; `bots` and `clocks` change it on their own.
    All of them write through `log`, which sends the entries to `audience`.
    """

    def __init__(self, node: Node, row: GameRow, deal: Deal) -> None:
        self.node = node
        self.row = row
        self.id = row.id
        self.deal = deal
        self.touched = node.clock.now()  # when it was last asked for
        self.audience = Audience(node, row.id)
        self.bots = Bots(node, row, self.audience)
        self.log = Log(node, row, deal, self.audience, self.bots)
        self.presence = Presence(node, row.id, self.audience, self.log)
        self.seats = Seats(node, row, self.log, self.presence)
        self.takebacks = Takebacks(self.log, self.seats)
        self.clocks = Clocks(node, row, self.log)

    @property
    def terms(self) -> Terms:
        return self.deal.terms

    @property
    def state(self) -> TableState:
        return self.log.state

    @property
    def at_rest(self) -> bool:
        """Whether nothing is lost if the table is unloaded now."""
        log = self.log
        busy = self.audience.listeners or self.bots.thinking or log.lock.locked() or log.doubtful
        return not busy

    def info(
        self, person: str | None, *, rematch: str | None = None, past: TableState | None = None
    ) -> wire.TableInfo:
        """The table as a person may know it: as it is, or as it was."""
        settings = self.node.settings
        state = past or self.state
        return show.table_info(
            self.row,
            self.deal,
            state,
            person,
            patience=settings.patience,
            absence=settings.absence,
            rematch=rematch,
        )

    def welcome(
        self,
        person: str | None,
        seat: int | None,
        *,
        whole: bool = True,
        missed: int | None = None,
        past: TableState | None = None,
    ) -> wire.Welcome:
        """The first message to a listener.

        `past` is the state that a delayed spectator sees. `missed` is the version that the listener
        knows: the view is then left out, because the updates since that version follow.
        """
        state = past or self.state
        behind = past is not None or missed is not None
        game = state.game if whole and missed is None else None
        return wire.Welcome(
            protocol=wire.PROTOCOL,
            table=self.info(person, past=past),
            seat=seat,
            version=state.version if missed is None else missed,
            view=show.game_view(game, seat) if game else None,
            deciding=() if missed is not None else state.deciding,
            deadlines=deadlines(state, self.terms),
            legal=() if behind else show.legal_now(state, seat),
            takeback=None if missed is not None else takeback(state),
            now=self.node.clock.now(),
        )

    # -- other nodes --------------------------------------------------------------------------

    def hear(self, message: bytes) -> None:
        """Handle a message of another node about this table."""
        self.node.spawn(self._hear(message))

    async def _hear(self, message: bytes) -> None:
        news = decode_news(message)
        if isinstance(news, Passing):
            self.audience.pass_on_here(bytes(news.message), news.seat)
        elif isinstance(news, Here):
            self.presence.hear(news)
        elif isinstance(news, Recheck):
            await self.recheck_here()
        else:
            await self.log.hear(news)

    async def recheck(self) -> None:
        """Close the spectators who may no longer watch, on every node."""
        self.node.bus.publish(self.id, wire.encode(Recheck()))
        await self.recheck_here()

    async def recheck_here(self) -> None:
        await self.audience.recheck(partial(self.node.may_see, table=self))
