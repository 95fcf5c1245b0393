"""What a learner is given of a game: every field of the observation, declared once.

One row of int8, the same for every edition and every number of seats. It is seen from one seat:
wherever a field has an axis of seats, 0 is the observer, 1 the next clockwise, and so on; rows of
seats that are not at the table are 0. It holds nothing that the seat's view does not hold.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING

from macaz.kernel.layout import (
    CARDS,
    CITIES,
    LANES,
    OFFER,
    OVER,
    SEATS,
    TICKETS,
    Field,
    dtype_from,
)

if TYPE_CHECKING:
    import numpy as np

MOST = 127  # the largest number of an observation: a longer count stays there
LINE = 64  # bytes; a row is a multiple of it

_FIELDS: tuple[Field, ...] = (
    Field("phase", "i1", (OVER + 1,), "1 at what is to be decided, by number of the phase"),
    Field("playing", "i1", (SEATS,), "1 for each seat at the table"),
    Field("deciding", "i1", (SEATS,), "1 for each seat that may decide now"),
    Field("first", "i1", (SEATS,), "1 at the seat that began"),
    Field("last", "i1", (), "turns left in the last round; 0 before it begins"),
    Field("passes", "i1", (), "passes in succession"),
    Field("hand", "i1", (CARDS,), "the observer's cards, by colour; locomotives are the last"),
    Field("seen", "i1", (SEATS, CARDS), "cards that are known to be in a hand, by colour"),
    Field("hand_size", "i1", (SEATS,), "cards in each hand, 127 at most"),
    Field("row", "i1", (CARDS,), "face-up cards, by colour"),
    Field("refreshed", "i1", (), "rows replaced in succession; 10 means: stays as it is"),
    Field("discards", "i1", (CARDS,), "discarded cards, by colour"),
    Field("unseen", "i1", (CARDS,), "cards in the deck or in other hands, by colour"),
    Field("pool", "i1", (CARDS,), "the deck since its last shuffle, less what left openly"),
    Field("deck_size", "i1", (), "cards in the deck, 127 at most"),
    Field("trains", "i1", (SEATS,), "trains left"),
    Field("score", "i1", (SEATS, 2), "points so far, in tens and ones: 47 is 4, 7"),
    Field("claimed", "i1", (SEATS, LANES), "1 for each lane that a seat has claimed"),
    Field("open", "i1", (LANES,), "1 for each lane the observer may claim if it can pay"),
    Field("claiming", "i1", (LANES,), "1 at the lane being claimed this turn"),
    Field("paid_color", "i1", (CARDS,), "1 at the colour laid for a tunnel; 8: locomotives only"),
    Field("paid_locos", "i1", (), "locomotives laid for the tunnel"),
    Field("revealed", "i1", (CARDS,), "cards revealed for the tunnel, by colour"),
    Field("extra", "i1", (), "extra cards the tunnel costs"),
    Field("held", "i1", (TICKETS,), "1 for each ticket the observer holds"),
    Field("offered", "i1", (OFFER, TICKETS), "1 at the ticket of each place of the offer"),
    Field("connected", "i1", (TICKETS,), "1 for those of both whose cities its routes connect"),
    Field("returned", "i1", (TICKETS,), "1 for each ticket it knows to be under the deck, or out"),
    Field("theirs", "i1", (TICKETS,), "1 for each ticket it knows to be with another seat"),
    Field("tickets_held", "i1", (SEATS,), "tickets each seat holds"),
    Field("tickets_offered", "i1", (SEATS,), "tickets each seat is being offered"),
    Field("stock", "i1", (), "tickets that can still be drawn"),
    Field("queue", "i1", (), "of these, tickets returned under the deck in a known order"),
    Field("marks", "i1", (SEATS, CITIES), "1 for each city with a seat's station or marker"),
    Field("marks_left", "i1", (SEATS,), "stations or markers a seat may still place"),
    Field("alvin", "i1", (CITIES,), "1 at the city where Alvin is"),
    Field("alvin_holder", "i1", (SEATS,), "1 at the seat that holds Alvin"),
)
_USED = sum(prod(field.shape) for field in _FIELDS)

OBSERVATION: tuple[Field, ...] = (
    *_FIELDS,
    Field("spare", "i1", (-_USED % LINE,), f"always 0: a row is a multiple of {LINE} bytes"),
)
OBSERVATION_SIZE = sum(prod(field.shape) for field in OBSERVATION)


@cache
def observation_dtype() -> np.dtype[np.void]:
    """A row as a record: `rows.view(observation_dtype())["hand"]`."""
    return dtype_from(OBSERVATION)


def observation_slices() -> dict[str, slice]:
    """Where each field lies in a row."""
    found = {}
    at = 0
    for field in OBSERVATION:
        found[field.name] = slice(at, at + prod(field.shape))
        at += prod(field.shape)
    return found
