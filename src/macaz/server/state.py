"""The state of a table as the fold of its log: seats, game, and since when each seat is to decide.

There is no I/O here: `follow` returns the state after an entry. Live play, replay after a restart
and the entries of other nodes all go through it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from macaz.game import Game
from macaz.game.events import Event, game_events
from macaz.game.fair import Dealer, Share
from macaz.game.record import announcement
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
from macaz.server.wire import Absence, Color, Status

if TYPE_CHECKING:
    from macaz.edition import Edition

COME_BACK_MS = 15_000  # left to a person who comes back after the time has run out
COLORS: tuple[Color, ...] = Color.__args__  # type: ignore[attr-defined]


class SeatTerms(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who may have a seat: a bot, any person, or one person only (in a rematch)."""

    bot: str | None = None
    kept_for: str | None = None


class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """The options of a table. They never change."""

    seats: tuple[SeatTerms, ...]
    stand_in: str
    first: int | None = None
    move_seconds: int | None = None
    delay: int = 0
    reactions: bool = True
    hints: bool | None = None

    @property
    def hints_allowed(self) -> bool:
        """Whether players may ask for hints; by default only where a single person plays."""
        if self.hints is not None:
            return self.hints
        return sum(seat.bot is None for seat in self.seats) == 1


class Chair(msgspec.Struct, frozen=True):
    """Who sits on a seat. `bot` decides for it now, if there is one."""

    name: str | None
    color: Color
    person: str | None = None
    bot: str | None = None
    reason: Absence | None = None  # why a bot stands in, or plays to the end
    pledge: str | None = None  # of the nonce that the person's client adds to the deal
    network: str = ""  # as in `Sat`

    @property
    def free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def resigned(self) -> bool:
        return self.reason == "resigned"


class Made(msgspec.Struct, frozen=True):
    """A decision that revealed nothing, and the game before it."""

    version: int
    seat: int
    bot: str
    game: Game


class Asked(msgspec.Struct, frozen=True):
    """A request to take a decision back, and the seats whose people agreed."""

    seat: int
    version: int  # of the decision
    accepted: tuple[int, ...] = ()


class TableState(msgspec.Struct, frozen=True):
    """A table after so many entries of its log."""

    chairs: tuple[Chair, ...]
    version: int = 0
    at: int = 0
    game: Game | None = None
    announced: str | None = None
    announced_at: int = 0
    # By seat: what its person adds to the deal, from the announcement on; None as in `Announced`.
    shares: tuple[Share, ...] | None = None
    closed: bool = False
    undoable: tuple[Made, ...] = ()  # the decisions since something was revealed, oldest first
    asked: Asked | None = None
    refused: int = 0  # the version of the last decision that others did not let be taken back
    # By seat: the version and the time at which its person or bot was asked to decide, if it was.
    since: tuple[tuple[int, int] | None, ...] = ()
    # By seat: when its clock began to run. Leaving and coming back does not restart it.
    clocks: tuple[int | None, ...] = ()

    @property
    def status(self) -> Status:
        if self.closed:
            return "closed"
        if self.game is None:
            return "waiting"
        return "finished" if self.game.over else "running"

    @property
    def nonces_missing(self) -> bool:
        """Whether a pledged nonce has not been added yet."""
        return any(share.pledge and not share.nonce for share in self.shares or ())

    @property
    def deciding(self) -> tuple[int, ...]:
        return () if self.game is None or self.closed else self.game.deciding

    def asks_bot(self, seat: int, version: int) -> bool:
        """Whether the question that a seat was asked with that version still waits for its bot."""
        since = self.since[seat]
        return since is not None and since[0] == version and bool(self.chairs[seat].bot)

    @property
    def present(self) -> tuple[str, ...]:
        """The people who play themselves, and for whom no bot stands in."""
        return tuple(dict.fromkeys(c.person for c in self.chairs if c.person and not c.bot))

    def sharing(self, seat: int) -> tuple[int, ...]:
        """The other seats that were taken from the same address, as far as that is known."""
        network = self.chairs[seat].network
        others = (i for i, chair in enumerate(self.chairs) if i != seat)
        return tuple(i for i in others if network and self.chairs[i].network == network)

    def ends_without(self, seat: int) -> bool:
        """Whether the game ends if a seat resigns: if fewer than two people are left in it."""
        left = [i for i, c in enumerate(self.chairs) if c.person and not c.resigned and i != seat]
        return len(left) < 2

    @property
    def full(self) -> bool:
        return not any(chair.free for chair in self.chairs)


class Deal:
    """What the cards of a table follow from; it is secret until the game is over.

    `in_browser`: the game was played or begun in a browser, which made the secret.
    """

    def __init__(
        self,
        edition: Edition,
        terms: Terms,
        secret: bytes,
        seed: str | None,
        *,
        in_browser: bool = False,
    ) -> None:
        self.edition, self.terms, self.in_browser = edition, terms, in_browser
        self.dealer = Dealer(secret) if seed is None else Dealer.seeded(seed)

    def dealer_of(self, state: TableState) -> Dealer:
        """The dealer of the game, with the nonces that the players added."""
        return self.dealer if state.shares is None else Dealer(self.dealer.secret, state.shares)

    def new_game(self, names: Iterable[str], dealer: Dealer | None) -> Game:
        """A new game, dealt up to the first decision if there is a dealer."""
        seats = len(self.terms.seats)
        first = self.terms.first
        game = Game(self.edition, seats, dealer=dealer, first=first, names=tuple(names))
        game.in_browser = self.in_browser
        return game


def new_state(terms: Terms) -> TableState:
    """The table before its first entry."""
    chairs = tuple(
        Chair(name=_bot_name(seat.bot), color=COLORS[i], bot=seat.bot)
        if seat.bot
        else Chair(name=None, color=COLORS[i])
        for i, seat in enumerate(terms.seats)
    )
    none = (None,) * len(chairs)
    return TableState(_distinct(chairs), since=none, clocks=none)


def _bot_name(bot: str) -> str:
    """The name of a bot's seat, as the page writes it, too."""
    name = bot.partition(":")[0]
    return name[:1].upper() + name[1:]


def _distinct(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """Number bots of one kind, as the names in a record are distinct."""
    names = [chair.name for chair in chairs]
    return tuple(
        msgspec.structs.replace(chair, name=f"{chair.name} {names[: i + 1].count(chair.name)}")
        if chair.bot and names.count(chair.name) > 1
        else chair
        for i, chair in enumerate(chairs)
    )


def free_color(state: TableState, wanted: str, seat: int) -> Color:
    """The wanted colour if no person has it, else the seat's own or the first that is free."""
    taken = {c.color for i, c in enumerate(state.chairs) if i != seat and c.person is not None}
    own = state.chairs[seat].color
    return next(c for c in (wanted, own, *COLORS) if c in COLORS and c not in taken)


def _recolor(chairs: list[Chair], seat: int, old: Color) -> None:
    """Give a bot another colour if the person who sat down has its own."""
    for i, chair in enumerate(chairs):
        if i != seat and chair.bot and not chair.person and chair.color == chairs[seat].color:
            used = {c.color for c in chairs if not c.free}
            spare = next(color for color in (old, *COLORS) if color not in used)
            chairs[i] = msgspec.structs.replace(chair, color=spare)


# -- the game --------------------------------------------------------------------------------------


def begin(deal: Deal, state: TableState) -> tuple[Game, Dealt]:
    """The game after the first deal, and its entry."""
    game = deal.new_game(game_names(state), deal.dealer_of(state))
    return game, Dealt(tuple(step.number for step in game.history))


def announce(deal: Deal, state: TableState) -> Announced:
    """The announcement that is published before the first deal."""
    if deal.dealer.seed is not None:
        return Announced(f"The cards of this game are those of the seed {deal.dealer.seed}.\n")
    game = deal.new_game(game_names(state), None)
    game.commitment = deal.dealer.commitment
    pledges = tuple(chair.pledge for chair in state.chairs)
    game.shares = tuple(map(Share, pledges))
    return Announced(announcement(game), pledges)


def act(dealer: Dealer, game: Game, seat: int, action: int, bot: str = "") -> tuple[Game, Acted]:
    """The game after a decision, with its entry; `game` itself is not changed.

    Raises `MoveError`.
    """
    after = _fork(game)
    after.dealer = dealer
    after.push(action, seat)
    chances = tuple(step.number for step in after.history if step.seat is None)
    return after, Acted(seat, action, chances, bot)


def game_names(state: TableState) -> list[str]:
    """The names of the seats, as the record has them."""
    return [chair.name or f"Seat {i + 1}" for i, chair in enumerate(state.chairs)]


def _fork(game: Game) -> Game:
    """A copy without history or dealer."""
    fork = game.copy(dealer=False)
    fork.history, fork.from_start = [], False
    return fork


def happened(game: Game) -> list[Event]:
    """The events of the steps in a game's history."""
    return [event for _, events in game_events(game) for event in events]


# -- the fold --------------------------------------------------------------------------------------


def follow(
    deal: Deal, state: TableState, entry: AnyEntry, at: int, game: Game | None = None
) -> TableState:
    """The state after an entry. `game` is the game after it, where it is known already.

    The history of the resulting game has the steps of this entry, for `happened`.
    """
    chairs = list(state.chairs)
    extra: dict[str, object] = {}
    match entry:
        case Sat():
            old = chairs[entry.seat].color
            chairs[entry.seat] = Chair(
                name=entry.name,
                color=entry.color,
                person=entry.person,
                pledge=entry.pledge,
                network=entry.network,
            )
            _recolor(chairs, entry.seat, old)
        case Left():
            chairs[entry.seat] = Chair(name=None, color=chairs[entry.seat].color)
        case StoodIn():
            chairs[entry.seat] = msgspec.structs.replace(
                chairs[entry.seat], bot=entry.bot, reason=entry.reason
            )
        case CameBack():
            chairs[entry.seat] = msgspec.structs.replace(chairs[entry.seat], bot=None, reason=None)
        case Announced():
            extra["announced"], extra["announced_at"] = entry.text, at
            if entry.pledges is not None:
                extra["shares"] = tuple(map(Share, entry.pledges))
        case NonceAdded():
            assert state.shares is not None, "a nonce before the pledges"
            extra["shares"] = tuple(
                Share(share.pledge, entry.nonce) if seat in entry.seats else share
                for seat, share in enumerate(state.shares)
            )
        case Closed():
            extra["closed"] = True
        case Dealt():
            extra["game"] = game or _replay(deal, state, entry)
        case Acted():
            extra["game"] = after_it = game or _replay(deal, state, entry)
            extra |= _undoable_after(state, entry, after_it)
        case TakebackAsked() | TakebackAccepted() | TakebackRefused() | TakenBack():
            extra |= _takeback(state, entry)
        case Resigned():
            assert state.game is not None, "a resignation before the deal"
            chairs[entry.seat] = msgspec.structs.replace(
                chairs[entry.seat], bot=entry.bot, reason="resigned"
            )
            extra["game"] = resigned_from = _fork(state.game)
            resigned_from.resign(entry.seat, ends=entry.ends)
            extra["undoable"], extra["asked"] = (), None
    after = msgspec.structs.replace(
        state, chairs=tuple(chairs), version=state.version + 1, at=at, **extra
    )
    since, clocks = _since(state, after, entry), _clocks(deal.terms, state, after, entry)
    return msgspec.structs.replace(after, since=since, clocks=clocks)


def _replay(deal: Deal, state: TableState, entry: Dealt | Acted) -> Game:
    if isinstance(entry, Dealt):
        game = deal.new_game(game_names(state), None)
    else:
        assert state.game is not None, "a decision before the deal"
        game = _fork(state.game)
        game.push(entry.action, entry.seat)
    for outcome in entry.chances:
        game.push_chance(outcome)
    return game


def _takeback(
    state: TableState, entry: TakebackAsked | TakebackAccepted | TakebackRefused | TakenBack
) -> dict[str, object]:
    """What changes with a request to take a decision back, or with an answer to it."""
    if isinstance(entry, TakebackAsked):
        return {"asked": Asked(entry.seat, entry.version)}
    if isinstance(entry, TakenBack):
        return {
            "game": _fork(state.undoable[-entry.decisions].game),
            "undoable": state.undoable[: -entry.decisions],
            "asked": None,
        }
    asked = state.asked
    assert asked is not None, "an answer without a request"
    if isinstance(entry, TakebackRefused):
        return {"asked": None, "refused": asked.version}
    return {"asked": Asked(asked.seat, asked.version, (*asked.accepted, entry.seat))}


def _undoable_after(state: TableState, entry: Acted, game: Game) -> dict[str, object]:
    """What can be taken back after a decision; a request lapses when a person decides."""
    assert state.game is not None, "a decision before the deal"
    if game.over or any(step.reveals for step in game.history):
        return {"undoable": (), "asked": None}
    made = Made(state.version + 1, entry.seat, entry.bot, state.game)
    return {
        "undoable": (*state.undoable, made),
        "asked": state.asked if entry.bot else None,
    }


def _since(
    before: TableState, after: TableState, entry: AnyEntry
) -> tuple[tuple[int, int] | None, ...]:
    """Since when each seat is to decide; a decision, a deal or a change of player resets it."""
    now, deciding = (after.version, after.at), after.deciding
    changes = Acted | StoodIn | CameBack | TakenBack | Resigned
    touched = entry.seat if isinstance(entry, changes) else None
    return tuple(
        None
        if seat not in deciding
        else now
        if before.since[seat] is None or seat == touched
        else before.since[seat]
        for seat in range(len(after.chairs))
    )


def _clocks(
    terms: Terms, before: TableState, after: TableState, entry: AnyEntry
) -> tuple[int | None, ...]:
    """When each seat's clock began; `COME_BACK_MS` are left to a person who comes back late."""
    clocks: list[int | None] = []
    for seat, began in enumerate(before.clocks):
        if seat not in after.deciding:
            clocks.append(None)
        elif began is None or (isinstance(entry, Acted) and entry.seat == seat):
            clocks.append(after.at)
        elif isinstance(entry, CameBack) and entry.seat == seat:
            whole = (terms.move_seconds or 0) * 1000
            clocks.append(max(began, after.at + min(whole, COME_BACK_MS) - whole))
        else:
            clocks.append(began)
    return tuple(clocks)


def deadlines(state: TableState, terms: Terms) -> tuple[int | None, ...]:
    """By seat: when the time of the person who is to decide runs out."""
    if terms.move_seconds is None:
        return (None,) * len(state.chairs)
    return tuple(
        None if began is None or chair.bot else began + terms.move_seconds * 1000
        for chair, began in zip(state.chairs, state.clocks, strict=True)
    )
