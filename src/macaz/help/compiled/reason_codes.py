"""The reasons for a move: their numbers, their names, and the record of one.

A reason compares a move, the line, with another one. It is true by itself: of the position as the
seat knows it, or of tries that were counted.
"""

from __future__ import annotations

from typing import Literal, get_args

from macaz.kernel.layout import Field, dtype_from

# Claims, and paying for a tunnel.
COMPLETES_TICKET = 1  # ticket, route, amount: its points
SERVES_TICKET = 2  # ticket, route; amount: trains that the way takes more without it
ONLY_WAY = 3  # ticket, route: without it there is no way left, even by stations
NEEDS_STATION = 4  # ticket, route; amount: stations that the way takes more without it
NETWORK = 5  # ticket, route: no other route of the way touches the network yet (W2)
CONTESTED = 6  # route, share, seat: that seat (or others) took it soon where the line did not
BLOCKS = 7  # the same of a route that serves no ticket
POINTS = 8  # route, amount: points at once
GIVES_POINTS = 9  # route, seat, amount: the other move would bring that seat points (W4)
SERVES_NONE = 10  # route: the other move claims it, and it brings no open ticket nearer
CAPTURES_ALVIN = 11  # city, amount: points at once
LONGEST_PATH = 12  # share, instead: tries with the bonus for the longest path
MOST_TICKETS = 13  # share, instead: tries with the bonus for most tickets
ALVIN_HELD = 14  # share, instead: tries at whose end the seat holds Alvin
# Time.
ENDS_GAME = 15  # the last round begins
LAST_TURN = 16  # cards in hand are worth nothing afterwards
FEW_TURNS = 17  # amount: own turns left; seat, of: who has the fewest trains, and how many
MANY_TURNS = 18  # amount: own turns left
# Cards.
CAN_PAY = 19  # color, route, ticket: with the card the route, which the ticket needs, can be paid
NEEDED_CARD = 20  # color, route, ticket; amount, of: so many of so many cards are in hand
CARD_USED = 21  # color, share: tries that used more such cards than are in hand
NO_FACE_UP = 22  # no face-up card fits a route that the ways of the tickets still lack
CANNOT_PAY = 23  # the hand cannot pay any route that the ways of the tickets lack
FEW_CARDS = 24  # ticket; amount, of: more trains are missing for it than cards are in hand
CAN_WAIT = 25  # route, share, ticket: how often others took the route that the other move claims
KEEPS_CARDS = 26  # color, amount: the other move spends them; route: what needs them
# Tickets.
TICKET_READY = 27  # ticket, amount: it is completed already
TICKET_FITS = 28  # ticket, share, amount: how often it was completed; its points
TICKET_NEAR = 29  # ticket, amount: trains that it lacks
TICKET_SHARED = 30  # ticket, other; amount, of: trains it lacks after the other's way, or by itself
TICKET_RISK = 31  # ticket, share, amount: how often it was completed where it was kept; its points
TICKET_LOST = 32  # ticket, amount: it cannot be completed any more; its points
ALL_DONE = 33  # all tickets are completed; amount: trains left
TICKET_ODDS = 34  # ticket, share, instead: how often it was completed
# Tunnels.
TUNNEL_SURE = 35  # route: whatever is revealed can be paid
TUNNEL_ODDS = 36  # route, share; amount: extra cards that can be paid
TUNNEL_RISK = 37  # route, share: how likely the other move cannot pay its tunnel
# Stations.
STATION_COMPLETES = 38  # city, ticket, amount: its points
STATION_NEARER = 39  # city, ticket; amount, of: trains that it lacks then, and now
STATION_NEEDED = 40  # city, ticket; amount: trains; there is no way without a station
STATION_KEPT = 41  # amount: points for the station that the other move builds
# Networks, markers, Alvin.
START_TICKETS = 42  # city; amount: tickets in hand that end there
START_NEARER = 43  # city, ticket; amount, of: trains it lacks from there, and from the other city
MARKER = 44  # city; amount, of: points for routes that others can claim there, and how many
MARKER_LITTLE = 45  # amount: points for such routes at the better end
ALVIN_SAFE = 46  # city; amount: routes there by which others can capture him
# What the tries brought on average, in points more than after the other move.
MORE_FOR_ROUTES = 47  # amount
MORE_FOR_TICKETS = 48  # amount
LESS_FOR_OTHER = 49  # seat, amount: points fewer for that seat

ReasonCode = Literal[
    "completes-ticket",
    "serves-ticket",
    "only-way",
    "needs-station",
    "network",
    "contested",
    "blocks",
    "points",
    "gives-points",
    "serves-none",
    "captures-alvin",
    "longest-path",
    "most-tickets",
    "alvin-held",
    "ends-game",
    "last-turn",
    "few-turns",
    "many-turns",
    "can-pay",
    "needed-card",
    "card-used",
    "no-face-up",
    "cannot-pay",
    "few-cards",
    "can-wait",
    "keeps-cards",
    "ticket-ready",
    "ticket-fits",
    "ticket-near",
    "ticket-shared",
    "ticket-risk",
    "ticket-lost",
    "all-done",
    "ticket-odds",
    "tunnel-sure",
    "tunnel-odds",
    "tunnel-risk",
    "station-completes",
    "station-nearer",
    "station-needed",
    "station-kept",
    "start-tickets",
    "start-nearer",
    "marker",
    "marker-little",
    "alvin-safe",
    "more-for-routes",
    "more-for-tickets",
    "less-for-other",
]
REASON_CODES: tuple[ReasonCode, ...] = get_args(ReasonCode)  # from COMPLETES_TICKET on

ENOUGH = 32  # tries from which a share is told: its standard error is 9 % at most
REASONS = 4  # that are told of a move, at most
CANDIDATES = 24  # that are weighed

# A reason. A number that it does not have is -1, a share too.
REASON: tuple[Field, ...] = (
    Field("weight", "f8", (), "by which reasons are ordered, about in points"),
    Field("share", "f8", (), "a share of tries, or a probability"),
    Field("instead", "f8", (), "the same share after the other move"),
    Field("code", "i2", (), "why; 0: no reason"),
    Field("route", "i2", (), "number of a route on the map"),
    Field("amount", "i2", (), "points, trains, cards, turns or routes, as the code says"),
    Field("of", "i2", (), "a number that belongs to the amount"),
    Field("ticket", "i1", (), "ticket"),
    Field("other", "i1", (), "another ticket"),
    Field("seat", "i1", (), "another seat; also the own one in FEW_TURNS"),
    Field("color", "i1", (), "colour of cards"),
    Field("city", "i1", (), "city"),
)

reason_dtype = dtype_from(REASON)
