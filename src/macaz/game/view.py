"""`View`: the information one seat has. Bots and pages get a view, never the state."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from macaz.game.legal import LegalMoves, deciding_seats
from macaz.game.moves import notation_of
from macaz.kernel import layout as at
from macaz.kernel.engine import engine_of
from macaz.kernel.views import redact, redacted_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from macaz.edition import Edition
    from macaz.kernel.spec import Spec

# The names of tickets' places: those of the heaps, and of the others from a number on.
HEAPS = {
    at.IN_DECK: "deck",
    at.IN_BUNDLE: "bundle",
    at.IN_BOX: "box",
    at.IN_LONG_DECK: "long deck",
}
PLACES = ((at.QUEUE, "under"), (at.RETURNED, "returned"), (at.OFFERED, "offer"), (at.HELD, "seat"))
Cards = tuple[int, ...]  # nine counts: the colours in the order of `board.COLORS`, locomotives last


class View:
    """A seat's information set, or a spectator's (`seat` is None), with perfect recall.

    Two states that a seat cannot distinguish give equal views, with equal bytes.
    """

    def __init__(self, spec: Spec, record: np.ndarray) -> None:
        self.spec = spec
        self.record = record
        self._fields = record[0]

    @classmethod
    def of(cls, spec: Spec, states: np.ndarray, seat: int | None) -> View:
        """What a seat knows of a state, given as an array of one record; None: a spectator."""
        if seat is not None and not 0 <= seat < spec.seats:
            raise ValueError(f"there is no seat {seat} at a table of {spec.seats}")
        return cls(spec, redact(states, -1 if seat is None else seat))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return bytes(self) == bytes(other) and (
            self.spec is other.spec or (self.seats, self.edition) == (other.seats, other.edition)
        )

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __bytes__(self) -> bytes:
        return self.record.tobytes()

    def __reduce__(self) -> tuple[Callable[[Spec, bytes], View], tuple[Spec, bytes]]:
        return _from_bytes, (self.spec, bytes(self))

    def __repr__(self) -> str:
        whose = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {whose}, {self.edition.qualified_id}, {self.seats} seats, {self.phase}>"

    def __str__(self) -> str:
        from macaz.game.show import view_text

        return view_text(self)

    def _repr_svg_(self) -> str:
        """The board as this seat sees it, for notebooks."""
        from macaz.game.show import view_picture

        return view_picture(self)

    def _int(self, name: str) -> int:
        return int(self._fields[name])

    def _counts(self, name: str) -> Cards:
        return tuple(self._fields[name].tolist())

    def _by_seat(self, name: str) -> tuple[int, ...]:
        return tuple(self._fields[name][: self.spec.seats].tolist())

    @property
    def edition(self) -> Edition:
        return self.spec.edition

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.spec.seats

    @property
    def seat(self) -> int | None:
        """The seat whose view this is; None for a spectator."""
        return None if self._int("seat") < 0 else self._int("seat")

    @property
    def phase(self) -> str:
        """The current phase, one of `layout.PHASE_NAMES`."""
        return at.PHASE_NAMES[self._int("phase")]

    @property
    def over(self) -> bool:
        """Whether the game has ended; then nothing is hidden."""
        return self._int("phase") == at.OVER

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self._int("turn")

    @property
    def first(self) -> int:
        """The seat that has the first turn."""
        return self._int("first")

    @property
    def choosing(self) -> frozenset[int]:
        """The seats that still choose their setup tickets."""
        return frozenset(p for p in range(self.seats) if self._int("choosing") >> p & 1)

    @property
    def last_turns(self) -> int:
        """How many turns are left in the last round; 0 before it has begun."""
        return self._int("last")

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that may decide now, as `Game.deciding`."""
        state = redacted_state(self.record)
        return deciding_seats(state, engine_of(self.spec).actor(state), self.seats)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of this seat; empty where it is not to decide, and for a spectator."""
        engine, state = engine_of(self.spec), redacted_state(self.record)
        actor = engine.actor(state)
        deciding = deciding_seats(state, actor, self.seats)
        seats = tuple(seat for seat in deciding if seat == self.seat)
        return LegalMoves(engine, notation_of(self.spec), state, actor, seats)

    @property
    def hand(self) -> Cards:
        """The cards in this seat's hand; all 0 for a spectator."""
        return self.hand_of(self.seat) if self.seat is not None else (0,) * at.CARDS

    def hand_of(self, seat: int) -> Cards:
        """A seat's cards: known for the own seat, and for all once the game is over; else all 0."""
        return tuple(self._fields["hand"][seat].tolist())

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        return self._by_seat("hand_size")

    def seen(self, seat: int) -> Cards:
        """The cards that all seats know one to hold: taken face up, or taken back from a tunnel."""
        return tuple(self._fields["seen"][seat].tolist())

    @property
    def row(self) -> Cards:
        """The face-up cards."""
        return self._counts("row")

    @property
    def discards(self) -> Cards:
        return self._counts("discards")

    @property
    def deck_size(self) -> int:
        return self._int("deck_size")

    @property
    def pool(self) -> Cards:
        """The cards that may be in the deck: those of its last shuffle, minus those revealed since.

        Before the first reshuffle these are all cards except those revealed; after it, the
        former discards except those revealed. Cards drawn blind since are still counted.
        """
        return self._counts("pool")

    @cached_property
    def unseen(self) -> Cards:
        """The cards in the deck and in other hands, including those that `seen` knows of."""
        open_cards = zip(
            self.edition.rules.cards,
            self.hand,
            self.row,
            self.discards,
            self.revealed,
            self.laid,
            strict=True,
        )
        return tuple(total - sum(rest) for total, *rest in open_cards)

    @property
    def laid(self) -> Cards:
        """`paid` until the player decides about the extra cards of the tunnel; then all 0."""
        return self.paid if self.phase in ("tunnel", "deal-tunnel") else (0,) * at.CARDS

    @property
    def paid(self) -> Cards:
        """The cards laid for the tunnel of this turn.

        Once the claim is decided they are in `discards` or in the hand again: see `laid`.
        """
        cards = [0] * at.CARDS
        if self.claiming is not None:
            route = self.edition.board.routes[self.claiming]
            if route.kind == "tunnel":
                locos, color = self._int("paid_locos"), self._int("paid_color")
                cards[at.LOCO] = locos
                if color != at.LOCO:
                    cards[color] = route.length - locos
        return tuple(cards)

    @property
    def claiming(self) -> int | None:
        """The route claimed in this turn, until the turn ends; else None.

        A tunnel, a marker and Alvin ask for further decisions in the same turn.
        """
        lane = self._int("lane")
        return None if lane < 0 else self.spec.route_of_lane[lane]

    @property
    def revealed(self) -> Cards:
        """The cards revealed for a tunnel."""
        return self._counts("revealed")

    @property
    def extra(self) -> int:
        """How many extra cards the tunnel costs."""
        return self._int("extra")

    @property
    def trains(self) -> tuple[int, ...]:
        return self._by_seat("trains")

    @property
    def scores(self) -> tuple[int, ...]:
        """The points each seat has scored so far, without tickets and bonuses."""
        return self._by_seat("score")

    @cached_property
    def owners(self) -> tuple[int | None, ...]:
        """For each route of the board, the seat that has claimed it, or None."""
        found: list[int | None] = [None] * len(self.edition.board.routes)
        for seat in range(self.seats):
            for route in self.routes_of(seat):
                found[route] = seat
        return tuple(found)

    def routes_of(self, seat: int) -> tuple[int, ...]:
        return routes_of(self.spec, self._fields["claimed"][seat])

    def marks_of(self, seat: int) -> tuple[int, ...]:
        """The cities with a seat's stations or markers, in the order they were placed."""
        return tuple(c for c in self._fields["marks"][seat].tolist() if c >= 0)

    @property
    def tickets(self) -> tuple[int, ...]:
        """The tickets this seat holds."""
        return () if self.seat is None else self.tickets_of(self.seat)

    def tickets_of(self, seat: int) -> tuple[int, ...]:
        """A seat's tickets as far as this view knows them: all once the game is over."""
        return self._tickets_at(at.HELD + seat)

    @property
    def offer(self) -> tuple[int, ...]:
        """The tickets that this seat may choose from now."""
        return () if self.seat is None else self.offer_of(self.seat)

    def offer_of(self, seat: int) -> tuple[int, ...]:
        """The tickets that a seat may choose from, as far as this view knows them."""
        return self._tickets_at(at.OFFERED + seat)

    def _tickets_at(self, place: int) -> tuple[int, ...]:
        tickets = self._fields["ticket"][: len(self.edition.board.tickets)].tolist()
        return tuple(t for t, where in enumerate(tickets) if where == place)

    @property
    def known_tickets(self) -> dict[int, str]:
        """Where the tickets are that this seat knows of: "seat 0", "offer 1", "under 3", …

        "under 3" is the fourth of the tickets that were returned under the deck.
        """
        places = self._fields["ticket"][: len(self.edition.board.tickets)].tolist()
        return {t: place_name(p) for t, p in enumerate(places) if p != at.UNKNOWN}

    @property
    def tickets_held(self) -> tuple[int, ...]:
        """How many tickets each seat holds."""
        return self._by_seat("held")

    @property
    def tickets_offered(self) -> tuple[int, ...]:
        """How many tickets each seat has to choose from."""
        return self._by_seat("offered")

    @property
    def ticket_stock(self) -> int:
        """How many tickets can still be drawn."""
        return self._int("stock")

    @property
    def tickets_bundled(self) -> int:
        """How many of `ticket_stock` were returned in the setup and lie shuffled under the deck."""
        return self._int("bundled")

    @property
    def alvin_city(self) -> int | None:
        """The city where the figure Alvin is; None if the edition has no Alvin."""
        return None if self._int("alvin_city") < 0 else self._int("alvin_city")

    @property
    def alvin_holder(self) -> int | None:
        """The seat that captured Alvin last; None before that."""
        return None if self._int("alvin_holder") < 0 else self._int("alvin_holder")


def seat_names(seats: int) -> tuple[str, ...]:
    """The names of seats that have no others."""
    return tuple(f"Seat {seat + 1}" for seat in range(seats))


def _from_bytes(spec: Spec, record: bytes) -> View:
    """The inverse of `bytes(view)`."""
    return View(spec, np.frombuffer(record, at.dtype_of("view")).copy())


def routes_of(spec: Spec, words: np.ndarray) -> tuple[int, ...]:
    """The routes of a bit set over the kernel's lane numbers, in ascending order."""
    found = []
    for word, bits in enumerate(words.tolist()):
        lanes = (word * at.WORD_BITS + i for i in range(at.WORD_BITS) if bits >> i & 1)
        found += [spec.route_of_lane[lane] for lane in lanes]
    return tuple(sorted(found))


def place_name(place: int) -> str:
    """The name of a ticket's place (`layout.IN_DECK`, …)."""
    if place in HEAPS:
        return HEAPS[place]
    low, word = next(group for group in PLACES if place >= group[0])
    return f"{word} {place - low}"
