"""Every field of every kernel record, declared once.

A game is one fixed-size record; so are the compiled rules (`Spec`), what a seat may see (`View`),
a final score (`Tally`), something that happened (`Event`) and the working memory of the path
search (`Work`). Nothing else in the
kernel knows an offset: dtypes, plain-Python records, redaction, diffs and the documentation page
are all derived from these tables.

Only signed integers are used (but for the ways of `world`), and bit sets keep to 60 bits of a
64-bit word, so that the same expression means the same thing to a compiler and to plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    import numpy as np

# Sizes: the limits of a map and a table. `edition_check` reports a map that goes over them.
SEATS = 6
CARDS = 9
COLORS = 8
LOCO = 8
WORDS = 3
WORD_BITS = 60
LANES = WORDS * WORD_BITS
CITIES = 60
TICKETS = 72
TICKET_WORDS = 2
MARKS = 3
LENGTHS = 10
OFFER = 5
CLASSES = 128
CLAIMS = 8192
ACTIONS = 1 << 14  # numbers of actions, at most
EDGES = 60
SLOTS = 12  # cities open at a time in a sweep over a network
SWEEP_STATES = 8192
SWEEP_BOUNDS = 1 << 18
PAY_LOCOS = 3  # numbers of locomotives (0..2) beside a colour that a station or marker is paid with
PAYS = COLORS * PAY_LOCOS + 1  # ways to pay one: these for each colour, or locomotives only
WAY_LAYERS = 2 << MARKS  # what a way may have used up: a last claim or none, each set of stations
NODES = WAY_LAYERS * CITIES  # of the search for ways: a city in a layer

# Phases: who decides, and what. The first seven belong to chance.
DEAL_FIRST = 0  # chance: which seat begins
DEAL_HANDS = 1  # chance: a card to a hand, before the game
DEAL_ROW = 2  # chance: a card to the face-up row
DEAL_SETUP = 3  # chance: a ticket to a seat, before the game
DEAL_BLIND = 4  # chance: the top of the deck to the seat that drew it
DEAL_OFFER = 5  # chance: a ticket to the seat that asked for tickets
DEAL_TUNNEL = 6  # chance: a card revealed for a tunnel
CHOOSE = 7  # every seat: which of the setup tickets to keep
START = 8  # a seat: its starting city
TURN = 9  # a seat: what to do
SECOND = 10  # a seat: its second card
KEEP = 11  # a seat: which of the drawn tickets to keep
RETURN = 12  # a seat: which of the others goes under the deck next
TUNNEL = 13  # a seat: pay the extra cards, or decline
MARK = 14  # a seat: a marker on an end of the route just claimed
ALVIN = 15  # a seat: where Alvin goes
OVER = 16  # no one
TURN_END = 17  # only in `after`: the turn ends once the row is settled
LAST_CHANCE = DEAL_TUNNEL
PHASE_NAMES = (
    "deal-first",
    "deal-hands",
    "deal-row",
    "deal-setup",
    "deal-blind",
    "deal-offer",
    "deal-tunnel",
    "choose",
    "start",
    "turn",
    "second",
    "keep",
    "return",
    "tunnel",
    "mark",
    "alvin",
    "over",
    "turn-end",
)

# Kinds of action, in the order of their numbers; `Spec.base[kind]` is the first of each.
A_TAKE = 0
A_BLIND = 1
A_TICKETS = 2
A_PASS = 3
A_KEEP = 4
A_RETURN = 5
A_PAY = 6
A_DECLINE = 7
A_SKIP = 8
A_CHOOSE = 9
A_START = 10
A_ALVIN = 11
A_MARK = 12
A_STATION = 13
A_CLAIM = 14
KINDS = 15

# Where a ticket lies: HELD + seat, OFFERED + seat, RETURNED + seat (setup, until all have chosen),
# one of the heaps, or QUEUE + position under the deck.
HELD = 0
OFFERED = 8
RETURNED = 16
IN_DECK = 24
IN_BUNDLE = 25
IN_BOX = 26
IN_LONG_DECK = 27
NO_TICKET = 28
QUEUE = 32
PLACES = QUEUE + TICKETS
UNKNOWN = -1

# `Rules.setup_return`
RETURN_BOTTOM = 0
RETURN_SHUFFLED = 1
RETURN_OUT = 2

# Scorers and tie-breaks, as bits and codes of the spec.
SCORE_TICKETS = 1
SCORE_LONGEST = 2
SCORE_STATIONS = 4
SCORE_GLOBETROTTER = 8
SCORE_ALVIN = 16
TIE_NONE = 0
TIE_TICKETS = 1
TIE_STATIONS = 2
TIE_LONGEST = 3
TIE_SHARED = 4

# Kinds of event. A step writes the events of what it does, one after the other; 0 ends them.
NO_EVENT = 0
E_GAME_BEGAN = 1
E_CARD_DEALT = 2
E_CARD_TAKEN = 3
E_BLIND_DRAWN = 4
E_ROW_FILLED = 5
E_ROW_REPLACED = 6
E_DECK_SHUFFLED = 7
E_TICKETS_DRAWN = 8
E_TICKETS_DEALT = 9
E_TICKETS_KEPT = 10
E_TICKETS_RETURNED = 11
E_ROUTE_CLAIMED = 12
E_TUNNEL_TRIED = 13
E_TUNNEL_REVEALED = 14
E_TUNNEL_PAID = 15
E_TUNNEL_DECLINED = 16
E_STATION_BUILT = 17
E_CITY_STARTED = 18
E_MARKER_PLACED = 19
E_MARKER_SKIPPED = 20
E_ALVIN_CAPTURED = 21
E_ALVIN_MOVED = 22
E_PASSED = 23
E_TURN_ENDED = 24
E_LAST_ROUND_BEGAN = 25
E_GAME_ENDED = 26
MOST_EVENTS = 8  # of one step
# Why a seat may not take an action; 0 where it may.
NO_SUCH_ACTION = 1  # the table has no action of this number
GAME_OVER = 2
CHANCE_FIRST = 3  # a card or a ticket is to be dealt first
NOT_YOUR_TURN = 4  # another seat decides
ALREADY_CHOSEN = 5  # the seat has chosen its setup tickets, and others have not
OTHER_DECISION = 6  # something else is to be decided first, as the phase says
NOT_IN_ROW = 7  # no such card lies face up (D1)
ONLY_FIRST_CARD = 8  # a face-up locomotive as the second card (D3)
DECK_EMPTY = 9  # D1
NO_TICKETS = 10  # no tickets left to draw (K1)
KEEP_MORE = 11  # fewer tickets kept than must be (S4, K1)
NOT_OFFERED = 12  # a ticket that does not lie before the seat (K1)
OWN_LANE = 13  # the seat has the lane itself (C4)
LANE_TAKEN = 14  # another seat has it (C4)
OWN_PARALLEL_LANE = 15  # the seat has another lane of the pair (C7)
PARALLEL_CLOSED = 16  # another seat has one, and the table is too small for both (C7)
NOT_CONNECTED = 17  # the lane does not touch the seat's network (W2)
TOO_FEW_TRAINS = 18  # C3
NO_CARDS = 19  # the hand cannot pay it (C1, C2, F1, G2, U2, W3)
WRONG_PAYMENT = 20  # the payment is not of so many cards as it costs (G2, U2, U3, W3)
NO_STATION_LEFT = 21  # G1
CITY_TAKEN = 22  # a station, a marker or Alvin's home is there (G1, W1, A1)
NOT_AN_END = 23  # a marker elsewhere than on the route just claimed (W3)
NOT_YOUR_CITY = 24  # Alvin goes to a city with a marker of one's own (A3)
CAN_STILL_ACT = 25  # passing is only for a seat that can do nothing else (T2)
WhyNot = Literal[
    "",
    "no-such-action",
    "game-over",
    "chance-first",
    "not-your-turn",
    "already-chosen",
    "other-decision",
    "not-in-row",
    "only-first-card",
    "deck-empty",
    "no-tickets",
    "keep-more",
    "not-offered",
    "own-lane",
    "lane-taken",
    "own-parallel-lane",
    "parallel-closed",
    "not-connected",
    "too-few-trains",
    "no-cards",
    "wrong-payment",
    "no-station-left",
    "city-taken",
    "not-an-end",
    "not-your-city",
    "can-still-act",
]
REASON_NAMES: tuple[WhyNot, ...] = get_args(WhyNot)  # by number

# How a ticket stands; 0 for one that the seat neither holds nor is offered.
TICKET_DONE = 1  # if the game ended now
TICKET_OPEN = 2
TICKET_IMPOSSIBLE = 3  # whatever any seat does
TicketState = Literal["done", "open", "impossible"]
TICKET_STATES: tuple[TicketState, ...] = get_args(TicketState)  # from TICKET_DONE on

# Why no state gives a view: only for a view that no game has led to.
NO_WORLD_DECK = 1  # too few cards are left for the deck
NO_WORLD_HANDS = 2  # the unseen cards are not as many as their places
NO_WORLD_TICKETS = 3  # there are more places than unknown tickets
NO_WORLD_LONG = 4  # the long tickets find no places

ROW_REFRESHES = 10  # D7: at most this many new rows in a row


class Audience(IntEnum):
    """Who may see a field of the state. A field that says nothing is secret."""

    SECRET = 0
    PUBLIC = 1
    OWNER = 2  # first axis is the seat: each seat sees its own row
    KNOWN = 3  # by ticket: the seats named in `known`
    KNOWERS = 4  # `known` itself: each seat sees its own bit


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: its name, element type, shape, audience and meaning."""

    name: str
    kind: str  # "i1", "i2", "i4", "i8" or "f8"; outside the kernel "f4" too
    shape: tuple[int, ...]
    doc: str
    audience: Audience = Audience.SECRET


PUBLIC, OWNER = Audience.PUBLIC, Audience.OWNER

STATE: tuple[Field, ...] = (
    Field("claimed", "i8", (SEATS, WORDS), "lanes each seat has claimed, as bits", PUBLIC),
    Field("score", "i2", (SEATS,), "points so far: routes and captures of Alvin", PUBLIC),
    Field("deck_size", "i2", (), "cards in the deck", PUBLIC),
    Field("lane", "i2", (), "lane being claimed this turn, or -1", PUBLIC),
    Field("phase", "i1", (), "what is to be decided now", PUBLIC),
    Field("after", "i1", (), "the phase that follows once the row is settled", PUBLIC),
    Field("turn", "i1", (), "seat whose turn it is", PUBLIC),
    Field("first", "i1", (), "seat that begins; -1 until chance has said", PUBLIC),
    Field("choosing", "i1", (), "seats still choosing setup tickets, as bits", PUBLIC),
    Field("left", "i1", (), "deals left in the present chance phase", PUBLIC),
    Field("drawn", "i1", (), "cards drawn this turn", PUBLIC),
    Field("row_size", "i1", (), "cards in the face-up row", PUBLIC),
    Field("refreshed", "i1", (), "rows replaced in succession; 10 means: stays as it is", PUBLIC),
    Field("passes", "i1", (), "passes in succession", PUBLIC),
    Field("last", "i1", (), "turns left in the last round; 0 before it begins", PUBLIC),
    Field("stock", "i1", (), "tickets that can still be drawn", PUBLIC),
    Field("queue", "i1", (), "of these, tickets returned under the deck in a known order", PUBLIC),
    Field("paid_color", "i1", (), "colour laid for the tunnel (8: locomotives only)", PUBLIC),
    Field("paid_locos", "i1", (), "locomotives laid for the tunnel", PUBLIC),
    Field("extra", "i1", (), "extra cards the tunnel costs", PUBLIC),
    Field("captured", "i1", (), "1 while Alvin waits to be moved", PUBLIC),
    Field("alvin_city", "i1", (), "city where Alvin is, or -1", PUBLIC),
    Field("alvin_holder", "i1", (), "seat that holds Alvin, or -1", PUBLIC),
    Field("row", "i1", (CARDS,), "face-up cards, by colour", PUBLIC),
    Field("discards", "i1", (CARDS,), "discarded cards, by colour", PUBLIC),
    Field("revealed", "i1", (CARDS,), "cards revealed for the tunnel, by colour", PUBLIC),
    Field("pool", "i1", (CARDS,), "the deck since its last shuffle, less what left openly", PUBLIC),
    Field("deck", "i1", (CARDS,), "cards in the deck, by colour"),
    Field("trains", "i1", (SEATS,), "trains left", PUBLIC),
    Field("marks", "i1", (SEATS, MARKS), "cities with a seat's stations or markers, or -1", PUBLIC),
    Field("seen", "i1", (SEATS, CARDS), "cards that are known to be in a hand", PUBLIC),
    Field("hand", "i1", (SEATS, CARDS), "cards in hand", OWNER),
    Field("ticket", "i1", (TICKETS,), "where each ticket lies", Audience.KNOWN),
    Field("known", "i1", (TICKETS,), "seats that know where it lies, as bits", Audience.KNOWERS),
)

# A view is the state as one seat may see it, and what is public of the rest.
VIEW: tuple[Field, ...] = (
    *STATE,
    Field("hand_size", "i2", (SEATS,), "cards in each hand", PUBLIC),
    Field("held", "i1", (SEATS,), "tickets each seat holds", PUBLIC),
    Field("offered", "i1", (SEATS,), "tickets each seat is being offered", PUBLIC),
    Field(
        "bundled", "i1", (), "tickets returned at setup that lie shuffled under the deck", PUBLIC
    ),
    Field("seat", "i1", (), "whose view this is; -1 for a spectator", PUBLIC),
)

SPEC: tuple[Field, ...] = (
    Field("lanes", "i8", (WORDS,), "lanes that exist"),
    Field("multi", "i8", (WORDS,), "lanes with another lane beside them, at the same bit"),
    Field("touch", "i8", (CITIES, WORDS), "lanes that end in a city"),
    Field("near", "i8", (LANES, WORDS), "lanes that touch an end of a lane"),
    Field("steps", "i8", (LENGTHS,), "min(cards, x) for x = 1 to 9, in 7 bits each, by cards"),
    Field("class_mask", "i8", (CLASSES, WORDS), "lanes of a class: same colour, length, symbols"),
    Field("first_class", "i2", (CARDS + 1,), "first class of each colour; gray is the last"),
    Field("class_base", "i2", (CLASSES,), "first claim number of the class"),
    Field("class_size", "i2", (CLASSES,), "lanes in the class"),
    Field("base", "i2", (KINDS + 1,), "first action number of each kind"),
    Field("claim_lane", "i2", (CLAIMS,), "lane of a claim number"),
    Field("lane_route", "i2", (LANES,), "number of a lane's route on the map"),
    Field("seats", "i1", (), "players"),
    Field("cities", "i1", (), "cities"),
    Field("tickets", "i1", (), "tickets"),
    Field("hand_size", "i1", (), "Rules.hand"),
    Field("row_size", "i1", (), "Rules.row"),
    Field("row_locos", "i1", (), "Rules.row_locomotives"),
    Field("trains", "i1", (), "Rules.trains"),
    Field("last_trains", "i1", (), "Rules.last_trains"),
    Field("parallel", "i1", (), "1 where other lanes stay open to other seats"),
    Field("setup_long", "i1", (), "Rules.setup_long"),
    Field("setup_deal", "i1", (), "tickets dealt to a seat at the start, long ones included"),
    Field("setup_keep", "i1", (), "Rules.setup_keep"),
    Field("setup_return", "i1", (), "Rules.setup_return"),
    Field("draw_tickets", "i1", (), "Rules.draw_tickets"),
    Field("draw_keep", "i1", (), "Rules.draw_keep"),
    Field("chosen_order", "i1", (), "1 where the returning player chooses the order"),
    Field("tunnel_cards", "i1", (), "Rules.tunnel_cards"),
    Field("stations", "i1", (), "stations a seat may build; 0 without the phase"),
    Field("station_points", "i1", (), "Rules.station_points"),
    Field("markers", "i1", (), "markers a seat may place; 0 without the phase"),
    Field("marker_cards", "i1", (), "Rules.marker_cards"),
    Field("start_city", "i1", (), "1 where networks grow from a starting city"),
    Field("controllers", "i1", (), "1 where controllers of cities score routes"),
    Field("alvin_home", "i1", (), "city where Alvin begins, or -1"),
    Field("alvin_points", "i1", (), "Rules.alvin_points"),
    Field("longest_points", "i1", (), "Rules.longest_points"),
    Field("globetrotter_points", "i1", (), "Rules.globetrotter_points"),
    Field("scorers", "i1", (), "final scorers, as bits"),
    Field("ties", "i1", (3,), "tie-breaks, in order"),
    Field("cards", "i1", (CARDS,), "cards in the game"),
    Field("points", "i1", (LENGTHS,), "points for a route, by length"),
    Field("lane_a", "i1", (LANES,), "a city of a lane"),
    Field("lane_b", "i1", (LANES,), "its other city"),
    Field("lane_length", "i1", (LANES,), "its spaces"),
    Field("lane_tunnel", "i1", (LANES,), "1 for a tunnel"),
    Field("class_color", "i1", (CLASSES,), "colour of the class; 8 for gray"),
    Field("class_length", "i1", (CLASSES,), "spaces"),
    Field("class_locos", "i1", (CLASSES,), "locomotive symbols"),
    Field("claim_color", "i1", (CLAIMS,), "colour paid; 8: locomotives only"),
    Field("claim_locos", "i1", (CLAIMS,), "locomotives paid"),
    Field("ticket_a", "i1", (TICKETS,), "a city of a ticket"),
    Field("ticket_b", "i1", (TICKETS,), "its other city"),
    Field("ticket_points", "i1", (TICKETS,), "its value"),
    Field("ticket_long", "i1", (TICKETS,), "1 for a long ticket"),
)

TALLY: tuple[Field, ...] = (
    Field("routes", "i2", (SEATS,), "points at the table: routes, and Alvin's captures"),
    Field("tickets", "i2", (SEATS,), "completed tickets less the others"),
    Field("longest", "i2", (SEATS,), "bonus for the longest path"),
    Field("stations", "i2", (SEATS,), "bonus for stations not built"),
    Field("globetrotter", "i2", (SEATS,), "bonus for most tickets"),
    Field("alvin", "i2", (SEATS,), "bonus for holding Alvin"),
    Field("total", "i2", (SEATS,), "final score"),
    Field("path", "i2", (SEATS,), "length of the longest path"),
    Field("borrowed", "i2", (SEATS, MARKS), "lane each station borrows, or -1"),
    Field("completed", "i1", (SEATS,), "tickets completed"),
    Field("done", "i1", (TICKETS,), "1 for a completed ticket, 0 for a failed one, -1 if not held"),
    Field("winners", "i1", (), "winning seats, as bits"),
    Field("tie_break", "i1", (), "what decided among equals: 0 nothing had to"),
)

WORK: tuple[Field, ...] = (
    Field("incident", "i8", (CITIES,), "edges at a city, as bits"),
    Field("todo", "i8", (EDGES + 1,), "edges still to try, by depth"),
    # What `legal_count` leaves for the choice that follows.
    Field("lanes", "i8", (WORDS,), "lanes open to the seat, as bits"),
    Field("sites", "i8", (), "cities where it may place a station or a marker, as bits"),
    Field("counts", "i2", (CLASSES,), "legal claims by class"),
    Field("claims", "i2", (CARDS,), "legal claims by colour"),
    Field("class_end", "i2", (CARDS,), "first class of a colour that is too long to be paid"),
    Field("takes", "i2", (), "face-up cards that may be taken, as bits"),
    Field("ways", "i2", (), "ways to pay a station or a marker"),
    Field("group", "i1", (CITIES,), "a city's component, as its parent city"),
    Field("edge_a", "i1", (EDGES,), "a city of an edge"),
    Field("edge_b", "i1", (EDGES,), "its other city"),
    Field("edge_length", "i1", (EDGES,), "its length"),
    Field("at", "i1", (EDGES + 1,), "city, by depth"),
    Field("via", "i1", (EDGES + 1,), "edge that led there, by depth"),
    Field("far", "i1", (CITIES,), "distance, in a component without loops"),
    Field("heap", "i1", (CITIES,), "cities to visit"),
    Field("option", "i2", (MARKS, LANES), "lanes a station could borrow"),
    Field("options", "i2", (MARKS,), "how many"),
    Field("goal", "i1", (TICKETS,), "incomplete tickets of the seat"),
)

# What `sweep` works with. A GPU has no room for it.
SWEEP: tuple[Field, ...] = (
    Field("near", "i8", (CITIES,), "neighbours of a city, as bits"),
    Field("open", "i8", (EDGES + 1,), "cities open before a step, as bits of their parities"),
    Field("layer", "i8", (EDGES + 1,), "where the bounds of a step begin"),
    Field("key", "i8", (2, SWEEP_STATES), "states before and after a step"),
    Field("hashed", "i2", (4 * SWEEP_STATES,), "where a state is, by hash; -1 for none"),
    Field("rest", "i2", (EDGES + 1,), "summed length of the edges from a step on"),
    Field("loss", "i1", (2, SWEEP_STATES), "length that a state has left out"),
    Field("slot", "i1", (CITIES,), "slot of an open city"),
    Field("step_edge", "i1", (EDGES,), "the edge of a step"),
    Field("step_a", "i1", (EDGES,), "slot of its first city"),
    Field("step_b", "i1", (EDGES,), "slot of its second city"),
    Field("step_close", "i1", (EDGES,), "cities that it is the last edge of: 1, 2, or 3 for both"),
    Field("bound", "i1", (SWEEP_BOUNDS,), "least length to leave out from a step on, by parities"),
)

# An event: each kind uses some of the fields, and EVENTS says who may see them. A number that is
# not used or not shown is -1; sets and counts are empty.
EVENT: tuple[Field, ...] = (
    Field("tickets", "i8", (TICKET_WORDS,), "tickets, as bits"),
    Field("points", "i2", (SEATS,), "points scored, by seat"),
    Field("lane", "i2", (), "lane of the route"),
    Field("size", "i2", (), "cards in the new deck"),
    Field("kind", "i1", (), "what happened; 0: nothing more in this step"),
    Field("seat", "i1", (), "seat that did it, or that it happened to"),
    Field("color", "i1", (), "colour of the card, or of the cards paid (8: locomotives only)"),
    Field("cards", "i1", (), "cards of that colour that were paid"),
    Field("locos", "i1", (), "locomotives that were paid"),
    Field("city", "i1", (), "city"),
    Field("count", "i1", (), "number of tickets"),
    Field("row", "i1", (CARDS,), "face-up cards that were discarded, by colour"),
)


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: its name, and who may see which field of it.

    A field of audience OWNER is for the event's seat only; a field that is not listed is not used.
    """

    name: str
    fields: dict[str, Audience]


_SEAT = {"seat": PUBLIC}
_PAID = _SEAT | {"color": PUBLIC, "cards": PUBLIC, "locos": PUBLIC}
_CARD = _SEAT | {"color": PUBLIC}
_OWN_CARD = _SEAT | {"color": OWNER}
_TICKETS = _SEAT | {"count": PUBLIC, "tickets": OWNER}
_CITY = {"city": PUBLIC}
_LANE = {"lane": PUBLIC}
_POINTS = {"points": PUBLIC}

EVENTS: dict[int, EventKind] = {
    E_GAME_BEGAN: EventKind("game-began", _SEAT),
    E_CARD_DEALT: EventKind("card-dealt", _OWN_CARD),
    E_CARD_TAKEN: EventKind("card-taken", _CARD),
    E_BLIND_DRAWN: EventKind("blind-drawn", _OWN_CARD),
    E_ROW_FILLED: EventKind("row-filled", {"color": PUBLIC}),
    E_ROW_REPLACED: EventKind("row-replaced", {"row": PUBLIC}),
    E_DECK_SHUFFLED: EventKind("deck-shuffled", {"size": PUBLIC}),
    E_TICKETS_DRAWN: EventKind("tickets-drawn", _SEAT),
    E_TICKETS_DEALT: EventKind("tickets-dealt", _TICKETS),
    E_TICKETS_KEPT: EventKind("tickets-kept", _TICKETS),
    E_TICKETS_RETURNED: EventKind("tickets-returned", _TICKETS),
    E_ROUTE_CLAIMED: EventKind("route-claimed", _PAID | _LANE | _POINTS),
    E_TUNNEL_TRIED: EventKind("tunnel-tried", _PAID | _LANE),
    E_TUNNEL_REVEALED: EventKind("tunnel-revealed", _CARD),
    E_TUNNEL_PAID: EventKind("tunnel-paid", _PAID | _LANE),
    E_TUNNEL_DECLINED: EventKind("tunnel-declined", _SEAT | _LANE),
    E_STATION_BUILT: EventKind("station-built", _PAID | _CITY),
    E_CITY_STARTED: EventKind("city-started", _SEAT | _CITY),
    E_MARKER_PLACED: EventKind("marker-placed", _PAID | _CITY),
    E_MARKER_SKIPPED: EventKind("marker-skipped", _SEAT),
    E_ALVIN_CAPTURED: EventKind("alvin-captured", _SEAT | _CITY | _POINTS),
    E_ALVIN_MOVED: EventKind("alvin-moved", _SEAT | _CITY),
    E_PASSED: EventKind("passed", _SEAT),
    E_TURN_ENDED: EventKind("turn-ended", _SEAT),
    E_LAST_ROUND_BEGAN: EventKind("last-round-began", _SEAT),
    E_GAME_ENDED: EventKind("game-ended", {}),
}

# What a world is drawn with.
WORLD: tuple[Field, ...] = (
    Field(
        "ways", "f8", (QUEUE + 2, TICKETS + 1), "ways to place so many long tickets from a group on"
    ),
    Field("hidden", "i2", (CARDS,), "cards that the seat cannot see"),
    Field("over", "i2", (CARDS,), "of these, cards that are in no deck"),
    Field("slots", "i2", (TICKETS,), "tickets that the seat cannot see"),
    Field("count", "i2", (PLACES,), "unknown tickets by place"),
    Field("long", "i2", (PLACES,), "of these, long ones"),
    Field("size", "i2", (QUEUE + 1,), "unknown tickets by group of places"),
)

# How the tickets of a seat stand, and a cheapest way to complete each.
PLAN: tuple[Field, ...] = (
    Field("way", "i8", (TICKETS, WORDS), "lanes of the way: own, open and, by stations, others'"),
    Field("spaces", "i2", (TICKETS,), "spaces that the way still lacks"),
    Field("state", "i1", (TICKETS,), "1: done, 2: open, 3: impossible; 0: not the seat's"),
    Field("stations", "i1", (TICKETS,), "stations still to be built that the way needs"),
)

# What each open ticket of a seat still costs at the least.
COST: tuple[Field, ...] = (
    Field("order", "i8", (LANES + MARKS,), "of what is paid for: low numbers first; -1: paid"),
    Field("open", "i8", (WORDS,), "lanes that the seat can claim, network and cards aside"),
    Field("wanted", "i2", (LANES + MARKS,), "a lane, or the cards of a station with a minus"),
    Field("missing", "i2", (TICKETS, CARDS), "cards that the hand lacks, by ticket and kind"),
    Field("any_color", "i2", (TICKETS,), "further cards, for gray lanes and stations"),
    Field("claims", "i2", (TICKETS,), "lanes to claim"),
    Field("tunnels", "i2", (TICKETS,), "of these, tunnels"),
    Field("stations", "i2", (TICKETS,), "stations to build"),
    Field("cards", "i2", (TICKETS,), "cards that are missing in all"),
    Field("turns", "i2", (TICKETS,), "turns to draw them, to claim and to build"),
    Field("left", "i2", (CARDS,), "cards of the hand that are not used yet"),
)

# What ways are searched with. One more than the nodes there are is the best way so far.
NETWORK: tuple[Field, ...] = (
    Field("routes", "i8", (NODES + 1, WORDS), "routes of the way to a node; low numbers are high"),
    Field("mine", "i8", (WORDS,), "lanes that the seat has"),
    Field("claimable", "i8", (WORDS,), "lanes that it can still claim"),
    Field("others", "i8", (WORDS,), "lanes that others have"),
    Field("hoped", "i8", (WORDS,), "lanes that others can still claim"),
    Field("free", "i8", (WORDS,), "lanes to go by that cost nothing"),
    Field("open", "i8", (WORDS,), "lanes to go by that are to be claimed"),
    Field("lent", "i8", (WORDS,), "lanes that stations may borrow"),
    Field("spaces", "i2", (NODES + 1,), "spaces that are missing on the way to a node; -1: no way"),
    Field("count", "i2", (NODES + 1,), "lanes of that way"),
    Field("queue", "i2", (NODES,), "nodes to go on from, in a ring"),
    Field("head", "i2", (), "where the ring begins"),
    Field("queued", "i2", (), "nodes in the ring"),
    Field("far", "i2", (CITIES, CITIES), "spaces missing between cities without stations"),
    Field("rest", "i2", (MARKS + 1, CITIES), "at least so many to the goal, by stations left"),
    Field("reached", "i2", (MARKS + 1, CITIES), "spaces missing so far, by stations used"),
    Field("waiting", "i1", (NODES,), "1 for a node in the ring"),
    Field("next", "i1", (MARKS + 1,), "city to try next, by stations used"),
    Field("station", "i1", (MARKS,), "cities of the stations that may be used"),
    Field("stations", "i1", (), "how many"),
    Field("claims", "i1", (), "claims at most; -1: any number"),
    Field("measured", "i1", (), "1 if `far` is filled in"),
)

DICE: tuple[Field, ...] = (Field("word", "i8", (4,), "state of the fast random stream"),)

RECORDS: dict[str, tuple[Field, ...]] = {
    "state": STATE,
    "view": VIEW,
    "spec": SPEC,
    "tally": TALLY,
    "event": EVENT,
    "work": (*WORK, *SWEEP),
    "gpu-work": WORK,
    "dice": DICE,
    "world": WORLD,
    "plan": PLAN,
    "cost": COST,
    "network": NETWORK,
}


@cache
def dtype_of(record: str) -> np.dtype[np.void]:
    """The structured NumPy dtype of a record of the kernel."""
    return dtype_from(RECORDS[record])


@cache
def dtype_from(record: tuple[Field, ...]) -> np.dtype[np.void]:
    """The structured NumPy dtype of declared fields, padded so that arrays of it stay aligned.

    The padding is a field too: NumPy copies fields, and equal records must have equal bytes.
    """
    import numpy as np

    fields = [(f.name, f.kind, f.shape) for f in record]
    aligned = np.dtype(fields, align=True)
    last, offset = aligned.fields[fields[-1][0]][:2]  # type: ignore[index]
    spare = aligned.itemsize - offset - last.itemsize
    return np.dtype([*fields, ("spare", "i1", (spare,))], align=True) if spare else aligned
