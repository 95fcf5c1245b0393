"""Says in words what is impossible in a position, as `game.compiled` has found it.

Codes such as D2 are the rules of docs/rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from macaz.edition.board import CARDS
from macaz.errors import Problem
from macaz.game.compiled.complete import may_follow
from macaz.game.compiled.layout import PROBLEM_NAMES, ProblemName
from macaz.game.compiled.program import problems_of
from macaz.kernel import layout as at

if TYPE_CHECKING:
    import numpy as np

    from macaz.game.position.read import Draft


class _Words(NamedTuple):
    """Where a problem is, what it is, and what to do: with the fields of `_parts`."""

    place: str
    message: str
    remedy: str


_WORDS: dict[ProblemName, _Words] = {
    # the phase
    "after-impossible": _Words(
        "after", '"{after}" cannot follow "{plain_phase}"', "Use one of: {afters}."
    ),
    "no-such-phase": _Words("phase", '{title} has no phase "{now}"', "Change it."),
    "turn-not-first": _Words(
        "turn", 'the turn is seat {have}\'s in the phase "{phase}"', "Write {want}."
    ),
    "first-missing": _Words("first", "the first seat is missing", "Add it."),
    "first-early": _Words("first", "chance has not determined the first seat yet", "Write null."),
    "drawn-wrong": _Words("drawn", '{have} cards drawn in the phase "{phase}"', "Leave it out."),
    "passes-early": _Words("passes", '{have} passes in the phase "{phase}"', "Write 0 (T2)."),
    "all-passed": _Words("passes", "every seat has passed", 'The phase is "over" then (T2).'),
    "last-early": _Words("last_turns", 'the last round in the phase "{phase}"', "Write 0 (E1)."),
    "not-over": _Words(
        "phase",
        "the game cannot be over: every seat has trains, or turns are left",
        "Let it go on (E1, T2).",
    ),
    "last-with-trains": _Words(
        "last_turns",
        "{have} turns are left, so seat {seat} began the last round, with {trains} trains",
        "That takes {most} or fewer (E1).",
    ),
    "last-missing": _Words(
        "last_turns",
        "seat {seat} has {have} trains, and the last round has not begun",
        "Say how many turns are left, 1 to {seats} (E1).",
    ),
    # cards
    "card-count": _Words(
        "cards.{card}",
        "{have} of {want} {card} cards",
        "Correct the hands, row, deck or discards, or leave the deck out.",
    ),
    "unseen-count": _Words(
        "deck_size",
        "{want} cards are unseen, but hands and deck have {have}",
        "Correct the number of the deck or of a hand.",
    ),
    "pool-color": _Words(
        "pool.{card}",
        "{have}, but the deck has {want} and the game {most}",
        "Correct it, or leave the pool out.",
    ),
    "pool-small": _Words(
        "pool", "{have} cards for a deck of {want}", "Correct it, or leave the pool out."
    ),
    "seen-many": _Words(
        "seats[{seat}].seen",
        "{have} cards were seen in a hand of {most}",
        "Remove what has left the hand.",
    ),
    "seen-color": _Words(
        "seats[{seat}].seen.{card}",
        "{have} seen in a hand with {most}",
        "Remove what has left the hand.",
    ),
    "row-long": _Words("row", "{have} cards in a row of {want}", "Remove some."),
    "row-early": _Words("row", 'there are none yet in the phase "{phase}"', "Remove them."),
    "discards-early": _Words(
        "discards", 'there are none yet in the phase "{phase}"', "Remove them."
    ),
    "not-shuffled": _Words(
        "deck",
        "the deck is empty, but there are discards",
        "Move the discards into the deck (D6).",
    ),
    "row-full": _Words(
        "row",
        'the row is full, but the phase is "deal-row"',
        "Take a card off it, or change the phase.",
    ),
    "row-short": _Words(
        "row",
        "{have} cards in a row of {want}, and the deck has more",
        "Fill the row from the deck (D2).",
    ),
    "deck-used-up": _Words(
        "deck", 'the deck is empty in the phase "{phase}"', "Add cards, or change the phase."
    ),
    "no-second-card": _Words(
        "phase", "there is no legal second card (D8)", "Give the turn to the next seat."
    ),
    "refreshed-wrong": _Words(
        "refreshed", "{have}, but with this row it is {want} (D7)", "Leave it out."
    ),
    "hands-dealt": _Words("phase", "all hands are dealt", 'Go on to "deal-row".'),
    "hand-in-setup": _Words(
        "seats[{seat}].hand", '{have} cards in the phase "{phase}"', "Deal {want} (S2)."
    ),
    "seen-in-setup": _Words(
        "seats[{seat}].seen", "no card can be taken face up before the first turn", "Remove it."
    ),
    # routes
    "route-twice": _Words(
        "seats[{seat}].routes[{index}]",
        "{route} is claimed already, by seat {other}",
        "Keep it once.",
    ),
    "both-lanes": _Words(
        "seats[{seat}].routes[{index}]",
        "{route}: the seat has another lane of it",
        "Remove one of them (C7).",
    ),
    "second-lane": _Words(
        "seats[{seat}].routes[{index}]",
        "{route}: seat {other} has another lane of it",
        "At {seats} seats only one lane may be claimed (C7).",
    ),
    "trains-exceeded": _Words(
        "seats[{seat}].routes", "the routes take {have} more trains than a seat has", "Remove some."
    ),
    "trains-wrong": _Words(
        "seats[{seat}].trains",
        "{have} trains are left, but the routes leave {want}",
        "Write {want}, or leave it out.",
    ),
    "score-wrong": _Words(
        "seats[{seat}].score",
        "{have} points, but the routes are worth {want}",
        "Write {want}, or leave it out.",
    ),
    "routes-early": _Words(
        "seats[{seat}].routes",
        'there can be none in the phase "{phase}"',
        "Remove it, or change the phase.",
    ),
    "score-early": _Words(
        "seats[{seat}].score",
        'there can be none in the phase "{phase}"',
        "Remove it, or change the phase.",
    ),
    "claim-missing": _Words(
        "claiming", 'no route is being claimed in the phase "{phase}"', "Name the route."
    ),
    "claim-now": _Words(
        "claiming",
        'a route is being claimed in the phase "{phase}"',
        "Remove it, or change the phase.",
    ),
    "not-claimed": _Words(
        "claiming",
        "seat {seat}, whose turn it is, has not claimed {route}",
        "Add it to the seat's routes.",
    ),
    "no-tunnel": _Words("claiming", "{route} is no tunnel", "Change the route or the phase."),
    "claim-closed": _Words(
        "claiming",
        "{route} is closed: seat {other} has {beside}",
        "Name an open route (C4, C7).",
    ),
    "claim-trains": _Words("claiming", "{route} takes {want} trains", "Name a shorter route (C3)."),
    "claim-apart": _Words(
        "claiming",
        "{route} does not touch the network of seat {seat}",
        "Name a route that does (W2).",
    ),
    "nothing-laid": _Words(
        "claiming",
        "{route} is no tunnel: no cards are laid or revealed for it",
        "Remove laid, revealed and extra.",
    ),
    "laid-missing": _Words("laid", "the cards laid are missing", 'Add them, as in {{"red": 2}}.'),
    "laid-wrong": _Words(
        "claiming",
        "{route} cannot be paid with {card} and {have} locomotives",
        "Correct the colour or the locomotives (C1, C2).",
    ),
    "revealed-many": _Words("revealed", "{have} cards are revealed", "At most {want} are (U1)."),
    "revealed-all": _Words("revealed", "all cards are revealed", 'Go on to "tunnel".'),
    "revealed-few": _Words(
        "revealed",
        "{have} cards are revealed, and the deck has more",
        "Reveal {want} (U1, U6).",
    ),
    "extra-wrong": _Words(
        "extra", "{have}, but the revealed cards cost {want}", "Leave it out (U2, U3)."
    ),
    "extra-none": _Words(
        "revealed",
        "the revealed cards cost nothing: there is nothing to decide",
        "Give the route to the seat (U2).",
    ),
    # stations, markers, Alvin
    "marks-many": _Words(
        "seats[{seat}].marks",
        "{have} stations or markers",
        "A seat has {want} in this edition.",
    ),
    "city-marked": _Words(
        "seats[{seat}].marks[{mark}]",
        "{city} is marked already, by seat {other}",
        "Keep one of them (G1, W1).",
    ),
    "city-of-alvin": _Words(
        "seats[{seat}].marks[{mark}]", "{city} is Alvin's", "Use another city (A1)."
    ),
    "marks-in-setup": _Words(
        "seats[{seat}].marks",
        '{have} marks in the phase "{phase}"',
        "There are {want} then (S7).",
    ),
    "start-missing": _Words("seats[{seat}].marks", "no starting city", "Add it (S7)."),
    "route-apart": _Words(
        "seats[{seat}].routes[{index}]",
        "{route} is not connected to the starting city",
        "Remove it, or add the routes between (W2).",
    ),
    "mark-apart": _Words(
        "seats[{seat}].marks[{mark}]",
        "{city} is on no route of the seat",
        "Move it to one (W3).",
    ),
    "no-marker-left": _Words(
        "phase", "seat {seat} has no marker left", "Give the turn to the next seat (W1)."
    ),
    "ends-marked": _Words(
        "phase", "no end of the route is free", "Give the turn to the next seat (W3)."
    ),
    "no-alvin": _Words("phase", "no Alvin in {title}", "Change it."),
    "alvin-waiting": _Words(
        "alvin_captured",
        'Alvin cannot be waiting for a move in the phase "{phase}"',
        "Write false, or change the phase.",
    ),
    "alvin-of-other": _Words(
        "alvin_holder", "Alvin is moved by the seat whose turn it is", "Write {seat} (A2)."
    ),
    "alvin-elsewhere": _Words(
        "alvin_city",
        "the route being claimed does not lead to {city}",
        "Name one of its ends (A3).",
    ),
    "alvin-not-captured": _Words(
        "alvin_captured",
        "Alvin is to be moved, but was not captured",
        "Write true, or change the phase.",
    ),
    "alvin-away": _Words(
        "alvin_city", "no seat holds Alvin, but he is in {city}", "Write {home} (A1)."
    ),
    "alvin-uncontrolled": _Words(
        "alvin_city", "seat {seat} does not control {city}", "Name a city of the holder (A2)."
    ),
    # tickets
    "under-gap": _Words(
        "known_tickets", "no ticket is under {have}", "Name it, or correct the others."
    ),
    "under-twice": _Words(
        "known_tickets.{ticket}", "another ticket is under {have}", "Put it elsewhere."
    ),
    "ticket-count": _Words(
        "{tickets}",
        "{have} of {all} tickets are held, offered or in the deck",
        "There should be {range} (S4, S5, K1).",
    ),
    "long-in-deck": _Words(
        "known_tickets.{ticket}",
        "{ticket} is a long ticket",
        "Long tickets have a deck of their own.",
    ),
    "long-deck-now": _Words(
        "known_tickets.{ticket}", "{ticket} cannot lie in the long deck now", "Move it (S5)."
    ),
    "not-in-box": _Words(
        "known_tickets.{ticket}", "{ticket} cannot be out of the game", "Move it to the deck."
    ),
    "no-bundle": _Words(
        "tickets_bundled",
        "no tickets are returned and shuffled under the deck in this edition or phase",
        "Move them to the deck (S4).",
    ),
    "under-early": _Words(
        "tickets_under",
        "nothing is under the deck before the first turn",
        "Move them to the deck.",
    ),
    "long-under": _Words(
        "tickets_under", "{ticket} is a long ticket: it cannot be drawn", "Move it (S5)."
    ),
    "long-offered": _Words(
        "seats[{seat}].offer", "{ticket} is a long ticket: it cannot be drawn", "Move it (S5)."
    ),
    "long-many": _Words("seats[{seat}].tickets", "{have} long tickets", "A seat has {want} (S4)."),
    "offers-missing": _Words("seats", "no seat has an offer to choose from", 'Go on to "turn".'),
    "tickets-dealt": _Words("phase", "all tickets are dealt", 'Go on to "choose".'),
    "kept-in-setup": _Words(
        "seats[{seat}].tickets", "{have} tickets kept", "Keep {want} to {most} (S4)."
    ),
    "held-in-setup": _Words(
        "seats[{seat}].tickets",
        'tickets are held in the phase "{phase}"',
        "Put them into the offer.",
    ),
    "offer-in-setup": _Words(
        "seats[{seat}].offer", '{have} in the phase "{phase}"', "Deal {want} (S4)."
    ),
    "returned-in-setup": _Words(
        "known_tickets", "seat {seat}: {have} returned", "There should be {want} (S4)."
    ),
    "long-in-setup": _Words(
        "seats[{seat}].offer", "{have} long tickets of {most}", "Deal {want} of them (S4)."
    ),
    "offer-now": _Words(
        "seats[{seat}].offer",
        'an offer in the phase "{phase}"',
        "Remove it, or change the phase.",
    ),
    "returned-now": _Words(
        "known_tickets.{ticket}", 'tickets returned in the phase "{phase}"', "Move them (S4)."
    ),
    "offer-size": _Words(
        "seats[{seat}].offer", "{have} tickets to choose from", "Offer {want} (K1)."
    ),
    "offer-complete": _Words(
        "seats[{seat}].offer", "{have} tickets are dealt already", 'Go on to "keep".'
    ),
    "next-is-known": _Words(
        "ticket_stock",
        "the next ticket is the first of those under the deck: chance does not deal it",
        'Deal it, and go on to "keep".',
    ),
    "order-not-chosen": _Words(
        "phase", "no order is chosen in {title}", "Put the tickets under the deck (K1)."
    ),
    "return-size": _Words(
        "seats[{seat}].offer", "{have} tickets to return", "There are {want} to {most} then (K1)."
    ),
    "known-in-deck": _Words(
        "knowers.{ticket}", "it is in the deck, where no seat knows it", "Remove it."
    ),
    "owner-must-know": _Words("knowers.{ticket}", "seat {seat} has it and knows it", "Add {seat}."),
}


def check_draft(draft: Draft) -> list[Problem]:
    """All problems of a position; a check is skipped if a part that it needs was not read."""
    found = problems_of(draft.spec, draft.drafts, draft.unsound)
    return [_problem(draft, record) for record in found]


def _problem(draft: Draft, record: np.void) -> Problem:
    words = _WORDS[PROBLEM_NAMES[record["code"]]]
    parts = _parts(draft, record)
    place, message, remedy = (text.format(**parts) for text in words)
    return Problem(place, message, remedy)


def _parts(draft: Draft, problem: np.void) -> dict[str, Any]:
    """What the words can name."""
    spec, names, record = draft.spec, draft.notation, draft.record
    seat, lane, ticket = int(problem["seat"]), int(problem["lane"]), int(problem["ticket"])
    phase, after = at.PHASE_NAMES[record["phase"]], at.PHASE_NAMES[record["after"]]
    row = record["phase"] == at.DEAL_ROW
    low, high = int(problem["want"]), int(problem["most"])
    parts = {name: int(problem[name]) for name in ("seat", "other", "have", "want", "most")} | {
        "plain_phase": phase,
        "phase": f"{phase}, then {after}" if row else phase,
        "after": after,
        "now": after if row else phase,
        "afters": ", ".join(
            name for i, name in enumerate(at.PHASE_NAMES) if may_follow(record["phase"], i)
        ),
        "title": spec.edition.title,
        "seats": spec.seats,
        "trains": int(record["trains"][seat]),
        "tickets": "known_tickets" if draft.open else "ticket_stock",
        "all": len(spec.edition.board.tickets),
        "range": f"{low}" if low == high else f"{low} to {high}",
        "mark": int(problem["place"]),
        "card": CARDS[problem["color"]],
        "home": _city(draft, int(spec.table["alvin_home"][0])),
        "city": _city(draft, int(problem["city"])),
    }
    if ticket >= 0:
        parts["ticket"] = names.ticket_name(ticket)
    if lane >= 0:
        route = spec.route_of_lane[lane]
        parts["route"] = names.route_name(route)
        routes = draft.routes[seat] if seat >= 0 else []
        parts["index"] = routes.index(route) if route in routes else 0
    if problem["beside"] >= 0:
        parts["beside"] = names.route_name(spec.route_of_lane[int(problem["beside"])])
    return parts


def _city(draft: Draft, city: int) -> str:
    return draft.notation.city_name(city) if city >= 0 else ""
